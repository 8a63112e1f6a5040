// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import CairnRouting

@Suite(
  "Hierarchies of Andorra", .enabled(if: Andorra.isThere, "needs ../shared/data"))
struct AndorraHierarchyTests {
  private let folder: TemporaryFolder
  private let database: String
  private let hierarchies: String

  init() throws {
    folder = try TemporaryFolder()
    let listing = try Executables.succeed("cairn", ["profiles"]).stdout
    let profiles = listing.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    try #require(profiles.contains("hiking") && profiles.contains("cycling"))
    database = folder.file("r.routing.db")
    try FileManager.default.copyItem(atPath: Andorra.database(profiles), toPath: database)
    hierarchies = folder.file("r.hierarchy")
    try Executables.succeed(
      "cairn", ["prepare-routing", "--input", database, "--output", hierarchies, "-q"])
  }

  @Test("for each profile 10 000 pairs of nodes have Dijkstra's costs, alone and in a matrix")
  func equalCosts() throws {
    let store = RoutingStore(path: database)
    try store.open()
    defer { store.close() }
    let network = try RoadNetwork(reading: store)
    let file = try Data(try bytesOfFile(hierarchies)).withUnsafeBytes {
      try HierarchyFile(reading: $0)
    }
    for profile in try store.profileNames() {
      // Assembling all these routes takes long; a cell of the matrix is a search of the same kind.
      let isRouted = ["hiking", "cycling"].contains(profile)
      let graph = try ProfileGraph(network, profile: profile, reading: store)
      let hierarchy = try #require(try file.hierarchy(of: graph))
      let engine = RoutingEngine(graphs: [graph], hierarchies: [hierarchy])
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
      let matrix = try RouteMatrix(hierarchy, to: goals.map(\.coordinate), measure: .cost)
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

  @Test("a batch prints the same lines with and without a hierarchy, and never uses a stale one")
  func batch() throws {
    let pairs = folder.file("pairs.csv")
    let text = try String(
      contentsOfFile: try #require(sharedData("andorra-pairs.txt")), encoding: .utf8)
    let lines = text.split(separator: "\n").map { line in
      let numbers = line.split(separator: " ")
      return "\(numbers[1]),\(numbers[0]),\(numbers[3]),\(numbers[2])\n"
    }
    try folder.write(Array(lines.joined().utf8), to: "pairs.csv")
    let batch = ["routes", "batch", database, pairs]
    let with = try Executables.run("cairn", batch)
    #expect(with.status == 1)
    let report = try jsonObject(
      try Executables.succeed("cairn", batch + ["--benchmark"]).stdout)
    // One has no node in common.
    #expect(report["routes"] as? Int == 199)
    let named = try Executables.run("cairn", batch + ["--hierarchy", hierarchies, "-j", "3"])
    #expect(named.stdout == with.stdout)

    try FileManager.default.moveItem(atPath: hierarchies, toPath: folder.file("away"))
    let without = try Executables.run("cairn", batch)
    #expect(without.stdout == with.stdout)
    #expect(!without.stderr.contains("warning"))

    try FileManager.default.moveItem(atPath: folder.file("away"), toPath: hierarchies)
    try changeDatabase(database, ["UPDATE routing_costs SET cost = cost + 1 WHERE edge = 7"])
    let stale = try Executables.run("cairn", batch)
    #expect(stale.status == 1)
    #expect(
      stale.stderr.contains(
        "r.hierarchy: the hierarchy cannot be used: it was made from another "
          + "database or an earlier state of it "
          + "(rebuild it: cairn prepare-routing)"), "\(stale.stderr)")
    let refused = try Executables.run("cairn", batch + ["--hierarchy", hierarchies])
    #expect(refused.status == 65)
    #expect(refused.stdout.isEmpty)
  }
}

@Suite("cairn prepare-routing and cairn matrix")
struct PrepareRoutingTests {
  private let map = AsciiMap(
    """
    A---B---C

    D---E
    """, ways: [.init("AB"), .init("BC"), .init("DE")])

  @Test(
    "the stage writes the same bytes with any number of threads and a report, and only its file")
  func stage() throws {
    let folder = try TemporaryFolder()
    let database = try map.routingDatabase(in: folder)
    let (one, two) = (folder.file("one.hierarchy"), folder.file("two.hierarchy"))
    let report = folder.file("report.json")
    let first = try Executables.run(
      "cairn-prepare-routing",
      ["--input", database, "--output", one, "--threads", "1", "--report", report])
    #expect(first.status == 0)
    #expect(first.stderr.contains("ready for hiking and cycling"), "\(first.stderr)")
    try Executables.succeed("cairn-prepare-routing", ["--input", database, "--output", two])
    #expect(try bytesOfFile(one) == bytesOfFile(two))
    #expect(try chain(report)["edges"] as? Int == 3)

    // Again over itself, but not over anything else.
    try Executables.succeed("cairn-prepare-routing", ["--input", database, "--output", two])
    let foreign = try Executables.run(
      "cairn-prepare-routing", ["--input", database, "--output", database])
    #expect(foreign.status == 73)
    for (arguments, status) in [
      (["--input", folder.file("missing"), "--output", two], 66),
      (["--input", one, "--output", two], 65),
      (["--input", database, "--output", two, "--profile", "flying"], 1),
      (["--input", database, "--output", two, "--profile", "hiking", "--profile", "hiking"], 64),
    ] as [([String], Int32)] {
      let result = try Executables.run("cairn-prepare-routing", arguments)
      #expect(result.status == status, "\(arguments) \(result.stderr)")
    }
    #expect(try bytesOfFile(one) == bytesOfFile(two))
  }

  private func chain(_ report: String) throws -> [String: Any] {
    let json = try jsonObject(String(decoding: try bytesOfFile(report), as: UTF8.self))
    return try #require(json["input"] as? [String: Any])
  }

  @Test("a matrix has a row and a column for each point, with and without a hierarchy")
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

    let hierarchy = HierarchyNames.beside(database)
    try Executables.succeed(
      "cairn", ["prepare-routing", "--input", database, "--output", hierarchy, "-q"])
    let prepared = try Executables.run("cairn", arguments + ["-j", "3"])
    #expect(prepared.stdout == plain.stdout)
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

private enum HierarchyNames {
  /// The path at which the commands look for a hierarchy.
  static func beside(_ database: String) -> String {
    database.replacingOccurrences(of: ".routing.db", with: ".hierarchy")
  }
}
