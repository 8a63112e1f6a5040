// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnSQLiteKit

/// An edge with its whole line and its costs.
package struct EdgeLine: Sendable {
  /// The id.
  package var id: Int64
  /// The node that it leads from, in the direction of its row.
  package var fromNode: Int64
  /// The node that it leads to.
  package var toNode: Int64
  /// The cost in the direction of the row; infinite if it is impassable.
  package var cost: Double
  /// The cost in the other direction; infinite if that is impassable.
  package var reverseCost: Double
  /// The whole line, both nodes included.
  package var line: [Coordinate]

  /// Describes an edge.
  package init(
    id: Int64, fromNode: Int64, toNode: Int64, cost: Double, reverseCost: Double,
    line: [Coordinate]
  ) {
    self.id = id
    self.fromNode = fromNode
    self.toNode = toNode
    self.cost = cost
    self.reverseCost = reverseCost
    self.line = line
  }
}

/// The length of an edge and the coordinates of its ends.
package struct EdgeExtent: Sendable {
  /// The id.
  package let id: Int64
  /// The length in metres, by its row.
  package let metres: Double
  /// The coordinate of the node that it leads from.
  package let from: Coordinate
  /// The coordinate of the node that it leads to.
  package let to: Coordinate
  /// Edges above this length in metres are long: they may pass a point far from both of their ends.
  package static let longMetres = 400.0
  /// The factor by which the line of an edge may be longer than the length in its row.
  package static let tolerance = 1.01
}

extension EdgeLine {
  /// Whether it is passable; the edge of a barrier has no extent.
  fileprivate var isPassable: Bool {
    (cost.isFinite || reverseCost.isFinite) && line.contains { $0 != line[0] }
  }
}

extension RoutingStore {
  /// The passable edges with an end in a box and an extent, each once.
  ///
  /// - Parameter known: The ids of edges to leave out.
  package func passableLines(
    touching box: BoundingBox, profile: String?, except known: Set<Int64>
  ) throws(RoutingError) -> [EdgeLine] {
    if let joined { return try joined.passableLines(touching: box, profile, except: known) }
    return try read(profile: profile) { database throws(CairnError) in
      let source = try database.source(ofProfile: profile)
      var seen = known
      var edges: [EdgeLine] = []
      if let ids = database.edgesOfPages(touching: box) {
        for id in ids { try database.addPassableLine(id, source, &seen, to: &edges) }
        return edges
      }
      for node in try database.nodeIDs(in: box) {
        try database.addPassableLines(.linesAtNode, node, source, &seen, to: &edges)
      }
      return edges
    }
  }

  /// The same for edges by their ids.
  package func passableLines(
    ofEdges ids: [Int64], profile: String?, except known: Set<Int64>
  ) throws(RoutingError) -> [EdgeLine] {
    if let joined { return try joined.passableLines(ofEdges: ids, profile, except: known) }
    return try read(profile: profile) { database throws(CairnError) in
      let source = try database.source(ofProfile: profile)
      var seen = known
      var edges: [EdgeLine] = []
      for id in ids { try database.addPassableLine(id, source, &seen, to: &edges) }
      return edges
    }
  }

  /// The edges above ``EdgeExtent/longMetres`` in the blocks of the graph that some boxes meet. In a
  /// database without blocks, the first call reads every row and keeps the result.
  package func longEdges(near boxes: [BoundingBox]) throws(RoutingError) -> [EdgeExtent] {
    if let joined { return try joined.longEdges(near: boxes) }
    return try read { database throws(CairnError) in
      if let edges = try database.longEdges(near: boxes) { return edges }
      return try database.allLongEdges()
    }
  }

  /// The island of a profile that a node lies on; nil for a node of the network.
  package func island(ofNode node: Int64, profile: String?) throws(RoutingError) -> Island? {
    if let joined { return try joined.island(ofNode: node, profile) }
    return try read(profile: profile) { database throws(CairnError) in
      try database.island(ofNode: node, profile: try database.source(ofProfile: profile).profile)
    }
  }

