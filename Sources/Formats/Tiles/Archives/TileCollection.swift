// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

/// Tiles with their contents, in memory; equal contents are stored once. A country's trails take
/// some hundred megabytes.
package struct TileCollection: Sendable {
  /// A tile and the number of its content.
  package struct Tile: Sendable {
    /// Its position.
    package let id: TileID
    /// Its content, counted from 0 in the order of first sight.
    package let content: Int
  }

  /// The tiles in the order in which they were added.
  package private(set) var tiles: [Tile] = []
  private var contents = TextPool()

  /// Makes an empty collection.
  package init() {}

  /// The number of distinct contents.
  package var contentCount: Int { contents.count }

  /// Adds a tile; each must be added once.
  package mutating func add(_ id: TileID, _ content: UnsafeRawBufferPointer) {
    tiles.append(Tile(id: id, content: Int(contents.index(of: content))))
  }

  /// The bytes of a content.
  package func content(_ number: Int) -> ArraySlice<UInt8> { contents.text(number) }

  /// The tiles of each zoom: their number and their bytes, equal ones counted each time.
  package var sizes: [Int: (tiles: Int, bytes: Int)] {
    var sizes: [Int: (tiles: Int, bytes: Int)] = [:]
    for tile in tiles {
      let size = sizes[tile.id.zoom] ?? (0, 0)
      sizes[tile.id.zoom] = (size.tiles + 1, size.bytes + contents.text(tile.content).count)
    }
    return sizes
  }
}
