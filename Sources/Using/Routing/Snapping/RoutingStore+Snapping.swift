// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import CairnTagRules

extension RoutingStore {
  /// The node nearest to a point that has a passable edge in the profile, in whatever direction, or
  /// nil if there is none within the radius.
  ///
  /// A node on an island, from where little else can be reached, is chosen only if no node off
  /// islands lies within the radius, within 100 m, and within twice its own distance plus 50 m.
  public func nearestNode(
    to point: Coordinate,
    radiusMetres: Double = RoutingCostConfig.nearestNodeSearchRadiusMetres,
    profile: String? = nil
  ) throws(RoutingError) -> RoutingNode? {
    let boxes = BoundingBox.around(point, radiusMetres: radiusMetres)
    var candidates: [(distance: Double, node: RoutingNode)] = []
    for box in boxes {
      for node in try getNodesInBoundingBox(box) {
        let distance = haversineDistance(point, node.coordinate)
        if distance <= radiusMetres { candidates.append((distance, node)) }
      }
    }
    candidates.sort { ($0.distance, $0.node.id) < ($1.distance, $1.node.id) }
    var nearestOnIsland: (distance: Double, node: RoutingNode)?
    for candidate in candidates {
      if let island = nearestOnIsland,
        candidate.distance > SnapChoice.limit(beside: island.distance)
      {
        break
      }
      guard try hasPassableEdge(candidate.node.id, profile: profile) else { continue }
      guard try island(ofNode: candidate.node.id, profile: profile) != nil else {
        return candidate.node
      }
      if nearestOnIsland == nil { nearestOnIsland = candidate }
    }
    return nearestOnIsland?.node
  }

  /// The point on a passable edge nearest to a point, or nil if there is none within the radius.
  ///
  /// An edge on an island is chosen only if none off islands is near, by the rule of
  /// ``nearestNode(to:radiusMetres:profile:)``. Of equally near edges the one with the lowest id is
  /// chosen.
  public func nearestPointOnEdge(
    to point: Coordinate,
    radiusMetres: Double = RoutingCostConfig.nearestNodeSearchRadiusMetres,
    profile: String? = nil
  ) throws(RoutingError) -> EdgePoint? {
    try nearestPointOnEdge(to: point, .fix, radiusMetres: radiusMetres, profile: profile)
  }

  /// The same for a point that may be a chosen one.
  func nearestPointOnEdge(
    to point: Coordinate, _ origin: PointOrigin, radiusMetres: Double, profile: String?
  ) throws(RoutingError) -> EdgePoint? {
    let (choice, edges) = try choice(
      near: point, origin, radiusMetres: radiusMetres, profile: profile)
    return choice.best.map { LineProjection(point).point(at: $0, on: edges[$0.index]) }
  }

  /// The points on edges that may stand for a point of a route, the nearest one first; see
  /// ``SnapChoice/candidates``.
  func snapCandidates(
    to point: Coordinate, _ origin: PointOrigin, radiusMetres: Double, profile: String?
  ) throws(RoutingError) -> [SnapCandidate] {
    let (choice, edges) = try choice(
      near: point, origin, radiusMetres: radiusMetres, profile: profile)
    let projection = LineProjection(point)
    return choice.candidates.map {
      SnapCandidate(
        point: projection.point(at: $0, on: edges[$0.index]), island: $0.island)
    }
  }

  /// The nearest points on all passable edges within a radius, the nearest one first; for a chosen
  /// point without those that are a last resort. An edge that only leads to an island counts as one
  /// of the network.
  func pointsOnEdges(
    near point: Coordinate, _ origin: PointOrigin, radiusMetres: Double, profile: String?
  ) throws(RoutingError) -> [SnapCandidate] {
    guard point.isValid else { return [] }
    let projection = LineProjection(point)
    var found: [SnapCandidate] = []
    for edge in try snapEdges(near: point, radiusMetres: radiusMetres, profile: profile) {
      guard let position = projection.nearest(on: edge.line),
        position.distanceMetres <= radiusMetres,
        try lastResort(edge, origin, metres: position.distanceMetres) == nil
      else { continue }
      var island = try island(ofNode: edge.fromNode, profile: profile)
      if try island != self.island(ofNode: edge.toNode, profile: profile) { island = nil }
      found.append(
        SnapCandidate(point: projection.point(at: position, on: edge), island: island))
    }
    return found.sorted()
  }

