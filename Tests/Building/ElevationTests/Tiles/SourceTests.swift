// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import Elevation

@Suite("Folders of tiles")
struct SourceTests {
  @Test("plain, gzip and zip files, in any case and with a suffix, give the same tile")
  func packings() throws {
    var drawing = TileDrawing(321)
    drawing[north: 600, east: 600] = 654
    let folder = try TemporaryFolder()
    try folder.write(drawing.bytes, to: "n42e001.HGT")
    try folder.write(try gzip(drawing.bytes), to: "N42E002.hgt.GZ")
    try folder.write(
      try zip([ZipMember(name: "n42e003.HGT", content: drawing.bytes)]),
      to: "N42E003.SRTMGL1.hgt.zip")
    try folder.write(
      try zip([ZipMember(name: "N42E004.hgt", content: drawing.bytes, isStored: true)]),
      to: "N42E004.hgt.zip")
    try folder.write(
      try zip([ZipMember(name: "N42E005.hgt", content: drawing.bytes, flags: 8)]),
      to: "N42E005.hgt.zip")
    let manager = try ElevationDataManager(folders: [folder.path])
    #expect(manager.sources[0].tiles.count == 5)
    for longitude in 1...5 {
      let metres = try manager.metres(42.5, Double(longitude) + 0.5)
      #expect(metres == 654, "tile \(longitude)")
    }
  }

  @Test("tiles of ½″ are read from gzip and zip, too")
  func halfSeconds() throws {
    var drawing = TileDrawing(321, rows: 7201, columns: 7201)
    drawing[north: 3600, east: 3600] = 1600
    let folder = try TemporaryFolder()
    try folder.write(try gzip(drawing.bytes), to: "N42E001.hgt.gz")
    try folder.write(
      try zip([ZipMember(name: "N42E002.hgt", content: drawing.bytes)]), to: "N42E002.hgt.zip")
    let half = drawing.bytes.count / 2
    try folder.write(
      try gzip(Array(drawing.bytes[..<half])) + gzip(Array(drawing.bytes[half...])),
      to: "N42E003.gz")
    let manager = try ElevationDataManager(folders: [folder.path])
    for longitude in 1...3 {
      let metres = try manager.metres(42.5, Double(longitude) + 0.5)
      #expect(metres == 1600, "tile \(longitude)")
    }
    let points = try (1...3).map { try point(42.5, Double($0) + 0.5) }
    #expect(try manager.elevations(points, threads: 4).elevations == [1600, 1600, 1600])
  }

  @Test("one rule decides among files of a tile, however they are named")
  func bareNames() throws {
    let folder = try TemporaryFolder()
    let tile = try #require(ElevationTileID(latitude: 42, longitude: 1))
    for name in [
      "NASADEM_HGT_n42e001.zip", "N42E001hgt.zip", "N42E001.zip", "N42E001.hgt.zip",
      "N42E001.hgt.gz", "N42E001.gz", "N42E001.hgt",
    ] {
      try folder.write([], to: name)
      let source = try ElevationSource(folder: folder.path)
      #expect(source.file(of: tile)?.name == name)
    }
    #expect(
      try ElevationSource(folder: folder.path).warnings.entries.map(\.kind) == ["duplicate-tile"])
  }

  @Test("plain files take precedence over gzip and zip, then names decide, with warnings")
  func duplicates() throws {
    let folder = try TemporaryFolder()
    for name in ["N42E001.a.hgt.zip", "N42E001.b.hgt.gz", "N42E001.d.hgt", "N42E001.c.hgt"] {
      try folder.write([], to: name)
    }
    try folder.write([], to: "readme.txt")
    try folder.write([], to: "Austria.hgt")
    let source = try ElevationSource(folder: folder.path)
    let tile = try #require(ElevationTileID(latitude: 42, longitude: 1))
    #expect(source.file(of: tile)?.name == "N42E001.c.hgt")
    #expect(source.warnings.entries.map(\.kind) == ["duplicate-tile", "tile-name"])
    #expect(source.warnings.entries.map(\.count) == [3, 1])
  }

  @Test("a folder that does not exist, or is a file, is an error 66")
  func noFolder() throws {
    let folder = try TemporaryFolder()
    try folder.write([], to: "file")
    for path in [folder.file("nowhere"), folder.file("file")] {
      let error = expectError(.cannotRead, .noInput) { try ElevationSource(folder: path) }
      #expect(error?.hint?.contains(".hgt") == true)
    }
  }

  @Test("a folder with the name of a tile is an error 66 when the tile is needed")
  func folderAsTile() throws {
    let folder = try TemporaryFolder()
    try makeFolders(folder.file("N42E001.hgt"))
    let manager = try ElevationDataManager(folders: [folder.path])
    expectError(.cannotRead, .noInput) { try manager.metres(42.5, 1.5) }
  }
}
