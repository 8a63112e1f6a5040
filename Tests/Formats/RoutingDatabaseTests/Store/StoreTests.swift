// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import CairnSQLiteKit
import Foundation
import TestSupport
import Testing

@Suite("Reading a routing database")
struct StoreTests {
  private let folder: TemporaryFolder
  private let store: RoutingStore

  init() throws {
    folder = try TemporaryFolder()
    store = RoutingStore(path: try village.routingDatabase(in: folder))
    try store.open()
  }

  @Test("a node has its id, coordinate and elevation")
  func node() throws {
    let node = try #require(try store.getNode(1))
    #expect(try node.coordinate == village.coordinate("A"))
    #expect(node.elevation == 1040)
    #expect(try store.getNode(5)?.elevation == nil)
    #expect(try store.getNode(4711) == nil)
  }

  @Test("an edge has the values of its row, and its points in order")
  func edge() throws {
    let edge = try #require(try store.getEdge(1))
    #expect(edge.fromNode == 1 && edge.toNode == 2)
    #expect(edge.elevationGain == 65 && edge.elevationLoss == 5)
    #expect(edge.surface == "gravel" && edge.highwayType == "path")
    #expect(edge.sacScale == "mountain_hiking" && edge.trailVisibility == "good")
    #expect(edge.name == "Höhenweg" && edge.osmWayID == 100)
    #expect(edge.duration == nil)
    let points = try "bc".map { try village.coordinate($0) }
    #expect(edge.geometry.count == 2)
    for (point, stored) in zip(points, edge.geometry) {
      #expect(haversineDistance(point, stored) < 0.5)
    }
    #expect(try store.getEdge(99) == nil)
  }

  @Test("a reversed edge has nodes, gain and loss, costs, durations and points reversed")
  func reversed() throws {
    let edge = try #require(try store.getEdge(1, profile: "hiking"))
    let back = try #require(try store.getEdgesFrom(2, profile: "hiking").first { $0.id == 1 })
    #expect(back.isReversed && !edge.isReversed)
    #expect(back.fromNode == 2 && back.toNode == 1)
    #expect(back.elevationGain == 5 && back.elevationLoss == 65)
    #expect(back.cost == edge.reverseCost && back.reverseCost == edge.cost)
    #expect(back.duration == edge.reverseDuration && back.reverseDuration == edge.duration)
    #expect(back.geometry == edge.geometry.reversed())
    #expect(back.distance == edge.distance)
    #expect(back.reversed() == edge)
  }

  @Test("the hemisphere is that of the box, or of most nodes where it has both")
  func hemisphere() throws {
    let folder = try TemporaryFolder()
    let path = try village.routingDatabase(in: folder)
    for (box, isSouthern) in [
      ("9,46,11,48", false), ("9,-48,11,-46", true), ("9,-48,11,48", false), ("", false),
    ] {
      let connection = try SQLiteConnection(path, .shared(patienceMilliseconds: 1000))
      let insert = try connection.prepare(
        "INSERT OR REPLACE INTO routing_metadata VALUES ('bounding_box', ?)")
      try insert.bind(1, box)
      try insert.step()
      let store = RoutingStore(path: path)
      try store.open()
      #expect(try store.isSouthern() == isSouthern)
      store.close()
    }
  }

  @Test("the edges from a node are those that are passable in that direction")
  func edgesFrom() throws {
    func edges(_ node: Int64, _ profile: String?) throws -> [Int64] {
      try store.getEdgesFrom(node, profile: profile).map(\.id)
    }
    #expect(try edges(2, nil) == [2, 3, 1])
    #expect(try edges(2, "cycling") == [2, 1])
    #expect(try edges(3, "cycling") == [5])
    #expect(try edges(3, "hiking") == [5, 2])
    #expect(try edges(4, "cycling") == [])
    #expect(try edges(4711, nil) == [])
  }

  @Test("a search sees the same edges with the same costs", arguments: [nil, "hiking", "cycling"])
  func searchEdges(profile: String?) throws {
    for node in 1...5 as ClosedRange<Int64> {
      let edges = try store.getEdgesFrom(node, profile: profile)
      let search = try store.searchEdges(from: node, profile: profile)
      #expect(search.map(\.id) == edges.map(\.id))
      #expect(search.map(\.cost) == edges.map(\.cost))
      #expect(search.map(\.node) == edges.map(\.toNode))
      #expect(search.map(\.isReversed) == edges.map(\.isReversed))
      #expect(search.map(\.highwayType) == edges.map(\.highwayType))
      #expect(try search.map(\.elevation) == edges.map { try store.getNode($0.toNode)?.elevation })
    }
  }

  @Test("a search reads the same arcs without their places", arguments: [nil, "hiking", "cycling"])
  func arcs(profile: String?) throws {
    var found = SearchArcs()
    // Twice, since the edges are then known.
    for node in [1, 2, 3, 4, 5, 5, 4, 3, 2, 1] as [Int64] {
      let edges = try store.searchEdges(from: node, profile: profile)
      var places: [Coordinate?] = []
      let isRead = try store.readArcs(
        from: node, profile: profile, into: &found, mark: { $0.elementsEqual("path".utf8) }
      ) { arcs, node in
        places = (arcs.map(\.node) + [4711]).map { node($0)?.coordinate }
        return true
      }
      let arcs = found.arcs
      #expect(isRead)
      #expect(places == edges.map(\.coordinate) + [nil])
      #expect(arcs.map(\.id) == edges.map(\.id))
      #expect(arcs.map(\.cost) == edges.map(\.cost))
      #expect(arcs.map(\.node) == edges.map(\.node))
      #expect(arcs.map(\.isReversed) == edges.map(\.isReversed))
      #expect(arcs.map(\.isMarked) == edges.map { $0.highwayType == "path" })
    }
  }

