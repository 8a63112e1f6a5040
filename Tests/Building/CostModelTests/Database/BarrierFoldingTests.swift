// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import TestSupport
import Testing
import TrailData

@testable import CostModel

@Suite("Barriers in the database")
struct BarrierFoldingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The database of a way from A to C with a barrier at B, where other ways may meet it.
  private func database(
    _ barrier: [String: String], profiles: [String], drawing: String = "A-B-C",
    ways: [AsciiMap.Way] = [.init("ABC", tags: ["highway": "track"])]
  ) throws -> String {
    let map = AsciiMap(drawing, ways: ways, nodeTags: ["B": barrier])
    return try map.routingDatabase(in: folder, profiles: profiles)
  }

  /// The ends of all edges as letters, with a stroke for each copy, and `=` for a barrier.
  private func edges(_ path: String) throws -> String {
    func letter(_ text: String?) -> String {
      let id = text.flatMap { Int64($0) } ?? 0
      let node = GraphNodeID.openStreetMapID(of: id)
      return String(AsciiMap.letter(node) ?? "?")
        + String(repeating: "'", count: Int((id - node) / GraphNodeID.span))
    }
    let rows = try rows(
      of: path,
      """
      SELECT from_node, to_node, barrier IS NOT NULL FROM routing_edges
      JOIN routing_edge_tags ON edge = id ORDER BY id
      """)
    return rows.map { letter($0[0]) + ($0[2] == "1" ? "=" : "") + letter($0[1]) }
      .joined(separator: " ")
  }

  private func nodes(_ path: String) throws -> [String?] {
    try rows(of: path, "SELECT id FROM routing_nodes ORDER BY id").map { $0[0] }
  }

  @Test("a barrier that every profile passes has no edge of zero length and no copy of its node")
  func passed() throws {
    let path = try database(["barrier": "kissing_gate"], profiles: ["hiking"])
    #expect(try edges(path) == "AB BC")
    #expect(try nodes(path) == ["1", "2", "3"])
    #expect(
      try rows(of: path, "SELECT count(*), min(distance > 0), min(cost < 9e999) FROM routing_edges")
        == [["2", "1", "1"]])
    #expect(try rows(of: path, "SELECT nodes, edges FROM routing_components") == [["3", "2"]])
  }

  @Test("a barrier that no profile passes has no edge, and its two sides stay apart")
  func closed() throws {
    let path = try database(["barrier": "wall"], profiles: ["hiking", "cycling"])
    #expect(try edges(path) == "AB B'C")
    #expect(try nodes(path) == ["1", "2", "3", "\(2 + GraphNodeID.span)"])
    #expect(
      try rows(of: path, "SELECT nodes, edges FROM routing_components WHERE profile = 1")
        == [["2", "1"], ["2", "1"]])
  }

  @Test("a barrier that parts the open ways of one profile alone stays an edge of zero length")
  func mixed() throws {
    let path = try database(["barrier": "kissing_gate"], profiles: ["hiking", "cycling"])
    #expect(try edges(path) == "AB B=B' B'C")
    #expect(
      try rows(of: path, "SELECT profile, cost < 9e999 FROM routing_costs WHERE edge = 2")
        == [["1", "1"], ["2", "0"]])
  }

  @Test("a barrier before a way that is closed to those whom it stops needs no edge")
  func beforeClosedWay() throws {
    let path = try database(
      ["barrier": "kissing_gate"], profiles: ["hiking", "cycling"],
      ways: [
        .init("AB", tags: ["highway": "track"]),
        .init("BC", tags: ["highway": "footway", "bicycle": "no"]),
      ])
    #expect(try edges(path) == "AB BC")
  }

  @Test("of the ways that meet at a barrier, those are joined that part nobody")
  func crossing() throws {
    let drawing = """
        D
        |
      A-B-C
        |
        E
      """
    let closed = ["highway": "footway", "bicycle": "no"]
    let path = try database(
      ["barrier": "kissing_gate"], profiles: ["hiking", "cycling"], drawing: drawing,
      ways: [
        .init("AB", tags: ["highway": "track"]), .init("BC", tags: closed),
        .init("BD", tags: ["highway": "track"]), .init("BE", tags: closed),
      ])
    #expect(try edges(path) == "AB BC B=B'' B''D BE")
    #expect(
      try nodes(path) == ["1", "2", "3", "4", "5", "\(2 + 2 * GraphNodeID.span)"])
  }

  @Test("a way that is closed to every profile stays")
  func closedWay() throws {
    let path = try database(
      [:], profiles: ["hiking", "cycling"],
      ways: [.init("AB"), .init("BC", tags: ["highway": "path", "access": "no"])])
    #expect(try edges(path) == "AB BC")
    #expect(try rows(of: path, "SELECT cost FROM routing_edges WHERE id = 2") == [["Inf"]])
  }

  @Test("costs, tags and elevations stay with their edges when others are left out")
  func columns() throws {
    let map = AsciiMap(
      "A-B-C-D",
      ways: [
        .init("ABC", tags: ["highway": "track"]),
        .init("CD", tags: ["highway": "path", "surface": "gravel"]),
      ], nodeTags: ["B": ["barrier": "wall"]],
      elevations: ["A": 100, "B": 110, "C": 130, "D": 125])
    let path = try map.routingDatabase(in: folder)
    #expect(
      try rows(
        of: path,
        """
        SELECT e.id, highway_type, elevation_gain, elevation_loss, value, c.cost = e.cost,
          max_slope > 0
        FROM routing_edges e JOIN routing_edge_tags t ON t.edge = id
        JOIN routing_tags g ON g.tagset = t.tagset AND key = 'highway'
        JOIN routing_costs c ON c.edge = id AND c.profile = 1
        JOIN routing_elevation p ON p.edge = id ORDER BY 1
        """) == [
          ["1", "track", "10.0", "0.0", "track", "1", "1"],
          ["2", "track", "20.0", "0.0", "track", "1", "1"],
          ["3", "path", "0.0", "5.0", "path", "1", "0"],
        ])
    #expect(try rows(of: path, "PRAGMA foreign_key_check").isEmpty)
  }

  @Test("a graph that calls other edges barriers loses none of them")
  func foreignGraph() throws {
    var content = GraphContent(distance: 100)
    content.latitudes = [0, 9000]
    content.barrierEdges = [0]
    content.barrierTagSets = [0]
    let graph = try GraphFile(content.file(in: folder))
    let folding = BarrierFolding(
      graph, [EdgeCosts(graph, .hiking)], RulePrices(graph, [.hiking]))
    #expect(folding.leftOutEdges.isEmpty && folding.mergedNodes.isEmpty)
  }
}
