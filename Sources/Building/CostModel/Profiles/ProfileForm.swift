// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import CairnTravelModels
import CommandLineKit
import StrictYAML

/// The format of profile files: what ``ProfileReader`` checks them by, and editors, too.
package enum ProfileForm {
  private static let grades = MappingForm.Value.choice(
    ProfileKeys.sacScale, synonyms: SACScale.allCases.dropFirst().map { "T\($0.number)" })

  /// A table with the keys that it accepts.
  private static func key<Root>(_ table: ProfileTable<Root>, _ value: MappingForm.Value)
    -> MappingForm.Key
  {
    guard let known = table.known else { return .init(table.key, .table(value), table.help) }
    let names = known == ProfileKeys.sacScale ? known + grades.words.synonyms : known
    return .init(
      table.key,
      .mapping(MappingForm(keys: names.map { .init($0, value, "the factor of \($0)") })),
      table.help)
  }

  private static func limit(_ value: MappingForm.Value) -> MappingForm.Value {
    .either([value, .choice([CostProfile.nothing])])
  }

  private static func keys(_ scalars: [ProfileScalar]) -> [MappingForm.Key] {
    scalars.map { .init($0.key, .range($0.range), $0.help) }
  }

  static let descent = MappingForm(keys: keys(CostProfile.descents))

  static let slowdown = MappingForm(
    keys: Slowdown.tables.map { key($0, .range(Slowdown.range)) })

  /// The keys that change a profile.
  static let changes = MappingForm(
    keys: [
      .init(
        "vehicle", .choice(CostProfile.Vehicle.allCases.map(\.rawValue)),
        "the vehicle whose access rules apply"),
      .init(
        "cost-base", .choice(CostProfile.CostBase.allCases.map(\.rawValue)),
        "what the factors multiply"),
      .init(
        "time-model", .choice(TimeModel.allCases.map(\.rawValue)), "how to compute durations"),
      .init(
        "descent", .mapping(descent),
        "a metre of descent, by its grade, as a share of one of climb"),
      .init("max-sac", limit(grades), "harder ways are impassable"),
      .init(
        "contradicted-grades", .choice(CostProfile.ContradictedGrades.allCases.map(\.rawValue)),
        "which grades to use if other tags of the way contradict them"),
      .init("max-mtb-scale", limit(.integer(0...6)), "harder ways are impassable"),
      .init("max-grade-percent", limit(.range(1...1000)), "steeper edges are impassable"),
      .init(
        "slowdown", .mapping(slowdown), "factors of durations; the greatest that applies counts"),
    ] + keys(CostProfile.scalars)
      + CostProfile.tables.map {
        key($0, .either([.range(CostProfile.factorRange), .choice([CostProfile.impassableWord])]))
      })

  /// A whole profile.
  static let profile = MappingForm(
    keys: [
      .init(
        "cairn-profile", .integer(CostProfile.fileVersion...CostProfile.fileVersion),
        required: true, "the version"),
      .init("name", .text(pattern: "^[a-z0-9-]{1,64}$"), required: true, "its name in databases"),
      .init("description", .text(), "what it is for, in up to 200 characters"),
      .init(
        "based-on", .text(),
        "where the remaining values come from: "
          + (CostProfile.builtIn.map(\.name) + [CostProfile.nothing]).joined(separator: ", ")
          + ", or the path of a profile file (default hiking)"),
    ] + changes.keys)

  /// The range of a number, by the keys that lead to it; nil if there is no number.
  static func range(of keys: [String]) -> ClosedRange<Double>? {
    var value: MappingForm.Value? = .mapping(profile)
    for key in keys { value = value?.mapping?[key] ?? value?.rows }
    return value?.range
  }

  /// The purpose of a key.
  static func help(_ key: String) -> String {
    profile.keys.first { $0.name == key }?.help ?? ""
  }

  /// The JSON Schema (draft 2020-12) of profile files, for editors.
  package static var schema: JSONValue {
    profile.schema(
      "Cairn cost profile", "Costs and times of edges for one way of travelling")
  }
}
