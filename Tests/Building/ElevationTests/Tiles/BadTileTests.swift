// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import TestSupport
import Testing
import ZipArchive

@testable import Elevation

@Suite("Damaged and unusual tiles")
struct BadTileTests {
  private static let flat = TileDrawing(321).bytes

  /// Looks up a point in a tile with these bytes.
  private func lookUp(_ bytes: [UInt8], as name: String) throws -> ElevationBatch {
    let folder = try TemporaryFolder()
    try folder.write(bytes, to: name)
    return try ElevationDataManager(folders: [folder.path]).elevations([point(42.5, 1.5)])
  }

  @Test(
    "a tile of the wrong size is an error that names its size and the valid ones",
    arguments: [0, 1, 2_884_801, 2_884_803, 25_934_403])
  func wrongSize(byteCount: Int) throws {
    let bytes = [UInt8](repeating: 0, count: byteCount)
    let error = expectError(.wrongTileSize, .dataError) { try lookUp(bytes, as: "N42E001.hgt") }
    let text = error?.description ?? ""
    #expect(text.contains("N42E001.hgt: has \(grouped(byteCount)) bytes"))
    #expect(
      text.contains("2\u{A0}884\u{A0}802 (1201 × 1201)")
        && text.contains("12\u{A0}970\u{A0}802 (3601 × 1801)"))
  }

  @Test("a wrong size within gzip and zip is an error", arguments: [0, 1000, 2_884_800, 2_884_804])
  func wrongSizeInside(byteCount: Int) throws {
    let bytes = [UInt8](repeating: 0, count: byteCount)
    let packed = try gzip(bytes)
    let error = expectError(.wrongTileSize, .dataError) {
      try lookUp(packed, as: "N42E001.hgt.gz")
    }
    #expect(error?.message.contains("contains \(grouped(byteCount)) bytes") == true)
    let archive = try zip([ZipMember(name: "N42E001.hgt", content: bytes)])
    expectError(.wrongTileSize, .dataError) { try lookUp(archive, as: "N42E001.hgt.zip") }
  }

  @Test("a gzip file that is truncated anywhere, or contains more than it states, is an error 65")
  func cutGzip() throws {
    let packed = try gzip(Self.flat)
    for count in [0, 1, 2, 9, 18, packed.count / 2, packed.count - 5, packed.count - 1] {
      expectError(.damagedTile, .dataError) {
        try lookUp(Array(packed[..<count]), as: "N42E001.hgt.gz")
      }
    }
    let bomb = try gzip([UInt8](repeating: 0, count: 30_000_000))
    let error = expectError(.wrongTileSize, .dataError) { try lookUp(bomb, as: "N42E001.hgt.gz") }
    #expect(error?.message.contains("contains 30\u{A0}000\u{A0}000 bytes") == true)
    let liar = Array(bomb.dropLast(4)) + little(UInt32(Self.flat.count))
    expectError(.wrongTileSize, .dataError) { try lookUp(liar, as: "N42E001.hgt.gz") }
  }

  @Test("the members of a gzip file are concatenated")
  func gzipMembers() throws {
    let half = Self.flat.count / 2
    let packed = try gzip(Array(Self.flat[..<half])) + gzip(Array(Self.flat[half...]))
    #expect(try lookUp(packed, as: "N42E001.hgt.gz").elevations == [321])
    let withEmptyEnd = try gzip(Self.flat) + gzip([])
    #expect(try lookUp(withEmptyEnd, as: "N42E001.hgt.gz").elevations == [321])
  }

  @Test("a zip file that is truncated anywhere is an error 65")
  func cutZip() throws {
    let archive = try zip([ZipMember(name: "N42E001.hgt", content: Self.flat)])
    for count in [0, 1, 21, 22, archive.count / 2, archive.count - 23, archive.count - 1] {
      expectError(.damagedTile, .dataError) {
        try lookUp(Array(archive[..<count]), as: "N42E001.hgt.zip")
      }
    }
  }

  @Test("zip files with unsupported features are refused with a reason")
  func refusedZip() throws {
    let cases: [(String, ZipMember)] = [
      ("encrypted", ZipMember(name: "N42E001.hgt", content: Self.flat, flags: 1)),
      ("method 93", ZipMember(name: "N42E001.hgt", content: Self.flat, method: 93)),
      ("checksum", ZipMember(name: "N42E001.hgt", content: Self.flat, checksum: 1)),
    ]
    for (word, member) in cases {
      let archive = try zip([member])
      let error = expectError(.damagedTile, .dataError) {
        try lookUp(archive, as: "N42E001.hgt.zip")
      }
      #expect(error?.message.contains(word) == true)
    }
    var zip64 = try zip([ZipMember(name: "N42E001.hgt", content: Self.flat)])
    zip64.replaceSubrange((zip64.count - 6)..<(zip64.count - 2), with: [0xFF, 0xFF, 0xFF, 0xFF])
    let error = expectError(.damagedTile, .dataError) { try lookUp(zip64, as: "N42E001.hgt.zip") }
    #expect(error?.message.contains("zip64") == true)
  }

  @Test("a claimed size is checked before anything is inflated")
  func claimedSize() throws {
    let liar = ZipMember(
      name: "N42E001.hgt", content: Self.flat, claimedByteCount: 4_000_000_000)
    let archive = try zip([liar])
    expectError(.wrongTileSize, .dataError) { try lookUp(archive, as: "N42E001.hgt.zip") }
    // A tile of another shape than claimed is damaged.
    let other = ZipMember(
      name: "N42E001.hgt", content: Self.flat, claimedByteCount: 25_934_402)
    let wrong = try zip([other])
    expectError(.damagedTile, .dataError) { try lookUp(wrong, as: "N42E001.hgt.zip") }
  }

  @Test("inflating a decompression bomb stops at the size of a tile")
  func bombs() throws {
    let bomb = [UInt8](repeating: 0, count: 240_000_000)
    let archive = try zip([
      ZipMember(
        name: "N42E001.hgt", content: bomb, claimedByteCount: UInt32(Self.flat.count))
    ])
    #expect(archive.count < 1_000_000)
    expectError(.damagedTile, .dataError) { try lookUp(archive, as: "N42E001.hgt.zip") }
    let packed = try gzip(bomb)
    let error = expectError(.wrongTileSize, .dataError) { try lookUp(packed, as: "N42E001.hgt.gz") }
    #expect(error?.message.contains("more than 233\u{A0}323\u{A0}202 bytes") == true)
    // Many small members.
    let drop = try gzip([UInt8](repeating: 0, count: 1_000_000))
    let rain = repeated(drop, 1000)
    expectError(.wrongTileSize, .dataError) { try lookUp(rain, as: "N42E001.hgt.gz") }
  }

  private func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
    var all: [UInt8] = []
    all.reserveCapacity(count * bytes.count)
    for _ in 0..<count { all += bytes }
    return all
  }

  @Test("a file of empty gzip members, as large as a tile of 1″, is not a tile")
  func emptyMembers() throws {
    let member = try gzip([])
    let count = HGTShape.largestPublishedByteCount / member.count
    let packed = repeated(member, count)
    let error = expectError(.wrongTileSize, .dataError) { try lookUp(packed, as: "N42E001.hgt.gz") }
    #expect(error?.message.contains("contains 0 bytes") == true)
  }

  @Test("among several members the one with the name of the tile is used, with a warning")
  func twoMembers() throws {
    let other = TileDrawing(999).bytes
    let archive = try zip([
      ZipMember(name: "N41E001.hgt", content: other), ZipMember(name: "maps/", content: []),
      ZipMember(name: "n42e001.HGT", content: Self.flat),
    ])
    let batch = try lookUp(archive, as: "N42E001.hgt.zip")
    #expect(batch.elevations == [321])
    #expect(batch.warnings.entries.map(\.kind) == ["zip-members"])

    let nasa = ["n42e001.hgt", "n42e001.num", "n42e001.swb"].map {
      ZipMember(name: $0, content: $0.hasSuffix("hgt") ? Self.flat : other)
    }
    #expect(try lookUp(zip(nasa), as: "NASADEM_HGT_n42e001.zip").elevations == [321])
    let folded = [
      ZipMember(name: "__MACOSX/._N42E001.hgt", content: [1]),
      ZipMember(name: "N42E001.hgt", content: Self.flat),
    ]
    #expect(try lookUp(zip(folded), as: "N42E001.zip").elevations == [321])
    let unnamed = [
      ZipMember(name: "about", content: [1]), ZipMember(name: "N42E001", content: Self.flat),
    ]
    #expect(try lookUp(zip(unnamed), as: "n42e001HGT.ZIP").elevations == [321])

    let notes = try zip([
      ZipMember(name: "readme.txt", content: [65]), ZipMember(name: "x.hgt", content: Self.flat),
    ])
    let noted = try lookUp(notes, as: "N42E001.hgt.zip")
    #expect(noted.warnings.entries.map(\.kind) == ["zip-member-name", "zip-members"])
  }

  @Test("several members without the name of the tile, or no members, are an error 65")
  func noMember() throws {
    let archives = [
      try zip([]), try zip([ZipMember(name: "folder/", content: [])]),
      try zip(["a.hgt", "b.hgt"].map { ZipMember(name: $0, content: Self.flat) }),
      try zip(["a.txt", "b.txt"].map { ZipMember(name: $0, content: Self.flat) }),
      try zip(["N42E001.hgt", "n42e001.hgt"].map { ZipMember(name: $0, content: Self.flat) }),
    ]
    for archive in archives {
      expectError(.damagedTile, .dataError) { try lookUp(archive, as: "N42E001.hgt.zip") }
    }
  }

  @Test("a path in a member's name is harmless and gives a warning")
  func pathInName() throws {
    let archive = try zip([ZipMember(name: "../../etc/N42E001.hgt", content: Self.flat)])
    let batch = try lookUp(archive, as: "N42E001.hgt.zip")
    #expect(batch.elevations == [321])
    #expect(batch.warnings.entries.map(\.kind) == ["zip-member-path"])
  }

  @Test("a compressed file far larger than any tile is refused without reading it")
  func hugeFile() throws {
    let bytes = [UInt8](repeating: 0x1F, count: HGTFile.largestPackedByteCount + 1)
    expectError(.cannotRead, .dataError) { try lookUp(bytes, as: "N42E001.hgt.gz") }
  }

  @Test("a tile with changed or removed bytes is read or refused with a reason")
  func mutations() throws {
    // A small member, so that many cases are fast. Its size is always wrong for a tile, so this calls
    // the reader directly.
    let content = (0..<600).map { UInt8(truncatingIfNeeded: $0 * $0) }
    let archive = try zip([
      ZipMember(name: "N42E001.hgt", content: content), ZipMember(name: "b", content: [1, 2, 3]),
    ])
    let packed = try gzip(content)
    var random = SeededGenerator(seed: 42)
    var intact = 0
    for seed in 0..<4000 {
      let bytes = mutated(archive, &random)
      do {
        let archive = try ZipReader(bytes)
        for member in archive.members where member.byteCount <= 1 << 16 {
          var buffer = [UInt8](repeating: 0, count: member.byteCount)
          try buffer.withUnsafeMutableBytes { try archive.extract(member, into: $0) }
          intact += 1
        }
      } catch { #expect(error is ZipError, "case \(seed)") }
      var buffer = [UInt8](repeating: 0, count: content.count)
      let decompressor = try Decompressor()
      let outcome = buffer.withUnsafeMutableBytes {
        decompressor.gunzip(mutated(packed, &random), into: $0)
      }
      if outcome == .exact { #expect(buffer == content, "case \(seed)") }
    }
    #expect(intact > 0)
  }

  private func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let offset = Int.random(in: 0..<max(1, bytes.count), using: &random)
      guard offset < bytes.count else { break }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[offset] = .random(in: 0...255, using: &random)
      case 1: bytes[offset] = [0, 0xFF].randomElement(using: &random) ?? 0
      case 2: bytes.removeSubrange(offset..<min(offset + 3, bytes.count))
      default: if Bool.random(using: &random) { bytes.removeLast(bytes.count - offset) }
      }
    }
    return bytes
  }
}
