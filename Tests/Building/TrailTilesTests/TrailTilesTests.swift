// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CommandLineKit
import TestSupport
import Testing
import Tiles
import TrailData

@testable import TrailTiles

@Suite("cairn-build-tiles")
struct TrailTilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The tiles of a map, whose nodes with equal coordinates are one.
  private func tiles(_ map: PlaceMap, zooms: ClosedRange<Int> = 8...14, threads: Int = 1) throws
    -> DecodedTiles
  {
    let path = folder.file("map.trails")
    try joined(map.content()).write(to: path, provenance: Provenance(tool: "a test"))
    let builder = TrailTileBuilder(try TrailsFile(path), zooms: zooms, threads: threads)
    return try DecodedTiles(try builder.tiles())
  }

  private func joined(_ content: TrailsContent) -> TrailsContent {
    var joined = content
    var known: [FixedCoordinate: UInt32] = [:]
    var numbers: [UInt32] = []
    (joined.nodeIDs, joined.latitudes, joined.longitudes) = ([], [], [])
    for index in content.nodeIDs.indices {
      let coordinate = FixedCoordinate(
        latitude: content.latitudes[index], longitude: content.longitudes[index])
      let number = known[coordinate] ?? UInt32(joined.nodeIDs.count)
      if known[coordinate] == nil {
        joined.nodeIDs.append(Int64(joined.nodeIDs.count + 1))
        joined.latitudes.append(coordinate.latitude)
        joined.longitudes.append(coordinate.longitude)
      }
      known[coordinate] = number
      numbers.append(number)
    }
    joined.refs = content.refs.map { numbers[Int($0)] }
    return joined
  }

  private static let path: [String: String] = ["highway": "path"]

  @Test("a way is in the tiles that it crosses, within a unit of where it is")
  func position() throws {
    let line = [(42.5, 1.5), (42.503, 1.52), (42.51, 1.56)]
    let tiles = try tiles(PlaceMap(ways: [.init(1, line, Self.path)]))
    let drawn = tiles.lines(in: "trails", zoom: 14)
    for (latitude, longitude) in line {
      let (x, y) = WebMercator.position(Coordinate(latitude: latitude, longitude: longitude))
      let units = Double(1 << 26)
      let distance = drawn.joined().map { point in
        max(abs(Double(point.x) - x * units), abs(Double(point.y) - y * units))
      }.min()
      #expect((distance ?? .infinity) <= 1)
    }
  }

  @Test(
    "ways begin at the zoom of their kind",
    arguments: [
      ("primary", 8), ("secondary", 9), ("tertiary", 10), ("via_ferrata", 11), ("path", 12),
      ("residential", 13), ("corridor", 14),
    ])
  func zoomOfWay(highway: String, first: Int) throws {
    let map = PlaceMap(ways: [.init(1, [(42, 1), (42.2, 1.2)], ["highway": highway])])
    #expect(try tiles(map).zooms == Array(first...14))
  }

  @Test(
    "a path begins at the zoom of the most important route along it",
    arguments: [("iwn", 8), ("nwn", 8), ("rwn", 10), ("lwn", 11), ("", 12)])
  func zoomOfRoute(network: String, first: Int) throws {
    let map = PlaceMap(
      ways: [.init(1, [(42, 1), (42.2, 1.2)], Self.path, routes: [0, 1])],
      routes: [
        ["type": "route", "route": "hiking", "ref": "7"],
        [
          "type": "route", "route": "hiking", "network": network, "ref": "GR 11",
          "osmc:symbol": "red:white:red_lower",
        ],
      ])
    let tiles = try tiles(map)
    #expect(tiles.zooms == Array(first...14))
    let way = try #require(tiles.features(in: "trails", zoom: 14).first)
    guard !network.isEmpty else { return }
    #expect(way.properties["network"] == .text(network))
    #expect(way.properties["symbol"] == "red:white:red_lower")
    #expect(way.properties["route_ref"] == "GR 11")
    let marks = tiles.features(in: "waymarks", zoom: 14)
    for ref in ["GR 11", "7"] {
      #expect(marks.contains { $0.properties["ref"] == .text(ref) }, "\(ref)")
    }
  }

  @Test("ways of equal tags that follow each other are one line; at a junction lines end")
  func merging() throws {
    let map = PlaceMap(ways: [
      .init(1, [(42.5, 1.5), (42.501, 1.501)], Self.path),
      .init(2, [(42.502, 1.502), (42.501, 1.501)], Self.path),
      .init(3, [(42.502, 1.502), (42.503, 1.503)], Self.path),
      .init(4, [(42.502, 1.502), (42.502, 1.504)], ["highway": "track"]),
    ])
    let tiles = try tiles(map, zooms: 14...14)
    let paths = tiles.features(in: "trails", zoom: 14).filter {
      $0.properties["highway"] == "path"
    }
    #expect(paths.map { $0.parts.count } == [1])
    // The straight line keeps the node where the track begins.
    #expect(paths.first?.parts.first?.count == 3)
  }

  @Test("a junction stays on both lines at every zoom, however straight they are")
  func junctions() throws {
    let map = PlaceMap(ways: [
      .init(1, [(42.5, 1.5), (42.5, 1.55), (42.5, 1.6)], Self.path),
      .init(2, [(42.5, 1.55), (42.55, 1.55)], ["highway": "track"]),
    ])
    let tiles = try tiles(map, zooms: 12...14)
    for zoom in 12...14 {
      let lines = tiles.lines(in: "trails", zoom: zoom)
      let (x, y) = WebMercator.position(Coordinate(latitude: 42.5, longitude: 1.55))
      let junction = lines.filter { line in
        line.contains {
          abs(Double($0.x) - x * Double(1 << (zoom + 12))) <= 1
            && abs(Double($0.y) - y * Double(1 << (zoom + 12))) <= 1
        }
      }
      #expect(junction.count >= 2, "zoom \(zoom)")
    }
  }

  @Test("points of interest have their kind, name and elevation, each in one tile")
  func points() throws {
    let map = PlaceMap([
      .init(1, 42.5, 1.5, ["tourism": "alpine_hut", "name": "Refugi", "ele": "2400"]),
      .init(2, 42.6, 1.6, ["natural": "peak"]),
    ])
    let tiles = try tiles(map)
    #expect(tiles.features(in: "pois", zoom: 10).count == 1)
    let points = tiles.features(in: "pois", zoom: 14)
    #expect(points.count == 2)
    let hut = points.first { $0.properties["kind"] == "mountain-hut" }
    #expect(hut?.properties == ["kind": "mountain-hut", "name": "Refugi", "ele": 2400])
    #expect(points.contains { $0.properties == ["kind": "peak"] })
  }

  @Test("lines across the antimeridian and at the poles stay within the world")
  func borders() throws {
    let map = PlaceMap(ways: [
      .init(1, [(-16.8, 179.95), (-16.8, -179.95)], Self.path),
      .init(2, [(-16.8, 179.9), (-16.8, 180), (-16.7, 180)], Self.path),
      .init(3, [(89.9, 0), (90, 10), (-90, 10)], Self.path),
    ])
    let tiles = try tiles(map, zooms: 12...12)
    #expect(tiles.ids(zoom: 12).allSatisfy { 0..<4096 ~= $0.column && 0..<4096 ~= $0.row })
    // Nothing is drawn from one end of the map to the other.
    #expect(!tiles.ids(zoom: 12).contains { $0.column == 2048 && $0.row > 2200 && $0.row < 2300 })
  }

  @Test("a segment across the antimeridian is drawn up to it on both sides", arguments: [12, 14])
  func acrossTheAntimeridian(zoom: Int) throws {
    for line in [[(-16.8, 179.99), (-16.7, -179.99)], [(-16.7, -179.99), (-16.8, 179.99)]] {
      let tiles = try tiles(PlaceMap(ways: [.init(1, line, Self.path)]), zooms: zoom...zoom)
      let world = 4096 << zoom
      let points = tiles.lines(in: "trails", zoom: zoom).joined()
      func y(_ latitude: Double) -> Double {
        WebMercator.position(Coordinate(latitude: latitude, longitude: 0)).y * Double(world)
      }
      for (x, latitude) in [
        (world - world / 36_000, -16.8), (world, -16.75), (0, -16.75), (world / 36_000, -16.7),
      ] {
        let nearest = points.map {
          max(abs(Double($0.x - x)), abs(Double($0.y) - y(latitude)))
        }.min()
        #expect((nearest ?? .infinity) <= 2, "\(x), \(latitude)")
      }
      #expect(points.allSatisfy { 0...world ~= $0.x })
    }
  }

  @Test("what lies beyond the projection is cut off at its border")
  func beyondTheProjection() throws {
    let map = PlaceMap(
      [.init(1, 86, 10, ["natural": "peak"]), .init(2, -90, 10, ["natural": "peak"])],
      ways: [
        .init(1, [(85, 10), (85.1, 10.2)], Self.path), .init(2, [(86, 10), (87, 11)], Self.path),
        .init(3, [(-85, 10), (-90, 10)], Self.path), .init(4, [(-86, 0), (-86, 90)], Self.path),
      ])
    let tiles = try tiles(map, zooms: 14...14)
    let world = 4096 << 14
    let lines = tiles.lines(in: "trails", zoom: 14)
    #expect(lines.joined().allSatisfy { 0...world ~= $0.y })
    #expect(lines.joined().contains { $0.y == 0 } && lines.joined().contains { $0.y == world })
    // None runs along the border.
    #expect(lines.allSatisfy { Set($0.map(\.y)).count > 1 })
    #expect(tiles.features(in: "pois", zoom: 14).isEmpty)
  }

  @Test(
    "bounds are what archives can say, and maps begin within the region",
    arguments: [
      // Across the antimeridian.
      ([(-16.8, 179.0), (-16.7, -178.0)], [-180.0, -16.8, 180, -16.7], (-16.75, -179.5)),
      // Without width, without height, and at the border.
      ([(42.5, 1.5), (42.6, 1.5)], [1.499_95, 42.5, 1.500_05, 42.6], (42.55, 1.5)),
      ([(42.5, 1.5), (42.5, 1.6)], [1.5, 42.499_95, 1.6, 42.500_05], (42.5, 1.55)),
      ([(42.5, 180), (42.6, 180)], [179.999_95, 42.5, 180, 42.6], (42.55, 180)),
      // Partly and wholly beyond the projection.
      ([(80, 1), (89, 2)], [1, 80, 2, WebMercator.greatestLatitude], (82.525_564, 1.5)),
      (
        [(86, 1), (89, 2)],
        [-180, -WebMercator.greatestLatitude, 180, WebMercator.greatestLatitude], (0, 0)
      ),
    ])
  func bounds(line: [(Double, Double)], expected: [Double], centre: (Double, Double)) throws {
    let path = folder.file("map.trails")
    try PlaceMap(ways: [.init(1, line, Self.path)]).content()
      .write(to: path, provenance: Provenance(tool: "a test"))
    let metadata = TrailTileBuilder(try TrailsFile(path)).metadata()
    let bounds = metadata.bounds
    let numbers = zip([bounds.west, bounds.south, bounds.east, bounds.north], expected)
    #expect(numbers.allSatisfy { abs($0 - $1) < 1e-9 }, "\(bounds)")
    #expect(abs(metadata.centre.latitude - centre.0) < 1e-6)
    #expect(abs(metadata.centre.longitude - centre.1) < 1e-6)
  }

  @Test("a map without anything gives an archive without tiles")
  func empty() throws {
    #expect(try tiles(PlaceMap()).zooms.isEmpty)
  }

  @Test("random ways: every line is within the buffer, near its way, and complete")
  func randomWays() throws {
    var random = SeededGenerator(seed: 42)
    var ways: [PlaceMap.Way] = []
    var points: [(Double, Double)] = []
    for id in 1...60 {
      var point = (
        Double.random(in: 42.4...42.6, using: &random), Double.random(in: 1.4...1.7, using: &random)
      )
      var line = [point]
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        point.0 += Double.random(in: -0.004...0.004, using: &random)
        point.1 += Double.random(in: -0.004...0.004, using: &random)
        line.append(point)
      }
      points += line
      ways.append(.init(Int64(id), line, ["highway": "path", "name": "\(id % 7)"]))
    }
    let map = PlaceMap(ways: ways)
    let one = try tiles(map, threads: 1)
    let three = try tiles(map, threads: 3)
    #expect(one.bytes == three.bytes, "the number of threads changes the tiles")
    for zoom in 12...14 {
      let segments = one.lines(in: "trails", zoom: zoom).flatMap { zip($0, $0.dropFirst()) }
      let units = Double(1 << (zoom + 12))
      for (latitude, longitude) in points {
        let (x, y) = WebMercator.position(Coordinate(latitude: latitude, longitude: longitude))
        let nearest = segments.map { distance((x * units, y * units), $0.0, $0.1) }.min()
        #expect((nearest ?? .infinity) <= ZoomRules.tolerance(zoom: zoom) + 1.5)
      }
      #expect(one.reach(zoom: zoom) <= 64)
    }
  }

  private func distance(
    _ point: (Double, Double), _ first: DecodedTiles.GlobalPoint, _ last: DecodedTiles.GlobalPoint
  ) -> Double {
    let (dx, dy) = (Double(last.x - first.x), Double(last.y - first.y))
    let (x, y) = (point.0 - Double(first.x), point.1 - Double(first.y))
    let square = dx * dx + dy * dy
    let share = square > 0 ? min(max((x * dx + y * dy) / square, 0), 1) : 0
    return ((x - share * dx) * (x - share * dx) + (y - share * dy) * (y - share * dy))
      .squareRoot()
  }
}

