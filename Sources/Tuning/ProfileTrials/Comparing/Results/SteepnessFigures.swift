// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnRouting

/// How steep a route is in the direction of travel.
package struct SteepnessFigures: Codable, Equatable, Sendable {
  /// The slope of the steepest ascent over 100 m in percent; nil if no such length is known.
  package var steepestAscentPercent: Double?
  /// The slope of the steepest descent over 100 m in percent, above 0; nil if no such length is
  /// known.
  package var steepestDescentPercent: Double?
  /// Metres that descend more steeply than 25 %; nil if no slope is known.
  package var steepDescentMetres: Double?

  init(_ steepness: RouteSteepness) {
    steepestAscentPercent = steepness.steepestAscentPercent.map(tenths)
    steepestDescentPercent = steepness.steepestDescentPercent.map(tenths)
    if steepness.knownMetres > 0 {
      steepDescentMetres = tenths(
        steepness.metres(.downhill, steeperThan: RouteSteepness.steepDescentPercent))
    }
  }

  /// `↑ 28 % ↓ 31 %`, in whole percent, the precision of elevations; nil if unknown.
  package var steepestText: String? {
    guard let up = steepestAscentPercent, let down = steepestDescentPercent else { return nil }
    return "↑ \(percent(up.rounded() / 100)) ↓ \(percent(down.rounded() / 100))"
  }
}
