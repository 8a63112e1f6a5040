// SPDX-License-Identifier: Apache-2.0

/// How a ``NavigationEngine`` plans and guides.
public struct NavigationConfig: Sendable {
  /// The mode of travel, which chooses the profile unless one is named.
  public var mode: RoutingMode = .hiking
  /// The name of the cost profile; nil for the mode's.
  public var profile: String?
  /// Preferences applied on top of the profile.
  public var preferences = RoutingPreferences()
  /// The greatest distance from either end of a route to a passable edge, in metres.
  public var radiusMetres = RoutingCostConfig.nearestNodeSearchRadiusMetres
  /// The distances at which guidance speaks.
  public var guidance = RouteGuidanceConfig()
  /// The intervals for scheduling cues.
  public var haptics = HapticTimelineConfig()
  /// When a route is calculated anew.
  public var rerouting = ReroutingConfig()
  /// After this long without a fix the position is lost, in seconds.
  public var positionLostSeconds = 30.0
  /// The language of instructions and texts.
  public var language: Language {
    get { haptics.language }
    set { haptics.language = newValue }
  }

  /// The default values.
  public init() {}
}
