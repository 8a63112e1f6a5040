// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import TestSupport
import Testing

@testable import CairnRouting

/// A random grid of paths, some of them steep, closed or one-way.
struct RandomGrid {
  let folder: TemporaryFolder
  let store: RoutingStore
  let nodes: [RoutingNode]

  init(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvw")
    let side = Int.random(in: 3...7, using: &random)
    let drawing = (0..<side).map { row in
      String(letters[row * side..<(row + 1) * side].flatMap { [$0, "-"] })
    }.joined(separator: "\n\n")
    var ways: [AsciiMap.Way] = []
    func addWay(_ from: Int, _ to: Int) {
      guard Int.random(in: 0..<10, using: &random) > 1 else { return }
      ways.append(.init("\(letters[from])\(letters[to])", tags: Self.tags(using: &random)))
    }
    for row in 0..<side {
      for column in 0..<side {
        let node = row * side + column
        if column + 1 < side { addWay(node, node + 1) }
        if row + 1 < side { addWay(node + side, node) }
        if column + 1 < side, row + 1 < side, Bool.random(using: &random) {
          addWay(node, node + side + 1)
        }
      }
    }
    var elevations: [Character: Float] = [:]
    let isComplete = seed % 4 < 2
    for letter in letters.prefix(side * side)
    where isComplete || Int.random(in: 0..<8, using: &random) > 0 {
      elevations[letter] = Float.random(in: 800..<1000, using: &random)
    }
    let map = AsciiMap(drawing, ways: ways, elevations: elevations)
    folder = try TemporaryFolder()
    store = RoutingStore(path: try map.routingDatabase(in: folder))
    try store.open()
    nodes = try store.getNodesInBoundingBox(.world)
  }

  private static func tags(using random: inout SeededGenerator) -> [String: String] {
    var tags = [
      "highway": ["path", "track", "steps", "residential"].randomElement(using: &random) ?? ""
    ]
    tags["surface"] = ["asphalt", "gravel", "mud", nil].randomElement(using: &random) ?? nil
    tags["sac_scale"] = [nil, nil, "alpine_hiking"].randomElement(using: &random) ?? nil
    tags["oneway"] = [nil, nil, "yes", "-1"].randomElement(using: &random) ?? nil
    tags["access"] = [nil, nil, nil, nil, "private"].randomElement(using: &random) ?? nil
    return tags
  }

  /// A point on or beside the grid.
  func point(using random: inout SeededGenerator) -> Coordinate {
    let node = nodes[Int.random(in: 0..<nodes.count, using: &random)]
    guard Int.random(in: 0..<4, using: &random) > 0 else { return node.coordinate }
    return Coordinate(
      latitude: node.latitude + Double.random(in: -1e-3...1e-3, using: &random),
      longitude: node.longitude + Double.random(in: -2e-3...2e-3, using: &random))
  }
}

