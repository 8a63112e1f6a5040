// SPDX-License-Identifier: Apache-2.0
import CairnTagRules

/// Factors of descent by its grade in percent.
package struct DescentMultipliers: Equatable, Sendable {
  /// Below 10 %.
  package var below10: Double
  /// From 10 % to below 20 %.
  package var from10: Double
  /// From 20 % to 30 %.
  package var from20: Double
  /// Above 30 %.
  package var above30: Double

  /// Names the factors.
  package init(below10: Double, from10: Double, from20: Double, above30: Double) {
    (self.below10, self.from10, self.from20, self.above30) = (below10, from10, from20, above30)
  }

  /// The factor of a grade.
  @inline(__always)
  package func callAsFunction(gradePercent: Double) -> Double {
    if gradePercent < 10 { return below10 }
    if gradePercent < 20 { return from10 }
    return gradePercent <= 30 ? from20 : above30
  }

  /// Those of ``RoutingCostConfig``.
  package static let standard = DescentMultipliers(
    below10: RoutingCostConfig.descentMultiplier(gradePercent: 0),
    from10: RoutingCostConfig.descentMultiplier(gradePercent: 10),
    from20: RoutingCostConfig.descentMultiplier(gradePercent: 20),
    above30: RoutingCostConfig.descentMultiplier(gradePercent: 31))

  /// Descent that costs nothing.
  package static let free = DescentMultipliers(below10: 0, from10: 0, from20: 0, above30: 0)
}
