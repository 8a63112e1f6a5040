// SPDX-License-Identifier: Apache-2.0
import Geodesy
import RoutingDatabase

/// What an engine can do with a graph, whatever that is kept in.
protocol SearchTask {
  associatedtype Result

  /// Does it. The graph is nobody else's meanwhile, or never changes.
  func run<View: RoutingView>(_ view: View) throws(RoutingError) -> Result
}

extension RoutingView {
  /// The place where a route from a point begins. Throws
  /// ``RoutingError/noNearbyNode(_:radiusMetres:)`` where there is none.
  func stop(at point: Coordinate, radiusMetres: Double) throws(RoutingError) -> EdgePoint {
    guard let stop = try nearestPointOnEdge(to: point, radiusMetres: radiusMetres) else {
      throw .noNearbyNode(point, radiusMetres: radiusMetres)
    }
    return stop
  }

  /// The whole line of an edge in the direction of its row.
  func line(of edge: RoutingEdge) throws(RoutingError) -> [Coordinate] {
    let from = try node(try number(ofNode: edge.fromNode)).coordinate
    let to = try node(try number(ofNode: edge.toNode)).coordinate
    return [from] + edge.geometry + [to]
  }
}
