// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import TestSupport
import Testing

@testable import OSMInput

@Suite("Regions")
struct RegionTests {
  /// Positions of whole degrees.
  private func way(_ points: [(lon: Double, lat: Double)]) -> [NodeCoordinate] {
    points.map {
      NodeCoordinate(
        latitude: Int64(($0.lat * 1e7).rounded()), longitude: Int64(($0.lon * 1e7).rounded()))
    }
  }

  private func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> Region {
    Region(BoundingBox(west: west, south: south, east: east, north: north))
  }

  private func polygons(_ text: String) throws -> Region {
    Region(try RegionFile.areas(geoJSON: Array(text.utf8)), name: "test")
  }

  private let ringWithHole = """
    {"type": "Polygon", "coordinates": [
      [[10, 47], [12, 47], [12, 49], [10, 49], [10, 47]],
      [[10.5, 47.5], [11.5, 47.5], [11.5, 48.5], [10.5, 48.5], [10.5, 47.5]]]}
    """

  @Test("a feature that is not a polygon is named by its number, as is one that is damaged")
  func featureNumber() throws {
    let folder = try TemporaryFolder()
    let polygon = "{\"type\": \"Polygon\", \"coordinates\": [[[1,2],[3,2],[3,4],[1,2]]]}"
    func feature(_ geometry: String) -> String {
      "{\"type\": \"Feature\", \"properties\": {}, \"geometry\": \(geometry)}"
    }
    for (geometry, reason) in [
      ("{\"type\": \"Point\", \"coordinates\": [1, 2]}", "feature 2: “Point” is not a polygon"),
      ("{\"type\": \"Polygon\"}", "feature 2: "),
    ] {
      let text =
        "{\"type\": \"FeatureCollection\", \"features\": [\(feature(polygon)), \(feature(geometry))]}"
      let path = try folder.write(text, to: "parks.geojson")
      let errors = [
        expectError(.badRegion, .dataError) { _ = try RegionFile.read(path) },
        expectError(.badRegion, .dataError) { _ = try RegionFeatures(path) },
      ]
      for error in errors {
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
      }
    }
  }

  @Test("a way that touches a box is kept completely, any other is dropped")
  func whole() throws {
    let map = SmallMap.valley
    // Contains only node 5, which way 10 does not use.
    let region = box(10.025, 47.015, 10.035, 47.025)
    for extract in [try parsePBF(map.pbf, region: region), try parseXML(map.xml, region: region)] {
      #expect(extract.content.wayIDs == [11])
      #expect(extract.content.nodeIDs == [3, 5, 9])
      #expect(!extract.content.strings.contains(Array("sac_scale".utf8)))
    }
    #expect(failure { try parsePBF(map.pbf, region: box(50, 0, 51, 1)) }?.code == .noRoutableWays)
  }

