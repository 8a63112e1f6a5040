// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import TestSupport
import Testing

@testable import CairnRouting

@Suite("Warnings of routes")
struct RouteWarningTests {
  /// The warnings of a route as KIND:SEVERITY FROM-TO OBJECT TAG, in whole metres.
  private func text(_ route: ComputedRoute) -> [String] {
    route.warnings.map {
      "\($0.kind.rawValue):\($0.severity.rawValue) \(Int($0.fromMetres.rounded()))-"
        + "\(Int($0.toMetres.rounded())) \($0.osm ?? "?") \($0.tag ?? "?")"
    }
  }

  private func map(_ tags: [String: String], nodes: [Character: [String: String]] = [:])
    throws -> RoutedMap
  {
    try RoutedMap(
      AsciiMap(
        "A---B---C---D", cellMetres: 100,
        ways: [
          .init("AB"), .init("BC", tags: ["highway": "path"].merging(tags) { $1 }), .init("CD"),
        ], nodeTags: nodes))
  }

  @Test("a plain route has none")
  func none() throws {
    #expect(try map(["surface": "gravel"]).route("A", "D").warnings.isEmpty)
  }

  @Test("a stretch is where its way is on the route, in either direction")
  func stretch() throws {
    let routed = try map(["sac_scale": "alpine_hiking"])
    let tag = "way/101 sac_scale=alpine_hiking"
    #expect(try text(routed.route("A", "D")) == ["alpine-grade:caution 400-800 \(tag)"])
    #expect(try text(routed.route("D", "A")) == ["alpine-grade:caution 400-800 \(tag)"])
    let inside = try routed.engine.findRoute(
      from: routed.point("B", east: 100), to: routed.map.coordinate("D"))
    #expect(text(inside) == ["alpine-grade:caution 0-300 \(tag)"])
  }

  @Test("a ford at a node is a place, also where the route begins and ends inside the edge")
  func place() throws {
    let map = AsciiMap(
      "A---F-----B", cellMetres: 100, ways: [.init("AFB")], nodeTags: ["F": ["ford": "yes"]])
    let routed = try RoutedMap(map)
    let ford = try #require(AsciiMap.nodeID("F"))
    #expect(try text(routed.route("A", "B")) == ["ford:caution 400-400 node/\(ford) ford=yes"])
    #expect(try text(routed.route("B", "A")) == ["ford:caution 600-600 node/\(ford) ford=yes"])
    let before = try routed.engine.findRoute(
      from: routed.map.coordinate("A"), to: routed.point("A", east: 300))
    #expect(before.warnings.isEmpty)
    let through = try routed.engine.findRoute(
      from: routed.point("F", east: -50), to: routed.point("F", east: 150))
    #expect(text(through) == ["ford:caution 50-50 node/\(ford) ford=yes"])
  }

  @Test("one at a junction is said once")
  func junction() throws {
    let routed = try map([:], nodes: ["B": ["hazard": "falling_rocks"]])
    let node = try #require(AsciiMap.nodeID("B"))
    #expect(
      try text(routed.route("A", "D")) == [
        "terrain:caution 400-400 node/\(node) hazard=falling_rocks"
      ])
  }

  @Test("equal neighbours become one, others and distant ones do not")
  func neighbours() throws {
    let ford = ["highway": "path", "ford": "yes"]
    let routed = try RoutedMap(
      AsciiMap(
        "A-B-C-D-----E-F", cellMetres: 20,
        ways: [
          .init("AB", tags: ford), .init("BC"), .init("CD", tags: ford), .init("DE"),
          .init("EF", tags: ["highway": "path", "ford": "stepping_stones"]),
        ]))
    #expect(
      try text(routed.route("A", "F")) == [
        "ford:caution 0-120 way/100 ford=yes", "ford:notice 240-280 way/104 ford=stepping_stones",
      ])
  }

  @Test("what access leaves open is said by the mode that travels")
  func access() throws {
    let routed = try map(["foot:conditional": "yes @ (Nov-Mar)", "route": "ferry"])
    let kinds = try routed.route("A", "D").warnings.map(\.kind)
    #expect(Set(kinds) == [.conditional, .ferry])
  }

  @Test("steep stretches of at least 30 m are said, steps are not")
  func steep() throws {
    func warnings(_ tags: [String: String], top: Float) throws -> [String] {
      try text(
        RoutedMap(
          AsciiMap(
            "A---B---C", cellMetres: 25, ways: [.init("AB", tags: tags), .init("BC")],
            elevations: ["A": 100, "B": top, "C": top])
        ).route("A", "C"))
    }
    #expect(try warnings(["highway": "path"], top: 149) == [])
    #expect(try warnings(["highway": "path"], top: 152) == ["steep:notice 0-100 ? ?"])
    #expect(try warnings(["highway": "path"], top: 190) == ["steep:caution 0-100 ? ?"])
    #expect(try warnings(["highway": "steps"], top: 152) == [])
  }

  @Test("alternatives and round trips have theirs")
  func others() throws {
    let drawing = """
      A---B---C
      |   |   |
      D---E---F
      """
    let tags = ["highway": "path", "trail_visibility": "bad"]
    let routed = try RoutedMap(
      AsciiMap(
        drawing, cellMetres: 100,
        ways: [
          .init("ABC"), .init("CF", tags: tags), .init("AD"), .init("DEF"), .init("BE", tags: tags),
        ]))
    for engine in [routed.engine.paged, routed.engine.memory] {
      let routes = try engine.findAlternatives(
        from: routed.map.coordinate("A"), to: routed.map.coordinate("F"), count: 2)
      #expect(routes.contains { $0.warnings.isEmpty })
      for route in routes {
        #expect(route.warnings.isEmpty == !route.edges.contains { $0.trailVisibility == "bad" })
      }
      let trips = try engine.roundTrips(
        from: routed.map.coordinate("A"), lengthMetres: 1600, profile: "hiking", seed: 1)
      for trip in trips {
        #expect(
          trip.route.warnings.isEmpty == !trip.route.edges.contains { $0.trailVisibility == "bad" })
      }
    }
  }

  @Test("a way over a bridge that is gone has no route, and the error names it")
  func collapsed() throws {
    let routed = try map(["bridge": "collapsed"])
    let error = #expect(throws: RoutingError.self) { try routed.route("A", "D") }
    let text = try #require(error).description
    #expect(
      text.hasSuffix(
        "in between: way 101 is closed to walkers: no bridge any more (bridge=collapsed)"))
  }

  @Test("a database with only the core tables warns by its columns")
  func coreTables() throws {
    let routed = try map(["sac_scale": "difficult_alpine_hiking"])
    try changeDatabase(
      routed.store.path,
      [
        "DROP VIEW routing_edge_tags", "DROP TABLE routing_tags",
        "DROP TABLE routing_tagset_blocks",
        "DROP TABLE routing_hazards",
      ])
    let store = RoutingStore(path: routed.store.path)
    try store.open()
    let engines = try BothEngines(store)
    let route = try engines.findRoute(
      from: routed.map.coordinate("A"), to: routed.map.coordinate("D"))
    #expect(
      text(route) == ["alpine-grade:danger 400-800 way/101 sac_scale=difficult_alpine_hiking"])
  }
}
