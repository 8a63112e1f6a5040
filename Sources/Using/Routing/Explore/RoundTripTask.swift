// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnRoutingDatabase

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A search for round trips; see ``RoutingEngine``.
struct RoundTripTask: SearchTask {
  /// The number of directions that are tried.
  private static let directions = 8
  /// The greatest number of sizes that a circle is tried in.
  private static let rounds = 6
  /// A trip within this deviation is not improved further.
  private static let goodDeviation = 0.03
  /// The first guess of the ratio of a trip's length to the circumference of its circle.
  private static let winding = 1.3
  /// The factor on the cost of an edge already used.
  private static let repetitionFactor = 5.0

  var start: Coordinate
  var origin: PointOrigin
  var requestedMetres: Double
  var radiusMetres: Double
  var seed: UInt64
  var mode: RoutingMode
  var preferences: RoutingPreferences

  func run<View: RoutingView>(_ view: View) throws(RoutingError) -> [RoundTrip] {
    let stop = try view.stop(at: start, origin, radiusMetres: radiusMetres)
    guard requestedMetres > 0, requestedMetres.isFinite else {
      throw .noRoundTripFound(reachedNodes: 0)
    }
    let rules = SearchRules(
      preferences: preferences, forbidsSteps: view.profile == nil && mode == .cycling)
    let (points, nodeCount) = try reachable(view, from: stop, rules)
    guard !points.isEmpty else { throw .noRoundTripFound(reachedNodes: 0) }
    let worker = SearchWorker(view)
    var random = SplitMix64(seed: seed)
    var trips: [RoundTrip] = []
    for direction in 0..<Self.directions {
      let degrees = (Double(direction) + random.nextShare()) * 360 / Double(Self.directions)
      let circle = Circle(
        start: stop.coordinate, bearing: degrees * .pi / 180, pointCount: 2 + direction % 2,
        isClockwise: random.nextShare() < 0.5)
      if let trip = try best(from: stop, on: circle, among: points, worker, rules) {
        trips.append(trip)
      }
    }
    // Stable: of equal trips the first one comes first.
    let sorted = trips.enumerated().sorted {
      ($0.element.demerit, $0.offset) < ($1.element.demerit, $1.offset)
    }
    var seen: Set<[Int64]> = []
    var different = sorted.map(\.element).filter {
      seen.insert($0.route.edges.map(\.id).sorted()).inserted
    }
    let cutOff = try view.cutOff(stop, from: start, origin, radiusMetres: radiusMetres)
    let lastResort = ComputedRoute.LastResortStop(index: 0, stop)
    for index in different.indices {
      different[index].route = try view.finished(different[index].route, mode: mode)
      different[index].route.cutOffStops = cutOff
      different[index].route.lastResortStops = [lastResort].compactMap { $0 }
    }
    guard !different.isEmpty else {
      throw .noRoundTripFound(reachedNodes: nodeCount)
    }
    return different
  }

  /// The share of the requested length above which an edge's quarter points are candidates for via
  /// points, too, since a ring may have only one node.
  private static let longEdgeShare = 0.05
  /// The factor by which a trip may lead further away than half its length, for rounding.
  private static let slack = 1.01

  /// The nodes that can be reached without going further away than half the requested length, and
  /// points on the long edges between them.
  private func reachable<View: RoutingView>(
    _ view: View, from stop: EdgePoint, _ rules: SearchRules
  ) throws(RoutingError) -> ([SpherePoint], nodeCount: Int) {
    try view.begin()
    let home = SpherePoint(stop.coordinate)
    var queue: [Int32] = []
    if let node = stop.node {
      queue = [try view.index(ofNode: node)]
    } else {
      if stop.cost.isFinite { queue.append(try view.index(ofNode: stop.toNode)) }
      if stop.reverseCost.isFinite { queue.append(try view.index(ofNode: stop.fromNode)) }
    }
    var seen = [Bool](repeating: false, count: view.nodeCount)
    for node in queue { seen[Int(node)] = true }
    var longEdges: Set<Int64> = stop.node == nil ? [stop.edge] : []
    var next = 0
    while next < queue.count {
      for index in try view.arcs(from: queue[next]) {
        let arc = view.arc(index)
        if rules.forbidsSteps, arc.traits.isSteps { continue }
        if seen.count < view.nodeCount {
          seen += repeatElement(false, count: view.nodeCount - seen.count)
        }
        guard view.position(arc.node).chordMetres(to: home) <= requestedMetres / 2 * Self.slack
        else {
          continue
        }
        if arc.cost > requestedMetres * Self.longEdgeShare { longEdges.insert(arc.edge) }
        guard !seen[Int(arc.node)] else { continue }
        seen[Int(arc.node)] = true
        queue.append(arc.node)
      }
      next += 1
    }
    var points = queue.map { view.position($0) }
    for id in longEdges {
      let line = try view.line(of: view.edge(id))
      for share in [0.25, 0.5, 0.75] {
        if let point = line.part(from: share, to: 1).first { points.append(SpherePoint(point)) }
      }
    }
    // In an order that does not depend on how the graph is stored.
    return (points.sorted { ($0.x, $0.y, $0.z) < ($1.x, $1.y, $1.z) }, queue.count)
  }

