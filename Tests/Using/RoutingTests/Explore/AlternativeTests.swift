// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@Suite("Routes that differ")
struct AlternativeTests {
  private func letters(
    _ routed: RoutedMap, _ from: Character, _ to: Character, count: Int = 3,
    preferences: RoutingPreferences = RoutingPreferences()
  ) throws -> [String] {
    try routed.engine.agreed {
      try $0.findAlternatives(
        from: routed.map.coordinate(from), to: routed.map.coordinate(to), count: count,
        preferences: preferences)
    }.map(\.letters)
  }

  @Test("of three ways to a destination the cheapest comes first")
  func three() throws {
    let routed = try RoutedMap(
      """
      .  C-------D  .

      A-------------B

      .  E-------F  .
      .             .
      """, "AB", "AC", "CDB", "AE", "EFB")
    #expect(try letters(routed, "A", "B") == ["AB", "ACB", "AEB"])
    #expect(try letters(routed, "A", "B", count: 2).count == 2)
    #expect(try letters(routed, "A", "B", count: 1) == ["AB"])
  }

  @Test("a way that is more than 40 % more expensive is not an alternative")
  func dear() throws {
    let routed = try RoutedMap(
      """
      C---------D
      |         |
      |         |
      |         |
      A---------B
      """, "AB", "AC", "CDB")
    #expect(try letters(routed, "A", "B") == ["AB"])
  }

  @Test("a detour so small that most of the route is the same is not an alternative")
  func shared() throws {
    let routed = try RoutedMap(
      """
      .         E-F         .
      A---------B-C---------D
      """, "ABCD", "BE", "EFC")
    #expect(try letters(routed, "A", "D") == ["ABCD"])
  }

  @Test("a detour that is too small to be a choice is removed, and the large one stays")
  func folded() throws {
    let routed = try RoutedMap(
      """
      .         E-F   .
      A---------B-C---D--------H
      .               |        |
      .               I--------J
      """, "ABCD", "BE", "EFC", "DH", "DI", "IJH")
    for route in try letters(routed, "A", "H") { #expect(!route.contains("E"), "\(route)") }
    let around = try letters(routed, "D", "H")
    #expect(around == ["DH"] || around == ["DH", "DIH"])
  }

  @Test("from a point to itself there is one route, and between unconnected points none")
  func edges() throws {
    let routed = try RoutedMap("A-B   C-D", "AB", "CD")
    #expect(try letters(routed, "A", "A") == ["A"])
    #expect(throws: RoutingError.self) { try letters(routed, "A", "D") }
    #expect(throws: RoutingError.self) {
      try routed.engine.memory.findAlternatives(
        from: Coordinate(latitude: 0, longitude: 0), to: routed.map.coordinate("A"), count: 3)
    }
  }

  @Test("alternatives follow the preferences")
  func preferences() throws {
    let routed = try RoutedMap(
      AsciiMap(
        """
        .  C-------D  .

        A-------------B

        .  E-------F  .
        """,
        ways: [
          .init("AB", tags: ["highway": "steps"]), .init("AC"), .init("CDB"), .init("AE"),
          .init("EFB"),
        ]))
    var preferences = RoutingPreferences()
    preferences.avoidsSteps = true
    let routes = try letters(routed, "A", "B", preferences: preferences)
    #expect(routes.sorted() == ["ACB", "AEB"])
  }

  @Test("alternatives on random grids keep every limit on cost and overlap")
  func random() throws {
    var others = 0
    for seed in 0..<60 as Range<UInt64> {
      let grid = try RandomGrid(seed: seed)
      let engines = try BothEngines(grid.store)
      var random = SeededGenerator(seed: seed + 2000)
      for _ in 0..<6 {
        let (start, end) = (grid.point(using: &random), grid.point(using: &random))
        guard let best = try? engines.findRoute(from: start, to: end) else { continue }
        let routes = try engines.agreed { try $0.findAlternatives(from: start, to: end, count: 3) }
        #expect(routes.first == best && routes.count <= 3)
        for (index, route) in routes.enumerated().dropFirst() {
          try expectChain(route, from: best, "seed \(seed)")
          #expect(route.totalCost <= 1.4 * best.totalCost + 1e-6, "seed \(seed)")
          #expect(route.totalCost >= routes[index - 1].totalCost - 1e-6, "seed \(seed)")
          let nodes = route.nodes.map(\.id).filter { $0 != RoutingNode.insideEdge }
          #expect(Set(nodes).count == nodes.count, "seed \(seed)")
          for better in routes.prefix(index) {
            let shared = route.edges.filter { edge in
              better.edges.contains {
                $0.id == edge.id && $0.isReversed == edge.isReversed && $0.part == edge.part
              }
            }.reduce(0) { $0 + $1.distance }
            #expect(shared <= 0.6 * route.totalDistance + 0.1, "seed \(seed)")
          }
          others += 1
        }
      }
    }
    #expect(others > 30, "\(others)")
  }

  private func expectChain(_ route: ComputedRoute, from best: ComputedRoute, _ comment: Comment)
    throws
  {
    #expect(route.nodes.first == best.nodes.first && route.nodes.last == best.nodes.last, comment)
    #expect(route.nodes.count == route.edges.count + 1, comment)
    for (index, edge) in route.edges.enumerated() {
      #expect(edge.fromNode == route.nodes[index].id, comment)
      #expect(edge.toNode == route.nodes[index + 1].id, comment)
      #expect(edge.cost.isFinite, comment)
    }
  }
}
