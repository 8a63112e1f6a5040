// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules

/// Prices the edges of a database, many of which share a tag set: the contribution of a set is
/// computed once.
package struct TagSetPricer: Sendable {
  private let formula: EdgeFormula
  /// The contribution of each tag set of ways, and whether it is that of a ferry.
  private let terms: [TagSetTerms]
  private let isFerry: [Bool]
  /// Whether a barrier with each tag set is closed.
  private let isClosed: [Bool]

  /// - Parameters:
  ///   - sets: The tag sets.
  ///   - access: The access that each of them gives the vehicle of the profile on the day of the
  ///     pricer; nil if it is not yet known.
  ///   - ofBarriers: The index of the set of each edge's barrier; negative where it has none.
  package init(
    _ pricer: EdgePricer, sets: [TagList], access: [Access]? = nil, ofBarriers: [Int32]
  ) {
    formula = pricer.formula
    var terms: [TagSetTerms] = []
    var isFerry: [Bool] = []
    for (set, tags) in sets.enumerated() {
      let factors = pricer.factors(tags, access?[set])
      terms.append(TagSetTerms(factors))
      isFerry.append(factors.isFerry)
    }
    (self.terms, self.isFerry) = (terms, isFerry)
    // Only few tag sets belong to barriers.
    var isBarrier = [Bool](repeating: false, count: sets.count)
    for set in ofBarriers where set >= 0 { isBarrier[Int(set)] = true }
    isClosed = sets.indices.map { set in
      isBarrier[set] && !pricer.passes(barrier: sets[set])
    }
  }

  /// The prices of an edge in its own direction and in the other one.
  ///
  /// - Parameters:
  ///   - set: The index of its tag set.
  ///   - barrier: The index of its barrier's tag set; negative where it has none.
  ///   - distance: Metres.
  ///   - gain: Metres climbed in its own direction.
  ///   - loss: Metres descended in its own direction.
  ///   - ferrySeconds: Its seconds if it is a ferry; see ``FerryCrossings``.
  @inline(__always)
  package func prices(
    set: Int32, barrier: Int32, distance: Double, gain: Double, loss: Double,
    ferrySeconds: () -> Double?
  ) -> (ahead: EdgePricer.Price, back: EdgePricer.Price) {
    if barrier >= 0, isClosed[Int(barrier)] { return (.impassable, .impassable) }
    let terms = terms[Int(set)]
    if isFerry[Int(set)] {
      let seconds = ferrySeconds() ?? 0
      return (
        formula.ferryPrice(terms.forward, distance: distance, seconds: seconds),
        formula.ferryPrice(terms.backward, distance: distance, seconds: seconds)
      )
    }
    let ahead = formula.price(
      terms.forward, slowdown: terms.forwardSlowdown, distance: distance, up: gain, down: loss)
    let back = formula.price(
      terms.backward, slowdown: terms.backwardSlowdown, distance: distance, up: loss, down: gain)
    return (
      .init(cost: ahead.cost, seconds: ahead.seconds), .init(cost: back.cost, seconds: back.seconds)
    )
  }
}
