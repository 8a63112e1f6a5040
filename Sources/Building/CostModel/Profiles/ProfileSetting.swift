// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import StrictYAML

/// A key of a profile with a value, as it stands on a command line: `climb-factor=10`,
/// `surfaces.mud=3` or `slowdown.sac-scale.T3=1.5`.
package struct ProfileSetting: Sendable {
  /// As it was given.
  package let text: String
  /// The first part of its key.
  private let key: String
  /// Its change, as a profile file.
  private let file: String

  /// The most parts that a key has.
  private static let longestKey = 3

  /// Reads a setting. Throws 64 if it is not KEY=VALUE, the key is unknown or the value is not
  /// allowed there in a profile file.
  package init(_ text: String) throws(CairnError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    // Values have no dots that keys could be parted at by mistake: they stand behind the sign.
    let keys = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, keys.count <= Self.longestKey, keys.allSatisfy({ !$0.isEmpty }) else {
      throw CairnError(
        .usage, .usage, "--set takes KEY=VALUE, such as climb-factor=10, not “\(text.prefix(80))”",
        hint: "write keys of tables with a dot: surfaces.mud=3")
    }
    self.text = text
    key = String(keys[0])
    file = try Self.file(keys.map(String.init), String(parts[1]))
    var profile = CostProfile.hiking
    try apply(to: &profile)
  }

  /// Changes a profile. Throws 64, but for no setting that could be made.
  package func apply(to profile: inout CostProfile) throws(CairnError) {
    let problems = YAMLProblems(file: "--set")
    do throws(CairnError) {
      let node = try YAMLDocument.parse(Array(file.utf8), file: "--set")
      let reader = MappingReader(node, called: "a profile", problems, ProfileForm.changes)
      ProfileReader(reader, bases: .builtIn).change(&profile)
      reader.finish()
      try problems.check()
    } catch {
      throw CairnError(
        .usage, .usage, "--set \(text.prefix(80)): \(error.message)", hint: error.hint)
    }
  }

  /// Remarks if a profile with this setting does not use it.
  package func remarks(on profile: CostProfile) -> [String] {
    let (lines, place) = (ProfileLines(), Location(file: "--set \(text)"))
    switch key {
    case "speed-kmh": lines.speed = place
    case "climb-factor": lines.climb = place
    case "descent": lines.descent = place
    default: break
    }
    return lines.remarks(on: profile)
  }

  /// The setting as a profile file: `{"surfaces":{"mud":3}}`.
  private static func file(_ keys: [String], _ value: String) throws(CairnError) -> String {
    var object: JSONValue =
      Double(value).flatMap { $0.isFinite ? .number($0) : nil } ?? .text(value)
    if let whole = Int(value) { object = .integer(whole) }
    for key in keys.reversed() { object = .object([key: object]) }
    return String(decoding: try encodeJSON(object, pretty: false), as: UTF8.self)
  }
}
