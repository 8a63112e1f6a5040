// SPDX-License-Identifier: Apache-2.0
import Geodesy
import Routing
import RoutingDatabase
import TestSupport

extension BothEngines {
  /// Asks both back ends, whose answers must be equal.
  func agreed<Value: Equatable>(_ ask: (RoutingEngine) throws -> Value) throws -> Value {
    let (one, other) = (try ask(paged), try ask(memory))
    guard one == other else { throw TestFailure("from pages: \(one)\nfrom memory: \(other)") }
    return one
  }

  func isochrones(from start: Coordinate, _ limits: [Double], mode: RoutingMode = .hiking) throws
    -> [Isochrone]
  {
    try agreed { try $0.isochrones(from: start, limitsSeconds: limits, mode: mode) }
  }
}

/// The times at which points are reached, found by relaxing all edges until nothing changes: slow,
/// but obviously correct.
struct ReferenceReach {
  let edges: [RoutingEdge]
  private(set) var seconds: [Int64: Double] = [:]
  private let start: EdgePoint

  init(_ store: RoutingStore, profile: String, from start: EdgePoint) throws {
    self.start = start
    edges = try store.getEdgesInBoundingBox(.world, profile: profile)
    if let node = start.node { seconds[node] = 0 }
    if start.node == nil, let edge = edges.first(where: { $0.id == start.edge }) {
      if edge.cost.isFinite { seconds[edge.toNode] = (1 - start.share) * Self.ahead(edge) }
      if edge.reverseCost.isFinite { seconds[edge.fromNode] = start.share * Self.back(edge) }
    }
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for edge in edges {
        for (from, to, time) in [
          (edge.fromNode, edge.toNode, Self.ahead(edge)),
          (edge.toNode, edge.fromNode, Self.back(edge)),
        ] {
          guard let before = seconds[from], before + time < seconds[to] ?? .infinity else {
            continue
          }
          seconds[to] = before + time
          hasChanged = true
        }
      }
    }
  }

  private static func ahead(_ edge: RoutingEdge) -> Double {
    edge.cost.isFinite ? edge.duration ?? .nan : .infinity
  }

  private static func back(_ edge: RoutingEdge) -> Double {
    edge.reverseCost.isFinite ? edge.reverseDuration ?? .nan : .infinity
  }

  /// When a point inside an edge is reached.
  func seconds(_ edge: RoutingEdge, at share: Double) -> Double {
    // No part of an edge takes no time, also where the edge may not be entered.
    func part(_ share: Double, _ whole: Double) -> Double { share > 0 ? share * whole : 0 }
    var best = (seconds[edge.fromNode] ?? .infinity) + part(share, Self.ahead(edge))
    best = min(best, (seconds[edge.toNode] ?? .infinity) + part(1 - share, Self.back(edge)))
    guard start.node == nil, edge.id == start.edge else { return best }
    let direct = share - start.share
    return min(
      best, direct >= 0 ? part(direct, Self.ahead(edge)) : part(-direct, Self.back(edge)))
  }
}
