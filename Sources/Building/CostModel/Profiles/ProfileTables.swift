// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import CairnTravelModels

// The keys of profile files that are numbers, and those that are tables of them: each is here once, for
// reading, printing, varying and describing profiles.

/// A key of profiles whose value is a number.
struct ProfileScalar: Sendable {
  let key: String
  let path: WritableKeyPath<CostProfile, Double> & Sendable
  let range: ClosedRange<Double>
  /// Its purpose.
  let help: String
}

/// A key of profiles or slowdowns whose value is a table of factors, by the values of a tag.
struct ProfileTable<Root>: Sendable {
  let key: String
  let path: WritableKeyPath<Root, [String: Double]> & Sendable
  /// The keys that it accepts; nil for any.
  let known: [String]?
  /// The printing order of the keys; others are ordered by their factors.
  let order: [String]
  /// Its purpose.
  let help: String
  /// Whether it is printed when it is empty.
  let isAlwaysSaid: Bool

  init(
    _ key: String, _ path: WritableKeyPath<Root, [String: Double]> & Sendable, _ known: [String]?,
    isOrdered: Bool = true, isAlwaysSaid: Bool = false, _ help: String
  ) {
    (self.key, self.path, self.known, self.help) = (key, path, known, help)
    order = isOrdered ? known ?? [] : []
    self.isAlwaysSaid = isAlwaysSaid
  }
}

extension CostProfile {
  /// The version of profile files that this build reads.
  static let fileVersion = 1
  /// The range of a factor in a file, which may also be the word ``impassableWord``.
  static let factorRange = 0.01...1000.0
  /// The factor that makes a way impassable.
  static let impassableWord = "impassable"
  /// The value for no base and for no limit.
  static let nothing = "none"

  /// The keys that are numbers.
  static let scalars = [
    ProfileScalar(
      key: "time-factor", path: \.timeFactor, range: 0.1...10,
      help: "factor of all durations"),
    ProfileScalar(
      key: "time-spread", path: \.timeSpread, range: TimeSpread.range,
      help: "how people vary: the standard deviation of the logarithms of their times"),
    ProfileScalar(
      key: "speed-kmh", path: \.speedKilometresPerHour, range: 0.5...60, help: "speed on the flat"),
    ProfileScalar(
      key: "climb-factor", path: \.climbFactor, range: 0...100,
      help: "flat metres equivalent to a metre of climb"),
    ProfileScalar(
      key: "slowdown-weight", path: \.slowdownWeight, range: 0...1,
      help: "how much of the slowdown counts in costs"),
  ]

  /// The keys of `descent`, in the order of the printed file.
  static let descents = [
    descent("below-10", \.descent.below10, "of a grade below 10 %"),
    descent("from-10", \.descent.from10, "of a grade of 10 to below 20 %"),
    descent("from-20", \.descent.from20, "of a grade of 20 to 30 %"),
    descent("above-30", \.descent.above30, "of a grade above 30 %"),
  ]

  private static func descent(
    _ key: String, _ path: WritableKeyPath<CostProfile, Double> & Sendable, _ help: String
  ) -> ProfileScalar {
    ProfileScalar(key: key, path: path, range: 0...factorRange.upperBound, help: help)
  }

  /// The tables, in the order of the printed file.
  static let tables = [
    ProfileTable(
      "surfaces", \CostProfile.surfacesWithUnknown, nil, isAlwaysSaid: true,
      "factors by surface; unknown if missing or not listed"),
    ProfileTable(
      "tracktypes", \.tracktypes, ProfileKeys.tracktypes,
      "factors by tracktype if the surface is unknown"),
    ProfileTable(
      "unknown-surfaces", \.unknownSurfaces, ProfileKeys.ways, isOrdered: false,
      "factors by highway if neither surface nor tracktype is known"),
    ProfileTable(
      "sac-scale", \.sacScale, ProfileKeys.sacScale, isAlwaysSaid: true, "factors by sac_scale"),
    ProfileTable(
      "highways", \.highways, ProfileKeys.highways.sorted(), isOrdered: false, isAlwaysSaid: true,
      "factors by highway"),
    ProfileTable(
      "tunnels", \.tunnels, ProfileKeys.tunnels,
      "factors below the ground, of roads and of other ways"),
    ProfileTable(
      "trail-visibility", \.trailVisibility, ProfileKeys.trailVisibility,
      "factors by trail_visibility"),
    ProfileTable("smoothness", \.smoothness, ProfileKeys.smoothness, "factors by smoothness"),
    ProfileTable("mtb-scale", \.mtbScale, ProfileKeys.mtbScale, "factors by mtb:scale"),
    ProfileTable(
      "routes", \.routes, ProfileKeys.routes, "factors of waymarked routes by network"),
    ProfileTable("access", \.access, ProfileKeys.access, "factors by class of access"),
  ]

  /// ``surfaces``, with ``unknownSurface`` as `unknown`.
  var surfacesWithUnknown: [String: Double] {
    get { surfaces.merging(["unknown": unknownSurface]) { $1 } }
    set {
      surfaces = newValue
      unknownSurface = surfaces.removeValue(forKey: "unknown") ?? unknownSurface
    }
  }
}

extension Slowdown {
  /// The range of a slowdown in a file.
  static let range = 1.0...20.0

  /// The tables of a profile file, in the order of the printed one.
  static let tables = [
    table("surfaces", \.surfaces, nil),
    table("unknown-surfaces", \.unknownSurfaces, ProfileKeys.ways),
    table("tracktypes", \.tracktypes, ProfileKeys.tracktypes),
    table("sac-scale", \.sacScale, ProfileKeys.sacScale),
    table("highways", \.highways, ProfileKeys.ways),
    table("trail-visibility", \.trailVisibility, ProfileKeys.trailVisibility),
    table("smoothness", \.smoothness, ProfileKeys.smoothness),
    table("mtb-scale", \.mtbScale, ProfileKeys.mtbScale),
    table("access", \.access, ProfileKeys.access),
  ]

  private static func table(
    _ key: String, _ path: WritableKeyPath<Slowdown, [String: Double]> & Sendable,
    _ known: [String]?
  ) -> ProfileTable<Slowdown> { ProfileTable(key, path, known, "factors by \(key)") }
}
