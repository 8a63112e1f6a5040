// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules
import CostModel

/// Recomputes the costs of edges from a stored profile and the stored tags. A class, since copying all
/// that a profile says for each edge would take longer than the computation.
final class EdgeCostFormula: Sendable {
  /// Costs and seconds in both directions.
  struct Costs {
    var cost: Double
    var reverseCost: Double
    var duration: Double
    var reverseDuration: Double

    /// Whether these stored costs equal computed ones, apart from rounding.
    ///
    /// - Parameter hasRoundedCosts: Whether the costs come from blocks, not from `routing_edges`.
    @inline(__always)
    func agrees(with computed: Costs, hasRoundedCosts: Bool) -> Bool {
      let tolerance = hasRoundedCosts ? Self.packedTolerance : Self.tolerance
      return Self.agree(cost, computed.cost, tolerance)
        && Self.agree(reverseCost, computed.reverseCost, tolerance)
        && Self.agree(duration, computed.duration, Self.packedTolerance)
        && Self.agree(reverseDuration, computed.reverseDuration, Self.packedTolerance)
    }

    /// The relative difference by rounding if both values come from the same formula.
    private static let tolerance = 1e-9
    /// The same if one of them was stored in a block.
    private static let packedTolerance = CostBlock.precision + tolerance
    /// The difference by rounding to the least number of a block.
    private static let leastTolerance = Double(CostBlock.least)

    @inline(__always)
    private static func agree(_ one: Double, _ other: Double, _ tolerance: Double) -> Bool {
      // The difference of two infinities is NaN; with one infinity it equals the tolerance.
      one == other || one.isFinite && abs(one - other) <= tolerance * abs(one) + leastTolerance
    }
  }

  private let pricer: TagSetPricer
  private let tags: TagSets
  private let edges: EdgeRows
  private let ferries: FerryCrossings

  /// - Parameter date: The date for which seasons and conditional access were evaluated.
  init(
    _ profile: CostProfile, on date: CalendarDate?, _ tags: TagSets, _ edges: EdgeRows,
    _ ferries: FerryCrossings
  ) {
    self.tags = tags
    self.edges = edges
    self.ferries = ferries
    pricer = TagSetPricer(
      EdgePricer(profile, on: date), sets: tags.lists,
      access: tags.access(for: profile.vehicle, on: date), ofBarriers: tags.ofBarriers)
  }

  /// The costs of an edge by the profile; nil if the database lacks the data for it.
  func costs(ofEdge edge: Int) -> Costs? {
    let (distance, gain, loss) = (edges.distances[edge], edges.gains[edge], edges.losses[edge])
    let set = tags.ofEdges[edge]
    guard set >= 0, distance >= 0, gain >= 0, loss >= 0 else { return nil }
    let (ahead, back) = pricer.prices(
      set: set, barrier: tags.ofBarriers[edge], distance: distance, gain: gain, loss: loss
    ) { ferries[edge] }
    return Costs(
      cost: ahead.cost, reverseCost: back.cost, duration: ahead.seconds,
      reverseDuration: back.seconds)
  }
}
