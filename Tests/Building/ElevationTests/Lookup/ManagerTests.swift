// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import TestSupport
import Testing

@testable import Elevation

@Suite("Elevations from several tiles and sources")
struct ManagerTests {
  @Test("the next source is used for voids and missing tiles")
  func preference() throws {
    let (best, rest) = (try TemporaryFolder(), try TemporaryFolder())
    var drawing = TileDrawing(100)
    for north in 600...610 { for east in 600...610 { drawing[north: north, east: east] = -32768 } }
    try best.write(drawing.bytes, to: "N42E001.hgt")
    try rest.write(TileDrawing(200).bytes, to: "N42E001.hgt")
    try rest.write(TileDrawing(300).bytes, to: "N42E002.hgt")
    let manager = try ElevationDataManager(folders: [best.path, rest.path])
    let sample = try #require(try manager.elevation(at: point(42.1, 1.1)))
    #expect(sample.metres == 100 && sample.source == 0)
    #expect(sample.file == best.file("N42E001.hgt") && "\(sample.tile)" == "N42E001")
    #expect(try manager.elevation(at: point(42.504, 1.504))?.source == 1)
    #expect(try manager.metres(42.5, 2.5) == 300)
    #expect(try manager.metres(42.5, 3.5) == nil)
    let batch = try manager.elevations([
      point(42.1, 1.1), point(42.504, 1.504), point(42.5, 2.5), point(42.5, 3.5),
    ])
    #expect(batch.elevations.dropLast() == [100, 200, 300] && batch.elevations[3].isNaN)
    #expect(batch.tiles.map(\.source) == [0, 1, 1] && batch.tiles.map(\.points) == [1, 1, 1])
    #expect(batch.gaps.map(\.isMissing) == [true] && batch.gaps[0].tile.description == "N42E003")
    #expect(batch.knownCount == 3 && batch.coverage == 0.75 && batch.range == 100...300)
  }

  @Test("a point on a border is looked up in either tile, a corner in any of four")
  func borders() throws {
    for (name, latitude, longitude) in [
      ("N42E001", 42.0, 1.5), ("N41E001", 42.0, 1.5), ("N42E001", 42.5, 1.0),
      ("N42E000", 42.5, 1.0), ("N42E001", 42.0, 1.0), ("N42E000", 42.0, 1.0),
      ("N41E001", 42.0, 1.0), ("N41E000", 42.0, 1.0), ("S01W001", 0.0, 0.0),
      ("N10W180", 10.5, 180.0), ("N10W180", 10.5, -180.0), ("N10E179", 10.5, 180.0),
      ("N10E179", 10.5, -180.0), ("N09E179", 10.0, -180.0), ("N89E005", 90.0, 5.5),
      ("S90E005", -90.0, 5.5), ("S34W071", -33.5, -70.5),
    ] {
      let folder = try TemporaryFolder()
      try folder.write(TileDrawing(77).bytes, to: "\(name).hgt")
      let manager = try ElevationDataManager(folders: [folder.path])
      #expect(try manager.metres(latitude, longitude) == 77, "\(name) at \(latitude), \(longitude)")
      let batch = try manager.elevations([point(latitude, longitude)])
      #expect(batch.elevations == [77], "\(name) at \(latitude), \(longitude)")
    }
  }

  @Test("tiles in the southern and western hemispheres have the same row and column order")
  func negative() throws {
    var drawing = TileDrawing(10)
    drawing[north: 300, east: 900] = 500
    let folder = try TemporaryFolder()
    try folder.write(drawing.bytes, to: "S34W071.hgt")
    let manager = try ElevationDataManager(folders: [folder.path])
    #expect(try manager.metres(-33.75, -70.25) == 500)
    #expect(try manager.metres(-33.25, -70.75) == 10)
  }

  @Test("single points and batches agree, whatever the threads, the cache and the order")
  func sameForAll() throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: 3)
    for name in ["N42E001", "N42E002", "N43E001"] {
      var drawing = TileDrawing(50)
      for _ in 0..<3000 {
        drawing[
          north: .random(in: 0...1200, using: &random), east: .random(in: 0...1200, using: &random)] =
          Bool.random(using: &random) ? HGTTile.void : .random(in: 0...4000, using: &random)
      }
      try folder.write(drawing.bytes, to: "\(name).hgt")
    }
    var points = (0..<100_000).map { _ in
      FixedCoordinate(
        latitude: .random(in: 420_000_000...440_000_000, using: &random),
        longitude: .random(in: 10_000_000...30_000_000, using: &random))
    }
    points += [try point(43, 2), try point(42, 1), try point(44, 1.5), try point(43, 3)]
    points.append(FixedCoordinate(latitude: .max, longitude: .min))
    let one = try ElevationDataManager(folders: [folder.path]).elevations(points)
    let many = try ElevationDataManager(folders: [folder.path], cacheBytes: 0)
      .elevations(points, threads: 7)
    #expect(one.elevations.map(\.bitPattern) == many.elevations.map(\.bitPattern))
    #expect(one.tiles == many.tiles && one.gaps == many.gaps)
    #expect(one.tiles.count == 3 && one.gaps.map(\.tile.description) == ["N43E002"])
    let manager = try ElevationDataManager(folders: [folder.path])
    for index in stride(from: 0, to: points.count, by: 17) + [100_000, 100_001, 100_002, 100_003] {
      let metres = try manager.elevation(at: points[index])?.metres ?? .nan
      #expect(metres.bitPattern == one.elevations[index].bitPattern, "point \(index)")
    }
  }

  @Test("the same damaged tile is reported with any number of threads")
  func sameError() throws {
    let folder = try TemporaryFolder()
    for longitude in 1...6 { try folder.write([0], to: "N42E00\(longitude).hgt") }
    let points = try (1...6).map { try point(42.5, Double($0) + 0.5) }
    for threads in [1, 2, 5] {
      let error = expectError(.wrongTileSize) {
        try ElevationDataManager(folders: [folder.path]).elevations(points, threads: threads)
      }
      #expect(error?.location?.file == folder.file("N42E001.hgt"))
    }
  }

  @Test("the cache respects its limit, and reads a tile once until it is full or drops the tile")
  func cache() throws {
    let shape = HGTShape(rows: 1201, columns: 1201)
    let cache = TileCache(limitBytes: 2 * shape.byteCount)
    var reads = 0
    func use(_ longitude: Int) throws {
      let tile = try #require(ElevationTileID(latitude: 42, longitude: longitude))
      _ = try cache.tile(.init(tile: tile, source: 0)) { () throws(CairnError) in
        reads += 1
        return HGTTile(shape) { _ = $0.initializeMemory(as: UInt8.self, repeating: 0) }
      }
    }
    for longitude in [1, 2, 1, 2] { try use(longitude) }
    #expect(reads == 2)
    for longitude in [3, 2, 3] { try use(longitude) }
    #expect(reads == 3)
    try use(1)
    #expect(reads == 4)
    cache.forget(.init(tile: try #require(ElevationTileID(latitude: 42, longitude: 3)), source: 0))
    try use(1)
    #expect(reads == 4)
    try use(3)
    #expect(reads == 5)
    // Nothing was evicted for it.
    try use(1)
    #expect(reads == 5)
  }

  @Test("a batch without points is empty")
  func noPoints() throws {
    let batch = try ElevationDataManager(sources: []).elevations([])
    #expect(batch.elevations.isEmpty && batch.coverage == 1 && batch.range == nil)
  }
}
