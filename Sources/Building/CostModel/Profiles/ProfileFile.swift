// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnTagRules
import StrictYAML
import SystemIO

extension CairnError.Code {
  /// A profile that is neither built in nor a file.
  package static let unknownProfile: Self = "unknown-profile"
}

extension CostProfile {
  /// The profile with a name, or in a file if the word contains a slash or ends in `.yaml`, `.yml`
  /// or `.json`.
  ///
  /// Throws 78 for an unknown name or an invalid file, 66 for a missing file.
  package static func named(_ word: String) throws(CairnError) -> CostProfile {
    if let known = builtIn.first(where: { $0.name == word }) { return known }
    if isPath(word) { return try CostProfile(file: word) }
    let names = builtIn.map(\.name)
    throw CairnError(
      .unknownProfile, .configuration, "no profile is called “\(word)”",
      hint: nearestWord(to: word, among: names).map { "did you mean \($0)?" }
        ?? "built in are \(names.joined(separator: ", ")); a file needs its path")
  }

  /// Whether a word means a file rather than the name of a profile.
  package static func isPath(_ word: String) -> Bool {
    word.contains("/") || [".yaml", ".yml", ".json"].contains { word.hasSuffix($0) }
  }

  /// Reads a profile file:
  ///
  /// ```yaml
  /// cairn-profile: 1
  /// name: easy-hiking
  /// based-on: hiking                     # a profile or a file; all other keys are inherited from it
  /// climb-factor: 10
  /// max-sac: mountain_hiking
  /// surfaces: { mud: 3, unknown: 1.4 }
  /// ```
  ///
  /// `based-on: none` starts from a profile in which every edge costs its length. The name of a
  /// built-in profile is refused unless the file defines the same profile.
  ///
  /// Throws 78 with file, line and column of every problem.
  package init(file path: String) throws(CairnError) {
    try self.init(file: path, above: [], ProfileLines())
  }

  /// Reads a profile file, with remarks on probable mistakes, which name the line of the value in
  /// this file or in one on which it is based. Throws as ``init(file:)`` does.
  package static func checked(file path: String) throws(CairnError)
    -> (profile: CostProfile, remarks: [String])
  {
    let lines = ProfileLines()
    let profile = try CostProfile(file: path, above: [], lines)
    return (profile, lines.remarks(on: profile))
  }

  /// - Parameters:
  ///   - above: The files that are based on this one, the one that was asked for first.
  ///   - lines: Where values stand, in this file and those that it is based on.
  init(file path: String, above: [String], _ lines: ProfileLines) throws(CairnError) {
    let problems = YAMLProblems(file: path)
    let reader = MappingReader(
      try YAMLDocument.parse(file: path), called: "the profile", problems,
      ProfileForm.profile)
    self = try ProfileReader(reader, bases: .files(above + [path]), lines).read()
    let known = Self.builtIn.first { [name] in $0.name == name }
    if let known, known != self, let value = reader.value("name") {
      value.refuse(
        "must not be the name of a built-in profile, such as \(name)",
        hint: "choose another name, and use based-on: \(name)")
    }
    reader.finish()
    try problems.check()
  }

  /// Reads a profile from `routing_profiles.definition` of a database, whatever its name is. Throws
  /// 78 if the text is not a profile.
  package init(definition: String) throws(CairnError) {
    let table = "routing_profiles"
    let problems = YAMLProblems(file: table)
    let reader = MappingReader(
      try YAMLDocument.parse(Array(definition.utf8), file: table), called: "the profile", problems,
      ProfileForm.profile)
    self = try ProfileReader(reader, bases: .builtIn).read()
    reader.finish()
    try problems.check()
  }
}

/// The lines of a profile's values for remarks: in a file, or in one on which it is based. The
/// values of a built-in profile have no line.
final class ProfileLines {
  var speed: Location?
  var timeModel: Location?
  var climb: Location?
  var descent: Location?

  /// Remarks on probable mistakes of the author.
  func remarks(on profile: CostProfile) -> [String] {
    speedRemarks(on: profile) + climbRemarks(on: profile)
  }

  private func climbRemarks(on profile: CostProfile) -> [String] {
    guard profile.costBase == .time, profile.timeModel != .equivalentDistance else { return [] }
    return [("climb-factor", climb), ("descent", descent)].compactMap { key, place in
      place.map {
        "\($0): \(key) does not change costs by time; cost-base: equivalent-distance has it"
      }
    }
  }

  private func speedRemarks(on profile: CostProfile) -> [String] {
    let usual = CostProfile(name: "").speedKilometresPerHour
    let model = profile.timeModel
    guard let speed, profile.speedKilometresPerHour != usual, !model.usesSpeed else { return [] }
    let other = timeModel.flatMap { $0.file == speed.file ? nil : " (\($0))" } ?? ""
    return [
      "\(speed): speed-kmh does not change times by \(model.rawValue)\(other); time-factor does"
    ]
  }
}