  /// Whether the database says which nodes lie on islands.
  package func knowsIslands() throws(RoutingError) -> Bool {
    if let joined { return try joined.head().knowsIslands }
    return try read { database throws(CairnError) in database.knowsIslands }
  }

  /// Whether an edge at a node is passable in any direction.
  package func hasPassableEdge(_ node: Int64, profile: String?) throws(RoutingError) -> Bool {
    if let joined { return try joined.hasPassableEdge(node, profile) }
    return try read(profile: profile) { database throws(CairnError) in
      try database.hasPassableEdge(node, try database.source(ofProfile: profile))
    }
  }
}

extension OpenDatabase {
  fileprivate func nodeIDs(in box: BoundingBox) throws(CairnError) -> [Int64] {
    let query = try statement(
      """
      SELECT id FROM routing_nodes WHERE latitude BETWEEN ? AND ? AND longitude BETWEEN ? AND ?
      """)
    try query.bind(1, box.south)
    try query.bind(2, box.north)
    try query.bind(3, box.west)
    try query.bind(4, box.east)
    var ids: [Int64] = []
    while try query.step() { ids.append(query.integer(0)) }
    return ids
  }

  /// The ids of the edges with an end in a box, read from pages; nil if SQLite has to read them.
  fileprivate func edgesOfPages(touching box: BoundingBox) -> [Int64]? {
    guard let pages, let nodes = pages.nodes(in: box) else { return nil }
    var found: [Int64] = []
    for node in nodes { guard pages.addEdges(at: node, to: &found) else { return nil } }
    return found
  }

  fileprivate func allLongEdges() throws(CairnError) -> [EdgeExtent] {
    if let knownLongEdges { return knownLongEdges }
    let query = try statement(
      """
      SELECT e.id, e.distance, a.latitude, a.longitude, b.latitude, b.longitude
      FROM routing_edges e CROSS JOIN routing_nodes a ON a.id = e.from_node
      CROSS JOIN routing_nodes b ON b.id = e.to_node WHERE e.distance > ?
      """)
    try query.bind(1, EdgeExtent.longMetres)
    var edges: [EdgeExtent] = []
    while try query.step() {
      let from = Coordinate(latitude: query.number(2), longitude: query.number(3))
      let to = Coordinate(latitude: query.number(4), longitude: query.number(5))
      edges.append(
        EdgeExtent(id: query.integer(0), metres: try quantity(query, 1), from: from, to: to))
    }
    knownLongEdges = edges
    return edges
  }

  /// The statement for the edges at a node, or for one edge.
  private func lineStatement(_ task: StatementKind.Task) throws(CairnError) -> SQLiteStatement {
    try statement(.init(task: task)) {
      """
      SELECT e.id, e.from_node, e.to_node, a.latitude, a.longitude, b.latitude, b.longitude,
        e.geometry, \(Self.costColumns) FROM routing_edges e
      LEFT JOIN routing_nodes a ON a.id = e.from_node LEFT JOIN routing_nodes b ON b.id = e.to_node
      WHERE \(task == .lineOfEdge ? "e.id = ?1" : "e.from_node = ?1 OR e.to_node = ?1")
      """
    }
  }

  /// Adds an edge if it is passable and has an extent.
  fileprivate func addPassableLine(
    _ id: Int64, _ source: CostSource, _ seen: inout Set<Int64>, to edges: inout [EdgeLine]
  ) throws(CairnError) {
    guard !seen.contains(id) else { return }
    guard let found = pages?.line(ofEdge: id) else {
      return try addPassableLines(.lineOfEdge, id, source, &seen, to: &edges)
    }
    seen.insert(id)
    guard let costs = try costs(source, ofEdge: id, found.costs) else { return }
    let edge = EdgeLine(
      id: id, fromNode: found.fromNode, toNode: found.toNode, cost: costs.ahead,
      reverseCost: costs.isOneway ? .infinity : costs.back, line: found.line)
    if edge.isPassable { edges.append(edge) }
  }