  /// The best trip around a circle that grows and shrinks; nil if there is none.
  private func best<View: RoutingView>(
    from home: EdgePoint, on circle: Circle, among points: [SpherePoint],
    _ worker: SearchWorker<View>, _ rules: SearchRules
  ) throws(RoutingError) -> RoundTrip? {
    var radius = requestedMetres / (2 * .pi * Self.winding)
    var best: RoundTrip?
    var last: [Coordinate] = []
    for _ in 0..<Self.rounds {
      let via = circle.points(radiusMetres: radius).map { nearest(to: $0, points) }
      // The via points are the same as before.
      guard via != last else { break }
      last = via
      guard let trips = try trips(from: home, through: via, worker, rules) else { break }
      for trip in trips where trip.demerit < best?.demerit ?? .infinity { best = trip }
      guard let shortest = trips.last, shortest.deviation > Self.goodDeviation else { break }
      let growth = requestedMetres / max(shortest.route.totalDistance, requestedMetres / 2)
      radius = min(radius * max(growth, 0.5), requestedMetres / 2)
    }
    return best
  }

  private func nearest(to point: Coordinate, _ points: [SpherePoint]) -> Coordinate {
    let target = SpherePoint(point)
    var best = (distance: Double.infinity, index: 0)
    for (index, other) in points.enumerated() {
      let distance = other.squaredChord(to: target)
      if distance < best.distance { best = (distance, index) }
    }
    return points[best.index].coordinate
  }

  /// The trip through via points, and the same trip without its spurs if anything is left then; nil
  /// if a leg has no route.
  private func trips<View: RoutingView>(
    from home: EdgePoint, through via: [Coordinate], _ worker: SearchWorker<View>,
    _ plain: SearchRules
  ) throws(RoutingError) -> [RoundTrip]? {
    var rules = plain
    var nodes: [RoutingNode] = []
    var edges: [RoutingEdge] = []
    var from = RouteStop(fixed: home)
    for point in via.map(Optional.some) + [nil] {
      let leg: ComputedRoute
      do throws(RoutingError) {
        let to =
          if let point {
            try worker.view.stops(at: [point], fixes: [0], radiusMetres: radiusMetres)[0]
          } else { RouteStop(fixed: home) }
        let found = try worker.findRoute(
          through: [from, to], radiusMetres: radiusMetres, rules: rules, mode: mode)
        leg = found.route
        from = RouteStop(fixed: found.stops[1])
      } catch {
        // A one-way leads to the via point, but no way leads back.
        if case .noRouteFound = error { return nil }
        throw error
      }
      nodes += nodes.isEmpty ? leg.nodes[...] : leg.nodes.dropFirst()
      edges += leg.edges
      for edge in leg.edges { rules.edgeFactors[edge.id] = Self.repetitionFactor }
    }
    guard !edges.isEmpty else { return nil }
    let (ownNodes, ownEdges) = withoutSpurs(nodes, edges)
    let all =
      ownEdges.isEmpty || ownEdges.count == edges.count
      ? [(nodes, edges)] : [(nodes, edges), (ownNodes, ownEdges)]
    return all.map { nodes, edges in
      RoundTrip(
        route: ComputedRoute(
          nodes: nodes, edges: edges, viaPoints: [], viaNodes: [], mode: mode),
        requestedMetres: requestedMetres)
    }
  }

  /// The same trip without spurs: edges that are travelled back at once.
  private func withoutSpurs(_ nodes: [RoutingNode], _ edges: [RoutingEdge])
    -> ([RoutingNode], [RoutingEdge])
  {
    guard let first = nodes.first else { return (nodes, edges) }
    var kept: (nodes: [RoutingNode], edges: [RoutingEdge]) = ([first], [])
    for (edge, node) in zip(edges, nodes.dropFirst()) {
      if let last = kept.edges.last, last.id == edge.id, last.isReversed != edge.isReversed,
        kept.nodes[kept.nodes.count - 2].coordinate == node.coordinate
      {
        kept.nodes.removeLast()
        kept.edges.removeLast()
      } else {
        kept.nodes.append(node)
        kept.edges.append(edge)
      }
    }
    return kept
  }
}

/// A circle through a start, and points at even distances on it.
private struct Circle {
  var start: Coordinate
  /// The direction of its centre, in radians clockwise from north.
  var bearing: Double
  var pointCount: Int
  var isClockwise: Bool

  func points(radiusMetres: Double) -> [Coordinate] {
    let metresPerDegree = earthRadiusMetres * .pi / 180
    let shrinking = max(longitudeShrinking(atLatitude: start.latitude), 0.01)
    return (1...pointCount).map { index in
      let turn = Double(index) / Double(pointCount + 1) * 2 * .pi
      // Seen from the centre, the start is in the opposite direction.
      let angle = bearing + .pi + (isClockwise ? turn : -turn)
      let east = radiusMetres * (sin(bearing) + sin(angle)) / metresPerDegree / shrinking
      let north = radiusMetres * (cos(bearing) + cos(angle)) / metresPerDegree
      return Coordinate(latitude: start.latitude + north, longitude: start.longitude + east)
    }
  }
}
