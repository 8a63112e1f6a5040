// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import ZipArchive

extension ZipReader {
  /// The member with the tile of a file, and warnings about the archive.
  ///
  /// This is the only member that ends in `.hgt`; if none does, the only member. If there are several,
  /// it is the only one of them with the name of the tile. The name is never
  /// used as a path, so folders in it are harmless. Throws 65 if there is no such member.
  func tileMember(of file: HGTFile) throws(CairnError) -> (Member, [HGTTile.Note]) {
    let tiles = members.filter { $0.name.lowercased().hasSuffix(".hgt") }
    let possible = tiles.isEmpty ? members : tiles
    let candidates =
      possible.count > 1 ? possible.filter { Self.tile(of: $0) == file.tile } : possible
    guard candidates.count == 1, let member = candidates.first else {
      throw CairnError(
        .damagedTile, .dataError,
        members.isEmpty
          ? "has no members"
          : "has \(grouped(members.count)) members, but not exactly one \(file.tile).hgt",
        at: Location(file: file.path), hint: "compress the tile alone")
    }
    var notes: [HGTTile.Note] = []
    func note(_ kind: String, _ text: String) {
      notes.append(HGTTile.Note(kind: kind, text: "\(file.path): \(text)"))
    }
    if members.count > 1 {
      note("zip-members", "\(grouped(members.count)) members, using \(member.name)")
    }
    if member.name.contains(where: { $0 == "/" || $0 == "\\" }) {
      note("zip-member-path", "member \(member.name) has a path in its name")
    }
    if Self.tile(of: member) != file.tile {
      note("zip-member-name", "member \(member.name) is used as \(file.tile)")
    }
    return (member, notes)
  }

  private static func tile(of member: Member) -> ElevationTileID? {
    let name = member.name.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.last
    return name.flatMap { ElevationTileID(fileStem: $0) }
  }
}

extension ZipError {
  /// The error for the file of a tile.
  func ofTile(at path: String) -> CairnError {
    switch self {
    case .damaged(let what):
      CairnError(
        .damagedTile, .dataError, what, at: Location(file: path), hint: "download it again")
    case .unsupported(let what):
      CairnError(
        .damagedTile, .dataError, "\(what), which is not supported", at: Location(file: path),
        hint: "extract it, or compress the tile alone with zip or gzip")
    case .outOfMemory: Decompressor.outOfMemory
    }
  }
}
