// SPDX-License-Identifier: Apache-2.0
import CairnRouting

/// How fast somebody may move, by the mode of travel.
struct Pace: Sendable {
  /// Metres a second along a route that nobody keeps up for long.
  var fastest: Double
  /// Metres a second in which a position cannot change, so that a receiver must be wrong.
  var impossible: Double
  /// By how many metres a second the speed along a route is uncertain.
  var uncertainty: Double

  init(_ mode: RoutingMode) {
    switch mode {
    case .hiking: self = Pace(fastest: 4, impossible: 8, uncertainty: 0.7)
    case .cycling: self = Pace(fastest: 15, impossible: 30, uncertainty: 3)
    }
  }

  private init(fastest: Double, impossible: Double, uncertainty: Double) {
    (self.fastest, self.impossible, self.uncertainty) = (fastest, impossible, uncertainty)
  }
}
