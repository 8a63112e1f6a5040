// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit
import TestSupport
import Testing

@Suite("The properties of a route")
struct ComputedRouteTests {
  private let routed: RoutedMap

  init() throws {
    routed = try RoutedMap(
      AsciiMap(
        """
        A-b-B-c-C
        """, ways: [.init("AbB"), .init("CcB")],
        elevations: ["A": 1000, "b": 1010, "B": 1005, "c": 1030, "C": 1020]))
  }

  @Test("edges follow the nodes, each in the direction of travel")
  func chain() throws {
    for (from, to) in [("A", "C"), ("C", "A")] as [(Character, Character)] {
      let route = try routed.route(from, to)
      #expect(route.nodes.count == route.edges.count + 1)
      for (index, edge) in route.edges.enumerated() {
        #expect(edge.fromNode == route.nodes[index].id)
        #expect(edge.toNode == route.nodes[index + 1].id)
      }
    }
    #expect(try routed.route("A", "C").edges.map(\.isReversed) == [false, true])
  }

  @Test("totals are the sums over the edges")
  func totals() throws {
    let route = try routed.route("A", "C")
    #expect(route.totalDistance == route.edges.reduce(0) { $0 + $1.distance })
    #expect(route.totalCost == route.edges.reduce(0) { $0 + $1.cost })
    #expect(route.estimatedDuration == route.edges.reduce(0) { $0 + ($1.duration ?? .nan) })
    #expect(route.elevationGain == 35)
    #expect(route.elevationLoss == 15)
    #expect(abs(route.totalDistance - 800) < 0.1)
  }

  @Test("on the way back gain and loss are swapped")
  func wayBack() throws {
    let route = try routed.route("C", "A")
    #expect(route.elevationGain == 15)
    #expect(route.elevationLoss == 35)
  }

  @Test("an edge against its drawing has the reverse cost, gain, loss, time and points")
  func reversedEdge() throws {
    let folder = try TemporaryFolder()
    let store = RoutingStore(path: try routed.map.routingDatabase(in: folder))
    try store.open()
    let row = try #require(try store.getEdge(2, profile: "hiking"))
    let edge = try #require(try routed.route("A", "C").edges.last)
    #expect(edge.id == row.id && edge.isReversed)
    #expect(edge.cost == row.reverseCost && edge.reverseCost == row.cost)
    #expect(edge.elevationGain == row.elevationLoss && edge.elevationLoss == row.elevationGain)
    #expect(edge.duration == row.reverseDuration)
    #expect(edge.geometry == row.geometry.reversed())
  }

  @Test("the line begins and ends at nodes, passes every point, and none twice")
  func line() throws {
    let route = try routed.route("A", "C")
    #expect(route.coordinates.count == 5)
    for (index, letter) in "AbBcC".enumerated() {
      let distance = haversineDistance(
        route.coordinates[index], try routed.map.coordinate(letter))
      #expect(distance < 0.5, "\(letter)")
    }
    #expect(Set(route.coordinates).count == route.coordinates.count)
    #expect(try route.coordinates[0] == routed.map.coordinate("A"))
    #expect(try route.coordinates[4] == routed.map.coordinate("C"))
  }

  @Test("the duration is the sum of those of the profile's edges")
  func duration() throws {
    for mode in RoutingMode.allCases {
      let route = try routed.route("A", "C", mode: mode)
      let seconds = route.edges.reduce(0) { $0 + ($1.duration ?? .nan) }
      #expect(abs(route.estimatedDuration - seconds) < 1e-6, "\(mode)")
      let speed = route.totalDistance / seconds * 3.6
      #expect(mode == .hiking ? (2...4.5).contains(speed) : (5...30).contains(speed), "\(speed)")
    }
  }

  @Test("JSON has the properties by name, and coordinates as latitude, longitude")
  func json() throws {
    let route = try routed.route("A", "C", via: "B")
    let json = String(decoding: try encodeJSON(route, pretty: false), as: UTF8.self)
    for key in [
      "totalDistance", "totalCost", "estimatedDuration", "elevationGain", "elevationLoss",
      "coordinates", "nodes", "edges", "viaPoints",
    ] {
      #expect(json.contains(#""\#(key)":"#), "\(key)")
    }
    // A lies at 47° north, 10° east.
    #expect(json.contains(#""coordinates":[[47,10],["#))
  }

