// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// Assembles a route from the paths found by searches: nodes, and between them edges in the
/// direction of travel, cut at the stops.
struct RouteAssembler<View: RoutingView> {
  private let view: View
  private let mode: RoutingMode
  private(set) var nodes: [RoutingNode] = []
  private(set) var edges: [RoutingEdge] = []

  /// Begins a route at a stop.
  init(_ view: View, at start: EdgePoint, mode: RoutingMode) throws(RoutingError) {
    self.view = view
    self.mode = mode
    nodes = [try node(at: start)]
  }

  /// The node at a stop; inside an edge, one that the graph does not have.
  private func node(at point: EdgePoint) throws(RoutingError) -> RoutingNode {
    if let id = point.node { return try view.node(try view.index(ofNode: id)) }
    var elevation = try view.elevations(ofEdge: point.edge)?.elevation(at: point.share)
    if elevation == nil, try !view.hasElevationProfiles() {
      let from = try view.node(try view.index(ofNode: point.fromNode)).elevation
      let to = try view.node(try view.index(ofNode: point.toNode)).elevation
      if let from, let to { elevation = from + point.share * (to - from) }
    }
    return RoutingNode(
      id: RoutingNode.insideEdge, latitude: point.coordinate.latitude,
      longitude: point.coordinate.longitude, elevation: elevation)
  }

  /// Appends whole edges.
  mutating func add(_ steps: [SearchSpace.Step]) throws(RoutingError) {
    nodes.reserveCapacity(nodes.count + steps.count + 2)
    edges.reserveCapacity(edges.count + steps.count + 2)
    for step in steps {
      // Nothing else holds the edge, so its points are reversed in place.
      edges.append(
        step.isReversed ? try view.edge(step.edge).reversed() : try view.edge(step.edge))
      nodes.append(try view.node(step.node))
    }
  }

  /// Appends the part of an edge between two shares of its length, in the direction of its row or,
  /// if the second share is less, against it; nothing if they are equal.
  mutating func add(partOf id: Int64, from start: Double, to end: EdgePoint) throws(RoutingError) {
    try add(partOf: id, from: start, to: end.share, ending: try node(at: end))
  }

  /// The same to an end of the edge.
  mutating func add(partOf point: EdgePoint, toNode id: Int64, share: Double) throws(RoutingError) {
    let node = try view.node(try view.index(ofNode: id))
    try add(partOf: point.edge, from: point.share, to: share, ending: node)
  }

  private mutating func add(
    partOf id: Int64, from start: Double, to end: Double, ending last: RoutingNode
  ) throws(RoutingError) {
    guard start != end, let first = nodes.last else { return }
    let row = try view.edge(id)
    let from = try view.node(try view.index(ofNode: row.fromNode)).coordinate
    let to = try view.node(try view.index(ofNode: row.toNode)).coordinate
    var climb = try view.elevations(ofEdge: id)
    var line = [from] + row.geometry + [to]
    let formula = try view.formula(mode: mode)
    let (costs, times) = (formula.costSpread(row, climb), formula.timeSpread(row, climb))
    let shares = EdgePart.Shares(
      cost: costs.share(from: start, to: end), time: times.share(from: start, to: end))
    let reverseShares = EdgePart.Shares(
      cost: costs.share(from: end, to: start), time: times.share(from: end, to: start))
    var edge = row
    var (start, end) = (start, end)
    if end < start {
      edge = row.reversed()
      climb = climb?.reversed()
      line.reverse()
      (start, end) = (1 - start, 1 - end)
    }
    edge.cut(
      from: start, to: end, line: line, climb: climb, shares: shares, reverseShares: reverseShares)
    (edge.fromNode, edge.toNode) = (first.id, last.id)
    edges.append(edge)
    nodes.append(last)
  }
}

extension RoutingEdge {
  /// Cuts out a part of a whole edge: the length in proportion, ascent and descent by its elevation
  /// profile or, if that is unknown, in proportion, costs and times by their shares.
  ///
  /// - Parameters:
  ///   - start: The beginning of the part, 0…1 in this direction.
  ///   - end: Its end, beyond `start`.
  ///   - line: All points of the edge in this direction, including its ends.
  ///   - climb: Its elevations in this direction.
  ///   - shares: The part's shares of cost and time in this direction.
  ///   - reverseShares: Those in the other direction.
  mutating func cut(
    from start: Double, to end: Double, line: [Coordinate], climb: EdgeElevation?,
    shares: EdgePart.Shares, reverseShares: EdgePart.Shares
  ) {
    guard start > 0 || end < 1 else { return }
    part = EdgePart(
      start: start, end: end, wholeDistance: distance, wholeElevationGain: elevationGain,
      wholeElevationLoss: elevationLoss, shares: shares, reverseShares: reverseShares)
    let share = end - start
    var (gainShare, lossShare) = (share, share)
    if let climb {
      let (whole, piece) = (climb.climb(from: 0, to: 1), climb.climb(from: start, to: end))
      if whole.gain > 0 { gainShare = piece.gain / whole.gain }
      if whole.loss > 0 { lossShare = piece.loss / whole.loss }
    }
    elevationGain *= gainShare
    elevationLoss *= lossShare
    distance *= share
    // Infinity times a share of 0 would not be a number.
    if cost.isFinite { cost *= shares.cost }
    if reverseCost.isFinite { reverseCost *= reverseShares.cost }
    duration = duration.map { $0 * shares.time }
    reverseDuration = reverseDuration.map { $0 * reverseShares.time }
    geometry = Array(line.part(from: start, to: end).dropFirst().dropLast())
  }
}
