// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import SQLiteKit

/// An edge so long that it may pass a place far from both of its ends.
struct LongEdge: Sendable {
  var id: Int64
  var metres: Double
  var from: Coordinate
  var to: Coordinate

  /// Edges longer than this are long. Shorter ones are found by their ends.
  static let lengthMetres = 400.0
  /// What the length that a database says may be shorter than the line that it has.
  static let tolerance = 1.01

  /// Whether it may pass within a distance of a point: no place of it is further from both ends
  /// together than it is long.
  func mayPass(_ point: Coordinate, within radius: Double) -> Bool {
    let reach = metres * Self.tolerance + 2 * radius
    let metresPerDegree = earthRadiusMetres * .pi / 180
    guard abs(from.latitude - point.latitude) * metresPerDegree <= reach else { return false }
    return haversineDistance(from, point) + haversineDistance(to, point) <= reach
  }
}

extension OpenDatabase {
  /// The place on a passable edge where a route from a point begins; see
  /// ``RoutingStore/nearestPointOnEdge(to:radiusMetres:profile:)``.
  func nearestPoint(to point: Coordinate, radiusMetres: Double, profile: Int64?)
    throws(CairnError) -> EdgePoint?
  {
    let projection = LineProjection(point)
    // Most points lie beside a way: a small circle first.
    let radii = radiusMetres > 100 ? [60, radiusMetres] : [radiusMetres]
    var best: (candidate: SnapChoice.Candidate, edges: [SnapEdge])?
    for radius in radii {
      let edges = try snapEdges(near: point, radiusMetres: radius, profile: profile)
      var choice = SnapChoice()
      for (number, edge) in edges.enumerated() {
        guard let place = projection.nearest(on: edge.line), place.distanceMetres <= radius else {
          continue
        }
        let candidate = SnapChoice.Candidate(id: edge.id, number: number, place: place)
        try choice.add(candidate) { () throws(CairnError) in
          if try isOnIsland(edge.fromNode, profile: profile) { return true }
          return try isOnIsland(edge.toNode, profile: profile)
        }
      }
      best = choice.best.map { ($0, edges) }
      if choice.isFinal { break }
    }
    guard let best else { return nil }
    return projection.point(best.candidate.place, on: best.edges[best.candidate.number])
  }

  /// All passable edges with an extent that may come within a distance of a point, and others, each
  /// once.
  private func snapEdges(near point: Coordinate, radiusMetres: Double, profile: Int64?)
    throws(CairnError) -> [SnapEdge]
  {
    var edges: [SnapEdge] = []
    var seen: Set<Int64> = []
    let reach = radiusMetres + LongEdge.lengthMetres * LongEdge.tolerance / 2
    for box in BoundingBox.around(point, radiusMetres: reach) {
      for node in try nodeIDs(in: box) {
        try addSnapEdges(at: node, profile: profile, &seen, to: &edges)
      }
    }
    for edge in try longEdges() where edge.mayPass(point, within: radiusMetres) {
      try addSnapEdges(ofRow: edge.id, profile: profile, &seen, to: &edges)
    }
    return edges
  }

  private func nodeIDs(in box: BoundingBox) throws(CairnError) -> [Int64] {
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

  /// The long edges; read once, which takes a look at every row.
  private func longEdges() throws(CairnError) -> [LongEdge] {
    if let knownLongEdges { return knownLongEdges }
    let query = try statement(
      """
      SELECT e.id, e.distance, a.latitude, a.longitude, b.latitude, b.longitude
      FROM routing_edges e CROSS JOIN routing_nodes a ON a.id = e.from_node
      CROSS JOIN routing_nodes b ON b.id = e.to_node WHERE e.distance > \(LongEdge.lengthMetres)
      """)
    var edges: [LongEdge] = []
    while try query.step() {
      let from = Coordinate(latitude: query.number(2), longitude: query.number(3))
      let to = Coordinate(latitude: query.number(4), longitude: query.number(5))
      edges.append(
        LongEdge(id: query.integer(0), metres: try quantity(query, 1), from: from, to: to))
    }
    knownLongEdges = edges
    return edges
  }

  private static func snapColumns(profile: Int64?) -> String {
    """
    SELECT e.id, e.from_node, e.to_node, a.latitude, a.longitude, b.latitude, b.longitude,
      e.geometry, \(profile == nil ? "e.cost, e.reverse_cost, e.is_oneway" : "c.cost, c.reverse_cost, 0")
    FROM routing_edges e
    \(profile == nil ? "" : "CROSS JOIN routing_costs c ON c.profile = ?2 AND c.edge = e.id")
    LEFT JOIN routing_nodes a ON a.id = e.from_node LEFT JOIN routing_nodes b ON b.id = e.to_node
    """
  }

  private func addSnapEdges(
    at node: Int64, profile: Int64?, _ seen: inout Set<Int64>, to edges: inout [SnapEdge]
  ) throws(CairnError) {
    let query = try statement(.init(task: .snap, hasProfile: profile != nil)) {
      "\(Self.snapColumns(profile: profile)) WHERE e.from_node = ?1 OR e.to_node = ?1"
    }
    try add(query, node, profile, &seen, to: &edges)
  }

  private func addSnapEdges(
    ofRow id: Int64, profile: Int64?, _ seen: inout Set<Int64>, to edges: inout [SnapEdge]
  ) throws(CairnError) {
    let query = try statement(.init(task: .snapRow, hasProfile: profile != nil)) {
      "\(Self.snapColumns(profile: profile)) WHERE e.id = ?1"
    }
    try add(query, id, profile, &seen, to: &edges)
  }

  private func add(
    _ row: SQLiteStatement, _ key: Int64, _ profile: Int64?, _ seen: inout Set<Int64>,
    to edges: inout [SnapEdge]
  ) throws(CairnError) {
    try row.bind(1, key)
    if let profile { try row.bind(2, profile) }
    while try row.step() {
      let id = row.integer(0)
      guard seen.insert(id).inserted else { continue }
      let cost = try cost(row, 8)
      let reverseCost = try self.cost(row, 9)
      let isOneway = row.isNull(10) || row.integer(10) != 0 || !row.isNumber(10)
      var edge = SnapEdge(
        id: id, fromNode: row.integer(1), toNode: row.integer(2), cost: cost,
        reverseCost: isOneway ? .infinity : reverseCost, line: [])
      guard edge.cost.isFinite || edge.reverseCost.isFinite else { continue }
      let from = try endOfEdge(row, 3)
      let to = try endOfEdge(row, 5)
      let points = try row.withBlob(7) { bytes throws(CairnError) in EdgeGeometry.unpack(bytes) }
      guard let points else { throw damage("the geometry of edge \(id) is no list of points") }
      edge.line = [from] + points + [to]
      // The edge of a barrier has no extent.
      if edge.line.contains(where: { $0 != from }) { edges.append(edge) }
    }
  }

  private func endOfEdge(_ row: SQLiteStatement, _ column: Int32) throws(CairnError) -> Coordinate {
    guard row.isNumber(column), row.isNumber(column + 1) else {
      throw damage("edge \(row.integer(0)) leads to a node that is missing")
    }
    let place = Coordinate(latitude: row.number(column), longitude: row.number(column + 1))
    guard place.isValid else {
      throw damage("edge \(row.integer(0)) leads to a node that lies nowhere on the Earth")
    }
    return place
  }
}
