// SPDX-License-Identifier: Apache-2.0
import CostModel
import TravelRules

/// Works out the costs of edges anew from a stored profile and the stored tags.
struct EdgeCostFormula {
  /// What rounding may do to a number; each is worked out by the very formula that wrote it.
  private static let tolerance = 1e-9

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

    @inline(__always)
    private static func agree(_ one: Double, _ other: Double) -> Bool {
      one == other || abs(one - other) <= EdgeCostFormula.tolerance * max(abs(one), abs(other))
    }
  }

  private struct SetFactors {
    var forward: Double
    var backward: Double
    var isFerry: Bool
  }

  private let formula: EdgeFormula
  private let factors: [SetFactors]
  /// Whether a barrier with a set of tags is closed.
  private let isClosed: [Bool]
  private let tags: TagSets
  private let edges: EdgeRows
  private let ferries: FerryCrossings

  init(_ profile: CostProfile, _ tags: TagSets, _ edges: EdgeRows, _ ferries: FerryCrossings) {
    self.tags = tags
    self.edges = edges
    self.ferries = ferries
    formula = EdgeFormula(profile)
    factors = tags.sets.map { set in
      let factors = TagFactors(set, profile)
      return SetFactors(
        forward: factors.forward, backward: factors.backward, isFerry: factors.isFerry)
    }
    isClosed = tags.sets.map { !BarrierPassage($0, for: profile.vehicle, on: nil).isPassable }
  }

  /// What the profile gives for an edge; nil where the database does not have what it takes.
  @inline(__always)
  func costs(ofEdge edge: Int) -> Costs? {
    let (distance, gain, loss) = (edges.distances[edge], edges.gains[edge], edges.losses[edge])
    let set = Int(tags.ofEdges[edge])
    guard set >= 0, distance >= 0, gain >= 0, loss >= 0 else { return nil }
    let barrier = Int(tags.ofBarriers[edge])
    if barrier >= 0, isClosed[barrier] {
      return Costs(
        cost: .infinity, reverseCost: .infinity, duration: .infinity, reverseDuration: .infinity)
    }
    let factors = factors[set]
    if factors.isFerry { return ferryCosts(edge, factors) }
    let there = formula.cost(factors.forward, distance: distance, up: gain, down: loss)
    let back = formula.cost(factors.backward, distance: distance, up: loss, down: gain)
    return Costs(
      cost: there, reverseCost: back,
      duration: there.isFinite
        ? formula.seconds(distance: distance, up: gain, down: loss) : .infinity,
      reverseDuration: back.isFinite
        ? formula.seconds(distance: distance, up: loss, down: gain) : .infinity)
  }

  private func ferryCosts(_ edge: Int, _ factors: SetFactors) -> Costs? {
    guard let seconds = ferries[edge] else { return nil }
    let distance = edges.distances[edge]
    let there = formula.ferryCost(factors.forward, distance: distance, seconds: seconds)
    let back = formula.ferryCost(factors.backward, distance: distance, seconds: seconds)
    return Costs(
      cost: there, reverseCost: back, duration: there.isFinite ? seconds : .infinity,
      reverseDuration: back.isFinite ? seconds : .infinity)
  }
}