  fileprivate func addPassableLines(
    _ task: StatementKind.Task, _ key: Int64, _ source: CostSource, _ seen: inout Set<Int64>,
    to edges: inout [EdgeLine]
  ) throws(CairnError) {
    let row = try lineStatement(task)
    try row.bind(1, key)
    while try row.step() {
      let id = row.integer(0)
      guard seen.insert(id).inserted else { continue }
      guard let costs = try costs(source, row, 8) else { continue }
      var edge = EdgeLine(
        id: id, fromNode: row.integer(1), toNode: row.integer(2), cost: costs.ahead,
        reverseCost: costs.isOneway ? .infinity : costs.back, line: [])
      guard edge.cost.isFinite || edge.reverseCost.isFinite else { continue }
      let from = try endOfEdge(row, 3)
      let to = try endOfEdge(row, 5)
      let points = try row.withBlob(7) { bytes throws(CairnError) in EdgeGeometry.unpack(bytes) }
      guard let points else { throw damage("edge \(id) has an invalid geometry") }
      edge.line = [from] + points + [to]
      if edge.isPassable { edges.append(edge) }
    }
  }

  private func endOfEdge(_ row: SQLiteStatement, _ column: Int32) throws(CairnError) -> Coordinate {
    guard row.isNumber(column), row.isNumber(column + 1) else {
      throw damage("edge \(row.integer(0)) leads to a node that is missing")
    }
    let coordinate = Coordinate(latitude: row.number(column), longitude: row.number(column + 1))
    guard coordinate.isValid else {
      throw damage("edge \(row.integer(0)) leads to a node with an invalid coordinate")
    }
    return coordinate
  }
}

/// An edge of a way, in the direction of its row.
package struct WayEdge: Equatable, Sendable {
  /// The id.
  package var id: Int64
  /// The node that it leads from.
  package var fromNode: Int64
  /// The node that it leads to.
  package var toNode: Int64
  /// Metres.
  package var distance: Double
}

extension RoutingStore {
  /// The edges of ways by their OpenStreetMap ids, in the order in which they are cut from each
  /// way; without an entry for ways that the database does not have.
  package func edges(ofWays ways: Set<Int64>) throws(RoutingError) -> [Int64: [WayEdge]] {
    var found: [Int64: [WayEdge]] = [:]
    if joined == nil, try read({ $0.listsWays }) {
      return try read { database throws(CairnError) in
        var found: [Int64: [WayEdge]] = [:]
        for way in ways {
          for id in try database.edges(ofWay: way) ?? [] {
            guard let (_, edge) = try database.wayEdge(id) else {
              throw database.damage("edge \(id) of way \(way) is missing")
            }
            found[way, default: []].append(edge)
          }
        }
        return found
      }
    }
    try forEachEdge { edge in
      guard let way = edge.osmWayID, ways.contains(way) else { return }
      found[way, default: []].append(
        WayEdge(
          id: edge.id, fromNode: edge.fromNode, toNode: edge.toNode, distance: edge.distance))
    }
    return found
  }
}

extension OpenDatabase {
  /// The edges of a way in the order along it; empty if the database does not have it. Nil if the
  /// database does not list the edges of ways.
  func edges(ofWay way: Int64) throws(CairnError) -> [Int64]? {
    guard listsWays else { return nil }
    let row = try statement(
      "SELECT way, edges FROM routing_way_blocks WHERE way <= ? ORDER BY way DESC LIMIT 1")
    try row.bind(1, way)
    var edges: [Int64] = []
    guard try row.step() else { return edges }
    let first = row.integer(0)
    let isSound = try row.withBlob(1) { bytes throws(CairnError) in
      WayBlock.forEach(bytes, first: first) { if $0 == way { edges.append($1) } }
    }
    guard isSound else { throw damage("the block of ways from \(first) is damaged") }
    return edges
  }

  /// The ends and the length of an edge.
  func wayEdge(_ id: Int64) throws(CairnError) -> (way: Int64?, edge: WayEdge)? {
    let row = try statement(
      "SELECT osm_way_id, from_node, to_node, distance FROM routing_edges WHERE id = ?")
    try row.bind(1, id)
    guard try row.step() else { return nil }
    return (
      row.isNull(0) ? nil : row.integer(0),
      WayEdge(
        id: id, fromNode: row.integer(1), toNode: row.integer(2), distance: try quantity(row, 3))
    )
  }
}
