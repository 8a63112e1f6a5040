// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@Suite("Isochrones")
struct IsochroneTests {
  private func shares(_ isochrone: Isochrone) -> [[Double]] {
    isochrone.stretches.map { [$0.start, $0.end] }
  }

  private func expect(
    _ isochrone: Isochrone, _ expected: [[Double]],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = shares(isochrone)
    let isEqual =
      found.count == expected.count
      && zip(found.joined(), expected.joined()).allSatisfy { abs($0 - $1) < 1e-4 }
    #expect(isEqual, "\(found)", sourceLocation: sourceLocation)
  }

  @Test("an edge that is reached in part is cut at the exact share")
  func cut() throws {
    let routed = try RoutedMap("A----B----C", "AB", "BC")
    let whole = try routed.route("A", "C").estimatedDuration
    let isochrones = try routed.engine.isochrones(
      from: routed.map.coordinate("A"), [whole / 8, whole * 3 / 4, whole, 10 * whole])
    expect(isochrones[0], [[0, 0.25]])
    expect(isochrones[1], [[0, 1], [0, 0.5]])
    expect(isochrones[2], [[0, 1], [0, 1]])
    expect(isochrones[3], [[0, 1], [0, 1]])
    #expect(isochrones.map(\.nodeCount) == [1, 2, 3, 3])
    #expect(isochrones.map(\.limitSeconds) == [whole / 8, whole * 3 / 4, whole, 10 * whole])
    #expect(abs(isochrones[1].totalDistance - 750) < 0.1)
    let end = try #require(isochrones[0].stretches[0].coordinates.last)
    #expect(try haversineDistance(end, routed.point("A", east: 125)) < 0.1)
    #expect(isochrones[0].stretches[0].coordinates.count == 2)
  }

  @Test("from inside an edge it is reached in both directions")
  func inside() throws {
    let routed = try RoutedMap("A---------B", "AB")
    let whole = try routed.route("A", "B").estimatedDuration
    let start = try routed.point("A", east: 400, north: 20)
    let isochrones = try routed.engine.isochrones(from: start, [whole * 0.1, whole * 0.5])
    expect(isochrones[0], [[0.3, 0.5]])
    expect(isochrones[1], [[0, 0.9]])
    #expect(isochrones.map(\.nodeCount) == [0, 1])
    #expect(haversineDistance(isochrones[0].start, try routed.point("A", east: 400)) < 0.1)
  }

  @Test("an edge that is reached from both ends has two parts until they meet")
  func ring() throws {
    let routed = try RoutedMap(
      """
      A--B
      |  |
      D--C
      """, "AB", "BC", "CD", "DA")
    let side = try routed.route("A", "B").estimatedDuration
    // From the middle of AB: CD is entered at C and at D.
    let start = try routed.point("A", east: 150)
    let height = try routed.route("A", "D").estimatedDuration
    let isochrones = try routed.engine.isochrones(
      from: start, [side / 2 + height + side / 4, side / 2 + height + side * 0.6])
    expect(isochrones[0], [[0, 1], [0, 1], [0, 0.25], [0.75, 1], [0, 1]])
    expect(isochrones[1], [[0, 1], [0, 1], [0, 1], [0, 1]])
  }

  @Test("a one-way is passed only in its direction")
  func oneway() throws {
    let oneway = ["highway": "residential", "oneway": "yes"]
    let routed = try RoutedMap(
      AsciiMap("A----B----C", ways: [.init("AB"), .init("BC", tags: oneway)]))
    let start = try routed.point("B", east: 250)
    let time = try routed.route("A", "C", mode: .cycling).estimatedDuration
    expect(
      try routed.engine.isochrones(from: start, [time], mode: .cycling)[0], [[0.5, 1]])
    expect(
      try routed.engine.isochrones(from: routed.map.coordinate("C"), [time], mode: .cycling)[0], [])
    // A walker goes back as well.
    #expect(try routed.engine.isochrones(from: start, [1e6])[0].nodeCount == 3)
  }

  @Test("an isochrone ends at a wall, and a gate is not a stretch of it")
  func barriers() throws {
    for (barrier, distance) in [("wall", 200.0), ("gate", 400.0), ("kissing_gate", 400.0)] {
      let routed = try RoutedMap(
        AsciiMap("A-B-C", ways: [.init("ABC")], nodeTags: ["B": ["barrier": barrier]]))
      let reached = try routed.engine.isochrones(from: routed.map.coordinate("A"), [1e6])[0]
      #expect(abs(reached.totalDistance - distance) < 0.1, "\(barrier)")
      #expect(reached.stretches.allSatisfy { $0.distance > 0 })
    }
  }

