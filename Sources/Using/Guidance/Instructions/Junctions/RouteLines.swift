// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting

/// The line of a route by its edges except barriers; edge `i` lies between junction `i − 1` and
/// junction `i`.
struct RouteLines {
  private var points: [Coordinate] = []
  /// Metres from the start to each point.
  private var metres: [Double] = []
  /// The point at which each edge begins, and the last point.
  private var starts: [Int] = []

  /// Bearings are taken over this distance at least, in metres, since edges of a few metres lead
  /// anywhere.
  private static let leastMetres = 10.0
  /// How far a jog is looked for before and behind a junction, in metres.
  private static let jogReachMetres = 25.0
  /// How far a jog leads aside, in metres.
  private static let jogMetres = 8.0
  /// How far the directions before and behind a jog may differ from the direction past it, in
  /// degrees: some 8 m, over its reach on both sides.
  private static let jogDegrees = 10.0

  init(_ route: ComputedRoute) {
    for (index, edge) in route.edges.enumerated()
    where !edge.isBarrier && index + 1 < route.nodes.count {
      append(route.nodes[index].coordinate)
      if starts.isEmpty { starts.append(points.count - 1) }
      edge.geometry.forEach { append($0) }
      append(route.nodes[index + 1].coordinate)
      starts.append(points.count - 1)
    }
  }

  /// Appends a point unless it is the last one.
  private mutating func append(_ point: Coordinate) {
    guard point != points.last else { return }
    metres.append(points.last.map { metres[metres.count - 1] + haversineDistance($0, point) } ?? 0)
    points.append(point)
  }

  /// Whether an edge exists.
  private func has(_ edge: Int) -> Bool { edge >= 0 && edge + 1 < starts.count }

  /// The place at the beginning of an edge.
  func start(ofEdge edge: Int) -> Coordinate? { has(edge) ? points[starts[edge]] : nil }

  /// The place at the end of an edge.
  func end(ofEdge edge: Int) -> Coordinate? { has(edge) ? points[starts[edge + 1]] : nil }

  /// The bearing at the end of the edge that leads to a junction.
  func arriving(_ index: Int, _ junctions: [Junction], _ config: TurnInstructionConfig) -> Double {
    guard has(index) else { return 0 }
    let end = starts[index + 1]
    if config.announcesEveryTurn { return lastBearing(starts[index]...end) }
    var edge = index
    while edge > 0, !junctions[edge - 1].isChoice { edge -= 1 }
    let back = BearingCalculator.bearing(
      along: points[...end].reversed(),
      metres: Self.reach(metres[end] - metres[starts[edge]], config))
    return BearingCalculator.normalized((back ?? 180) + 180)
  }

  /// The bearing at the beginning of the edge after a junction.
  func leaving(_ index: Int, _ junctions: [Junction], _ config: TurnInstructionConfig) -> Double {
    guard has(index) else { return 0 }
    let start = starts[index]
    if config.announcesEveryTurn { return firstBearing(start...starts[index + 1]) }
    var edge = index
    while edge < junctions.count, !junctions[edge].isChoice, has(edge + 1) { edge += 1 }
    return BearingCalculator.bearing(
      along: points[start...], metres: Self.reach(metres[starts[edge + 1]] - metres[start], config))
      ?? 0
  }

  /// The distance over which a bearing is taken, in metres.
  ///
  /// - Parameter free: Metres to the next choice.
  private static func reach(_ free: Double, _ config: TurnInstructionConfig) -> Double {
    min(config.bearingDistanceMetres, max(leastMetres, free))
  }

  /// The bearing of the way past a junction if the route only jogs there, some metres aside and
  /// back, as pavements do at side streets; nil if it does not.
  func jog(_ index: Int) -> Double? {
    guard has(index), has(index + 1) else { return nil }
    let here = starts[index + 1]
    var (first, last) = (here, here)
    while first > 0, metres[here] - metres[first] < Self.jogReachMetres { first -= 1 }
    while last + 1 < points.count, metres[last] - metres[here] < Self.jogReachMetres { last += 1 }
    let (past, rest) = (metres[here] - metres[first], metres[last] - metres[here])
    guard past >= Self.jogReachMetres, rest >= Self.jogReachMetres else { return nil }
    let line = Array(points[first...last]).part(
      from: (past - Self.jogReachMetres) / (past + rest),
      to: (past + Self.jogReachMetres) / (past + rest))
    guard let from = line.first, let to = line.last,
      haversineDistance(from, to) > Self.jogReachMetres,
      let before = BearingCalculator.bearing(along: line, metres: Self.leastMetres),
      let back = BearingCalculator.bearing(along: line.reversed(), metres: Self.leastMetres)
    else { return nil }
    // Behind a jog, the way is back on its line.
    let bearing = BearingCalculator.bearing(from: from, to: to)
    let changes = [bearing - before, back + 180 - bearing].map(BearingCalculator.normalizedChange)
    guard changes.allSatisfy({ abs($0) <= Self.jogDegrees }) else { return nil }
    let isBeside = line.allSatisfy {
      LineProjection($0).nearest(on: [from, to]).map { $0.distanceMetres <= Self.jogMetres }
        ?? false
    }
    return isBeside ? bearing : nil
  }

  /// The bearing of the last segment with a length; 0 if there is none.
  private func lastBearing(_ range: ClosedRange<Int>) -> Double {
    guard range.count > 1 else { return 0 }
    return BearingCalculator.bearing(
      from: points[range.upperBound - 1], to: points[range.upperBound])
  }

  /// The bearing of the first segment with a length; 0 if there is none.
  private func firstBearing(_ range: ClosedRange<Int>) -> Double {
    guard range.count > 1 else { return 0 }
    return BearingCalculator.bearing(
      from: points[range.lowerBound], to: points[range.lowerBound + 1])
  }
}
