// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import TestSupport
import Testing

@testable import CairnRouting

@Suite("Hierarchies with a core")
struct CoreTests {
  /// Limits under which small graphs have cores of all sizes.
  private static let limits = [
    HierarchyBuilder.Limits(arcs: 0), .init(arcs: 1), .init(arcs: 2), .init(arcs: 3),
    .init(arcs: 5), .init(workPerElement: 1), .init(workPerElement: 5),
    .init(shortcutsPerElement: 0),
  ]

  private func graph(_ network: RandomNetwork) throws -> ProfileGraph {
    try ProfileGraph(RoadNetwork(reading: network.store), profile: nil, reading: network.store)
  }

  private func expectEqualCosts(
    _ graph: ProfileGraph, _ hierarchy: ContractionHierarchy, from starts: some Sequence<Int32>,
    to goals: some Sequence<Int32>, _ comment: Comment
  ) throws {
    var search = HierarchySearch()
    for start in starts {
      let costs = graph.costs(from: start)
      for goal in goals {
        let path = search.run(hierarchy, graph.query(start, goal))
        let cost = path?.cost ?? .infinity
        #expect(cost.isAbout(costs[Int(goal)]), comment)
        guard let path else { continue }
        #expect(try graph.cost(of: path, from: start, to: goal).isAbout(path.cost), comment)
      }
    }
  }

  @Test("whatever is left in the core, routes between all pairs cost what Dijkstra finds")
  func equalCosts() throws {
    var cores: Set<Int> = []
    for seed in 0..<40 as Range<UInt64> {
      let graph = try graph(try RandomNetwork(seed: seed))
      let limits = Self.limits[Int(seed) % Self.limits.count]
      let hierarchy = try ContractionHierarchy.contracting(graph, limits)
      cores.insert(hierarchy.coreCount)
      let nodes = 0..<Int32(graph.nodeCount)
      try expectEqualCosts(graph, hierarchy, from: nodes, to: nodes, "seed \(seed)")
    }
    #expect(cores.count > 10, "\(cores)")
  }

  @Test("whatever is left in the core, every cell of a matrix is what a full hierarchy gives")
  func matrix() throws {
    for seed in 300..<332 as Range<UInt64> {
      let graph = try graph(try RandomNetwork(seed: seed))
      var random = SeededGenerator(seed: seed)
      let points = (0..<20).map { _ in
        Coordinate(
          latitude: Double.random(in: 42...42.05, using: &random),
          longitude: Double.random(in: 1...1.05, using: &random))
      }
      let core = try ContractionHierarchy.contracting(
        graph, Self.limits[Int(seed) % Self.limits.count])
      let matrices = [
        try RouteMatrix(
          .contracting(graph), to: points, measure: .cost, radiusMetres: 2000),
        try RouteMatrix(core, to: points, measure: .cost, radiusMetres: 2000),
        try RouteMatrix(graph, to: points, measure: .cost, radiusMetres: 2000),
      ]
      for point in points {
        let rows = try matrices.map { try $0.row(from: point) }
        for (full, others) in zip(rows[0], zip(rows[1], rows[2])) {
          for cell in [others.0, others.1] {
            let found = cell ?? -1
            #expect(found.isAbout(full ?? -1), "seed \(seed)")
          }
        }
      }
    }
  }

  @Test("a file keeps the core in version 2 of its format, and has version 1 without a core")
  func file() throws {
    for seed in 0..<16 as Range<UInt64> {
      let graph = try graph(try RandomNetwork(seed: seed))
      let limits = Self.limits[Int(seed) % Self.limits.count]
      let hierarchy = try ContractionHierarchy.contracting(graph, limits)
      let bytes = HierarchyFile([hierarchy]).encoded()
      #expect(bytes[8] == (hierarchy.coreCount > 0 ? 2 : 1), "seed \(seed)")
      let read = try #require(try HierarchyFile(bytes: bytes).hierarchy(of: graph))
      #expect(read.parts == hierarchy.parts, "seed \(seed)")
      #expect(
        bytes == HierarchyFile([try .contracting(graph, limits)]).encoded(), "seed \(seed)")
    }
  }

  @Test("a core that is larger than the graph and arcs that lead down below it are refused")
  func badCore() throws {
    let graph = try graph(try RandomNetwork(seed: 1))
    var parts = try ContractionHierarchy.uncontracted(graph).parts
    parts.core = parts.order.count + 1
    #expect(throws: ContractionHierarchy.BadParts("its core has more nodes than the graph")) {
      try ContractionHierarchy(graph, parts)
    }
    parts.core = 0
    #expect(throws: ContractionHierarchy.BadParts.self) {
      try ContractionHierarchy(graph, parts)
    }
  }
}