  private func choice(
    near point: Coordinate, _ origin: PointOrigin, radiusMetres: Double, profile: String?
  ) throws(RoutingError) -> (SnapChoice, [EdgeLine]) {
    guard point.isValid else { return (SnapChoice(), []) }
    let projection = LineProjection(point)
    // Most points lie close to a way, so a small circle is searched first.
    let radii = radiusMetres > 100 ? [60, radiusMetres] : [radiusMetres]
    var result: (SnapChoice, [EdgeLine]) = (SnapChoice(), [])
    for radius in radii {
      let edges = try snapEdges(near: point, radiusMetres: radius, profile: profile)
      var candidates: [SnapChoice.Candidate] = []
      for (index, edge) in edges.enumerated() {
        guard let position = projection.nearest(on: edge.line), position.distanceMetres <= radius
        else {
          continue
        }
        candidates.append(.init(id: edge.id, index: index, position: position))
      }
      // The nearest first: the database is asked about few of them.
      candidates.sort { ($0.distanceMetres, $0.id) < ($1.distanceMetres, $1.id) }
      var choice = SnapChoice()
      for candidate in candidates {
        let edge = edges[candidate.index]
        try choice.add(candidate) { () throws(RoutingError) in
          try lastResort(edge, origin, metres: candidate.distanceMetres)
        } island: { () throws(RoutingError) in
          try island(of: edge, profile: profile)
        }
      }
      result = (choice, edges)
      if choice.isFinal { break }
    }
    return result
  }

  /// What makes an edge a last resort for a point at a distance; nil if nothing does.
  private func lastResort(_ edge: EdgeLine, _ origin: PointOrigin, metres: Double)
    throws(RoutingError) -> LastResortWay?
  {
    origin == .fix ? nil : LastResortWay(try wayKind(ofEdge: edge.id), metres: metres)
  }

  /// The island that an edge lies on or leads to.
  private func island(of edge: EdgeLine, profile: String?) throws(RoutingError) -> Island? {
    if let island = try island(ofNode: edge.fromNode, profile: profile) { return island }
    return try island(ofNode: edge.toNode, profile: profile)
  }

  /// All passable edges with an extent that may come within a distance of a point, and some others,
  /// each once.
  private func snapEdges(near point: Coordinate, radiusMetres: Double, profile: String?)
    throws(RoutingError) -> [EdgeLine]
  {
    var edges: [EdgeLine] = []
    var known: Set<Int64> = []
    let reach = radiusMetres + EdgeExtent.longMetres * EdgeExtent.tolerance / 2
    let boxes = BoundingBox.around(point, radiusMetres: reach)
    for box in boxes {
      edges += try passableLines(touching: box, profile: profile, except: known)
      known = Set(edges.map(\.id))
    }
    let long = try longEdges(near: boxes)
      .filter { $0.mayPass(point, within: radiusMetres) }.map(\.id)
    return edges + (try passableLines(ofEdges: long, profile: profile, except: known))
  }
}

extension EdgeExtent {
  /// Whether the edge may pass within a distance of a point: the distances of a point on it from
  /// both ends add up to at most its length.
  func mayPass(_ point: Coordinate, within radius: Double) -> Bool {
    let reach = metres * Self.tolerance + 2 * radius
    let metresPerDegree = earthRadiusMetres * .pi / 180
    guard abs(from.latitude - point.latitude) * metresPerDegree <= reach else { return false }
    return haversineDistance(from, point) + haversineDistance(to, point) <= reach
  }
}
