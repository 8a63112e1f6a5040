// SPDX-License-Identifier: Apache-2.0
import Geodesy
import RoutingDatabase

/// A route through the graph.
public struct ComputedRoute: Equatable, Sendable {
  /// The nodes in the order of travel, start and end included. A start, an end or a via point
  /// inside an edge is a node, too, with the id ``RoutingNode/insideEdge``.
  public var nodes: [RoutingNode]
  /// The edges between them, each in the direction of travel: `edges[i]` leads from `nodes[i]` to
  /// `nodes[i + 1]`. The edge of a barrier has no length and leads nowhere else, and the first and
  /// the last edge of a stretch between two stops may be parts, see ``RoutingEdge/part``.
  public var edges: [RoutingEdge]
  /// The whole line: nodes and the points of the edges between them, none twice in a row.
  public var coordinates: [Coordinate]
  /// Metres.
  public var totalDistance: Double
  /// The sum of the edges' stored costs, in metres of flat good path; preferences do not count.
  public var totalCost: Double
  /// Seconds.
  public var estimatedDuration: Double
  /// Metres climbed.
  public var elevationGain: Double
  /// Metres descended.
  public var elevationLoss: Double
  /// The via points as they were asked for.
  public var viaPoints: [Coordinate]
  /// The places of the via points among the nodes, in their order.
  public var viaNodes: [Int]

  /// Sums up a chain of edges that starts at the first node. There is one node more than edges.
  init(
    nodes: [RoutingNode], edges: [RoutingEdge], viaPoints: [Coordinate], viaNodes: [Int],
    mode: RoutingMode
  ) {
    self.nodes = nodes
    self.edges = edges
    self.viaPoints = viaPoints
    self.viaNodes = viaNodes
    coordinates = nodes.first.map { [$0.coordinate] } ?? []
    for (edge, end) in zip(edges, nodes.dropFirst()) {
      coordinates += edge.geometry
      // The edge of a barrier leads from a node to one at the same place.
      if coordinates.last != end.coordinate { coordinates.append(end.coordinate) }
    }
    totalDistance = edges.reduce(0) { $0 + $1.distance }
    totalCost = edges.reduce(0) { $0 + $1.cost }
    elevationGain = edges.reduce(0) { $0 + $1.elevationGain }
    elevationLoss = edges.reduce(0) { $0 + $1.elevationLoss }
    estimatedDuration = edges.reduce(0) { $0 + ($1.duration ?? mode.seconds($1)) }
  }
}

extension RoutingMode {
  /// The seconds of an edge where the database does not say them.
  func seconds(_ edge: RoutingEdge) -> Double {
    seconds(distance: edge.distance, gain: edge.elevationGain)
  }
}
