// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import RoutingDatabase
import StrictYAML
import SystemIO

extension CairnError.Code {
  /// A profile that is neither built in nor a file.
  public static let unknownProfile: Self = "unknown-profile"
}

extension CostProfile {
  /// The version of profile files that this build reads.
  static let fileVersion = 1
  /// What a factor in a file may be, besides the word `impassable`.
  static let factorRange = 0.01...1000.0

  /// The profile of a name, or of a file where the word holds a slash or ends in `.yaml`, `.yml`
  /// or `.json`.
  ///
  /// Throws 78 for a name that is not known and for a file that is wrong, 66 for one that is not
  /// there.
  public static func named(_ word: String) throws(CairnError) -> CostProfile {
    if let known = builtIn.first(where: { $0.name == word }) { return known }
    let isPath = word.contains("/") || [".yaml", ".yml", ".json"].contains { word.hasSuffix($0) }
    if isPath { return try CostProfile(file: word) }
    let names = builtIn.map(\.name)
    throw CairnError(
      .unknownProfile, .configuration, "no profile is called “\(word)”",
      hint: nearestWord(to: word, among: names).map { "did you mean \($0)?" }
        ?? "built in are \(names.joined(separator: " and ")); a file needs its path")
  }

  /// Reads a profile file:
  ///
  /// ```yaml
  /// cairn-profile: 1
  /// name: easy-hiking
  /// based-on: hiking                     # what is not said below comes from there
  /// climb-factor: 10
  /// surfaces: { mud: 3, unknown: 1.4 }
  /// sac-scale: { alpine_hiking: impassable }
  /// ```
  ///
  /// Throws 78 with file, line and column for whatever is wrong, several at once.
  public init(file path: String) throws(CairnError) {
    let problems = YAMLProblems(file: path)
    let reader = MappingReader(
      try YAMLDocument.parse(file: path), called: "the profile", problems)
    self = Self.read(reader)
    reader.finish()
    try problems.check()
  }

  private static func read(_ reader: MappingReader) -> CostProfile {
    if let version = reader.required("cairn-profile"), let number = version.integer(),
      number != fileVersion
    {
      version.refuse("must be \(fileVersion), the version that this build reads, not \(number)")
    }
    let names = builtIn.map(\.name)
    let base = reader.optional("based-on")?.choice(of: names)
    var profile = builtIn.first { $0.name == base } ?? .hiking
    profile.name = name(reader)
    if let word = reader.optional("vehicle")?.choice(of: Vehicle.allCases.map(\.rawValue)) {
      profile.vehicle = Vehicle(rawValue: word) ?? profile.vehicle
    }
    profile.climbFactor = reader.optionalNumber("climb-factor", in: 0...100) ?? profile.climbFactor
    profile.speedKilometresPerHour =
      reader.optionalNumber("speed-kmh", in: 0.5...60) ?? profile.speedKilometresPerHour
    if let descent = reader.optionalMapping("descent") {
      read(descent, "below-10", &profile.descent.below10)
      read(descent, "from-10", &profile.descent.from10)
      read(descent, "from-20", &profile.descent.from20)
      read(descent, "above-30", &profile.descent.above30)
      descent.finish()
    }
    merge(reader, "surfaces", into: &profile.surfaces)
    profile.unknownSurface =
      profile.surfaces.removeValue(forKey: "unknown") ?? profile.unknownSurface
    // A mistyped grade would leave open what its author meant to close.
    merge(
      reader, "sac-scale", into: &profile.sacScale, known: RoutingCostConfig.sacScaleMultipliers)
    merge(reader, "highways", into: &profile.highways)
    return profile
  }

  private static func name(_ reader: MappingReader) -> String {
    guard let value = reader.required("name"), let name = value.text() else { return "" }
    let isWord =
      (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-")
      }
    if !isWord { value.refuse("must be a word of up to 64 small letters, digits and hyphens") }
    if builtIn.contains(where: { $0.name == name }) {
      value.refuse("must not be that of a built-in profile, such as \(name)")
    }
    return name
  }

  private static func read(_ reader: MappingReader, _ key: String, _ factor: inout Double) {
    factor = reader.optionalNumber(key, in: 0...factorRange.upperBound) ?? factor
  }

  /// Takes the entries of a table over; where `known` is given, its keys alone may stand there.
  private static func merge(
    _ reader: MappingReader, _ key: String, into table: inout [String: Double],
    known: [String: Double]? = nil
  ) {
    guard let entries = reader.optionalMapping(key) else { return }
    for (key, value) in entries.all() {
      if let known, known[key.text] == nil {
        let near = nearestWord(to: key.text, among: known.keys)
        reader.problems.add(
          "unknown key “\(key.text.prefix(60))”", at: key,
          hint: near.map { "did you mean “\($0)”?" }
            ?? "there are \(known.keys.sorted().joined(separator: ", "))")
      } else if let factor = factor(value) {
        table[key.text] = factor
      }
    }
  }

  private static func factor(_ value: YAMLValue) -> Double? {
    guard case .scalar(let text, _) = value.node.content, Double(text) == nil else {
      return value.number(in: factorRange)
    }
    if text == "impassable" { return impassable }
    value.refuse("must be a number or the word impassable, not “\(text.prefix(40))”")
    return nil
  }
}
