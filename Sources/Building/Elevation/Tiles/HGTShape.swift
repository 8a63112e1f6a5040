// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

extension CairnError.Code {
  /// An elevation tile has a size unknown for HGT tiles.
  package static let wrongTileSize: Self = "wrong-tile-size"
  /// A compressed elevation tile is truncated, damaged or compressed with an unsupported method.
  package static let damagedTile: Self = "damaged-tile"
}

/// The number of rows and columns of an HGT tile. The format has no header, so the size of the file
/// determines it.
struct HGTShape: Equatable, Sendable {
  /// Posts from north to south, including both borders.
  let rows: Int
  /// Posts from west to east, including both borders.
  let columns: Int

  /// The shapes that models of the Earth are published in: 3″, 1″ and, at high latitudes, 1″ by 2″ and
  /// 2″.
  static let published = [
    HGTShape(rows: 1201, columns: 1201), HGTShape(rows: 1801, columns: 1801),
    HGTShape(rows: 3601, columns: 1801), HGTShape(rows: 3601, columns: 3601),
  ]

  /// All known shapes: these, and what is made of surveys and rasters that are finer or coarser: ½″, ⅓″,
  /// 6″ and 30″. No two have the same size.
  private static let known = published + [7200, 10_800, 600, 120].map { HGTShape(intervals: $0) }

  /// The size of the largest tile of ``published``.
  static let largestPublishedByteCount = published.map(\.byteCount).max() ?? 0
  /// The size of the largest tile.
  static let largestByteCount = known.map(\.byteCount).max() ?? 0

  /// The number of posts.
  var posts: Int { rows * columns }
  /// The size of the uncompressed file.
  var byteCount: Int { posts * MemoryLayout<Int16>.size }

  init(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
  }

  /// A square with so many steps from post to post along each side.
  init(intervals: Int) { self.init(rows: intervals + 1, columns: intervals + 1) }

  /// The shape of a tile of this size; nil if no shape has this size.
  init?(byteCount: Int) {
    guard let shape = Self.known.first(where: { $0.byteCount == byteCount }) else { return nil }
    self = shape
  }

  /// The error for a tile of a wrong size; `what` states the size, such as `has 1 000 bytes`.
  static func sizeError(_ what: String, in path: String) -> CairnError {
    let sizes = published.map { "\(grouped($0.byteCount)) (\($0.rows) × \($0.columns))" }
    return CairnError(
      .wrongTileSize, .dataError,
      "\(what), but an HGT tile has \(sizes.dropLast().joined(separator: ", ")) or "
        + (sizes.last ?? ""),
      at: Location(file: path), hint: "download the tile again, or move it out of the folder")
  }
}
