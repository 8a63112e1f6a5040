// SPDX-License-Identifier: Apache-2.0
import Tiles

/// The path of a tile: `/tiles/relief/12/2048/1361.png` or `/tiles/ways/…​.json`.
struct TilePath: Equatable {
  /// The kind of tiles.
  enum Kind: String, CaseIterable {
    case relief
    case ways

    var ending: String { self == .relief ? ".png" : ".json" }
  }

  let kind: Kind
  let id: TileID

  /// Nil for an invalid path, or a tile that does not exist.
  init?(_ path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 6, parts[0].isEmpty, parts[1] == "tiles",
      let kind = Kind(rawValue: String(parts[2])), parts[5].hasSuffix(kind.ending),
      let zoom = Self.number(parts[3]), let column = Self.number(parts[4]),
      let row = Self.number(parts[5].dropLast(kind.ending.count)),
      let id = TileID(zoom: zoom, column: column, row: row)
    else { return nil }
    (self.kind, self.id) = (kind, id)
  }

  private static func number(_ text: Substring) -> Int? {
    guard text.utf8.count <= 9, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return Int(text)
  }
}
