// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import StrictYAML
import TagRules
import TravelModels

/// The format of profile files, described a second time for editors; that it agrees with the reader
/// is tested, key by key.
package enum ProfileForm {
  private static let factor = MappingForm.Value.either([
    .range(CostProfile.factorRange), .choice(["impassable"]),
  ])
  private static let slowdownFactor = MappingForm.Value.range(CostProfile.slowdownRange)
  private static let grades =
    ProfileKeys.sacScale + SACScale.allCases.dropFirst().map { "T\($0.number)" }
  private static let share = MappingForm.Value.range(0...CostProfile.factorRange.upperBound)

  /// A table with the keys that it accepts; nil for any.
  private static func table(_ keys: [String]?, _ value: MappingForm.Value) -> MappingForm.Value {
    guard let keys else { return .table(value) }
    let names = keys == ProfileKeys.sacScale ? grades : keys
    return .mapping(MappingForm(keys: names.map { .init($0, value, "the factor of \($0)") }))
  }

  private static func limit(_ value: MappingForm.Value) -> MappingForm.Value {
    .either([value, .choice([CostProfile.nothing])])
  }

  static let descent = MappingForm(keys: [
    .init("below-10", share, "of a grade below 10 %"),
    .init("from-10", share, "of a grade of 10 to below 20 %"),
    .init("from-20", share, "of a grade of 20 to 30 %"),
    .init("above-30", share, "of a grade above 30 %"),
  ])

  static let slowdown = MappingForm(
    keys: Slowdown.tables.map {
      .init($0.key, table($0.known, slowdownFactor), "factors by \($0.key)")
    })

  /// A whole profile.
  static let profile = MappingForm(keys: [
    .init(
      "cairn-profile", .integer(CostProfile.fileVersion...CostProfile.fileVersion), required: true,
      "the version"),
    .init("name", .text(pattern: "^[a-z0-9-]{1,64}$"), required: true, "its name in databases"),
    .init("description", .text(), "what it is for, in up to 200 characters"),
    .init(
      "based-on", .text(),
      "where everything not said here comes from: "
        + (CostProfile.builtIn.map(\.name) + [CostProfile.nothing]).joined(separator: ", ")
        + ", or the path of a profile file (default hiking)"),
    .init(
      "vehicle", .choice(CostProfile.Vehicle.allCases.map(\.rawValue)), "whose access rules apply"),
    .init(
      "cost-base", .choice(CostProfile.CostBase.allCases.map(\.rawValue)),
      "what the factors multiply"),
    .init(
      "time-model", .choice(TimeModel.allCases.map(\.rawValue)), "how durations are computed"),
    .init("time-factor", .range(0.1...10), "durations are multiplied by this"),
    .init(
      "time-spread", .range(TimeSpread.range),
      "how people's times differ: the standard deviation of their logarithms"),
    .init("speed-kmh", .range(0.5...60), "speed on the flat"),
    .init("climb-factor", .range(0...100), "flat metres equivalent to a metre of climb"),
    .init(
      "descent", .mapping(descent),
      "a metre of descent, by its grade, as a share of one of climb"),
    .init("max-sac", limit(.choice(grades)), "harder ways are impassable"),
    .init("max-mtb-scale", limit(.integer(0...6)), "harder ways are impassable"),
    .init("max-grade-percent", limit(.range(1...1000)), "steeper edges are impassable"),
    .init(
      "surfaces", table(nil, factor), "factors by surface; unknown if missing or not listed"),
    .init(
      "tracktypes", table(ProfileKeys.tracktypes, factor),
      "factors by tracktype if the surface is unknown"),
    .init(
      "unknown-surfaces", table(TagSelection.routableHighways.sorted(), factor),
      "factors by highway if neither surface nor tracktype is known"),
    .init("sac-scale", table(ProfileKeys.sacScale, factor), "factors by sac_scale"),
    .init("highways", table(ProfileKeys.highways.sorted(), factor), "factors by highway"),
    .init(
      "tunnels", table(ProfileKeys.tunnels, factor),
      "factors below the ground, of roads and of other ways"),
    .init(
      "trail-visibility", table(ProfileKeys.trailVisibility, factor),
      "factors by trail_visibility"),
    .init("smoothness", table(ProfileKeys.smoothness, factor), "factors by smoothness"),
    .init("mtb-scale", table(ProfileKeys.mtbScale, factor), "factors by mtb:scale"),
    .init("routes", table(ProfileKeys.routes, factor), "factors of waymarked routes by network"),
    .init("access", table(ProfileKeys.access, factor), "factors by class of access"),
    .init(
      "slowdown", .mapping(slowdown), "durations are multiplied by the greatest that applies"),
  ])

  /// The JSON Schema (draft 2020-12) of profile files, for editors.
  package static var schema: JSONValue {
    profile.schema(
      "Cairn cost profile", "What an edge costs and how long it takes for one way of travelling")
  }
}
