// SPDX-License-Identifier: Apache-2.0
import CairnGuidance
import CairnRouting
import Foundation
import TestSupport
import Testing

@testable import CairnUpdates

@Suite("What changed in a routing database, and for whom")
struct WayChangesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func database(_ name: String, _ change: (inout AsciiMap) -> Void = { _ in }) throws -> URL
  {
    var map = village
    change(&map)
    return URL(filePath: try map.routingDatabase(in: folder, name: name))
  }

  /// The route that the engine finds between two nodes, as it is planned.
  private func planned(_ from: Character, _ to: Character, _ database: URL) throws -> PlannedRoute {
    let store = RoutingStore(path: database.path)
    try store.open()
    let (start, end) = (try village.coordinate(from), try village.coordinate(to))
    let route = try RoutingEngine(store: store).findRoute(from: start, to: end)
    return PlannedRoute(
      name: "\(from)–\(to)", mode: .hiking, startCoordinate: start, endCoordinate: end,
      coordinates: route.coordinates, turnInstructions: [],
      totalDistance: route.totalDistance, estimatedDuration: 0, elevationGain: 0, elevationLoss: 0)
  }

  @Test("a way that has other tags, another line or is gone affects the routes along it")
  func changes() throws {
    let old = try database("old.db")
    let routes = [try planned("A", "B", old), try planned("B", "D", old)]
    let changes: [(String, [String], (inout AsciiMap) -> Void)] = [
      ("none", [], { _ in }),
      ("surface", ["A–B"], { $0.ways[0].tags["surface"] = "rock" }),
      ("grade", ["A–B"], { $0.ways[0].tags["sac_scale"] = "alpine_hiking" }),
      ("class", ["B–D"], { $0.ways[2].tags["highway"] = "path" }),
      ("gone", ["A–B"], { $0.ways[0].tags = ["building": "yes"] }),
    ]
    for (name, expected, change) in changes {
      let new = try database("\(name).db", change)
      let found = try #require(WayChanges(from: old, to: new))
      #expect(found.affected(routes).map(\.name) == expected, "\(name)")
      #expect(found.wayIDs.isEmpty == expected.isEmpty, "\(name)")
    }
  }

  @Test(
    "the changes of a damaged database are unknown, rather than those of shorter lines",
    arguments: [
      "DELETE FROM routing_nodes WHERE id = (SELECT max(to_node) FROM routing_edges)",
      "DELETE FROM routing_nodes WHERE id = (SELECT min(from_node) FROM routing_edges)",
      "UPDATE routing_edges SET geometry = x'00' WHERE id = 2",
      "UPDATE routing_edges SET geometry = zeroblob(4) || x'0000807F' WHERE id = 2",
      "UPDATE routing_edges SET to_node = 1000000 WHERE id = 2",
    ])
  func damaged(_ statement: String) throws {
    let (old, new) = (try database("old.db"), try database("new.db"))
    try changeDatabase(new.path, ["PRAGMA foreign_keys = OFF", statement])
    #expect(WayChanges(from: old, to: new) == nil)
    #expect(WayChanges(from: new, to: old) == nil)
  }

  @Test("what is no database has no changes, and what is no place follows no way")
  func noDatabase() throws {
    let old = try database("old.db")
    try folder.write("text", to: "x.db")
    #expect(WayChanges(from: old, to: URL(filePath: folder.file("x.db"))) == nil)
    #expect(WayChanges(from: URL(filePath: folder.file("missing")), to: old) == nil)
    let found = try #require(
      WayChanges(from: old, to: try database("new.db") { $0.ways = [$0.ways[4]] }))
    var route = try planned("A", "B", old)
    #expect(found.affected([route]).count == 1)
    let nowhere = Coordinate(latitude: .nan, longitude: .infinity)
    route.coordinates = [nowhere, nowhere, Coordinate(latitude: 1e300, longitude: -1e300)]
    #expect(found.affected([route]).isEmpty)
  }
}
