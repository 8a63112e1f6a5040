// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules

extension RoutingMode {
  /// The seconds for a way with unknown duration: Naismith's rule with climb as an equivalent
  /// distance, with the parameters of ``RoutingCostConfig``.
  ///
  /// - Parameters:
  ///   - distance: Metres.
  ///   - gain: Metres climbed.
  public func seconds(distance: Double, gain: Double) -> Double {
    switch self {
    case .hiking:
      (distance + gain * RoutingCostConfig.hikingClimbFactor)
        / (RoutingCostConfig.hikingSpeedKilometresPerHour / 3.6)
    case .cycling:
      (distance + gain * RoutingCostConfig.cyclingClimbFactor)
        / (RoutingCostConfig.cyclingSpeedKilometresPerHour / 3.6)
    }
  }
}
