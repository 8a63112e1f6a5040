// SPDX-License-Identifier: Apache-2.0
import RoutingDatabase
import TagRules

/// Recomputes costs and durations from what a routing database holds: the definition of a
/// profile, the tags of an edge and the columns of its row.
///
/// ```swift
/// let pricer = EdgePricer(try CostProfile(definition: profile.definition), on: accessDate)
/// let terms = pricer.terms(tags)                      // once for each set of tags
/// let price = pricer.price(terms, distance: 120, up: 8, down: 0, isReversed: false)
/// ```
package struct EdgePricer: Sendable {
  /// What an edge costs in one direction.
  package struct Price: Equatable, Sendable {
    /// Metres of flat good path, infinite where there is no way.
    package var cost: Double
    /// Seconds, infinite where there is no way.
    package var seconds: Double

    static let impassable = Price(cost: .infinity, seconds: .infinity)
  }

  /// What the tags of an edge contribute: the same for all edges with these tags.
  package struct Terms: Equatable, Sendable {
    /// The factors of its way.
    package let factors: TagFactors
    /// Whether it stands for a barrier that the profile does not pass.
    package let isBlocked: Bool
  }

  private let profile: CostProfile
  private let date: CalendarDate?
  private let formula: EdgeFormula

  /// Takes a profile, and the day for which seasons and conditional access are read: that of
  /// `access_date` in the metadata, with ``TagRules/CalendarDate/isSouthern`` set by where most
  /// of the nodes lie.
  package init(_ profile: CostProfile, on date: CalendarDate?) {
    self.profile = profile
    self.date = date
    formula = EdgeFormula(profile)
  }

  /// What tags contribute.
  package func terms(_ tags: EdgeTags) -> Terms {
    Terms(
      factors: TagFactors(tags.way, profile, on: date),
      isBlocked: tags.barrier.map { !profile.passes($0, on: date) } ?? false)
  }

  /// The price of an edge in one direction.
  ///
  /// - Parameters:
  ///   - distance: Metres.
  ///   - up: Metres climbed in this direction.
  ///   - down: Metres descended in this direction.
  ///   - isReversed: Whether this is the direction against the row of the edge.
  ///   - ferrySeconds: How long a ferry takes: its time comes from the length of its whole way,
  ///     which an edge does not know, so the stored time is used.
  package func price(
    _ terms: Terms, distance: Double, up: Double, down: Double, isReversed: Bool,
    ferrySeconds: Double = 0
  ) -> Price {
    if terms.isBlocked { return .impassable }
    let multiplier = terms.factors.multiplier(isReversed: isReversed)
    if terms.factors.isFerry {
      guard ferrySeconds.isFinite, multiplier.isFinite else { return .impassable }
      let cost = formula.ferryCost(multiplier, distance: distance, seconds: ferrySeconds)
      return Price(cost: cost, seconds: ferrySeconds)
    }
    let cost = formula.cost(multiplier, distance: distance, up: up, down: down)
    guard cost.isFinite else { return .impassable }
    return Price(cost: cost, seconds: formula.seconds(distance: distance, up: up, down: down))
  }

  /// What the price of an edge is made of; all of a ferry's is its distance.
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
      terms.factors.multiplier(isReversed: isReversed), distance: distance, up: up, down: down)
  }
}
