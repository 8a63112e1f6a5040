// SPDX-License-Identifier: Apache-2.0
import CostModel
import RoutingDatabase
import TagRules

/// Recomputes the costs of edges from a stored profile and the stored tags.
struct EdgeCostFormula {
  /// Costs and seconds in both directions.
  struct Costs {
    var cost: Double
    var reverseCost: Double
    var duration: Double
    var reverseDuration: Double

    /// Whether these, as they are stored, equal others that were computed, apart from rounding.
    ///
    /// - Parameter hasRoundedCosts: Whether the costs are those of blocks, not of `routing_edges`.
    @inline(__always)
    func agrees(with computed: Costs, hasRoundedCosts: Bool) -> Bool {
      let tolerance = hasRoundedCosts ? Self.packedTolerance : Self.tolerance
      return Self.agree(cost, computed.cost, tolerance)
        && Self.agree(reverseCost, computed.reverseCost, tolerance)
        && Self.agree(duration, computed.duration, Self.packedTolerance)
        && Self.agree(reverseDuration, computed.reverseDuration, Self.packedTolerance)
    }

    /// The relative difference that rounding explains where both values come from the same formula.
    private static let tolerance = 1e-9
    /// The same where one of them was stored in a block.
    private static let packedTolerance = CostBlock.precision + tolerance
    /// What rounding to the least number of a block explains.
    private static let leastTolerance = Double(CostBlock.least)

    @inline(__always)
    private static func agree(_ one: Double, _ other: Double, _ tolerance: Double) -> Bool {
      // The difference of two infinities is NaN; with one infinity it equals the tolerance.
      one == other || one.isFinite && abs(one - other) <= tolerance * abs(one) + leastTolerance
    }
  }

  private let pricer: EdgePricer
  /// What each tag set contributes.
  private let terms: [EdgePricer.Terms]
  /// Whether a barrier with each tag set is closed.
  private let isClosed: [Bool]
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
    let pricer = EdgePricer(profile, on: date)
    self.pricer = pricer
    terms = tags.sets.map { pricer.terms(EdgeTags(way: $0)) }
    // Only few tag sets belong to barriers.
    var isBarrier = [Bool](repeating: false, count: tags.sets.count)
    for set in tags.ofBarriers where set >= 0 { isBarrier[Int(set)] = true }
    isClosed = tags.sets.indices.map { set in
      isBarrier[set] && pricer.terms(EdgeTags(way: [:], barrier: tags.sets[set])).isBlocked
    }
  }

  /// The costs of an edge by the profile; nil if the database lacks the data for it.
  func costs(ofEdge edge: Int) -> Costs? {
    let (distance, gain, loss) = (edges.distances[edge], edges.gains[edge], edges.losses[edge])
    let set = Int(tags.ofEdges[edge])
    guard set >= 0, distance >= 0, gain >= 0, loss >= 0 else { return nil }
    let barrier = Int(tags.ofBarriers[edge])
    if barrier >= 0, isClosed[barrier] {
      return Costs(
        cost: .infinity, reverseCost: .infinity, duration: .infinity, reverseDuration: .infinity)
    }
    let seconds = terms[set].factors.isFerry ? ferries[edge] ?? 0 : 0
    let forward = pricer.price(
      terms[set], distance: distance, up: gain, down: loss, isReversed: false,
      ferrySeconds: seconds)
    let backward = pricer.price(
      terms[set], distance: distance, up: loss, down: gain, isReversed: true,
      ferrySeconds: seconds)
    return Costs(
      cost: forward.cost, reverseCost: backward.cost, duration: forward.seconds,
      reverseDuration: backward.seconds)
  }
}