@Suite("Contracting graphs that would explode")
struct ContractionLimitTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A graph whose nodes are numbered from 0, with edges that a query gives: from, to and cost.
  private func graph(nodes: Int, edges query: String) throws -> ProfileGraph {
    let path = try plainDatabase(
      in: folder,
      filledBy: [
        """
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(nodes))
        INSERT INTO routing_nodes SELECT i, 42 + i * 1e-5, 1 + i % 100 * 1e-3, 800 FROM n
        """,
        """
        INSERT INTO routing_edges(from_node, to_node, distance, cost, reverse_cost)
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(nodes))
        SELECT a, b, 100, c, c + 1 FROM (\(query))
        """,
      ])
    let store = RoutingStore(path: path)
    try store.open()
    defer { store.close() }
    return try ProfileGraph(RoadNetwork(reading: store), profile: nil, reading: store)
  }

  private func expectEqualCosts(
    _ graph: ProfileGraph, _ hierarchy: ContractionHierarchy, goalsEvery step: Int32
  ) {
    var search = HierarchySearch()
    for start in [0, 1, Int32(graph.nodeCount) / 2] {
      let costs = graph.costs(from: start)
      for goal in stride(from: 0, to: Int32(graph.nodeCount), by: Int32.Stride(step)) {
        let cost = search.run(hierarchy, graph.query(start, goal))?.cost ?? .infinity
        #expect(cost.isAbout(costs[Int(goal)]), "\(start) to \(goal)")
      }
    }
  }

  @Test("a star of 20,000 ways takes no shortcuts: its hub is not contracted")
  func star() throws {
    let graph = try graph(
      nodes: 20_001, edges: "SELECT 0 AS a, i AS b, 100 + i % 7 AS c FROM n WHERE i > 0")
    var builder = HierarchyBuilder(CostGraph(graph))
    let parts = builder.run()
    #expect(builder.work < 20_000)
    let hierarchy = try ContractionHierarchy(graph, parts)
    #expect(hierarchy.shortcutCount == 0)
    #expect(hierarchy.coreCount == 1)
    expectEqualCosts(graph, hierarchy, goalsEvery: 997)
  }

  @Test("a star of long rays has as many shortcuts as inner nodes of rays")
  func rays() throws {
    // Ray r consists of nodes 3 r + 1 … 3 r + 3.
    let graph = try graph(
      nodes: 3001,
      edges: "SELECT CASE i % 3 WHEN 1 THEN 0 ELSE i - 1 END AS a, i AS b, 10 + i % 7 AS c "
        + "FROM n WHERE i > 0")
    let hierarchy = try ContractionHierarchy.contracting(graph)
    #expect(hierarchy.shortcutCount <= 2 * 3000)
    #expect(hierarchy.coreCount == 1)
    expectEqualCosts(graph, hierarchy, goalsEvery: 101)
  }

  @Test("two hubs with a thousand common neighbours keep one arc between them")
  func twoHubs() throws {
    let graph = try graph(
      nodes: 1002,
      edges: "SELECT 0 AS a, i AS b, 10 + i % 7 AS c FROM n WHERE i > 1 "
        + "UNION ALL SELECT 1, i, 10 + i % 5 FROM n WHERE i > 1")
    let hierarchy = try ContractionHierarchy.contracting(graph)
    #expect(hierarchy.coreCount == 2)
    #expect(hierarchy.shortcutCount <= 2)
    expectEqualCosts(graph, hierarchy, goalsEvery: 37)
  }

  @Test("a grid has at most ten shortcuts for each node and edge")
  func grid() throws {
    let graph = try graph(
      nodes: 625,
      edges: "SELECT i AS a, i + 1 AS b, 100 + i * 37 % 41 AS c FROM n WHERE i % 25 < 24 "
        + "UNION ALL SELECT i, i + 25, 100 + i * 53 % 43 FROM n WHERE i < 600")
    let hierarchy = try ContractionHierarchy.contracting(graph)
    #expect(hierarchy.shortcutCount <= 10 * (625 + 1200))
    expectEqualCosts(graph, hierarchy, goalsEvery: 7)
  }

  @Test("nodes with a dozen arcs and many paths of equal costs keep all cheapest routes")
  func denseTies() throws {
    let graph = try graph(
      nodes: 150,
      edges: "SELECT n.i AS a, n.i + m.i AS b, m.i + n.i * m.i % 4 AS c FROM n, n m "
        + "WHERE m.i BETWEEN 1 AND 6 AND n.i + m.i < 150")
    let hierarchy = try ContractionHierarchy.contracting(graph)
    #expect(hierarchy.coreCount == 0)
    expectEqualCosts(graph, hierarchy, goalsEvery: 1)
  }

  @Test("contraction ends once its work exceeds its limit, and the rest is the core")
  func work() throws {
    // Each node leads to 20 others all over the graph: there is no order of importance.
    let graph = try graph(
      nodes: 400,
      edges: "SELECT n.i AS a, (n.i * 7 + m.i * m.i * 31 + 1) % 400 AS b, "
        + "100 + n.i * m.i % 83 AS c FROM n, n m WHERE m.i < 20")
    let limits = HierarchyBuilder.Limits(workPerElement: 20)
    var builder = HierarchyBuilder(CostGraph(graph), limits)
    let parts = builder.run()
    // The last search may exceed the limit by 500 nodes of at most 64 arcs.
    #expect(builder.work < 20 * 8400 + 500 * 64 + 400 * 64 * 64)
    let hierarchy = try ContractionHierarchy(graph, parts)
    #expect(hierarchy.coreCount > 100)
    expectEqualCosts(graph, hierarchy, goalsEvery: 11)
  }

  @Test("a matrix of three points on a star of 20,000 ways contracts nothing")
  func smallMatrix() throws {
    let graph = try graph(
      nodes: 20_001, edges: "SELECT 0 AS a, i AS b, 100 + i % 7 AS c FROM n WHERE i > 0")
    let points = [3, 5000, 19_999].map { graph.network.coordinates[$0] }
    let matrix = try RouteMatrix(graph, to: points, measure: .cost)
    #expect(matrix.unsnappedDestinationCount == 0)
    for (index, point) in points.enumerated() {
      let row = try matrix.row(from: point)
      let from = try #require(graph.nearestPoint(to: point, radiusMetres: 500))
      for (other, cell) in zip(points, row) {
        let to = try #require(graph.nearestPoint(to: other, radiusMetres: 500))
        // Both lie on edges of the star: the way leads over the hub.
        let expected =
          from.edge == to.edge
          ? nil : from.share * from.reverseCost + to.share * to.cost
        let found = cell ?? -1
        if let expected { #expect(found.isAbout(expected), "\(index)") }
      }
    }
  }
}
