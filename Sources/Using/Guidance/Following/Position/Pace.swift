// SPDX-License-Identifier: Apache-2.0
import CairnRouting

/// The speeds possible in a mode of travel.
struct Pace: Sendable {
  /// A speed along a route that nobody keeps up for long, in metres a second.
  var fastest: Double
  /// A speed in metres a second beyond which the receiver must be wrong.
  var impossible: Double
  /// The uncertainty of the speed along a route, in metres a second.
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