  @Test(
    "a time of 0 reaches only the start, a negative one or NaN nothing; far from paths it throws")
  func nothing() throws {
    let routed = try RoutedMap("A----B", "AB")
    let start = try routed.map.coordinate("A")
    for engine in [routed.engine.paged, routed.engine.memory] {
      let isochrones = try engine.isochrones(from: start, limitsSeconds: [0, -1, .nan, .infinity])
      #expect(isochrones.map(\.stretches.count) == [0, 0, 0, 1])
      #expect(isochrones.map(\.nodeCount) == [1, 0, 0, 2])
      #expect(try engine.isochrones(from: start, limitsSeconds: []).isEmpty)
      #expect(
        throws: RoutingError.noNearbyNode(Coordinate(latitude: 0, longitude: 0), radiusMetres: 500)
      ) {
        try engine.isochrones(from: Coordinate(latitude: 0, longitude: 0), limitsSeconds: [60])
      }
      #expect(throws: RoutingError.self) {
        try engine.isochrones(from: start, limitsSeconds: [60], profile: "skiing")
      }
    }
  }

  @Test("in a database with only the core tables times follow Naismith's rule")
  func plain() throws {
    let folder = try TemporaryFolder()
    let store = RoutingStore(
      path: try plainDatabase(
        in: folder,
        filledBy: [
          "INSERT INTO routing_nodes VALUES (1, 47.0, 10.0, NULL), (2, 47.01, 10.0, NULL)",
          """
          INSERT INTO routing_edges(from_node, to_node, distance, elevation_gain, elevation_loss,
            highway_type, cost, reverse_cost) VALUES (1, 2, 1112, 0, 100, 'path', 1112, 1112)
          """,
        ]))
    try store.open()
    let engines = try BothEngines(store)
    let (top, bottom) = (
      Coordinate(latitude: 47, longitude: 10), Coordinate(latitude: 47.01, longitude: 10)
    )
    let down = try engines.findRoute(from: top, to: bottom).estimatedDuration
    let up = try engines.findRoute(from: bottom, to: top).estimatedDuration
    #expect(up > 1.2 * down)
    expect(try engines.isochrones(from: top, [down / 2])[0], [[0, 0.5]])
    expect(try engines.isochrones(from: bottom, [up / 2])[0], [[0.5, 1]])
  }

  @Test(
    "isochrones on random grids equal those found by relaxing all edges",
    arguments: RoutingMode.allCases)
  func random(mode: RoutingMode) throws {
    var checked = (inside: 0, outside: 0)
    for seed in 0..<40 as Range<UInt64> {
      let grid = try RandomGrid(seed: seed)
      let engines = try BothEngines(grid.store)
      var random = SeededGenerator(seed: seed + 500)
      for _ in 0..<4 {
        let point = grid.point(using: &random)
        guard let start = try grid.store.nearestPointOnEdge(to: point, profile: mode.rawValue)
        else { continue }
        let reference = try ReferenceReach(grid.store, profile: mode.rawValue, from: start)
        let limit = Double.random(in: 10..<1200, using: &random)
        let reached = try engines.isochrones(from: point, [limit, limit / 2], mode: mode)
        #expect(reached[0].nodeCount == reference.seconds.values.count { $0 <= limit })
        for (isochrone, limit) in zip(reached, [limit, limit / 2]) {
          for edge in reference.edges where edge.distance > 0 {
            let parts = isochrone.stretches.filter { $0.edge == edge.id }
            for step in 0...16 {
              let share = Double(step) / 16
              let time = reference.seconds(edge, at: share)
              // Exactly at the limit the result depends on rounding.
              guard !(abs(time - limit) < 1e-6) else { continue }
              let isInside = parts.contains { $0.start <= share && share <= $0.end }
              // A node where no edge may be entered is not a part of an edge.
              let isEnd = step == 0 || step == 16
              if isInside { checked.inside += 1 } else { checked.outside += 1 }
              #expect(
                isInside == (time < limit) || (isEnd && !isInside),
                "seed \(seed), edge \(edge.id) at \(share): \(time) of \(limit)")
            }
          }
        }
      }
    }
    #expect(checked.inside > 5000 && checked.outside > 5000, "\(checked)")
  }
}