  @Test(
    "edges at a node, closed ones included, are those that are read as a whole",
    arguments: [nil, "hiking", "cycling"])
  func nodeEdges(profile: String?) throws {
    var closed = 0
    for node in 1...5 as ClosedRange<Int64> {
      let edges = try store.allEdges(at: node, profile: profile)
      let light = try store.nodeEdges(at: node, profile: profile)
      #expect(light.map(\.id) == edges.map(\.id))
      #expect(light.map(\.toNode) == edges.map(\.toNode))
      #expect(light.map(\.isReversed) == edges.map(\.isReversed))
      #expect(light.map(\.cost) == edges.map(\.cost))
      #expect(light.map(\.distance) == edges.map(\.distance))
      #expect(light.map(\.osmWayID) == edges.map(\.osmWayID))
      #expect(light.map(\.isBarrier) == edges.map(\.isBarrier))
      for (edge, whole) in zip(light, edges) {
        let isClosed = whole.isOneway && !whole.isReversed
        #expect(edge.reverseCost == (isClosed ? .infinity : whole.reverseCost))
      }
      closed += light.count { $0.cost.isInfinite || $0.reverseCost.isInfinite }
    }
    #expect(closed > 0 || profile == nil)
  }

  @Test(
    "long edges are found near where they pass, and all of them in a database without blocks")
  func longEdges() throws {
    let map = AsciiMap(
      "A----Q----B\n|\nC", cellMetres: 500, ways: [.init("AQB"), .init("AC")])
    let path = try map.routingDatabase(in: folder, name: "long.db")
    let former = folder.file("former.db")
    try FileManager.default.copyItem(atPath: path, toPath: former)
    try changeDatabase(former, ["DROP TABLE routing_graph_blocks"])
    let store = RoutingStore(path: path)
    try store.open()
    let old = RoutingStore(path: former)
    try old.open()
    #expect(try store.longEdges(near: [.world]).map(\.id) == [1, 2])
    for name: Character in ["A", "Q", "B"] {
      let boxes = BoundingBox.around(try map.coordinate(name), radiusMetres: 10)
      #expect(try store.longEdges(near: boxes).map(\.id) == [1, 2], "\(name)")
      #expect(try old.longEdges(near: boxes).map(\.id) == [1, 2])
    }
    let far = BoundingBox.around(Coordinate(latitude: 10, longitude: 10), radiusMetres: 10)
    #expect(try store.longEdges(near: far).isEmpty)
  }

  @Test("an edge is one-way if its profile makes it so")
  func oneway() throws {
    #expect(try store.getEdge(2, profile: "cycling")?.isOneway == true)
    #expect(try store.getEdge(2, profile: "hiking")?.isOneway == false)
    #expect(try store.getEdge(2)?.isOneway == false)
    #expect(try store.getEdge(3, profile: "cycling")?.isOneway == false)
  }

  @Test("a loop leads away from its node in both directions")
  func loop() throws {
    let map = AsciiMap("A-B\nD-C", ways: [.init("ABCDA")])
    let store = RoutingStore(path: try map.routingDatabase(in: folder, name: "loop.db"))
    try store.open()
    #expect(try store.getEdgesFrom(1).map(\.isReversed) == [false, true])
  }

  @Test("a box contains the nodes on its border, and the edges with an end inside")
  func boxes() throws {
    let a = try village.coordinate("A")
    let b = try village.coordinate("B")
    let box = BoundingBox(
      west: a.longitude, south: a.latitude, east: b.longitude, north: a.latitude)
    #expect(try store.getNodesInBoundingBox(box).map(\.id) == [1, 2])
    #expect(try store.getNodesInBoundingBox(box, limit: 1).map(\.id) == [1])
    #expect(try store.getEdgesInBoundingBox(box).map(\.id) == [1, 2, 3])
    #expect(try store.getEdgesInBoundingBox(box, profile: "cycling").map(\.id) == [1, 2, 3])
  }

  @Test("profiles are listed in the order of the build, and unknown ones are refused by name")
  func profiles() throws {
    #expect(try store.profileNames() == ["hiking", "cycling"])
    let expected = RoutingError.profileNotAvailable("skiing", available: ["hiking", "cycling"])
    #expect(throws: expected) { try store.getEdgesFrom(1, profile: "skiing") }
    #expect(throws: expected) { try store.getEdge(1, profile: "skiing") }
    #expect(throws: expected) { try store.minimumCostPerMetre(profile: "skiing") }
    #expect(
      expected.description == "the database has no costs for skiing, only for hiking, cycling")
  }

  @Test("the least cost per metre is known for the core columns and for each profile")
  func minimumCost() throws {
    #expect(try store.minimumCostPerMetre() == store.minimumCostPerMetre(profile: "hiking"))
    #expect(try store.minimumCostPerMetre(profile: "cycling") > 1)
  }

  @Test("a store can be read neither before it is opened nor after it is closed")
  func closed() throws {
    store.close()
    #expect(throws: RoutingError.databaseNotOpen) { try store.getNode(1) }
    try store.open()
    try store.open()
    #expect(try store.getNode(1) != nil)
    #expect(throws: RoutingError.databaseNotOpen) {
      try RoutingStore(path: store.path).metadata()
    }
  }

  @Test("several threads may read at once")
  func threads() async throws {
    let edgesOfAllNodes = try (1...5).reduce(0) { try $0 + store.getEdgesFrom($1).count }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask { [store] in
          try (0..<200).reduce(0) { sum, round in
            sum + (try store.getEdgesFrom(Int64((task + round) % 5 + 1)).count)
          }
        }
      }
      for try await count in group { #expect(count == 40 * edgesOfAllNodes) }
    }
  }
}
