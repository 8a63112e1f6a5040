// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules

/// The reasons for the costs of a route's edges: its stretches with the factors of their costs,
/// recomputed from the profile and the tags in the database.
package struct CostExplanation: Sendable {
  /// Consecutive edges with the same name, factors and slowdown, from one way or several.
  package struct Stretch: Sendable {
    /// The distinct ways, in the order of travel.
    package var wayIDs: [Int64] = []
    /// The name of the way.
    package var name: String?
    /// The contributions of its tags.
    package var factors: [CostFactor]
    /// The product of the factors.
    package var multiplier: Double
    /// The slowdown by its tags, compared with the time model.
    package var slowdown: Double
    /// The distance from the start at which it begins, in metres.
    package var startMetres: Double
    /// Its edges in the order of travel.
    package var edgeIDs: [Int64] = []
    /// Metres.
    package var distance = 0.0
    /// Metres climbed.
    package var gain = 0.0
    /// Metres descended.
    package var loss = 0.0
    /// Whether the climb of any of its edges is known.
    package var isClimbKnown = false
    /// The time that the database has for it.
    package var seconds = 0.0
    /// The cost by purpose.
    package var parts = EdgeFormula.Parts.zero
    /// The cost stored in the database.
    package var cost = 0.0
    /// The cost of the route to the end of the stretch.
    package var totalCost = 0.0

    /// The distance from the start at which it ends, in metres.
    package var endMetres: Double { startMetres + distance }
  }

  /// An edge whose stored cost differs from the one computed from its profile.
  package struct Mismatch: Equatable, Sendable {
    /// Its id.
    package var edge: Int64
    /// The cost in the database.
    package var stored: Double
    /// The cost by the profile; infinite if it is impassable.
    package var computed: Double
  }

  /// The relative difference of two costs explained by rounding: that of the cost, and of the time
  /// of a ferry, from which its cost is derived.
  private static let tolerance = 2 * CostBlock.precision

  /// The profile that the route was found for.
  package let profile: CostProfile
  /// The stretches in the order of travel.
  package private(set) var stretches: [Stretch] = []
  /// The edges whose costs differ from the profile's.
  package private(set) var mismatches: [Mismatch] = []

  /// Takes a route apart.
  ///
  /// - Parameters:
  ///   - edges: Its edges, in the order and direction of travel, with the tags of each.
  ///   - date: The date for which access was evaluated.
  ///   - isClimbKnown: Whether the climb of the edge with an index is known.
  package init(
    _ edges: [(edge: RoutingEdge, tags: EdgeTags)], _ profile: CostProfile, on date: CalendarDate?,
    isClimbKnown: (Int) -> Bool
  ) {
    self.profile = profile
    let pricer = EdgePricer(profile, on: date)
    var (metres, cost) = (0.0, 0.0)
    for (index, (edge, tags)) in edges.enumerated() {
      let terms = pricer.terms(tags)
      // A part of an edge costs its share of the whole edge.
      let share = edge.part?.shares.cost ?? 1
      let (distance, up, down) = (
        edge.part?.wholeDistance ?? edge.distance,
        edge.part?.wholeElevationGain ?? edge.elevationGain,
        edge.part?.wholeElevationLoss ?? edge.elevationLoss
      )
      let computed =
        share
        * pricer.price(
          terms, distance: distance, up: up, down: down, isReversed: edge.isReversed,
          ferrySeconds: (edge.duration ?? 0) / (edge.part?.shares.time ?? 1)
        ).cost
      if !(abs(computed - edge.cost) <= Self.tolerance * edge.cost) {
        mismatches.append(Mismatch(edge: edge.id, stored: edge.cost, computed: computed))
      }
      begin(edge, terms.factors, at: metres)
      metres += edge.distance
      cost += edge.cost
      add(edge, total: cost)
      if edge.distance > 0, isClimbKnown(index) {
        stretches[stretches.count - 1].isClimbKnown = true
      }
      guard computed.isFinite else { continue }
      let parts = pricer.parts(
        terms, distance: distance, up: up, down: down, isReversed: edge.isReversed,
        ferrySeconds: (edge.duration ?? 0) / (edge.part?.shares.time ?? 1))
      stretches[stretches.count - 1].parts += parts.ofPart(edge, cost: computed)
    }
  }

  /// Begins a stretch unless the edge continues the last one.
  private mutating func begin(_ edge: RoutingEdge, _ tags: TagFactors, at metres: Double) {
    let factors = tags.factors(isReversed: edge.isReversed)
    let slowdown = tags.slowdown(isReversed: edge.isReversed)
    if let last = stretches.last, last.name == edge.name, last.factors == factors,
      last.slowdown == slowdown
    {
      return
    }
    stretches.append(
      Stretch(
        name: edge.name, factors: factors, multiplier: tags.multiplier(isReversed: edge.isReversed),
        slowdown: slowdown, startMetres: metres))
  }

  /// Adds an edge to the last stretch; `total` is the cost of the route so far.
  private mutating func add(_ edge: RoutingEdge, total: Double) {
    let last = stretches.count - 1
    stretches[last].edgeIDs.append(edge.id)
    if let way = edge.osmWayID, !stretches[last].wayIDs.contains(way) {
      stretches[last].wayIDs.append(way)
    }
    stretches[last].distance += edge.distance
    stretches[last].gain += edge.elevationGain
    stretches[last].loss += edge.elevationLoss
    stretches[last].seconds += edge.duration ?? 0
    stretches[last].cost += edge.cost
    stretches[last].totalCost = total
  }
}

extension EdgeFormula.Parts {
  /// The parts of the cost of a part of an edge: each one's share of length, climb or descent, made to
  /// add up to its cost.
  func ofPart(_ edge: RoutingEdge, cost: Double) -> EdgeFormula.Parts {
    guard let part = edge.part else { return self }
    func share(_ value: Double, of whole: Double) -> Double { whole > 0 ? value / whole : 0 }
    var parts = self
    parts.distance *= part.share
    parts.climb *= share(edge.elevationGain, of: part.wholeElevationGain)
    parts.descent *= share(edge.elevationLoss, of: part.wholeElevationLoss)
    let sum = parts.distance + parts.climb + parts.descent
    guard sum > 0 else {
      parts = .zero
      parts.distance = cost
      return parts
    }
    parts.distance *= cost / sum
    parts.climb *= cost / sum
    parts.descent *= cost / sum
    return parts
  }
}
