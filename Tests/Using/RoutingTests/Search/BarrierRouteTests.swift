// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@Suite("Routes and barriers")
struct BarrierRouteTests {
  private func routed(_ barrier: [String: String]) throws -> RoutedMap {
    let track = ["highway": "track"]
    return try RoutedMap(
      AsciiMap(
        """
        A---B---C
        |       |
        D-------E
        """,
        ways: [.init("ABC", tags: track), .init("AD", tags: track), .init("DEC", tags: track)],
        nodeTags: ["B": barrier]))
  }

  @Test("a route leads around a barrier that stops it")
  func around() throws {
    for mode in RoutingMode.allCases {
      #expect(try routed(["barrier": "wall"]).nodes("A", "C", mode: mode) == "ADC", "\(mode)")
      #expect(try routed(["barrier": "gate"]).nodes("A", "C", mode: mode) == "AC", "\(mode)")
    }
  }

  @Test("a walker passes a barrier that stops a cyclist")
  func walker() throws {
    let routed = try routed(["barrier": "kissing_gate"])
    #expect(try routed.nodes("A", "C", mode: .cycling) == "ADC")
    let walk = try routed.route("A", "C")
    #expect(walk.nodes.map { $0.id % (1 << 40) } == [1, 2, 2, 3])
    #expect(walk.edges.map(\.distance).sorted()[0] == 0)
    #expect(walk.coordinates.count == 3)
    #expect(abs(walk.totalDistance - 800) < 0.2)
  }

  @Test("routes from either side end at the barrier")
  func end() throws {
    let routed = try routed(["barrier": "wall"])
    // Two nodes are there, one for each side: the first one is taken.
    #expect(try routed.nodes("A", "B") == "AB")
    #expect(try routed.nodes("C", "B") == "CDAB")
  }

  @Test("there is no route where a barrier closes the only way")
  func noWay() throws {
    let map = AsciiMap(
      "A-B-C", cellMetres: 300, ways: [.init("ABC")], nodeTags: ["B": ["barrier": "fence"]])
    #expect(throws: RoutingError.self) { try RoutedMap(map).route("A", "C") }
  }

  @Test("readers of the core tables see two ends at a barrier that nobody passes, and no edge")
  func contract() throws {
    let folder = try TemporaryFolder()
    let map = AsciiMap(
      "A-B-C", ways: [.init("ABC")], nodeTags: ["B": ["barrier": "fence"]])
    let path = try map.routingDatabase(in: folder)
    func edges(_ node: Int64) throws -> [String?] {
      try rows(
        of: path,
        """
        SELECT id FROM routing_edges WHERE from_node = \(node)
        UNION SELECT id FROM routing_edges WHERE to_node = \(node) AND is_oneway = 0 ORDER BY id
        """
      ).map { $0[0] }
    }
    #expect(try edges(2) == ["1"])
    #expect(try edges(2 + 1 << 40) == ["2"])
    #expect(try rows(of: path, "SELECT COUNT(*) FROM routing_nodes") == [["4"]])
    #expect(try rows(of: path, "PRAGMA foreign_key_check").isEmpty)
  }
}

@Suite("Routes and islands")
struct IslandTests {
  /// A path from A to C with a piece E-F apart from it, 40 m off A–B, and G-H far away.
  private let map = AsciiMap(
    """
    A---B---C

    E-F              G-H
    """, cellMetres: 20, ways: [.init("AB"), .init("BC"), .init("EF"), .init("GH")])

  @Test("a route begins on the main network where an island is hardly nearer")
  func avoided() throws {
    #expect(try RoutedMap(map).nodes("E", "C") == "ABC")
  }

  @Test("a route begins on an island where nothing else is near")
  func taken() throws {
    #expect(try RoutedMap(map).nodes("G", "H") == "GH")
  }

  @Test("an island is left only for a point less than twice as far, within 50 m and 100 m away")
  func rule() throws {
    let folder = try TemporaryFolder()
    // The island begins 60 m south of A.
    let map = AsciiMap("A---B\n\n\nE-F", cellMetres: 20, ways: [.init("AB"), .init("EF")])
    let store = RoutingStore(path: try map.routingDatabase(in: folder))
    try store.open()
    let end = try map.coordinate("E")
    for (metres, letter) in [(0, "E"), (8, "E"), (12, "A"), (38, "A"), (42, "E")]
      as [(Double, Character)]
    {
      let point = Coordinate(
        latitude: end.latitude - metres / 111_195, longitude: end.longitude)
      #expect(try store.nearestNode(to: point)?.id == AsciiMap.nodeID(letter), "\(metres)")
      #expect(
        try store.nearestNode(to: point, radiusMetres: metres + 59)?.id == AsciiMap.nodeID("E"))
    }
  }

  @Test("a route on a database without islands begins at the nearest node")
  func plain() throws {
    let folder = try TemporaryFolder()
    let path = try map.routingDatabase(in: folder)
    try changeDatabase(path, ["DROP TABLE routing_islands", "DROP TABLE routing_components"])
    let store = RoutingStore(path: path)
    try store.open()
    #expect(try store.nearestNode(to: map.coordinate("E"))?.id == AsciiMap.nodeID("E"))
  }
}
