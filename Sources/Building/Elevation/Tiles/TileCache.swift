// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Synchronization

/// Caches the most recently used tiles up to a number of bytes.
///
/// If several threads request a tile at once, one of them reads it while the others wait. Tiles that
/// have left the cache but are still in use are not counted: at most one per thread.
final class TileCache: Sendable {
  /// A tile of one of the sources.
  struct Key: Hashable, Comparable, Sendable {
    let tile: ElevationTileID
    /// The index of the source in the order of preference.
    let source: Int

    static func < (left: Key, right: Key) -> Bool {
      (left.tile, left.source) < (right.tile, right.source)
    }
  }

  /// A tile or the error of reading it; nil and locked while it is being read.
  private final class CachedTile: Sendable {
    let content = Mutex<Result<HGTTile, CairnError>?>(nil)
  }

  private struct Entry {
    let tile: CachedTile
    var byteCount = 0
    var lastUse = 0
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var byteCount = 0
    var uses = 0
  }

  /// The memory for tiles.
  let limitBytes: Int
  private let state = Mutex(State())

  init(limitBytes: Int) { self.limitBytes = limitBytes }

  /// The tile of a key, from memory or read by `read`. Errors are cached as well.
  func tile(_ key: Key, read: () throws(CairnError) -> HGTTile) throws(CairnError) -> HGTTile {
    let cached = state.withLock { state in
      state.uses += 1
      var entry = state.entries[key] ?? Entry(tile: CachedTile())
      entry.lastUse = state.uses
      state.entries[key] = entry
      return entry.tile
    }
    var isNew = false
    let result = cached.content.withLock { content in
      if let content { return content }
      isNew = true
      let result = Result(catching: read)
      content = result
      return result
    }
    let tile = try result.get()
    if isNew { keep(key, tile.byteCount) }
    return tile
  }

  /// Drops a tile that is not expected to be needed again.
  func forget(_ key: Key) {
    state.withLock { state in
      // One that is still being read is not counted yet, so it stays.
      guard let entry = state.entries[key], entry.byteCount > 0 else { return }
      state.entries[key] = nil
      state.byteCount -= entry.byteCount
    }
  }

  /// Counts a tile that was read, and evicts the least recently used ones.
  private func keep(_ key: Key, _ byteCount: Int) {
    state.withLock { state in
      state.entries[key]?.byteCount = byteCount
      state.byteCount += byteCount
      while state.byteCount > limitBytes,
        let oldest = state.entries.filter({ $0.value.byteCount > 0 && $0.key != key })
          .min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        state.entries[oldest.key] = nil
        state.byteCount -= oldest.value.byteCount
      }
    }
  }
}
