// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
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
  private var spreads: [Int64: EdgeSpread] = [:]

  init(_ store: RoutingStore, profile: String, from start: EdgePoint) throws {
    self.start = start
    edges = try store.getEdgesInBoundingBox(.world, profile: profile)
    let definition = try store.profiles().first { $0.name == profile }?.definition
    let formula = definition.map { ProfileFormula(definition: $0) } ?? .unknown
    for edge in edges {
      spreads[edge.id] = formula.timeSpread(edge, try store.elevationProfile(ofEdge: edge.id))
    }
    if let node = start.node { seconds[node] = 0 }
    if start.node == nil, let edge = edges.first(where: { $0.id == start.edge }) {
      if edge.cost.isFinite { seconds[edge.toNode] = part(edge, from: start.share, to: 1) }
      if edge.reverseCost.isFinite { seconds[edge.fromNode] = part(edge, from: start.share, to: 0) }
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
    var best = (seconds[edge.fromNode] ?? .infinity) + part(edge, from: 0, to: share)
    best = min(best, (seconds[edge.toNode] ?? .infinity) + part(edge, from: 1, to: share))
    guard start.node == nil, edge.id == start.edge else { return best }
    return min(best, part(edge, from: start.share, to: share))
  }

  /// The time of a part of an edge.
  private func part(_ edge: RoutingEdge, from start: Double, to end: Double) -> Double {
    // No part takes no time, also where the edge may not be entered.
    guard start != end else { return 0 }
    let share = (spreads[edge.id] ?? .even).share(from: start, to: end)
    return (end > start ? Self.ahead(edge) : Self.back(edge)) * share
  }
}
