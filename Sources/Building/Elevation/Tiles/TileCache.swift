// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Synchronization

/// Keeps the tiles that were used last, within a number of bytes.
///
/// A tile that several threads ask for at once is read by one of them while the others wait. Tiles
/// in use are not counted once they left the cache: at most one for each thread.
final class TileCache: Sendable {
  /// A tile of one of the sources.
  struct Key: Hashable, Comparable, Sendable {
    let tile: ElevationTileID
    /// The place of the source in the order of preference.
    let source: Int

    static func < (left: Key, right: Key) -> Bool {
      (left.tile, left.source) < (right.tile, right.source)
    }
  }

  private final class Slot: Sendable {
    let content = Mutex<Result<HGTTile, CairnError>?>(nil)
  }

  private struct Entry {
    let slot: Slot
    var byteCount = 0
    var lastUse = 0
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var byteCount = 0
    var uses = 0
  }

  private let limitBytes: Int
  private let state = Mutex(State())

  init(limitBytes: Int) { self.limitBytes = limitBytes }

  /// The tile of a key, from memory or read by `read`. What was thrown once is thrown again.
  func tile(_ key: Key, read: () throws(CairnError) -> HGTTile) throws(CairnError) -> HGTTile {
    let slot = state.withLock { state in
      state.uses += 1
      var entry = state.entries[key] ?? Entry(slot: Slot())
      entry.lastUse = state.uses
      state.entries[key] = entry
      return entry.slot
    }
    var isNew = false
    let result = slot.content.withLock { content in
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

  /// Counts a tile that was read, and lets go of those that were not used for longest.
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
