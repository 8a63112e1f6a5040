// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

/// A database with only the core tables, with random nodes and winding edges.
private struct RandomPlainMap {
  let folder: TemporaryFolder
  let store: RoutingStore
  let centre: Coordinate

  init(seed: UInt64, centre: Coordinate, spanDegrees: Double) throws {
    self.centre = centre
    var random = SeededGenerator(seed: seed)
    func randomPoint() -> Coordinate {
      var longitude =
        centre.longitude + Double.random(in: -spanDegrees...spanDegrees, using: &random)
      if longitude > 180 { longitude -= 360 }
      return Coordinate(
        latitude: centre.latitude + Double.random(in: -spanDegrees...spanDegrees, using: &random),
        longitude: longitude)
    }
    let nodes = (0..<40).map { _ in randomPoint() }
    var statements = nodes.enumerated().map {
      "INSERT INTO routing_nodes VALUES (\($0 + 1), \($1.latitude), \($1.longitude), NULL)"
    }
    for _ in 0..<60 {
      let (from, to) = (
        Int.random(in: 0..<40, using: &random), Int.random(in: 0..<40, using: &random)
      )
      // Between its ends the edge wanders a little.
      let inner = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        let share = Double.random(in: 0...1, using: &random)
        var point = interpolated(nodes[from], nodes[to], share)
        point.latitude += Double.random(in: -0.1...0.1, using: &random) * spanDegrees
        return point
      }
      let line = [nodes[from]] + inner + [nodes[to]]
      let metres = zip(line, line.dropFirst()).reduce(0.0) { $0 + haversineDistance($1.0, $1.1) }
      let blob = EdgeGeometry.pack(inner).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
      statements.append(
        """
        INSERT INTO routing_edges(from_node, to_node, distance, highway_type, cost, reverse_cost,
          is_oneway, geometry)
        VALUES (\(from + 1), \(to + 1), \(metres), 'path', \(metres + 1), \(metres * 1.5 + 1),
          \(Int.random(in: 0...3, using: &random) == 0 ? 1 : 0), x'\(blob)')
        """)
    }
    folder = try TemporaryFolder()
    store = RoutingStore(path: try plainDatabase(in: folder, filledBy: statements))
    try store.open()
  }

  /// The nearest edge, found by comparing all of them.
  func nearest(to point: Coordinate, radius: Double) throws -> (edge: Int64, metres: Double)? {
    var best: (edge: Int64, metres: Double)?
    for edge in try store.getEdgesInBoundingBox(.world) where edge.distance > 0 {
      let from = try #require(try store.getNode(edge.fromNode)).coordinate
      let to = try #require(try store.getNode(edge.toNode)).coordinate
      let position = LineProjection(point).nearest(on: [from] + edge.geometry + [to])
      guard let position, position.distanceMetres <= radius else { continue }
      if position.distanceMetres < best?.metres ?? .infinity {
        best = (edge.id, position.distanceMetres)
      }
    }
    return best
  }
}

@Suite("The nearest point on any edge")
struct SnappingReferenceTests {
  @Test(
    "the nearest point is that of a scan of all edges, long, short and across the antimeridian",
    arguments: [(47.0, 10.0, 0.002), (47, 10, 0.05), (-62, 179.99, 0.03), (0, 0, 0.3)])
  func nearest(latitude: Double, longitude: Double, span: Double) throws {
    var found = 0
    for seed in 0..<6 as Range<UInt64> {
      let map = try RandomPlainMap(
        seed: seed, centre: Coordinate(latitude: latitude, longitude: longitude),
        spanDegrees: span)
      let network = try RoadNetwork(reading: map.store)
      let graph = try ProfileGraph(network, profile: nil, reading: map.store)
      let engines = try BothEngines(map.store)
      var random = SeededGenerator(seed: seed + 100)
      func randomPoint() -> Coordinate {
        var point = map.centre
        point.latitude += Double.random(in: -span...span, using: &random)
        point.longitude += Double.random(in: -span...span, using: &random)
        if point.longitude > 180 { point.longitude -= 360 }
        return point
      }
      for _ in 0..<60 {
        let point = randomPoint()
        let expected = try map.nearest(to: point, radius: 500)
        let nearest = try map.store.nearestPointOnEdge(to: point)
        #expect(nearest?.edge == expected?.edge, "seed \(seed), \(point)")
        #expect(graph.nearestPoint(to: point, radiusMetres: 500) == nearest)
        guard let nearest, let expected else { continue }
        found += 1
        #expect(abs(nearest.distanceMetres - expected.metres) < 1e-9)
        #expect((0...1).contains(nearest.share))
        let measured = haversineDistance(point, nearest.coordinate)
        #expect(abs(measured - nearest.distanceMetres) < EdgePoint.nodeRadiusMetres + 0.01)
        _ = try route(engines, from: point, to: randomPoint())
      }
    }
    #expect(found > 20)
  }

  @Test("snapping in a database with only the core tables obeys one-way edges")
  func plain() throws {
    for seed in 0..<10 as Range<UInt64> {
      let map = try RandomPlainMap(
        seed: seed, centre: Coordinate(latitude: 47, longitude: 10), spanDegrees: 0.01)
      let engines = try BothEngines(map.store)
      let reference = try ReferenceGraph(map.store, profile: nil)
      let nodes = try map.store.getNodesInBoundingBox(.world)
      for (start, end) in zip(nodes, nodes.reversed()) {
        let from = try #require(try map.store.nearestPointOnEdge(to: start.coordinate))
        let to = try #require(try map.store.nearestPointOnEdge(to: end.coordinate))
        let expected = reference.cost(from: from, to: to)
        let route = try route(engines, from: start.coordinate, to: end.coordinate)
        #expect((route == nil) == (expected == nil), "seed \(seed)")
        guard let route, let expected else { continue }
        #expect(abs(route.totalCost - expected) <= 1e-9 * expected, "seed \(seed)")
      }
    }
  }

  /// The route that both engines find, nil where both give the same error.
  private func route(_ engines: BothEngines, from start: Coordinate, to end: Coordinate) throws
    -> ComputedRoute?
  {
    do { return try engines.findRoute(from: start, to: end) } catch is RoutingError { return nil }
  }
}
