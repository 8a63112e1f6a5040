// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules

/// Recomputes costs and durations from the contents of a routing database: the definition of a
/// profile, the tags of an edge and the columns of its row.
///
/// ```swift
/// let pricer = EdgePricer(try CostProfile(definition: profile.definition), on: accessDate)
/// let terms = pricer.terms(tags)                      // once for each set of tags
/// let price = pricer.price(terms, distance: 120, up: 8, down: 0, isReversed: false)
/// ```
package struct EdgePricer: Sendable {
  /// The cost and duration of an edge in one direction.
  package struct Price: Equatable, Sendable {
    /// Metres of flat good path, infinite if the edge is closed.
    package var cost: Double
    /// Seconds, infinite if the edge is closed.
    package var seconds: Double

    static let impassable = Price(cost: .infinity, seconds: .infinity)
  }

  /// The contribution of an edge's tags, the same for all edges with these tags.
  package struct Terms: Equatable, Sendable {
    /// The factors of its way.
    package let factors: TagFactors
    /// Whether it represents a barrier that the profile does not pass.
    package let isBlocked: Bool
  }

  private let profile: CostProfile
  private let date: CalendarDate?
  let formula: EdgeFormula

  /// Takes a profile, and the day for which seasons and conditional access are evaluated:
  /// `access_date` in the metadata, with ``TagRules/CalendarDate/isSouthern`` set if most of the
  /// nodes are in the southern hemisphere.
  package init(_ profile: CostProfile, on date: CalendarDate?) {
    self.profile = profile
    self.date = date
    formula = EdgeFormula(profile)
  }

  /// The contribution of some tags.
  package func terms(_ tags: EdgeTags) -> Terms {
    Terms(
      factors: factors(TagList(tags.way), nil),
      isBlocked: tags.barrier.map { !passes(barrier: TagList($0)) } ?? false)
  }

  /// The factors of a way.
  ///
  /// - Parameter access: The access that its tags give; nil if it is not yet known.
  func factors(_ tags: TagList, _ access: Access?) -> TagFactors {
    TagFactors(tags, profile, access ?? Access(tags, for: profile.vehicle, on: date))
  }

  /// Whether the profile passes a barrier.
  func passes(barrier tags: TagList) -> Bool { profile.passes(tags, on: date) }

  /// The price of an edge in one direction.
  ///
  /// - Parameters:
  ///   - distance: Metres.
  ///   - up: Metres climbed in this direction.
  ///   - down: Metres descended in this direction.
  ///   - isReversed: Whether this is the direction from the edge's `to_node` to its `from_node`.
  ///   - ferrySeconds: The stored duration, which is used for ferries: theirs depends on the length
  ///     of the whole way, which an edge does not have.
  package func price(
    _ terms: Terms, distance: Double, up: Double, down: Double, isReversed: Bool,
    ferrySeconds: Double = 0
  ) -> Price {
    if terms.isBlocked { return .impassable }
    let multiplier = terms.factors.multiplier(isReversed: isReversed)
    if terms.factors.isFerry {
      return formula.ferryPrice(multiplier, distance: distance, seconds: ferrySeconds)
    }
    let slowdown = terms.factors.slowdown(isReversed: isReversed)
    let cost = formula.cost(
      multiplier, slowdown: slowdown, distance: distance, up: up, down: down)
    guard cost.isFinite else { return .impassable }
    return Price(
      cost: cost, seconds: formula.seconds(slowdown, distance: distance, up: up, down: down))
  }

  /// The parts of an edge's cost; all of a ferry's is distance.
  package func parts(
    _ terms: Terms, distance: Double, up: Double, down: Double, isReversed: Bool,
    ferrySeconds: Double = 0
  ) -> EdgeFormula.Parts {
    let price = price(
      terms, distance: distance, up: up, down: down, isReversed: isReversed,
      ferrySeconds: ferrySeconds)
    guard price.cost.isFinite, !terms.factors.isFerry else {
      return .init(distance: price.cost, climb: 0, descent: 0)
    }
    return formula.parts(
      terms.factors.multiplier(isReversed: isReversed),
      slowdown: terms.factors.slowdown(isReversed: isReversed), distance: distance, up: up,
      down: down)
  }
}
