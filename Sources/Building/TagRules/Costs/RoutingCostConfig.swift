// SPDX-License-Identifier: Apache-2.0

/// The parameters of the cost model of the built-in profiles.
///
///     forward cost = distance × surface × SAC
///                  + gain × climb factor
///                  + loss × climb factor × descent(grade)
///
/// in metres of flat good path. The climb factor 7.92 is Scarf's equivalence between distance and
/// climb, derived from Naismith's rule (Scarf 2007, *Route choice in mountain navigation,
/// Naismith's rule, and the equivalence of distance and climb*).
public enum RoutingCostConfig {
  /// Flat metres equivalent to a metre of climb on foot.
  public static let hikingClimbFactor = 7.92
  /// Flat metres equivalent to a metre of climb by bicycle.
  public static let cyclingClimbFactor = 12.0

  /// Factors of a walker's distance by `surface`.
  public static let hikingSurfaceMultipliers: [String: Double] = [
    "paved": 1.0, "asphalt": 1.0, "concrete": 1.0,
    "compacted": 1.1, "fine_gravel": 1.1,
    "gravel": 1.2,
    "ground": 1.3, "dirt": 1.3, "earth": 1.3,
    "grass": 1.4,
    "rock": 1.5, "pebblestone": 1.5,
    "sand": 1.8,
    "mud": 2.0,
  ]
  /// The factor of a walker's distance if `surface` is missing or not in the table.
  public static let hikingUnknownSurfaceMultiplier = 1.3

  /// Factors of a cyclist's distance by `surface`: the same order, harsher.
  public static let cyclingSurfaceMultipliers: [String: Double] = [
    "paved": 1.0, "asphalt": 1.0, "concrete": 1.0,
    "compacted": 1.2, "fine_gravel": 1.2,
    "gravel": 1.6,
    "ground": 1.8, "dirt": 1.8, "earth": 1.8,
    "grass": 2.2,
    "rock": 3.0, "pebblestone": 2.5,
    "sand": 4.0,
    "mud": 5.0,
  ]
  /// The factor of a cyclist's distance if `surface` is missing or not in the table.
  public static let cyclingUnknownSurfaceMultiplier = 1.5

  /// Factors of the distance by `sac_scale`; untagged counts as 1.
  public static let sacScaleMultipliers: [String: Double] = [
    "strolling": 1.0,
    "hiking": 1.0,
    "mountain_hiking": 1.2,
    "demanding_mountain_hiking": 1.5,
    "alpine_hiking": 2.0,
    "demanding_alpine_hiking": 3.0,
    "difficult_alpine_hiking": 5.0,
  ]

  /// The factor of descent by its grade in percent: below 10 easy, 10 to below 20 braking,
  /// 20 to 30 as slow as climbing, above 30 worse.
  public static func descentMultiplier(gradePercent: Double) -> Double {
    switch gradePercent {
    case ..<10: 0.5
    case ..<20: 0.8
    case ...30: 1.0
    default: 1.5
    }
  }

  /// A walker's speed on flat ground: Naismith's.
  public static let hikingSpeedKilometresPerHour = 5.0
  /// A cyclist's speed on flat ground.
  public static let cyclingSpeedKilometresPerHour = 15.0

  /// The greatest distance of a route's ends from a point, in metres.
  public static let nearestNodeSearchRadiusMetres = 500.0
}
