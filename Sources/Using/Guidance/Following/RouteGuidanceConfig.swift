// SPDX-License-Identifier: Apache-2.0

/// The distances, in metres, at which ``RouteGuidance`` announces events.
///
/// Distances from the route grow with the accuracy of the fixes: the greater of the value here and
/// the accuracy times its factor applies. A negative value or NaN counts as 0.
public struct RouteGuidanceConfig: Hashable, Sendable {
  /// The walker is off the route beyond this distance, once several fixes agree.
  public var offRouteThresholdMetres = 50.0
  /// The walker is on the route again within this distance, once several fixes agree.
  public var offRouteClearThresholdMetres = 30.0
  /// A turn is announced this far ahead, or after the previous turn if that is closer.
  public var approachingTurnDistanceMetres = 100.0
  /// The distance from a turn at which it is due.
  public var atTurnDistanceMetres = 30.0
  /// The distance from the end of the route that counts as arrival.
  public var arrivedDistanceMetres = 30.0
  /// A walker who steadily leaves the route at an angle is off it beyond this distance, which is
  /// more than reflections between houses or in a gorge put a receiver aside. With infinity, only
  /// ``offRouteThresholdMetres`` counts.
  public var leavingDistanceMetres = 38.0
  /// The accuracy of a fix that does not state it.
  public var assumedAccuracyMetres = 10.0
  /// Fixes with a greater accuracy than this are not used.
  public var worstAccuracyMetres = 100.0

  /// The default values.
  public init() {}
}

/// The distances in effect for fixes of a given accuracy. The factors keep receiver errors, which
/// last for a minute, from being mistaken for movement: 2.2 accuracies are 3.3 deviations along an
/// axis.
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
