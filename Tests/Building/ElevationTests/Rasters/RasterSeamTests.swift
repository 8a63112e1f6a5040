// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import SystemIO
import TestSupport
import Testing

@testable import Elevation

@Suite("Seams of elevation sources", .enabled(if: hasGDAL, "GDAL is not installed"))
struct RasterSeamTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Two folders of tiles: `own`, made of rasters that end within N42E001, and `next`, HGT tiles of the
  /// whole area that lie 20 m lower. The terrain rises by 10 % to the north.
  private func sources() throws -> [String] {
    try makeFolders(folder.file("next"))
    func terrain(_ latitude: Double) -> Double { 1000 + (latitude - 42) * 1000 }
    for name in ["N42E000", "N42E001", "N43E001"] {
      let south = Double(name.dropFirst(1).prefix(2)) ?? 0
      var tile = TileDrawing(0)
      for north in 0...1200 {
        let metres = Int16((terrain(south + Double(north) / 1200) - 20).rounded())
        for east in 0...1200 { tile[north: north, east: east] = metres }
      }
      try folder.write(tile.bytes, to: "next/\(name).hgt")
    }
    // From 0.8° E to 1.4° E, and up to 42.6° N.
    let raster = try RasterDrawing(
      columns: 720, rows: 840,
      transform: [0.8 - 0.5 / 1200, 1.0 / 1200, 0, 42.6 + 0.5 / 1200, 0, -1.0 / 1200]
    ) { _, y in terrain(y) }.write("raster", in: folder)
    var paths: [String] = []
    for name in ["N42E000", "N42E001"] {
      let tile = try made(name, [raster], in: folder, next: [folder.file("next")])
      #expect(tile.intervals == 1200 && tile.knownCount == 1201 * 1201)
      paths.append(folder.file("\(name).hgt"))
      let output = try AtomicOutput(paths[paths.count - 1]) { _ in false }
      try tile.write(to: output)
    }
    return paths
  }

  @Test("walking out of a raster there is no step, within a tile or where it ends")
  func noSteps() throws {
    let manager = try ElevationDataManager(folders: sources() + [folder.file("next")])
    #expect(manager.sources.count == 2)
    // Metres every 9 m along lines across the seams; the terrain itself changes by 1 m at most.
    func steps(_ points: [(Double, Double)]) throws -> [Float] {
      let metres = try points.map { try #require(try manager.metres($0.0, $0.1)) }
      return zip(metres, metres.dropFirst()).map { abs($0.1 - $0.0) }
    }
    let northward = try steps((0..<4000).map { (42.4 + Double($0) / 12_000, 1.2) })
    #expect((northward.max() ?? 99) < 2, "\(northward.max() ?? 99)")
    let eastward = try steps((0..<4000).map { (42.3, 1.3 + Double($0) / 12_000) })
    #expect((eastward.max() ?? 99) < 1, "\(eastward.max() ?? 99)")
    let acrossTiles = try steps((0..<4000).map { (42.3, 0.7 + Double($0) / 12_000) })
    #expect((acrossTiles.max() ?? 99) < 1, "\(acrossTiles.max() ?? 99)")
    // Well inside each, nothing is changed.
    #expect(try manager.metres(42.25, 1.1) == 1250)
    #expect(try manager.metres(42.75, 1.2) == 1730)
    #expect(try manager.metres(42.25, 1.5) == 1230)
  }

  @Test("tiles agree along a side that a seam crosses")
  func sides() throws {
    _ = try sources()
    func tile(_ name: String) throws -> HGTTile {
      try #require(HGTFile(folder: folder.path, name: name)).read()
    }
    let (west, east) = (try tile("N42E000.hgt"), try tile("N42E001.hgt"))
    for row in 0...1200 { #expect(west.posts[row * 1201 + 1200] == east.posts[row * 1201]) }
  }

  @Test("distances are those to the next seam, straight or diagonally")
  func spreads() {
    let side = 9
    var seed = SeededGenerator(seed: 7)
    for _ in 0..<50 {
      let zeros = (0..<side * side).filter { _ in seed.next() % 30 == 0 }
      var distances = [UInt8](repeating: 5, count: side * side)
      for zero in zeros { distances[zero] = 0 }
      RasterTile.spread(&distances, side: side, limit: 5)
      for index in distances.indices {
        let nearest = zeros.map {
          max(abs($0 / side - index / side), abs($0 % side - index % side))
        }.min()
        #expect(distances[index] == UInt8(min(5, nearest ?? 5)))
      }
    }
  }

  @Test("tiles given one by one are one source, until one comes again")
  func files() throws {
    for name in ["a", "b", "c"] { try makeFolders(folder.file(name)) }
    for name in [
      "a/N42E001.hgt", "a/N42E002.hgt", "b/N42E002.hgt", "b/N43E001.hgt", "c/N10E010.hgt",
    ] {
      try folder.write(TileDrawing(1).bytes, to: name)
    }
    let sources = try ElevationSource.sources(
      at: [
        "a/N42E001.hgt", "a/N42E002.hgt", "b/N42E002.hgt", "c", "b/N43E001.hgt",
      ].map(folder.file))
    #expect(
      sources.map { $0.tiles.map(\.description) }
        == [["N42E001", "N42E002"], ["N42E002"], ["N10E010"], ["N43E001"]])
    try folder.write([1], to: "a/notes.hgt")
    expectError(.damagedTile, .dataError) {
      try ElevationSource.sources(at: [folder.file("a/notes.hgt")])
    }
  }
}
