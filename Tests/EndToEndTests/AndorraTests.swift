// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CostModel
import Foundation
import TestSupport
import Testing

@Suite(
  "Andorra, from a real extract",
  .enabled(if: Andorra.isThere, "needs ../shared/data"))
struct AndorraTests {
  /// Edges that Valhalla and GraphHopper make of the same file.
  static let edgesOfOthers = [8_111.0, 8_290.0]

  @Test("the chain builds a database that validates, and every pair gets a route or a reason")
  func wholeChain() throws {
    let database = try Andorra.database()
    let validation = try Executables.run("cairn-validate", ["--input", database, "--json", "-q"])
    #expect(validation.status == 0, "\(validation.stdout)")
    let report = try jsonObject(validation.stdout)
    #expect(report["valid"] as? Bool == true)
    #expect(try #require(report["elevationCoverage"] as? Double) > 0.99)
    let input = try Andorra.decoded("input")
    #expect(input["nodes"] == 235_550)
    #expect(input["ways"] == 11_871)
    #expect(input["relations"] == 262)

    let pairs = try String(
      contentsOfFile: try #require(sharedData("andorra-pairs.txt")), encoding: .utf8)
    var found = 0
    for line in pairs.split(separator: "\n") {
      let degrees = line.split(separator: " ").compactMap { Double($0) }
      try #require(degrees.count == 4)
      let result = try Executables.run(
        "cairn",
        [
          "route", database, "--from", "\(degrees[1]),\(degrees[0])", "--to",
          "\(degrees[3]),\(degrees[2])", "--format", "json",
        ])
      if result.status == 0 {
        found += 1
        #expect(try #require(try jsonObject(result.stdout)["totalDistance"] as? Double) >= 0)
      } else {
        #expect(result.status == 1, "\(line): \(result.stderr)")
        #expect(
          result.stderr.contains("no route") || result.stderr.contains("path or road lies within"),
          "\(line): \(result.stderr)")
      }
    }
    #expect(found >= 150, "only \(found) of 200 pairs have a route")
  }

  /// Start and end of each of the 200 pairs.
  private func pairs() throws -> [(start: Coordinate, end: Coordinate)] {
    try String(contentsOfFile: try #require(sharedData("andorra-pairs.txt")), encoding: .utf8)
      .split(separator: "\n").map { line in
        let degrees = line.split(separator: " ").compactMap { Double($0) }
        try #require(degrees.count == 4)
        return (
          Coordinate(latitude: degrees[1], longitude: degrees[0]),
          Coordinate(latitude: degrees[3], longitude: degrees[2])
        )
      }
  }

  @Test("readers in Python find the same routes by rows and by blocks")
  func blocks() throws {
    let database = try Andorra.database()
    func route(_ program: String, _ ends: (start: Coordinate, end: Coordinate)) throws -> String {
      let points = [ends.start, ends.end].map { "\($0.latitude),\($0.longitude)" }
      let out = try runProcess("python3", ["Examples/python/\(program).py", database] + points)
      #expect(out.status == 0, "\(out.stderr)")
      return out.stdout
    }
    for ends in try pairs().prefix(8) {
      let byRows = try route("route", ends)
      let byBlocks = try route("graph", ends)
      #expect(byRows.contains("cost ") && byRows == byBlocks)
    }
  }

  @Test("for every profile both back ends find routes with the costs that plain Dijkstra finds")
  func dijkstra() throws {
    let names = CostProfile.builtIn.map(\.name)
    let store = RoutingStore(path: try Andorra.database(names))
    try store.open()
    defer { store.close() }
    let paged = RoutingEngine(store: store)
    let memory = try RoutingEngine.inMemory(store)
    let pairs = try pairs()
    for name in names {
      let reference = try ReferenceGraph(store, profile: name)
      var routes = 0
      for (start, end) in pairs {
        let first = try? paged.findRoute(from: start, to: end, profile: name)
        let second = try? memory.findRoute(from: start, to: end, profile: name)
        #expect(first == second, "\(name) from \(start) to \(end)")
        let from = try store.nearestPointOnEdge(to: start, profile: name)
        let to = try store.nearestPointOnEdge(to: end, profile: name)
        guard let from, let to else {
          #expect(first == nil)
          continue
        }
        let cost = reference.cost(from: from, to: to)
        guard let first else {
          #expect(cost == nil, "\(name) from \(start) to \(end)")
          continue
        }
        // Beside an island, a route may have other ends than the nearest ones.
        guard first.nodes.first?.coordinate == from.coordinate,
          first.nodes.last?.coordinate == to.coordinate
        else { continue }
        guard let cost else {
          Issue.record("\(name) from \(start) to \(end)")
          continue
        }
        #expect(
          abs(cost - first.totalCost) <= 1e-9 * cost, "\(name) from \(start) to \(end)")
        routes += 1
      }
      #expect(routes > 100, "\(name)")
    }
  }

