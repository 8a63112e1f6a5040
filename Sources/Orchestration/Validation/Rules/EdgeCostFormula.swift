// SPDX-License-Identifier: Apache-2.0
import CostModel
import RoutingDatabase
import TagRules

/// Works out the costs of edges anew from a stored profile and the stored tags.
struct EdgeCostFormula {
  /// Costs and seconds in both directions.
  struct Costs {
    var cost: Double
    var reverseCost: Double
    var duration: Double
    var reverseDuration: Double

    /// Whether these are, but for rounding, some others.
    @inline(__always)
    func agrees(with other: Costs) -> Bool {
      Self.agree(cost, other.cost) && Self.agree(reverseCost, other.reverseCost)
        && Self.agree(duration, other.duration)
        && Self.agree(reverseDuration, other.reverseDuration)
    }

    /// What rounding may do to a number; each is worked out by the very formula that wrote it.
    private static let tolerance = 1e-9

    @inline(__always)
    private static func agree(_ one: Double, _ other: Double) -> Bool {
      // Of two infinities the difference is no number; of one it is as large as the tolerance.
      one == other || one.isFinite && abs(one - other) <= tolerance * abs(one)
    }
  }

  private let pricer: EdgePricer
  /// What each set of tags contributes.
  private let terms: [EdgePricer.Terms]
  /// Whether a barrier with a set of tags is closed.
  private let isClosed: [Bool]
  private let tags: TagSets
  private let edges: EdgeRows
  private let ferries: FerryCrossings

  /// - Parameter date: The day for which seasons and conditional access were read.
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
    // Few sets are those of barriers.
    var isBarrier = [Bool](repeating: false, count: tags.sets.count)
    for set in tags.ofBarriers where set >= 0 { isBarrier[Int(set)] = true }
    isClosed = tags.sets.indices.map { set in
      isBarrier[set] && pricer.terms(EdgeTags(way: [:], barrier: tags.sets[set])).isBlocked
    }
  }

  /// What the profile gives for an edge; nil where the database does not have what it takes.
  func costs(ofEdge edge: Int) -> Costs? {
    let (distance, gain, loss) = (edges.distances[edge], edges.gains[edge], edges.losses[edge])
    let set = Int(tags.ofEdges[edge])
    guard set >= 0, distance >= 0, gain >= 0, loss >= 0 else { return nil }
    let barrier = Int(tags.ofBarriers[edge])
    if barrier >= 0, isClosed[barrier] {
      return Costs(
        cost: .infinity, reverseCost: .infinity, duration: .infinity, reverseDuration: .infinity)
    }
    let seconds = ferries[edge] ?? 0
    let there = pricer.price(
      terms[set], distance: distance, up: gain, down: loss, isReversed: false,
      ferrySeconds: seconds)
    let back = pricer.price(
      terms[set], distance: distance, up: loss, down: gain, isReversed: true,
      ferrySeconds: seconds)
    return Costs(
      cost: there.cost, reverseCost: back.cost, duration: there.seconds,
      reverseDuration: back.seconds)
  }
}
