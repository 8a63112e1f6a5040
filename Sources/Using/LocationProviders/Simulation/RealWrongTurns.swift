// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnGuidance
import CairnRouting
import CairnRoutingDatabase

extension WalkSimulator {
  /// How wrong turns along ways are looked for.
  public struct StrayRules: Hashable, Sendable {
    /// The distance walked before turning back, in metres.
    public var metres = 150.0
    /// The distance from the route that a wrong turn must reach; closer ways cannot be told apart
    /// from it.
    public var leastDistance = 50.0
    /// Between two of them, and to the ends of the route, in metres along it.
    public var spacing = 400.0

    /// The default values.
    public init() {}
  }

  /// Realistic wrong turns: at a junction of the route, along another way of the database open to
  /// the profile, straight on from there, and back the same way.
  ///
  /// - Parameters:
  ///   - count: The most wrong turns; there are fewer if the route passes too few suitable
  ///     junctions.
  ///   - store: The open database of the route.
  ///   - profile: A profile in the database; nil for the core columns.
  ///
  /// Throws the errors of the database; see `RoutingStore`.
  public func wrongTurns(
    count: Int, alongWaysOf store: RoutingStore, profile: String?, rules: StrayRules = .init(),
    seed: UInt64
  ) throws(RoutingError) -> [WrongTurn] {
    var random = SplitMix64(seed: seed)
    var found: [WrongTurn] = []
    let count = min(max(count, 0), 1000)
    let stray = StraySearch(line: line, store: store, profile: profile, rules: rules)
    // Allow for a long stretch without other ways.
    let attempts = max(min(20 * count, 400), 4 * count)
    for _ in 0..<attempts where found.count < count {
      let along = rules.spacing + random.nextShare() * max(length - 2 * rules.spacing, 0)
      let choice = random.next()
      guard let turn = try stray.turn(after: along, choice: choice),
        turn.distance <= length - rules.spacing,
        found.allSatisfy({ abs($0.distance - turn.distance) >= rules.spacing })
      else { continue }
      found.append(turn)
    }
    return found.sorted { $0.distance < $1.distance }
  }
}

/// Looks for ways that lead off a route.
private struct StraySearch {
  /// The number of route points searched for a junction.
  private static let mostPoints = 200
  /// A node this close to the route is part of it, in metres.
  private static let onRouteMetres = 1.0
  /// The most edges of a way; nobody follows a longer one.
  private static let mostEdges = 100
  /// From here on, in metres, the other way is apart from the route …
  private static let apartFrom = 30.0
  /// … by this many metres.
  private static let apartMetres = 5.0
  private static let probeMetres = 10.0

  let line: RouteLine
  let store: RoutingStore
  let profile: String?
  let rules: WalkSimulator.StrayRules

  /// A wrong turn at the next suitable junction of the route; nil if none is near.
  ///
  /// - Parameter choice: Selects one of several ways there.
  func turn(after along: Double, choice: UInt64) throws(RoutingError) -> WalkSimulator.WrongTurn? {
    let ahead = line.coordinates(from: along)
    var travelled = along
    for (before, point) in zip(ahead, ahead.dropFirst()).prefix(Self.mostPoints) {
      travelled += haversineDistance(before, point)
      guard let box = BoundingBox.around(point, radiusMetres: Self.onRouteMetres).first else {
        continue
      }
      for node in try store.getNodesInBoundingBox(box, limit: 4) {
        let lines = try strays(from: node)
        guard !lines.isEmpty,
          let position = line.closest(to: node.coordinate, within: travelled - 50...travelled + 50)
        else { continue }
        return WalkSimulator.WrongTurn(
          distance: position.metres, line: lines[Int(choice % UInt64(lines.count))])
      }
    }
    return nil
  }

  /// The ways that leave the route at a node, each as long as it is walked.
  private func strays(from node: RoutingNode) throws(RoutingError) -> [[Coordinate]] {
    var lines: [[Coordinate]] = []
    for edge in try edges(at: node.id) {
      if let line = try way(from: node, edge), leadsAway(line) {
        lines.append(Array(line.dropFirst()))
      }
    }
    return lines
  }

  private func edges(at node: Int64) throws(RoutingError) -> [RoutingEdge] {
    try store.allEdges(at: node, profile: profile).filter { $0.cost.isFinite && !$0.isBarrier }
  }

  /// The line that begins with an edge, goes straight on at its end, and has the length set by the
  /// rules; nil if the way ends before.
  private func way(from node: RoutingNode, _ first: RoutingEdge) throws(RoutingError)
    -> [Coordinate]?
  {
    var way = [node.coordinate]
    var left = rules.metres
    var edge = first
    for _ in 0..<Self.mostEdges {
      guard let end = try store.getNode(edge.toNode) else { return nil }
      for point in edge.geometry + [end.coordinate] {
        let last = way[way.count - 1]
        let step = haversineDistance(last, point)
        if step >= left { return way + [interpolated(last, point, left / max(step, .ulpOfOne))] }
        left -= step
        if step > 0 { way.append(point) }
      }
      guard let next = try straightOn(way, edge) else { return nil }
      edge = next
    }
    return nil
  }

  /// The straightest continuation at the end of an edge.
  private func straightOn(_ way: [Coordinate], _ edge: RoutingEdge) throws(RoutingError)
    -> RoutingEdge?
  {
    guard let back = BearingCalculator.bearing(along: way.reversed(), metres: 20) else {
      return nil
    }
    var best: (change: Double, edge: RoutingEdge)?
    for next in try edges(at: edge.toNode) where next.id != edge.id {
      let end = try store.getNode(next.toNode).map { [$0.coordinate] } ?? []
      let line = [way[way.count - 1]] + next.geometry + end
      guard let bearing = BearingCalculator.bearing(along: line, metres: 20) else { continue }
      let change = abs(BearingCalculator.normalizedChange(bearing - back - 180))
      if change < best?.change ?? .infinity { best = (change, next) }
    }
    return best?.edge
  }

  private func leadsAway(_ way: [Coordinate]) -> Bool {
    var travelled = 0.0
    var next = Self.apartFrom
    for (one, other) in zip(way, way.dropFirst()) {
      let step = haversineDistance(one, other)
      while next <= travelled + step, step > 0 {
        let point = interpolated(one, other, (next - travelled) / step)
        guard let away = line.closest(to: point)?.distance, away >= Self.apartMetres else {
          return false
        }
        next += Self.probeMetres
      }
      travelled += step
    }
    guard let end = way.last, let away = line.closest(to: end)?.distance else { return false }
    return away >= rules.leastDistance
  }
}