  @Test("200 easy routes are hardly warned of: once in a kilometre at most, and of what is mapped")
  func fewWarnings() throws {
    let store = RoutingStore(path: try Andorra.database())
    try store.open()
    defer { store.close() }
    let engine = try RoutingEngine.inMemory(store)
    let nodes = try store.getNodesInBoundingBox(
      BoundingBox(west: 1.4, south: 42.4, east: 1.8, north: 42.7))
    var random = SeededGenerator(seed: 31)
    var (easy, crowded, kilometres, warnings) = (0, 0, 0.0, [RouteWarning]())
    while easy < 200 {
      let start = try #require(nodes.randomElement(using: &random)).coordinate
      let end = try #require(nodes.randomElement(using: &random)).coordinate
      guard let route = try? engine.findRoute(from: start, to: end),
        route.totalDistance > 1000, (route.hardestStretch?.grade ?? .t1) <= .t2
      else { continue }
      easy += 1
      kilometres += route.totalDistance / 1000
      warnings += route.warnings
      if Double(route.warnings.count) > route.totalDistance / 1000 { crowded += 1 }
    }
    #expect(Double(warnings.count) <= kilometres / 2, "\(warnings.count) on \(kilometres) km")
    #expect(crowded <= 200 / 20)
    // Nobody is warned of what the map does not say or the elevations do not show.
    for warning in warnings where warning.kind != .steep {
      #expect(warning.osm != nil && warning.tag?.contains("=") == true, "\(warning)")
    }
    #expect(warnings.allSatisfy { $0.fromMetres <= $0.toMetres })
  }

  @Test("isochrones, alternatives and round trips keep their promises with either back end")
  func explored() throws {
    let store = RoutingStore(path: try Andorra.database())
    try store.open()
    defer { store.close() }
    let paged = RoutingEngine(store: store)
    let memory = try RoutingEngine.inMemory(store)
    var (alternatives, rightLengths, reachedMetres) = (0, 0, 0.0)
    for (start, end) in try pairs().prefix(40) {
      guard let reached = try? paged.isochrones(from: start, limitsSeconds: [1800, 3600]) else {
        continue
      }
      #expect(
        try memory.isochrones(from: start, limitsSeconds: [1800, 3600]) == reached, "\(start)")
      #expect(reached[0].totalDistance <= reached[1].totalDistance)
      reachedMetres += reached[1].totalDistance
      let area = IsochroneArea(reached)
      if let shape = MultiPolygon(rings: area.polygons[1].flatMap { $0 }) {
        let points = reached[1].stretches.flatMap(\.coordinates)
        #expect(points.allSatisfy { shape.contains($0) }, "\(start)")
      }
      if let routes = try? memory.findAlternatives(from: start, to: end, count: 3) {
        #expect(
          try paged.findAlternatives(from: start, to: end, count: 3) == routes,
          "\(start) to \(end)")
        for route in routes {
          #expect(route.totalCost <= 1.4 * routes[0].totalCost, "\(start) to \(end)")
        }
        alternatives += routes.count - 1
      }
      if let trips = try? memory.roundTrips(from: start, lengthMetres: 8000) {
        #expect(trips[0].route.nodes.first == trips[0].route.nodes.last, "\(start)")
        if trips[0].deviation <= RoundTrip.toleratedDeviation { rightLengths += 1 }
      }
    }
    #expect(reachedMetres > 100_000, "\(reachedMetres)")
    #expect(alternatives > 10, "\(alternatives)")
    #expect(rightLengths > 20, "\(rightLengths)")
  }
}