@Suite("A* finds what Dijkstra finds")
struct DijkstraTests {
  @Test(
    "routes between any two points of random grids cost what Dijkstra finds, or exist in neither search",
    arguments: RoutingMode.allCases)
  func equalCosts(mode: RoutingMode) throws {
    var routes = 0
    for seed in 0..<50 as Range<UInt64> {
      let grid = try RandomGrid(seed: seed)
      let engines = try BothEngines(grid.store)
      var random = SeededGenerator(seed: seed + 1000)
      var preferences = RoutingPreferences()
      if seed % 2 == 1 {
        preferences.avoidsSteps = true
        preferences.maximumSACGrade = .t2
        preferences.prefersPaved = true
        preferences.maximumSlopePercent = 20
      }
      let reference = try ReferenceGraph(
        grid.store, profile: mode.rawValue, factor: { preferences.factor($0) })
      let graph = try ProfileGraph(
        RoadNetwork(reading: grid.store), profile: mode.rawValue, reading: grid.store)
      let worker = SearchWorker(graph)
      for _ in 0..<15 {
        let points = [grid.point(using: &random), grid.point(using: &random)]
        guard let stops = try? graph.stops(at: points, fixes: [], radiusMetres: 500) else {
          continue
        }
        // The best of all pairs of candidates.
        var expected = Double.infinity
        for (one, from) in stops[0].candidates.enumerated() {
          for (other, to) in stops[1].candidates.enumerated() {
            guard let cost = reference.cost(from: from.point, to: to.point) else { continue }
            expected = min(expected, cost + stops[0].penalty(one) + stops[1].penalty(other))
          }
        }
        let about = "seed \(seed), \(points)"
        do {
          let route = try engines.findRoute(
            from: points[0], to: points[1], mode: mode, preferences: preferences)
          let found = try worker.findRoute(
            through: stops, radiusMetres: 500, rules: SearchRules(preferences: preferences),
            mode: mode)
          // Only the engine knows how far the times of walkers spread, and what it warns of.
          var plain = route
          (plain.timeSpread, plain.warnings, plain.regions) = (nil, [], [])
          #expect(found.route == plain, "\(about)")
          let cost = try #require(
            reference.cost(from: found.stops[0], to: found.stops[1]), "\(about)")
          #expect(
            abs(try weight(route, grid.store, preferences) - cost) <= 1e-9 * cost, "\(about)")
          let chosen = zip(stops, found.stops).map { stop, point in
            stop.candidates.firstIndex { $0.point == point }.map { stop.penalty($0) }
          }
          if let from = chosen[0], let to = chosen[1] {
            #expect(abs(cost + from + to - expected) <= 1e-9 * expected, "\(about)")
          } else {
            #expect(expected == .infinity, "\(about): the ends were moved without need")
          }
          routes += 1
        } catch let error as RoutingError {
          guard case .noRouteFound = error else { throw error }
          #expect(expected == .infinity, "\(about)")
        }
      }
    }
    #expect(routes > 150)
  }

  private func weight(
    _ route: ComputedRoute, _ store: RoutingStore, _ preferences: RoutingPreferences
  ) throws -> Double {
    try route.edges.reduce(0) {
      $0 + $1.cost * preferences.factor(try store.traits(ofEdge: $1.id))
    }
  }

  @Test("of many ways with the same cost both back ends choose the same one")
  func ties() throws {
    for seed in 0..<20 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      // A square grid with integer costs, its nodes and rows in a random order; one back
      // end knows a bound of the costs, the other one does not.
      let side = 8
      let ids = (1...side * side).shuffled(using: &random)
      func coordinate(_ node: Int) -> Coordinate {
        Coordinate(
          latitude: 47 + Double(node / side) * 1e-3, longitude: 10 + Double(node % side) * 1.5e-3)
      }
      var edges: [String] = []
      for node in 0..<side * side {
        let right = node % side + 1 < side ? node + 1 : nil
        let up = node + side < side * side ? node + side : nil
        for other in [right, up].compactMap({ $0 }) {
          let ends = Bool.random(using: &random) ? (node, other) : (other, node)
          let cost = Int.random(in: 1...2, using: &random) * 150
          edges.append("(\(ids[ends.0]), \(ids[ends.1]), 112, 'path', \(cost), \(cost))")
        }
      }
      let folder = try TemporaryFolder()
      let path = try plainDatabase(
        in: folder,
        filledBy: ids.indices.map {
          let coordinate = coordinate($0)
          return "INSERT INTO routing_nodes VALUES "
            + "(\(ids[$0]), \(coordinate.latitude), \(coordinate.longitude), NULL)"
        }
          + edges.shuffled(using: &random).map {
            """
            INSERT INTO routing_edges(from_node, to_node, distance, highway_type, cost, reverse_cost)
            VALUES \($0)
            """
          })
      let store = RoutingStore(path: path)
      try store.open()
      let engines = try BothEngines(store)
      for _ in 0..<20 {
        let start = Int.random(in: 0..<side * side, using: &random)
        let end = Int.random(in: 0..<side * side, using: &random)
        let route = try engines.findRoute(from: coordinate(start), to: coordinate(end))
        #expect(route.nodes.first?.id == Int64(ids[start]), "seed \(seed)")
        #expect(route.nodes.last?.id == Int64(ids[end]), "seed \(seed)")
      }
    }
  }

  @Test("the costs of climbing in a database bound searches in its pages")
  func climbs() throws {
    let grid = try RandomGrid(seed: 4)
    let profile = RoutingMode.hiking.rawValue
    let pages = PagedGraph(grid.store, profile: profile, withTraits: false)
    try pages.begin()
    #expect(pages.bound.metreUp > 1)
    let graph = try ProfileGraph(
      RoadNetwork(reading: grid.store), profile: profile, reading: grid.store)
    // In memory the straight line is known, which is a little shorter than the edge.
    #expect(abs(pages.bound.metreUp - graph.bound.metreUp) < 1e-3 * graph.bound.metreUp)
    for node in grid.nodes {
      let index = try pages.index(ofNode: node.id)
      #expect(pages.elevation(index) == node.elevation)
      for arc in try pages.arcs(from: index) {
        let cost = pages.arc(arc).cost
        let end = pages.arc(arc).node
        let rise = pages.elevation(end) - pages.elevation(index)
        let least =
          pages.bound.metre * pages.position(index).chordMetres(to: pages.position(end))
          + (rise > 0 ? pages.bound.metreUp * rise : pages.bound.metreDown * -rise)
        #expect(least <= cost * (1 + 1e-9))
      }
    }
  }

  @Test(
    "a database that says what climbing costs must have all elevations", arguments: [true, false])
  func missingElevation(isStart: Bool) throws {
    let grid = try RandomGrid(seed: 4)
    let profile = RoutingMode.hiking.rawValue
    let pages = PagedGraph(grid.store, profile: profile, withTraits: false)
    try pages.begin()
    let start = try #require(
      grid.nodes.first { try !pages.arcs(from: pages.index(ofNode: $0.id)).isEmpty })
    let arcs = try pages.arcs(from: pages.index(ofNode: start.id))
    let end = try pages.node(pages.arc(arcs.lowerBound).node)
    grid.store.close()
    let gone = isStart ? start.id : end.id
    try changeDatabase(
      grid.store.path, ["UPDATE routing_nodes SET elevation = NULL WHERE id = \(gone)"])
    try grid.store.open()
    let damaged = PagedGraph(grid.store, profile: profile, withTraits: false)
    try damaged.begin()
    #expect(throws: RoutingError.databaseCorrupted("node \(gone) has no elevation")) {
      _ = try damaged.arcs(from: try damaged.index(ofNode: start.id))
    }
  }

  @Test(
    "a wrong bound still finds a route wherever there is one, and an impossible one is ignored",
    arguments: ["1e6", "-5", "1e308", "9e999"])
  func falseBound(bound: String) throws {
    let grid = try RandomGrid(seed: 8)
    let profile = RoutingMode.hiking.rawValue
    let reference = try ReferenceGraph(grid.store, profile: profile)
    grid.store.close()
    try changeDatabase(
      grid.store.path,
      [
        "UPDATE routing_profiles SET min_cost_per_metre = \(bound)",
        "DELETE FROM routing_metadata WHERE key LIKE 'min_cost_per_metre_%'",
        """
        INSERT INTO routing_metadata VALUES ('min_cost_per_metre_up', '\(bound) \(bound)'),
          ('min_cost_per_metre_down', '0 0')
        """,
      ])
    try grid.store.open()
    let engine = RoutingEngine(store: grid.store)
    let start = grid.nodes[0].coordinate
    let from = try #require(try grid.store.nearestPointOnEdge(to: start, profile: profile))
    var routes = 0
    for end in grid.nodes.map(\.coordinate) {
      let to = try #require(try grid.store.nearestPointOnEdge(to: end, profile: profile))
      let least = reference.cost(from: from, to: to)
      do throws(RoutingError) {
        let found = try engine.findRoute(from: start, to: end).totalCost
        guard let least else {
          Issue.record("there is no way to \(end)")
          continue
        }
        #expect(found >= least * (1 - 1e-9))
        // A wrong bound may mislead; one that is not a cost must not.
        if bound != "1e6" { #expect(found <= least * (1 + 1e-9)) }
        routes += 1
      } catch {
        guard case .noRouteFound = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(least == nil, "there is a route to \(end)")
      }
    }
    #expect(routes > 3)
  }

  @Test("threads that share an engine find the same routes as one thread")
  func threads() async throws {
    let grid = try RandomGrid(seed: 3)
    for engine in [RoutingEngine(store: grid.store), try .inMemory(grid.store)] {
      let start = grid.nodes[0].coordinate
      let expected = grid.nodes.map { try? engine.findRoute(from: start, to: $0.coordinate) }
      await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<4 {
          group.addTask {
            zip(grid.nodes, expected).allSatisfy { node, route in
              (try? engine.findRoute(from: start, to: node.coordinate)) == route
            }
          }
        }
        for await isEqual in group { #expect(isEqual) }
      }
    }
  }
}
