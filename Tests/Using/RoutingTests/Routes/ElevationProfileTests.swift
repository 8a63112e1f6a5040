// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@Suite("The elevation along a route")
struct ElevationProfileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private let map = AsciiMap(
    """
    A-b-B-c-C
    """, ways: [.init("AbB"), .init("CcB")],
    elevations: ["A": 1000, "b": 1010, "B": 1005, "c": 1030, "C": 1020])

  private func profile(_ path: String, _ from: Coordinate, _ to: Coordinate) throws
    -> (route: ComputedRoute, points: [ElevationProfile.Point])
  {
    let store = RoutingStore(path: path)
    try store.open()
    defer { store.close() }
    let engine = RoutingEngine(store: store)
    let route = try engine.findRoute(from: from, to: to)
    return (route, try engine.elevationProfile(of: route).points)
  }

  private func profile(_ map: AsciiMap, _ from: Character, _ to: Character) throws
    -> (route: ComputedRoute, points: [ElevationProfile.Point])
  {
    try profile(
      try map.routingDatabase(in: folder), try map.coordinate(from), try map.coordinate(to))
  }

  @Test("a profile begins at 0, ends at the route's length and has a point at least every 50 m")
  func spacing() throws {
    let (route, points) = try profile(map, "A", "C")
    #expect(points.first?.distanceMetres == 0)
    #expect(abs(try #require(points.last).distanceMetres - route.totalDistance) < 1e-6)
    for (one, next) in zip(points, points.dropFirst()) {
      let gap = next.distanceMetres - one.distanceMetres
      #expect(gap >= 0 && gap <= ElevationProfile.spacingMetres + 1e-9)
    }
    #expect(points.allSatisfy { $0.elevationMetres != nil })
  }

  @Test("a profile follows the terrain between junctions, reversed on reversed edges")
  func between() throws {
    let (_, points) = try profile(map, "A", "C")
    func elevation(at distance: Double) -> Double? {
      points.min { abs($0.distanceMetres - distance) < abs($1.distanceMetres - distance) }?
        .elevationMetres
    }
    // The way CcB is travelled from B to C.
    for (distance, expected) in [(0, 1000), (200, 1010), (400, 1005), (600, 1030), (800, 1020)] {
      let metres = try #require(elevation(at: Double(distance)))
      #expect(abs(metres - Double(expected)) < 2.5, "at \(distance) m: \(metres)")
    }
  }

  @Test("the profile of the way back is the same in reverse")
  func wayBack() throws {
    let (route, points) = try profile(map, "A", "C")
    let back = try profile(map, "C", "A").points
    #expect(points.count == back.count)
    for (one, other) in zip(points, back.reversed()) {
      #expect(abs(one.distanceMetres - (route.totalDistance - other.distanceMetres)) < 1e-6)
      #expect(one.elevationMetres == other.elevationMetres)
    }
  }

  @Test("an edge without an elevation profile is a gap, even between known elevations")
  func gap() throws {
    var map = map
    map.elevations["c"] = nil
    let points = try profile(map, "A", "C").points
    #expect(points.last?.elevationMetres == 1020)
    let unknown = points.filter { $0.elevationMetres == nil }.map(\.distanceMetres)
    #expect(try #require(unknown.first) > 399 && (try #require(unknown.last)) < 800)
    #expect(try #require(unknown.last) - (try #require(unknown.first)) > 290)
  }

  @Test("a profile of a database with only the core tables is straight from node to node")
  func plain() throws {
    let path = try plainDatabase(
      in: folder,
      filledBy: [
        """
        INSERT INTO routing_nodes VALUES (1, 47, 10, 800), (2, 47.001, 10, 810),
          (3, 47.002, 10, NULL), (4, 47.003, 10, 805)
        """,
        """
        INSERT INTO routing_edges(from_node, to_node, distance, highway_type, cost, reverse_cost)
        VALUES (1, 2, 100, 'path', 100, 100), (3, 2, 60, 'path', 60, 60),
          (3, 4, 40, 'path', 40, 40)
        """,
      ])
    let points = try profile(
      path, Coordinate(latitude: 47, longitude: 10), Coordinate(latitude: 47.003, longitude: 10)
    ).points
    #expect(points.map(\.distanceMetres) == [0, 50, 100, 130, 160, 200])
    #expect(points.map(\.elevationMetres) == [800, 805, 810, nil, nil, 805])
  }

  @Test("the profile of a route of one node is one point")
  func singleNode() throws {
    let points = try profile(map, "A", "A").points
    #expect(points.map(\.distanceMetres) == [0] && points.map(\.elevationMetres) == [1000])
  }

  @Test("an absurd length is not divided, and a damaged profile is an error")
  func hostile() throws {
    let path = try map.routingDatabase(in: folder)
    let (start, end) = (try map.coordinate("A"), try map.coordinate("C"))
    try changeDatabase(path, ["UPDATE routing_edges SET distance = 9e8"])
    #expect(try profile(path, start, end).points.count < 200)
    try changeDatabase(path, ["UPDATE routing_elevation SET profile = x'07'"])
    #expect {
      try profile(path, start, end)
    } throws: {
      guard case .databaseCorrupted = $0 as? RoutingError else { return false }
      return true
    }
  }
}
