// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// A candidate point on an edge for a point of a route.
struct SnapCandidate: Comparable, Sendable {
  var point: EdgePoint
  /// The island of the edge; nil for the network.
  var island: Island?
  /// Whether it is used only if no other candidate has a route.
  var isLastResort = false

  static func < (one: SnapCandidate, other: SnapCandidate) -> Bool {
    (one.point.distanceMetres, one.point.edge) < (other.point.distanceMetres, other.point.edge)
  }
}

/// A point of a route and its candidate points on edges. A search chooses those of all stops
/// together, so that a path that is cut off from everything else is used between two of its points,
/// while a route from it to elsewhere begins on the network.
struct RouteStop {
  /// The cost of a metre off the network beyond the nearest candidate: as much as ten metres of
  /// flat good path, since the ground there is unknown.
  static let offNetworkFactor = 10.0
  /// The additional cost of a last resort: more than any route.
  private static let lastResortCost = 1e9

  /// The requested point.
  var coordinate: Coordinate
  /// Where it comes from.
  let origin: PointOrigin
  /// At least one, nearest first.
  private(set) var candidates: [SnapCandidate]
  /// Whether edges further away are tried if the candidates have no route.
  let mayMove: Bool

  init(
    _ coordinate: Coordinate, _ origin: PointOrigin, _ candidates: [SnapCandidate], mayMove: Bool
  ) {
    self.coordinate = coordinate
    self.origin = origin
    self.candidates = candidates
    self.mayMove = mayMove
    guard candidates.count > 1 else { return }
    // An edge that leads from the network to an island begins where others of the network do.
    let nodes = Set(candidates.compactMap { $0.island == nil ? $0.point.node : nil })
    self.candidates.removeAll { $0.island != nil && $0.point.node.map(nodes.contains) ?? false }
  }

  /// A stop chosen by another search.
  init(fixed point: EdgePoint) {
    coordinate = point.coordinate
    origin = .fix
    candidates = [SnapCandidate(point: point, island: nil)]
    mayMove = false
  }

  /// The cost of choosing a candidate.
  func penalty(_ candidate: Int) -> Double {
    Self.offNetworkFactor
      * (candidates[candidate].point.distanceMetres - candidates[0].point.distanceMetres)
      + (candidates[candidate].isLastResort ? Self.lastResortCost : 0)
  }

  /// The cut-off stop of a route that uses a point further away than the nearest one, if any.
  func cutOff(_ point: EdgePoint, _ index: Int) -> [ComputedRoute.CutOffStop] {
    let further = point.distanceMetres - candidates[0].point.distanceMetres
    return further > EdgePoint.nodeRadiusMetres
      ? [.init(index: index, distanceMetres: point.distanceMetres)] : []
  }

  var isNearIsland: Bool { candidates.contains { $0.island != nil } }

  var islands: Set<Island> { Set(candidates.compactMap(\.island)) }

  /// The distance up to which an edge is about as near as the nearest one, in metres.
  var nearMetres: Double { SnapChoice.limit(beside: candidates[0].point.distanceMetres) }

  /// Whether the point lies far enough off that edges about as near should be examined.
  var isOff: Bool { candidates[0].point.distanceMetres > Self.offMetres }
  private static let offMetres = 20.0

  mutating func add(_ candidate: SnapCandidate) {
    candidates.insert(candidate, at: candidates.firstIndex { candidate < $0 } ?? candidates.count)
  }

  /// Drops candidates about as far as another point of the route, since one would rather walk to
  /// that point directly. The nearest one is kept, and so is the network if it is about as near as
  /// an island.
  mutating func dropFar(from others: [Coordinate]) {
    guard candidates.count > 1 else { return }
    let reach = reach(others)
    let near = nearMetres
    candidates = candidates.enumerated().filter { index, candidate in
      index == 0 || candidate.point.distanceMetres < reach
        || candidate.island == nil && candidate.point.distanceMetres <= near
    }.map(\.element)
  }

  /// The distance of the furthest candidate besides the nearest one; 0 if that is the only one.
  var furthestMetres: Double { candidates.dropFirst().last?.point.distanceMetres ?? 0 }

  /// The greatest distance of a candidate, given the other points of the route, in metres: clearly
  /// less than the nearest one of them.
  func reach(_ others: [Coordinate]) -> Double {
    Self.reachShare
      * others.reduce(.infinity) { min($0, haversineDistance(coordinate, $1)) }
  }
  private static let reachShare = 0.9
}

extension RoutingView {
  /// The stops of a route through points. Throws ``RoutingError/noNearbyNode(_:radiusMetres:)`` for
  /// one far from every passable edge.
  ///
  /// - Parameter fixes: The indices of the points that nobody chose.
  func stops(at points: [Coordinate], fixes: Set<Int>, radiusMetres: Double) throws(RoutingError)
    -> [RouteStop]
  {
    var stops: [RouteStop] = []
    let knowsIslands = try knowsIslands()
    for (index, point) in points.enumerated() {
      let origin: PointOrigin = fixes.contains(index) ? .fix : .chosen
      let candidates = try snapCandidates(to: point, origin, radiusMetres: radiusMetres)
      guard !candidates.isEmpty else { throw .noNearbyNode(point, radiusMetres: radiusMetres) }
      stops.append(RouteStop(point, origin, candidates, mayMove: knowsIslands))
    }
    guard
      stops.contains(where: \.isNearIsland)
        || knowsIslands && stops.count(where: \.isOff) > 1
    else { return stops }
    // An island that counts for two neighbours also counts if it is only about as near as the
    // network.
    var near: [[SnapCandidate]?] = []
    for (stop, point) in zip(stops, points) {
      near.append(stop.isOff ? try self.islands(near: stop, point, radiusMetres) : nil)
    }
    let known = zip(stops, near).map { $0.islands.union(($1 ?? []).compactMap(\.island)) }
    for index in stops.indices {
      let neighbours = [index - 1, index + 1].filter(stops.indices.contains)
      var missing = neighbours.reduce(Set()) { $0.union(known[$1]) }
        .subtracting(stops[index].islands)
      guard !missing.isEmpty else { continue }
      if near[index] == nil {
        near[index] = try self.islands(near: stops[index], points[index], radiusMetres)
      }
      for candidate in near[index] ?? [] {
        if let island = candidate.island, missing.remove(island) != nil {
          stops[index].add(candidate)
        }
      }
    }
    for index in stops.indices {
      let neighbours = [index - 1, index + 1].filter(stops.indices.contains)
      stops[index].dropFar(from: neighbours.map { points[$0] })
    }
    return stops
  }

  /// The points on edges of islands that are about as near as the network.
  private func islands(near stop: RouteStop, _ point: Coordinate, _ radiusMetres: Double)
    throws(RoutingError) -> [SnapCandidate]
  {
    try pointsOnEdges(near: point, stop.origin, radiusMetres: min(radiusMetres, stop.nearMetres))
      .filter { $0.island != nil }
  }
}
