// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

extension ProfileGraph {
  /// The point on a passable edge nearest to a point; see
  /// `RoutingStore.nearestPointOnEdge(to:radiusMetres:profile:)`, which finds the same.
  public func nearestPoint(
    to point: Coordinate,
    radiusMetres: Double = RoutingCostConfig.nearestNodeSearchRadiusMetres
  ) -> EdgePoint? { nearestPoint(to: point, .fix, radiusMetres: radiusMetres) }

  /// The same for a point that may be a chosen one.
  func nearestPoint(to point: Coordinate, _ origin: PointOrigin, radiusMetres: Double)
    -> EdgePoint?
  {
    choice(near: point, origin, radiusMetres: radiusMetres).best.map {
      LineProjection(point).point(at: $0, on: edgeLine($0.index))
    }
  }

  /// The candidate points on edges for a point of a route, the nearest one first; see
  /// ``SnapChoice/candidates``.
  func snapCandidates(to point: Coordinate, _ origin: PointOrigin, radiusMetres: Double)
    -> [SnapCandidate]
  {
    choice(near: point, origin, radiusMetres: radiusMetres).candidates.map {
      SnapCandidate(
        point: LineProjection(point).point(at: $0, on: edgeLine($0.index)), island: $0.island)
    }
  }

  /// The nearest points on all passable edges within a radius, the nearest one first; for a chosen
  /// point without those that are a last resort. An edge that only leads to an island counts as one
  /// of the network.
  func pointsOnEdges(near point: Coordinate, _ origin: PointOrigin, radiusMetres: Double)
    -> [SnapCandidate]
  {
    var found: [SnapCandidate] = []
    var known: Set<Int> = []
    let projection = LineProjection(point)
    forEachPosition(near: projection, point, radiusMetres) { index, position in
      guard known.insert(index).inserted,
        lastResort(index, origin, metres: position.distanceMetres) == nil
      else { return }
      found.append(
        SnapCandidate(
          point: projection.point(at: position, on: edgeLine(index)),
          island: island(around: index)))
    }
    return found.sorted()
  }

  private func choice(near point: Coordinate, _ origin: PointOrigin, radiusMetres: Double)
    -> SnapChoice
  {
    let projection = LineProjection(point)
    var choice = SnapChoice()
    // Most points lie close to a way, so a small circle is searched first.
    for radius in radiusMetres > 100 ? [60, radiusMetres] : [radiusMetres] {
      choice = SnapChoice()
      forEachPosition(near: projection, point, radius) { index, position in
        let candidate = SnapChoice.Candidate(
          id: network.edges[index].id, index: index, position: position)
        choice.add(candidate) {
          lastResort(index, origin, metres: position.distanceMetres)
        } island: {
          island(of: index)
        }
      }
      if choice.isFinal { break }
    }
    return choice
  }

  /// Calls `body` with the passable edges that have an extent and come within a radius of a point,
  /// and the nearest position on each; some edges appear more than once.
  @inline(__always)
  private func forEachPosition(
    near projection: LineProjection, _ point: Coordinate, _ radius: Double,
    _ body: (Int, LineProjection.Position) -> Void
  ) {
    guard point.isValid else { return }
    var line: [Coordinate] = []
    network.forEachEdge(near: point, radiusMetres: radius) { index in
      guard costs[index].isFinite || reverseCosts[index].isFinite else { return }
      line.removeAll(keepingCapacity: true)
      network.appendLine(of: index, to: &line)
      guard let position = projection.nearest(on: line), position.distanceMetres <= radius,
        // The edge of a barrier has no extent.
        line.contains(where: { $0 != line[0] })
      else { return }
      body(index, position)
    }
  }

  /// What makes an edge a last resort for a point at a distance; nil if nothing does.
  private func lastResort(_ index: Int, _ origin: PointOrigin, metres: Double) -> LastResortWay? {
    origin == .fix ? nil : LastResortWay(network.hazards.kind(index), metres: metres)
  }

  /// The island that an edge lies on or leads to.
  private func island(of index: Int) -> Island? {
    let edge = network.edges[index]
    let known = islands[Int(edge.from)] >= 0 ? islands[Int(edge.from)] : islands[Int(edge.to)]
    return known >= 0 ? Island(id: known) : nil
  }

  /// The island that both ends of an edge lie on.
  private func island(around index: Int) -> Island? {
    let edge = network.edges[index]
    return islands[Int(edge.from)] == islands[Int(edge.to)] ? island(of: index) : nil
  }

  private func edgeLine(_ index: Int) -> EdgeLine {
    let edge = network.edges[index]
    var line: [Coordinate] = []
    network.appendLine(of: index, to: &line)
    return EdgeLine(
      id: edge.id, fromNode: network.nodeIDs[Int(edge.from)],
      toNode: network.nodeIDs[Int(edge.to)], cost: costs[index],
      reverseCost: reverseCosts[index], line: line)
  }
  /// Whether a node lies on an island.
  package func isOnIsland(_ node: Int32) -> Bool { islands[Int(node)] >= 0 }
}
