// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// A search that an engine can perform on a graph in any form.
protocol SearchTask {
  associatedtype Result

  /// Whether it asks for traits of edges beyond steps. Otherwise it shares the parts of the graph that
  /// searches for routes have read.
  var needsTraits: Bool { get }

  /// Performs it. No other thread uses the graph meanwhile, unless it is immutable.
  func run<View: RoutingView>(_ view: View) throws(RoutingError) -> Result
}

extension SearchTask {
  var needsTraits: Bool { true }
}

extension RoutingView {
  /// The point on an edge at which a route from a point begins. Throws
  /// ``RoutingError/noNearbyNode(_:radiusMetres:)`` if there is none.
  func stop(at point: Coordinate, _ origin: PointOrigin, radiusMetres: Double) throws(RoutingError)
    -> EdgePoint
  {
    guard let stop = try nearestPointOnEdge(to: point, origin, radiusMetres: radiusMetres) else {
      throw .noNearbyNode(point, radiusMetres: radiusMetres)
    }
    return stop
  }

  /// The cut-off stop, if any, of a route that begins at a ``stop(at:_:radiusMetres:)``.
  func cutOff(
    _ stop: EdgePoint, from point: Coordinate, _ origin: PointOrigin, radiusMetres: Double
  ) throws(RoutingError) -> [ComputedRoute.CutOffStop] {
    let candidates = try snapCandidates(to: point, origin, radiusMetres: radiusMetres)
    guard !candidates.isEmpty else { return [] }
    return RouteStop(point, origin, candidates, mayMove: false).cutOff(stop, 0)
  }

  /// The whole line of an edge in the direction of its row.
  func line(of edge: RoutingEdge) throws(RoutingError) -> [Coordinate] {
    let from = try node(try index(ofNode: edge.fromNode)).coordinate
    let to = try node(try index(ofNode: edge.toNode)).coordinate
    return [from] + edge.geometry + [to]
  }
}
