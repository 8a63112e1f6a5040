// SPDX-License-Identifier: Apache-2.0
import Formatting
import SQLiteKit

/// The rules about the costs of one profile, edge by edge.
struct ProfileCostRules {
  /// The index of the profile; 0 for the one in `routing_edges`.
  let index: Int
  private let name: String
  private let edges: EdgeRows
  private let formula: EdgeCostFormula?
  private var cursor: EdgeCursor
  /// Nil if the database has no tables of islands.
  private(set) var islands: IslandRules?
  /// How many edges have costs.
  private(set) var rows = 0
  /// The minimum cost per metre.
  private(set) var least = Double.infinity
  /// For the first profile, how many costs differ from those of `routing_edges`.
  private(set) var differing = 0

  /// - Parameter formula: Recomputes the costs; nil if the database lacks the data for it.
  init(
    index: Int, name: String, edges: EdgeRows, formula: EdgeCostFormula?, islands: IslandRules?
  ) {
    self.index = index
    self.name = name
    self.edges = edges
    self.formula = formula
    self.islands = islands
    cursor = EdgeCursor(edges.ids)
  }

  /// Checks the next row of `routing_costs`.
  @inline(__always)
  mutating func check(_ row: SQLiteStatement, _ findings: inout Findings) {
    guard let edge = cursor.index(of: row.integer(1)) else {
      findings.add(.foreignKeys, "routing_costs refers to edge \(row.integer(1))")
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
    if index == 0,
      edges.costs[edge] != costs.cost || edges.reverseCosts[edge] != costs.reverseCost
    {
      differing += 1
    } else if let expected = formula?.costs(ofEdge: edge), !costs.agrees(with: expected) {
      findings.add(
        .recomputedCosts,
        "\(title(edge)): \(costs.description), but the profile gives \(expected.description)")
    }
  }

  private func title(_ edge: Int) -> String { "\(name), edge \(edges.ids[edge])" }
}

extension EdgeCostFormula.Costs {
  /// Whether both directions have a time if and only if they are passable.
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