  @Test("JSON says which part of an edge is used")
  func jsonPart() throws {
    let route = try routed.engine.findRoute(
      from: routed.point("A", east: 100), to: routed.point("C"))
    let json = String(decoding: try encodeJSON(route, pretty: false), as: UTF8.self)
    #expect(json.contains(#""end":1"#) && json.contains(#""start":0.2"#))
    #expect(json.contains(#""viaNodes":[]"#))
  }

  @Test("JSON leaves out infinite values")
  func infinite() throws {
    let map = AsciiMap("A-B", ways: [.init("AB", tags: ["highway": "path", "oneway:foot": "yes"])])
    let json = String(
      decoding: try encodeJSON(try RoutedMap(map).route("A", "B"), pretty: false), as: UTF8.self)
    #expect(json.contains(#""isOneway":true"#))
    #expect(!json.contains("reverseCost"))
  }
}

@Suite("A database with only the core tables")
struct PlainDatabaseTests {
  private let folder: TemporaryFolder
  private let engine: BothEngines

  /// Three nodes in a row: steps from 1 to 2, a one-way path from 2 to 3; and a way around the
  /// steps over 4.
  init() throws {
    folder = try TemporaryFolder()
    let path = try plainDatabase(
      in: folder,
      filledBy: [
        """
        INSERT INTO routing_nodes VALUES (1, 47, 10, 800), (2, 47.001, 10, 810),
          (3, 47.002, 10, NULL), (4, 47.0005, 10.01, NULL)
        """,
        """
        INSERT INTO routing_edges(from_node, to_node, distance, elevation_gain, elevation_loss,
          highway_type, cost, reverse_cost, is_oneway)
        VALUES (1, 2, 111.2, 10, 0, 'steps', 190, 150, 0), (2, 3, 111.2, 0, 0, 'path', 120, 120, 1),
          (1, 4, 760, 0, 0, 'path', 900, 900, 0), (4, 2, 760, 10, 0, 'path', 900, 900, 0)
        """,
      ])
    let store = RoutingStore(path: path)
    try store.open()
    engine = try BothEngines(store)
  }

  private func route(_ from: Double, _ to: Double, _ mode: RoutingMode = .hiking) throws
    -> ComputedRoute
  {
    try engine.findRoute(
      from: Coordinate(latitude: from, longitude: 10), to: Coordinate(latitude: to, longitude: 10),
      mode: mode)
  }

  @Test("a database with only the core tables is searched by its costs")
  func costs() throws {
    let route = try route(47, 47.002)
    #expect(route.nodes.map(\.id) == [1, 2, 3])
    #expect(route.totalCost == 310)
  }

  @Test("durations without a profile are those of a walker at 5 km/h with climb as extra length")
  func duration() throws {
    #expect(abs(try route(47, 47.002).estimatedDuration - (222.4 + 79.2) * 3.6 / 5) < 1e-6)
  }

  @Test("without a profile cyclists cannot use steps")
  func steps() throws {
    #expect(try route(47, 47.001, .cycling).nodes.map(\.id) == [1, 4, 2])
  }

  @Test("no route follows a one-way edge backwards, although it has a reverse cost")
  func oneway() throws {
    #expect(try route(47.001, 47).nodes.map(\.id) == [2, 1])
    #expect(throws: RoutingError.self) { try route(47.002, 47) }
  }
}

@Suite("Modes and profiles")
struct ModeTests {
  @Test("a mode without its profile is refused, with the available ones")
  func missingProfile() throws {
    let routed = try RoutedMap(AsciiMap("A-B", ways: [.init("AB")]), profiles: ["hiking"])
    #expect(throws: RoutingError.profileNotAvailable("cycling", available: ["hiking"])) {
      try routed.route("A", "B", mode: .cycling)
    }
  }

  @Test("a mode finds its profile wherever it is in the build")
  func order() throws {
    let map = AsciiMap("A-B", ways: [.init("AB", tags: ["highway": "footway"])])
    let routed = try RoutedMap(map, profiles: ["cycling", "hiking"])
    #expect(try routed.nodes("A", "B", mode: .hiking) == "AB")
    #expect(throws: RoutingError.self) { try routed.route("A", "B", mode: .cycling) }
  }

  @Test("an engine on a closed store says so")
  func closed() throws {
    let engine = RoutingEngine(store: RoutingStore(path: "closed.routing.db"))
    let point = Coordinate(latitude: 47, longitude: 10)
    #expect(throws: RoutingError.databaseNotOpen) {
      try engine.findRoute(from: point, to: point)
    }
  }
}
