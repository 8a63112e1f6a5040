// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

extension RoutingEngine {
  /// A part of a route of this engine's database, such as a stage, with its own totals and
  /// warnings.
  ///
  /// - Parameters:
  ///   - route: The route.
  ///   - from: The start of the part, in metres from the route's start.
  ///   - to: The end of the part, in metres from the route's start; an empty part has the nearest
  ///     edge.
  ///   - profile: The profile of the route; nil for the mode's.
  ///   - mode: The mode of travel.
  ///
  /// Throws `RoutingError.profileNotAvailable(_:available:)` for a profile that the database does
  /// not have, and the errors of the store.
  public func part(
    of route: ComputedRoute, from: Double, to: Double, profile: String? = nil,
    mode: RoutingMode = .hiking
  ) throws(RoutingError) -> ComputedRoute {
    guard !route.edges.isEmpty else { return route }
    var part = try perform(
      PartTask(route: route, from: from, to: to, mode: mode), profile: profile, mode: mode)
    part.day = route.day
    return part
  }
}

/// Cuts a part out of a route.
private struct PartTask: SearchTask {
  /// The distance from an end of an edge within which it is cut at that end, in metres.
  private static let endMetres = 1.0

  var route: ComputedRoute
  var from: Double
  var to: Double
  var mode: RoutingMode

  /// A place on an edge of the route: its index, and the share of the whole edge in the direction of its
  /// row.
  private struct Cut {
    var edge: Int
    var share: Double
  }

  func run<View: RoutingView>(_ view: View) throws(RoutingError) -> ComputedRoute {
    try view.begin()
    let edges = route.edges
    let first = cut(at: from, isStart: true)
    let last = cut(at: to, isStart: false)
    let (firstEdge, lastEdge) = (edges[first.edge], edges[last.edge])
    let start = try point(first, view)
    let end = try point(last, view)
    var assembler = try RouteAssembler(view, at: start, mode: mode)
    if first.edge >= last.edge {
      try assembler.add(partOf: firstEdge.id, from: first.share, to: end)
    } else {
      let leaves = firstEdge.isReversed ? start.fromNode : start.toNode
      try assembler.add(partOf: start, toNode: leaves, share: firstEdge.isReversed ? 0 : 1)
      var steps: [SearchSpace.Step] = []
      for edge in edges[first.edge + 1..<last.edge] {
        steps.append(
          .init(
            edge: edge.id, isReversed: edge.isReversed, node: try view.index(ofNode: edge.toNode)))
      }
      try assembler.add(steps)
      try assembler.add(partOf: lastEdge.id, from: lastEdge.isReversed ? 1 : 0, to: end)
    }
    let part = ComputedRoute(
      nodes: assembler.nodes, edges: assembler.edges, viaPoints: [], viaNodes: [], mode: mode)
    return try view.finished(part, mode: mode)
  }

  private func point<View: RoutingView>(_ cut: Cut, _ view: View) throws(RoutingError) -> EdgePoint
  {
    let row = try view.edge(route.edges[cut.edge].id)
    let line = try view.line(of: row)
    let place = cut.share >= 1 ? line.last : line.part(from: cut.share, to: 1).first
    return EdgePoint(
      edge: row.id, fromNode: row.fromNode, toNode: row.toNode, coordinate: place ?? line[0],
      share: cut.share, distanceMetres: 0, cost: row.cost, reverseCost: row.reverseCost)
  }

  private func cut(at metres: Double, isStart: Bool) -> Cut {
    var travelled = 0.0
    var found = (edge: 0, share: 0.0)
    for (index, edge) in route.edges.enumerated() where edge.distance > 0 {
      let along = metres - travelled
      found = (index, min(max(along / edge.distance, 0), 1))
      if along < Self.endMetres { found.share = 0 }
      if along > edge.distance - Self.endMetres { found.share = 1 }
      // A part begins on the next edge, and ends on the previous one.
      if isStart ? found.share < 1 : metres <= travelled + edge.distance { break }
      travelled += edge.distance
    }
    let edge = route.edges[found.edge]
    var share = found.share
    if let part = edge.part { share = part.start + share * (part.end - part.start) }
    return Cut(edge: found.edge, share: edge.isReversed ? 1 - share : share)
  }
}
