// SPDX-License-Identifier: Apache-2.0

/// The distances at which ``RouteGuidance`` speaks, in metres.
///
/// Distances from the route grow with the accuracy of the fixes: the greater of the value here and
/// the accuracy times its factor holds. A value that is negative or not a number counts as 0.
public struct RouteGuidanceConfig: Hashable, Sendable {
  /// Further from the route than this one is off it, once several fixes agree.
  public var offRouteThresholdMetres = 50.0
  /// Closer to the route than this one is on it again, once several fixes agree.
  public var offRouteClearThresholdMetres = 30.0
  /// A turn is announced this far ahead, or after the turn before it if that is closer.
  public var approachingTurnDistanceMetres = 100.0
  /// At a turn this close one is told to turn.
  public var atTurnDistanceMetres = 30.0
  /// This close to the end of the route one has arrived.
  public var arrivedDistanceMetres = 30.0
  /// Whoever leaves the route steadily, in a direction that differs from its own, is off it from this
  /// distance on. Infinity leaves the decision to ``offRouteThresholdMetres`` alone.
  public var leavingDistanceMetres = 20.0
  /// The accuracy of a fix that does not state it.
  public var assumedAccuracyMetres = 10.0
  /// Fixes with a greater accuracy than this are not used.
  public var worstAccuracyMetres = 100.0

  /// The default values.
  public init() {}
}

/// The distances as they hold for fixes of an accuracy. The factors keep errors of a receiver, which
/// last for a minute, from being taken for a walk: 2.2 accuracies are 3.3 deviations along an axis.
extension RouteGuidanceConfig {
  private func atLeastZero(_ metres: Double) -> Double { metres > 0 ? metres : 0 }

  func offRoute(_ accuracy: Double) -> Double {
    max(atLeastZero(offRouteThresholdMetres), 2.2 * accuracy)
  }

  func onRouteAgain(_ accuracy: Double) -> Double {
    min(max(atLeastZero(offRouteClearThresholdMetres), 1.5 * accuracy), offRoute(accuracy))
  }

  func leaving(_ accuracy: Double) -> Double {
    max(atLeastZero(leavingDistanceMetres), 2.2 * accuracy)
  }

  func arrived(_ accuracy: Double) -> Double {
    max(atLeastZero(arrivedDistanceMetres), accuracy)
  }

  var assumedAccuracy: Double { atLeastZero(assumedAccuracyMetres) }
  var approaching: Double { atLeastZero(approachingTurnDistanceMetres) }
  var atTurn: Double { atLeastZero(atTurnDistanceMetres) }
}
