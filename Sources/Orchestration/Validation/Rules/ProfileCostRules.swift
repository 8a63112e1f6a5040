// SPDX-License-Identifier: Apache-2.0
import Formatting
import SQLiteKit

/// The rules about the costs of one profile, edge by edge.
struct ProfileCostRules {
  /// The place of the profile among all; 0 for that of `routing_edges`.
  let place: Int
  private let name: String
  private let edges: EdgeRows
  private let formula: EdgeCostFormula?
  private var cursor: EdgeCursor
  /// Nil where the database does not tell islands.
  private(set) var islands: IslandRules?
  /// How many edges have costs.
  private(set) var rows = 0
  /// The least cost of a metre.
  private(set) var least = Double.infinity
  /// How many costs are not those of `routing_edges`, in the first profile.
  private(set) var differing = 0

  /// - Parameter formula: What gives the costs anew; nil where the database does not say enough.
  init(
    place: Int, name: String, edges: EdgeRows, formula: EdgeCostFormula?, islands: IslandRules?
  ) {
    self.place = place
    self.name = name
    self.edges = edges
    self.formula = formula
    self.islands = islands
    cursor = EdgeCursor(edges.ids)
  }

  /// Checks the next row of `routing_costs`.
  @inline(__always)
  mutating func check(_ row: SQLiteStatement, _ findings: inout Findings) {
    guard let edge = cursor.place(of: row.integer(1)) else {
      findings.add(.foreignKeys, "routing_costs names edge \(row.integer(1))")
      return
    }
    rows += 1
    let costs = EdgeCostFormula.Costs(
      cost: number(row, 2), reverseCost: number(row, 3), duration: number(row, 4),
      reverseDuration: number(row, 5))
    guard costs.cost > 0, costs.reverseCost > 0 else {
      findings.add(
        .positiveCosts, "\(title(edge)): costs \(costs.cost) and \(costs.reverseCost)")
      return
    }
    if !costs.isTimed {
      findings.add(
        .profileCosts, "\(title(edge)): takes \(costs.duration) s and \(costs.reverseDuration) s")
      return
    }
    islands?.add(edges, edge, cost: costs.cost, reverseCost: costs.reverseCost, &findings)
    let distance = edges.distances[edge]
    if distance > 0 { least = min(least, min(costs.cost, costs.reverseCost) / distance) }
    if place == 0,
      edges.costs[edge] != costs.cost || edges.reverseCosts[edge] != costs.reverseCost
    {
      differing += 1
    } else if let expected = formula?.costs(ofEdge: edge), !costs.agrees(with: expected) {
      findings.add(
        .recomputedCosts,
        "\(title(edge)): \(costs.description), the profile gives \(expected.description)")
    }
  }

  private func title(_ edge: Int) -> String { "\(name), edge \(edges.ids[edge])" }
}

extension EdgeCostFormula.Costs {
  /// Whether there is a time exactly where there is a way.
  @inline(__always)
  fileprivate var isTimed: Bool {
    duration >= 0 && reverseDuration >= 0 && duration.isFinite == cost.isFinite
      && reverseDuration.isFinite == reverseCost.isFinite
  }

  fileprivate var description: String {
    "\(decimal(cost, 2)) and \(decimal(reverseCost, 2)) in \(decimal(duration, 2)) s and "
      + "\(decimal(reverseDuration, 2)) s"
  }
}
