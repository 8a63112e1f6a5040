// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting

extension CairnError.Code {
  /// An elevation tile has a size that no HGT tile has.
  package static let wrongTileSize: Self = "wrong-tile-size"
  /// A compressed elevation tile is cut off, damaged or compressed in a way that is not read.
  package static let damagedTile: Self = "damaged-tile"
}

/// How many posts an HGT tile has. The format has no header: the size of the file tells.
struct HGTShape: Equatable, Sendable {
  /// Posts from north to south, both borders included.
  let rows: Int
  /// Posts from west to east, both borders included.
  let columns: Int

  /// The shapes there are: 3″ and 1″, and, at high latitudes where meridians draw together, 1″ by
  /// 2″ and 2″. No two have the same size.
  static let known = [
    HGTShape(rows: 1201, columns: 1201), HGTShape(rows: 1801, columns: 1801),
    HGTShape(rows: 3601, columns: 1801), HGTShape(rows: 3601, columns: 3601),
  ]

  /// The size of the largest tile.
  static let largestByteCount = known.map(\.byteCount).max() ?? 0

  /// How many posts there are.
  var posts: Int { rows * columns }
  /// The size of the uncompressed file.
  var byteCount: Int { posts * MemoryLayout<Int16>.size }

  init(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
  }

  /// The shape of a tile of this size, or nil if there is none.
  init?(byteCount: Int) {
    guard let shape = Self.known.first(where: { $0.byteCount == byteCount }) else { return nil }
    self = shape
  }

  /// An error about a tile of a size that none has, such as `has 1 000 bytes`.
  static func sizeError(_ what: String, in path: String) -> CairnError {
    let sizes = known.map { "\(grouped($0.byteCount)) (\($0.rows) × \($0.columns))" }
    return CairnError(
      .wrongTileSize, .dataError,
      "\(what), an HGT tile has \(sizes.dropLast().joined(separator: ", ")) or "
        + (sizes.last ?? ""),
      at: Location(file: path), hint: "fetch the tile anew, or move it out of the folder")
  }
}
