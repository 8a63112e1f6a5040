// SPDX-License-Identifier: Apache-2.0

/// How a ``NavigationEngine`` plans and guides.
public struct NavigationConfig: Sendable {
  /// How one travels; it chooses the profile where none is named.
  public var mode: RoutingMode = .hiking
  /// The name of the profile; nil for the one of the mode.
  public var profile: String?
  /// What is preferred on top of the profile.
  public var preferences = RoutingPreferences()
  /// How far from a passable edge a route may begin and end, in metres.
  public var radiusMetres = RoutingCostConfig.nearestNodeSearchRadiusMetres
  /// The distances at which guidance speaks.
  public var guidance = RouteGuidanceConfig()
  /// The times by which cues are placed.
  public var haptics = HapticTimelineConfig()
  /// When a route is calculated anew.
  public var rerouting = ReroutingConfig()
  /// After this long without a fix the position is lost, in seconds.
  public var positionLostSeconds = 30.0
  /// The language of what is said.
  public var language: Language {
    get { haptics.language }
    set { haptics.language = newValue }
  }

  /// The default values.
  public init() {}
}
