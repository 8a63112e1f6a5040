// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnRoutingDatabase
import CairnSQLiteKit

/// The rules about the costs of one profile, edge by edge.
struct ProfileCostRules {
  /// The index of the profile; 0 for the one in `routing_edges`.
  let index: Int
  private let name: String
  private let edges: EdgeRows
  private let elevations: [Double]
  private let formula: EdgeCostFormula?
  /// Nil if the database has no tables of islands.
  private(set) var islands: IslandRules?
  /// The number of edges with costs.
  private(set) var rows = 0
  /// The minimum cost per metre.
  private(set) var least = Double.infinity
  /// What climbing costs.
  private(set) var climb: ClimbCosts.Least

  /// - Parameters:
  ///   - elevations: Those of the nodes.
  ///   - perMetre: The stated minimum cost per metre.
  ///   - formula: Recomputes the costs; nil if the database lacks the data for it.
  init(
    index: Int, name: String, edges: EdgeRows, elevations: [Double], perMetre: Double,
    formula: EdgeCostFormula?, islands: IslandRules?
  ) {
    self.elevations = elevations
    climb = ClimbCosts.Least(perMetre: perMetre)
    self.index = index
    self.name = name
    self.edges = edges
    self.formula = formula
    self.islands = islands
  }

  /// Checks a row of `routing_cost_blocks`: its id, costs and durations, and the types of these two.
  mutating func check(_ row: SQLiteStatement, block number: Int64, _ findings: inout Findings)
    throws(CairnError)
  {
    guard let block = EdgesOfBlock(number, per: RoutingSchema.edgesPerBlock, edges.ids) else {
      findings.add(
        .foreignKeys,
        "routing_cost_blocks has block \(number) of \(name), but no edge is in it")
      return
    }
    // The costs of the first profile are in `routing_edges`.
    let type = index == 0 ? "null" : "blob"
    guard row.text(3) == type, row.text(4) == "blob" else {
      findings.add(
        .profileCosts,
        "\(name), block \(number): costs are \(row.text(3) ?? "")s and durations "
          + "\(row.text(4) ?? "")s")
      return
    }
    try row.withBlob(1) { costs throws(CairnError) in
      try row.withBlob(2) { durations throws(CairnError) in
        let bytes = block.count * CostBlock.bytesPerEdge
        guard durations.count == bytes, index == 0 || costs.count == bytes else {
          findings.add(
            .profileCosts,
            "\(name), block \(number): \(costs.count) bytes of costs and \(durations.count) of "
              + "durations for \(block.count) edges")
          return
        }
        for offset in 0..<block.count {
          guard let edge = block.index(offset, edges.ids) else {
            findings.add(
              .foreignKeys, "routing_cost_blocks refers to edge \(block.first + Int64(offset))")
            continue
          }
          guard let times = CostBlock.numbers(durations, offset) else { continue }
          let prices =
            index == 0
            ? (edges.costs[edge], edges.reverseCosts[edge]) : CostBlock.numbers(costs, offset)
          guard let prices else { continue }
          check(
            edge,
            .init(
              cost: prices.0, reverseCost: prices.1, duration: times.ahead,
              reverseDuration: times.back), &findings)
        }
      }
    }
  }

  @inline(__always)
  private mutating func check(
    _ edge: Int, _ costs: EdgeCostFormula.Costs, _ findings: inout Findings
  ) {
    rows += 1
    guard costs.cost > 0, costs.reverseCost > 0 else {
      // Another rule reports the costs of `routing_edges`.
      if index > 0 {
        findings.add(
          .positiveCosts, "\(title(edge)): costs \(costs.cost) and \(costs.reverseCost)")
      }
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
    let (from, to) = (edges.from[edge], edges.to[edge])
    // Other rules report edges without nodes and invalid lengths.
    if from != EdgeRows.nowhere, to != EdgeRows.nowhere, distance >= 0 {
      let rise = elevations[Int(to)] - elevations[Int(from)]
      climb.add(cost: costs.cost, metres: distance, rise: rise)
      climb.add(cost: costs.reverseCost, metres: distance, rise: -rise)
    }
    if let expected = formula?.costs(ofEdge: edge),
      !costs.agrees(with: expected, hasRoundedCosts: index > 0)
    {
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
