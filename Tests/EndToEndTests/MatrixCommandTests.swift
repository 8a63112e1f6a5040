// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import CairnRouting

@Suite(
  "Many routes in Andorra", .enabled(if: Andorra.isThere, "needs ../shared/data"))
struct AndorraMatrixTests {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    let listing = try Executables.succeed("cairn", ["profiles"]).stdout
    let profiles = listing.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    try #require(profiles.contains("hiking") && profiles.contains("cycling"))
    database = folder.file("r.routing.db")
    try FileManager.default.copyItem(atPath: Andorra.database(profiles), toPath: database)
  }

  @Test("for each profile 10 000 pairs of nodes have Dijkstra's costs, alone and in a matrix")
  func equalCosts() throws {
    let store = RoutingStore(path: database)
    try store.open()
    defer { store.close() }
    let network = try RoadNetwork(reading: store)
    for profile in try store.profileNames() {
      // Assembling all these routes takes long.
      let isRouted = ["hiking", "cycling"].contains(profile)
      let graph = try ProfileGraph(network, profile: profile, reading: store)
      let engine = RoutingEngine(graphs: [graph])
      var random = SeededGenerator(seed: 2026)
      // The coordinate of a node may snap to another node with the same coordinate.
      func points() throws -> [(coordinate: Coordinate, node: Int)] {
        try (0..<100).map { _ in
          let coordinate = try #require(network.coordinates.randomElement(using: &random))
          // Beside an island, the ends depend on the other point.
          let stop = graph.matrixStop(at: coordinate, radiusMetres: 500)
          guard let stop, stop.candidates.count == 1, let id = stop.candidates[0].point.node,
            let node = network.index(ofNode: id)
          else { return (coordinate, -1) }
          return (coordinate, Int(node))
        }
      }
      let (starts, goals) = (try points(), try points())
      let matrix = try RouteMatrix(graph, to: goals.map(\.coordinate), measure: .cost)
      var reachable = 0
      for start in starts where start.node >= 0 {
        let costs = Self.costs(graph, from: start.node)
        for (goal, cell) in zip(goals, try matrix.row(from: start.coordinate)) where goal.node >= 0
        {
          let expected = costs[goal.node]
          let pair = "\(profile), \(start.coordinate) to \(goal.coordinate)"
          #expect(abs((cell ?? -1) - (expected ?? -1)) <= 1e-9 * (expected ?? 1), "\(pair)")
          // The empty cell was checked; a search for the reason would visit the whole graph.
          guard let expected else { continue }
          reachable += 1
          guard isRouted else { continue }
          let route = try engine.findRoute(
            from: start.coordinate, to: goal.coordinate, profile: profile)
          #expect(abs(route.totalCost - expected) <= 1e-9 * expected, "\(pair)")
          let joins = zip(route.edges, zip(route.nodes, route.nodes.dropFirst())).allSatisfy {
            $0.fromNode == $1.0.id && $0.toNode == $1.1.id
          }
          #expect(joins, "\(pair)")
        }
      }
      #expect(reachable > 5_000, "\(profile)")
    }
  }

  @Test(
    "between points inside edges, cells are the totals of single routes",
    arguments: RouteMeasure.allCases)
  func equalsRoutes(measure: RouteMeasure) throws {
    let store = RoutingStore(path: database)
    try store.open()
    defer { store.close() }
    let graph = try ProfileGraph(
      RoadNetwork(reading: store), profile: "hiking", reading: store)
    let engine = RoutingEngine(graphs: [graph])
    let points = try Self.pairs().prefix(20).flatMap { $0 }
    let matrix = try RouteMatrix(graph, to: points, measure: measure)
    var routes = 0
    for start in points {
      // Beside an island, a single route has other ends to choose from.
      guard graph.matrixStop(at: start, radiusMetres: 500)?.candidates.count == 1 else { continue }
      for (goal, cell) in zip(points, try matrix.row(from: start)) {
        guard graph.matrixStop(at: goal, radiusMetres: 500)?.candidates.count == 1 else { continue }
        guard let cell else {
          #expect(throws: RoutingError.self) {
            try engine.findRoute(from: start, to: goal, profile: "hiking")
          }
          continue
        }
        let route = try engine.findRoute(from: start, to: goal, profile: "hiking")
        let expected =
          switch measure {
          case .cost: route.totalCost
          case .seconds: route.edges.reduce(0) { $0 + ($1.duration ?? .nan) }
          case .metres: route.totalDistance
          }
        #expect(abs(cell - expected) <= 1e-9 * expected, "\(start) to \(goal)")
        routes += 1
      }
    }
    #expect(routes > 800)
  }

  /// The pairs of the benchmark: longitude and latitude of the start and of the destination.
  private static func pairs() throws -> [[Coordinate]] {
    let text = try String(
      contentsOfFile: try #require(sharedData("andorra-pairs.txt")), encoding: .utf8)
    return try text.split(separator: "\n").map { line in
      let numbers = try line.split(separator: " ").map { try #require(Double($0)) }
      return [
        Coordinate(latitude: numbers[1], longitude: numbers[0]),
        Coordinate(latitude: numbers[3], longitude: numbers[2]),
      ]
    }
  }

  /// The costs from a node to all others by plain Dijkstra; nil if there is no route.
  private static func costs(_ graph: ProfileGraph, from start: Int) -> [Double?] {
    var costs = [Double?](repeating: nil, count: graph.network.nodeIDs.count)
    costs[start] = 0
    var queue = [(cost: 0.0, node: start)]
    // A sorted list, lowest cost last: few nodes are open at once.
    while let (cost, node) = queue.popLast() {
      guard cost == costs[node] else { continue }
      for arc in graph.outgoing.arcs[graph.outgoing.range(Int32(node))] {
        let total = cost + arc.cost
        if let known = costs[Int(arc.node)], known <= total { continue }
        costs[Int(arc.node)] = total
        var (low, high) = (0, queue.count)
        while low < high {
          let middle = (low + high) / 2
          if queue[middle].cost > total { low = middle + 1 } else { high = middle }
        }
        queue.insert((total, Int(arc.node)), at: low)
      }
    }
    return costs
  }

  @Test("a batch and a matrix print the same with any number of threads")
  func threads() throws {
    func lines(_ points: [[Coordinate]]) -> [UInt8] {
      let lines = points.map { ends in
        ends.map { "\($0.latitude),\($0.longitude)" }.joined(separator: ",") + "\n"
      }
      return Array(lines.joined().utf8)
    }
    let all = try Self.pairs()
    let pairs = try folder.write(lines(all), to: "pairs.csv")
    let points = try folder.write(lines(all.flatMap { $0 }.map { [$0] }), to: "points.csv")
    let batch = ["routes", "batch", database, pairs]
    let one = try Executables.run("cairn", batch + ["-j", "1"])
    #expect(one.status == 1)
    #expect(try Executables.run("cairn", batch + ["-j", "3"]).stdout == one.stdout)
    let report = try jsonObject(
      try Executables.succeed("cairn", batch + ["--benchmark"]).stdout)
    // One has no node in common.
    #expect(report["routes"] as? Int == 199)
    let matrix = ["matrix", database, "--points", points]
    let alone = try Executables.succeed("cairn", matrix + ["-j", "1"]).stdout
    #expect(try Executables.succeed("cairn", matrix + ["-j", "3"]).stdout == alone)
  }
}

@Suite("cairn matrix")
struct MatrixCommandTests {
  private let map = AsciiMap(
    """
    A---B---C

    D---E
    """, ways: [.init("AB"), .init("BC"), .init("DE")])

  @Test("a matrix has a row and a column for each point")
  func matrix() throws {
    let folder = try TemporaryFolder()
    let database = try map.routingDatabase(in: folder)
    let coordinates = try "ACD".map { try map.coordinate($0) }
    let text =
      "lat,lon\n" + coordinates.map { "\($0.latitude),\($0.longitude)\n" }.joined() + "0,0\n"
    let points = try folder.write(Array(text.utf8), to: "points.csv")
    let arguments = ["matrix", database, "--points", points, "--measure", "metres"]
    let plain = try Executables.run("cairn", arguments)
    #expect(plain.status == 0)
    let rows = plain.stdout.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    try #require(rows.count == 5)
    #expect(rows[0][0] == "0.0" && rows[0][1] == rows[1][0])
    #expect(try #require(Double(rows[0][1])) > 100)
    #expect(rows[0][2] == "" && rows[3] == ["", "", "", "", ""] && rows[4] == [""])
    #expect(rows[0].count == 5 && rows[0][4] == "0.0", "how far off the network its routes begin")
    #expect(plain.stderr.contains("1 of 4 points have no usable path or road"), "\(plain.stderr)")

    let json = try jsonObject(
      try Executables.succeed("cairn", arguments + ["--format", "json"]).stdout)
    #expect(json["measure"] as? String == "metres")
    #expect((json["rows"] as? [[Any]])?.map(\.count) == [4, 4, 4, 4])
    let off = try #require(json["offNetworkMetres"] as? [Any])
    #expect(off.count == 4 && off[3] is NSNull)

    let bad = try folder.write(Array("47,10\n47\n".utf8), to: "bad.csv")
    let refused = try Executables.run("cairn", ["matrix", database, "--points", bad])
    #expect(refused.status == 65)
    #expect(refused.stderr.contains("bad.csv:2:3: has 1 columns, not two"), "\(refused.stderr)")
  }
}