/// Tiles as our own reader sees them.
struct DecodedTiles {
  struct GlobalPoint: Hashable {
    var x: Int
    var y: Int
  }

  private(set) var tiles: [TileID: VectorTile] = [:]
  /// The packed tiles, one after the other.
  private(set) var bytes: [UInt8] = []

  init(_ collection: TileCollection) throws {
    let unpacker = try GzipUnpacker()
    for tile in collection.tiles {
      let content = Array(collection.content(tile.content))
      bytes += content
      tiles[tile.id] = try content.withUnsafeBytes { try VectorTile($0, unpacker: unpacker) }
    }
  }

  var zooms: [Int] { Set(tiles.keys.map(\.zoom)).sorted() }

  func ids(zoom: Int) -> [TileID] { tiles.keys.filter { $0.zoom == zoom }.sorted() }

  func features(in layer: String, zoom: Int) -> [VectorTile.Feature] {
    ids(zoom: zoom).flatMap { tiles[$0]?.layer(layer)?.features ?? [] }
  }

  /// The lines of a layer in the grid of the whole world.
  func lines(in layer: String, zoom: Int) -> [[GlobalPoint]] {
    ids(zoom: zoom).flatMap { id in
      (tiles[id]?.layer(layer)?.features ?? []).flatMap(\.parts).map { part in
        part.map {
          GlobalPoint(x: Int($0.x) + id.column * 4096, y: Int($0.y) + id.row * 4096)
        }
      }
    }
  }

  /// How far lines reach beyond their tiles.
  func reach(zoom: Int) -> Int {
    let layers = ids(zoom: zoom).flatMap { tiles[$0]?.layers ?? [] }
    let points = layers.flatMap { $0.features.flatMap { $0.parts.flatMap { $0 } } }
    var reach = 0
    for point in points {
      let (x, y) = (Int(point.x), Int(point.y))
      reach = max(reach, max(-x, -y), max(x - 4096, y - 4096))
    }
    return reach
  }
}