  @Test("the border of a box belongs to it")
  func border() {
    let region = box(10, 47, 11, 48)
    for corner in [(10.0, 47.0), (11.0, 48.0)] { #expect(region.touches(way([corner]))) }
    #expect(!region.touches(way([(10, 46.9999999)])))
    #expect(!region.touches(way([(11.0000001, 48)])))
  }

  @Test("a way that crosses a box touches it, even without a node inside")
  func crossing() {
    let region = box(10, 47, 11, 48)
    #expect(region.touches(way([(9, 47.5), (12, 47.5)])))
    #expect(region.touches(way([(9.5, 47.6), (10.7, 46.4)])))
    #expect(!region.touches(way([(9.5, 47.2), (10.4, 46.5)])))
    #expect(region.touches(way([(9, 46), (9, 47.5), (10.5, 48.1)])))
    #expect(!region.touches(way([(9, 46), (9, 49), (12, 49), (12, 46)])))
  }

  @Test("a box may cross the antimeridian")
  func antimeridian() {
    let region = box(179, -20, -179, -10)
    #expect(region.touches(way([(179.5, -15)])))
    #expect(region.touches(way([(-179.5, -15)])))
    #expect(region.touches(way([(180, -15)])))
    #expect(!region.touches(way([(178.9, -15), (170, -15)])))
    #expect(!region.touches(way([(0, -15), (10, -15)])))
    #expect(region.name == "179.0,-20.0,-179.0,-10.0")
  }

  @Test("a MultiPolygon split at the antimeridian is one region")
  func cutPolygon() throws {
    let region = try polygons(
      #"""
      {"type": "MultiPolygon", "coordinates": [
        [[[179, -20], [180, -20], [180, -10], [179, -10], [179, -20]]],
        [[[-180, -20], [-179, -20], [-179, -10], [-180, -10], [-180, -20]]]]}
      """#)
    #expect(region.touches(way([(179.5, -15)])))
    #expect(region.touches(way([(-179.5, -15)])))
    #expect(region.touches(way([(178.5, -15), (-178.5, -15)])))
    #expect(!region.touches(way([(0, -15), (10, -15)])))
    #expect(!region.touches(way([(178.5, -15), (178.8, -15)])))
  }

  @Test("a ring across the antimeridian is refused, and not taken for the rest of the world")
  func ringAcrossAntimeridian() throws {
    let scratch = try Scratch()
    let ring = [(179, -20), (-179, -20), (-179, -10), (179, -10)]
    let files = [
      try scratch.file(
        "fiji.geojson",
        #"{"type": "Polygon", "coordinates": [\#((ring + ring[..<1]).map { [$0.0, $0.1] })]}"#),
      try scratch.file(
        "fiji.poly", "fiji\n1\n\(ring.map { "  \($0.0) \($0.1)\n" }.joined())END\nEND\n"),
    ]
    for file in files {
      let error = failure { try RegionFile.read(file) }
      #expect(error?.code == .badRegion)
      #expect(error?.message.contains("from longitude 179.0 to -179.0") == true, "\(error as Any)")
      #expect(error?.hint?.contains("cut the polygon in two") == true)
    }
    let north = try polygons(
      #"{"type": "Polygon", "coordinates": [[[-180, 0], [180, 0], [180, 90], [-180, 90]]]}"#)
    #expect(north.touches(way([(0, 45)])))
    #expect(!north.touches(way([(0, -45)])))
  }

  @Test("a segment across the antimeridian does not go round the Earth")
  func shortWayRound() {
    let segment = way([(179.9, -15), (-179.9, -15)])
    #expect(!box(10, -20, 20, -10).touches(segment))
    #expect(box(179.95, -20, 179.99, -10).touches(segment))
    #expect(box(-179.99, -20, -179.95, -10).touches(segment))
    #expect(box(179.95, -20, -179.95, -10).touches(segment))
  }

  @Test("a hole is not part of a polygon, but a way into it touches the polygon")
  func holes() throws {
    let region = try polygons(ringWithHole)
    #expect(region.touches(way([(10.2, 48)])))
    #expect(!region.touches(way([(11, 48)])))
    #expect(!region.touches(way([(11, 48), (11.2, 48.1)])))
    #expect(region.touches(way([(11, 48), (13, 48)])))
    #expect(!region.touches(way([(9, 48)])))
    #expect(region.touches(way([(9, 46.9), (10.1, 47.2)])))
    #expect(region.touches(way([(9.9, 48), (12.1, 48)])))
  }

  @Test("several polygons are one region, even where they overlap")
  func unions() throws {
    let square = "[[[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]]]"
    let other = "[[[1, 1], [3, 1], [3, 3], [1, 3], [1, 1]]]"
    let texts = [
      #"{"type": "MultiPolygon", "coordinates": [\#(square), \#(other)]}"#,
      #"""
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"name": "a"}, "geometry":
          {"type": "Polygon", "coordinates": \#(square)}},
        {"type": "Feature", "properties": null, "geometry": null},
        {"type": "Feature", "geometry": {"type": "GeometryCollection", "geometries":
          [{"type": "Polygon", "coordinates": \#(other)}]}}]}
      """#,
    ]
    for text in texts {
      let region = try polygons(text)
      for (point, isInside) in [(0.5, true), (1.5, true), (2.5, true), (3.5, false), (-0.5, false)]
      {
        #expect(region.touches(way([(point, point)])) == isInside, "\(point)")
      }
    }
  }

  @Test("the index of a ragged polygon agrees with the plain even-odd rule")
  func manyCorners() {
    var state: UInt64 = 7
    func random() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 40) / Double(1 << 24)
    }
    for corners in [3, 50, 2000] {
      // A jagged star, and one with tall edges that cross.
      let star = (0..<corners).map { corner in
        Coordinate(latitude: random() * 10 - 5, longitude: Double(corner) / Double(corners) * 20)
      }
      guard let area = MultiPolygon(rings: [star]) else { continue }
      let region = Region([area], name: "star")
      for _ in 0..<500 {
        let point = Coordinate(latitude: random() * 12 - 6, longitude: random() * 22 - 1)
        let isInside = region.contains(way([(point.longitude, point.latitude)])[0])
        #expect(isInside == area.contains(point), "\(corners) corners, \(point)")
      }
    }
  }

  @Test("invalid region files are errors with the file's name")
  func brokenFiles() throws {
    let scratch = try Scratch()
    let broken = [
      "", "{", "[]", #"{"type": "Point", "coordinates": [1, 2]}"#,
      #"{"type": "FeatureCollection", "features": []}"#,
      #"{"type": "Polygon", "coordinates": [[[1, 2], [3, 4], [1, 2]]]}"#,
      #"{"type": "Polygon", "coordinates": []}"#,
      #"{"type": "Polygon", "coordinates": [[[1], [2], [3]]]}"#,
      #"{"type": "Polygon", "coordinates": [[[190, 2], [191, 4], [190, 5]]]}"#,
      #"{"type": "Polygon", "coordinates": [[[1, 95], [2, 4], [3, 5]]]}"#,
      #"{"type": "Polygon"}"#, #"{"coordinates": []}"#,
      String(repeating: #"{"type":"Feature","geometry":"#, count: 100_000),
    ]
    for text in broken {
      let path = try scratch.file("east.geojson", text)
      let error = failure { try RegionFile.read(path) }
      #expect(error?.code == .badRegion, "\(text.prefix(80)): \(error as Any)")
      #expect(error?.exitCode == .dataError)
      #expect(error?.location?.file == path)
    }
    #expect(failure { try RegionFile.read(scratch.path + "/none") }?.exitCode == .noInput)
  }

  @Test("a region file is named by its digest")
  func digest() throws {
    let scratch = try Scratch()
    let region = try RegionFile.read(try scratch.file("east.geojson", ringWithHole))
    #expect(region.name?.hasPrefix("polygon:") == true)
    #expect(region.name?.count == 72)
  }

  @Test("the extent of a polygon file is the bounding box of its corners")
  func extent() throws {
    let folder = try TemporaryFolder()
    let areas = try folder.write(
      #"""
      {"type": "FeatureCollection", "features": [{"type": "Feature", "geometry":
        {"type": "Polygon", "coordinates": [[[10, 47, 500], [10.5, 47], [10.2, 47.25], [10, 47]]]}}]}
      """#, to: "a.geojson")
    #expect(try RegionFile.read(areas).extent.description == "10.0,47.0,10.5,47.25")
    let lines = try folder.write(
      "valley\n1\n  10 47\n  10.5 47\n  10.2 47.25\nEND\nEND\n", to: "a.poly")
    #expect(try RegionFile.read(lines).extent.description == "10.0,47.0,10.5,47.25")
  }
}
