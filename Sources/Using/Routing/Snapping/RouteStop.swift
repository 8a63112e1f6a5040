// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// A point on an edge that may stand for a point of a route.
struct SnapCandidate: Comparable, Sendable {
  var point: EdgePoint
  /// The island that the edge lies on; nil for the network.
  var island: Island?
  /// Whether it is taken only where no other candidate has a route.
  var isLastResort = false

  static func < (one: SnapCandidate, other: SnapCandidate) -> Bool {
    (one.point.distanceMetres, one.point.edge) < (other.point.distanceMetres, other.point.edge)
  }
}

/// A point of a route and the points on edges that may stand for it. A search chooses those of all
/// stops together, so that a path which is cut off from everything else leads from its one end to
/// its other one, while a route that begins on it and leads elsewhere begins on the network.
struct RouteStop {
  /// What a metre off the network costs beyond the nearest candidate: as much as ten metres of flat
  /// good path, since nobody knows what lies there.
  static let offNetworkFactor = 10.0
  /// What taking a last resort costs beyond that: more than any route.
  private static let lastResortCost = 1e9

  /// The requested point.
  var coordinate: Coordinate
  /// At least one, the nearest one first.
  private(set) var candidates: [SnapCandidate]
  /// Whether edges further away are tried where the candidates have no route.
  let mayMove: Bool

  init(_ coordinate: Coordinate, _ candidates: [SnapCandidate], mayMove: Bool) {
    self.coordinate = coordinate
    self.candidates = candidates
    self.mayMove = mayMove
    guard candidates.count > 1 else { return }
    // An edge that leads from the network to an island begins where others of the network do.
    let nodes = Set(candidates.compactMap { $0.island == nil ? $0.point.node : nil })
    self.candidates.removeAll { $0.island != nil && $0.point.node.map(nodes.contains) ?? false }
  }

  /// A stop that another search has chosen.
  init(fixed point: EdgePoint) {
    coordinate = point.coordinate
    candidates = [SnapCandidate(point: point, island: nil)]
    mayMove = false
  }

  /// What choosing a candidate costs.
  func penalty(_ candidate: Int) -> Double {
    Self.offNetworkFactor
      * (candidates[candidate].point.distanceMetres - candidates[0].point.distanceMetres)
      + (candidates[candidate].isLastResort ? Self.lastResortCost : 0)
  }

  /// What a route says of itself where it takes a point that is further away than the nearest one; at
  /// most one.
  func cutOff(_ point: EdgePoint, _ index: Int) -> [ComputedRoute.CutOffStop] {
    let further = point.distanceMetres - candidates[0].point.distanceMetres
    return further > EdgePoint.nodeRadiusMetres
      ? [.init(index: index, distanceMetres: point.distanceMetres)] : []
  }

  var isNearIsland: Bool { candidates.contains { $0.island != nil } }

  var islands: Set<Island> { Set(candidates.compactMap(\.island)) }

  /// Up to which distance an edge is about as near as the nearest one, in metres.
  var nearMetres: Double { SnapChoice.limit(beside: candidates[0].point.distanceMetres) }

  /// Whether the point lies so far off that edges about as near deserve a look.
  var isOff: Bool { candidates[0].point.distanceMetres > Self.offMetres }
  private static let offMetres = 20.0

  mutating func add(_ candidate: SnapCandidate) {
    candidates.insert(candidate, at: candidates.firstIndex { candidate < $0 } ?? candidates.count)
  }

  /// Drops candidates that are about as far as another point of the route: rather than that, one
  /// would walk to the other point directly. The nearest one is kept, and so is the network where it
  /// is about as near as an island.
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

  /// How far a candidate may be in view of the other points of the route, in metres: clearly less
  /// than the nearest one of them.
  func reach(_ others: [Coordinate]) -> Double {
    Self.reachShare
      * others.reduce(.infinity) { min($0, haversineDistance(coordinate, $1)) }
  }
  private static let reachShare = 0.9
}

extension RoutingView {
  /// The stops of a route through points. Throws ``RoutingError/noNearbyNode(_:radiusMetres:)`` for
  /// one far from every passable edge.
  func stops(at points: [Coordinate], radiusMetres: Double) throws(RoutingError) -> [RouteStop] {
    var stops: [RouteStop] = []
    let knowsIslands = try knowsIslands()
    for point in points {
      let candidates = try snapCandidates(to: point, radiusMetres: radiusMetres)
      guard !candidates.isEmpty else { throw .noNearbyNode(point, radiusMetres: radiusMetres) }
      stops.append(RouteStop(point, candidates, mayMove: knowsIslands))
    }
    guard
      stops.contains(where: \.isNearIsland)
        || knowsIslands && stops.count(where: \.isOff) > 1
    else { return stops }
    // An island that counts for two neighbours counts, too, where it is only about as near as the
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
    try pointsOnEdges(near: point, radiusMetres: min(radiusMetres, stop.nearMetres))
      .filter { $0.island != nil }
  }
}
