// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// A way between the ends of a route that takes much less time: what the likings of the route's
/// profile cost.
package struct QuickerWay: Sendable {
  /// A route must take this many times as long for it to be told.
  package static let leastRatio = 1.5

  /// The time that it takes, the sum over its edges.
  package var seconds: Double
  /// The edges of it in the direction of travel, those at the ends as wholes.
  package var edges: [RoutingEdge]
}

extension RoutingEngine {
  /// The quickest way through the stops of a route, whatever its profile likes; nil unless the route
  /// takes ``QuickerWay/leastRatio`` times as long.
  ///
  /// - Parameters:
  ///   - route: A route of this engine.
  ///   - profile: The profile that it was found for, whose times count and whose closed edges stay closed.
  ///   - mode: Its mode.
  package func quickerWay(of route: ComputedRoute, profile: String?, mode: RoutingMode)
    throws(RoutingError) -> QuickerWay?
  {
    try perform(QuickerSearch(route: route, mode: mode), profile: profile, mode: mode)
  }
}

/// Looks for a quicker way leg by leg.
private struct QuickerSearch: SearchTask {
  let route: ComputedRoute
  let mode: RoutingMode
  var needsTraits: Bool { false }

  func run<View: RoutingView>(_ view: View) throws(RoutingError) -> QuickerWay? {
    let most = route.estimatedDuration / QuickerWay.leastRatio
    var bound = try view.formula(mode: mode).timeBound
    guard route.straightMetres * bound.metre < most else { return nil }
    try view.begin()
    // Where the profile's own bound does not need elevations, the view has none.
    if !view.bound.needsElevations { bound.metreUp = 0 }
    let graph = GraphOfTimes(view, mode)
    var space = SearchSpace()
    var found = QuickerWay(seconds: 0, edges: [])
    for leg in route.legs {
      let query = SearchSpace.Query(
        starts: try ends(graph, of: leg.lowerBound, isStart: true),
        goals: try ends(graph, of: leg.upperBound, isStart: false),
        target: SpherePoint(route.nodes[leg.upperBound].coordinate),
        limit: most - found.seconds, bound: bound)
      let own = route.edges[leg]
      let ownSeconds = own.reduce(0) { $0 + ($1.duration ?? mode.seconds($1)) }
      if case .path(let path) = try space.run(graph, query, SearchRules()),
        path.cost < ownSeconds
      {
        found.seconds += path.cost
        for step in path.steps {
          let row = try view.edge(step.edge)
          found.edges.append(step.isReversed ? row.reversed() : row)
        }
      } else {
        // Between two stops on one edge there is no node.
        found.seconds += ownSeconds
        found.edges += own
      }
      guard found.seconds < most else { return nil }
    }
    return found
  }

  private func ends<View: RoutingView>(_ graph: GraphOfTimes<View>, of stop: Int, isStart: Bool)
    throws(RoutingError) -> [SearchSpace.End]
  {
    var ends: [SearchSpace.End] = []
    for end in try graph.view.ends(of: route, at: stop, isStart: isStart) {
      var seconds = 0.0
      if let passage = end.passage {
        let (row, isReversed) = (passage.row, passage.isReversed)
        guard (isReversed ? row.reverseCost : row.cost).isFinite, !isReversed || !row.isOneway
        else { continue }
        seconds = passage.share * (try graph.seconds(ofEdge: row.id, isReversed: isReversed))
      }
      ends.append(.init(node: try graph.view.index(ofNode: end.node), cost: seconds))
    }
    return ends
  }
}

/// A graph with times instead of costs.
private final class GraphOfTimes<View: RoutingView>: SearchGraph {
  let view: View
  private let mode: RoutingMode
  private var arcs: [Arc] = []

  init(_ view: View, _ mode: RoutingMode) { (self.view, self.mode) = (view, mode) }

  var nodeCount: Int { view.nodeCount }

  func position(_ node: Int32) -> SpherePoint { view.position(node) }

  func elevation(_ node: Int32) -> Double { view.elevation(node) }

  func seconds(ofEdge id: Int64, isReversed: Bool) throws(RoutingError) -> Double {
    let times = try view.travelTimes(ofEdge: id, mode: mode)
    // As costs, so that each arc is one step further.
    return max(isReversed ? times.back : times.ahead, 0.001)
  }

  func arcs(from node: Int32) throws(RoutingError) -> Range<Int> {
    arcs.removeAll(keepingCapacity: true)
    for index in try view.arcs(from: node) {
      let arc = view.arc(index)
      arcs.append(
        Arc(
          cost: try seconds(ofEdge: arc.edge, isReversed: arc.isReversed), edge: arc.edge,
          node: arc.node, isReversed: arc.isReversed, traits: arc.traits))
    }
    return arcs.indices
  }

  func arc(_ index: Int) -> Arc { arcs[index] }
}
