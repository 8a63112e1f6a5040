// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import StrictYAML
import SystemIO
import TagRules

extension CairnError.Code {
  /// A profile that is neither built in nor a file.
  package static let unknownProfile: Self = "unknown-profile"
}

extension CostProfile {
  /// The version of profile files that this build reads.
  static let fileVersion = 1
  /// The range of a factor in a file, which may also be the word `impassable`.
  static let factorRange = 0.01...1000.0
  /// The range of a slowdown.
  static let slowdownRange = 1.0...20.0
  /// The value for no base and for no limit.
  static let nothing = "none"

  /// The profile with a name, or in a file if the word contains a slash or ends in `.yaml`, `.yml`
  /// or `.json`.
  ///
  /// Throws 78 for an unknown name or an invalid file, 66 for a missing file.
  package static func named(_ word: String) throws(CairnError) -> CostProfile {
    if let known = builtIn.first(where: { $0.name == word }) { return known }
    let isPath = word.contains("/") || [".yaml", ".yml", ".json"].contains { word.hasSuffix($0) }
    if isPath { return try CostProfile(file: word) }
    let names = builtIn.map(\.name)
    throw CairnError(
      .unknownProfile, .configuration, "no profile is called “\(word)”",
      hint: nearestWord(to: word, among: names).map { "did you mean \($0)?" }
        ?? "built in are \(names.joined(separator: ", ")); a file needs its path")
  }

  /// Reads a profile file:
  ///
  /// ```yaml
  /// cairn-profile: 1
  /// name: easy-hiking
  /// based-on: hiking                     # all other keys are inherited from it
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
    let problems = YAMLProblems(file: path)
    let reader = MappingReader(
      try YAMLDocument.parse(file: path), called: "the profile", problems)
    self = ProfileReader(reader).read()
    let known = Self.builtIn.first { [name] in $0.name == name }
    if let known, known != self, let value = reader.optional("name") {
      value.refuse(
        "must not be that of a built-in profile, such as \(name)",
        hint: "choose another name; based-on: \(name) is meant for this")
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
      try YAMLDocument.parse(Array(definition.utf8), file: table), called: "the profile", problems)
    self = ProfileReader(reader).read()
    reader.finish()
    try problems.check()
  }
}

/// Reads the keys of a profile file.
private struct ProfileReader {
  private let reader: MappingReader

  init(_ reader: MappingReader) { self.reader = reader }

  func read() -> CostProfile {
    if let version = reader.required("cairn-profile"), let number = version.integer(),
      number != CostProfile.fileVersion
    {
      version.refuse(
        "must be \(CostProfile.fileVersion), the version that this build reads, not \(number)")
    }
    let names = CostProfile.builtIn.map(\.name)
    let base = reader.optional("based-on")?.choice(of: names + [CostProfile.nothing])
    var profile = CostProfile.builtIn.first { $0.name == base } ?? .hiking
    if base == CostProfile.nothing { profile = CostProfile(name: "") }
    profile.name = name()
    profile.summary = summary()
    readFormula(&profile)
    readTables(&profile)
    readLimits(&profile)
    return profile
  }

  private func name() -> String {
    guard let value = reader.required("name"), let name = value.text() else { return "" }
    let isWord =
      (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-")
      }
    if !isWord { value.refuse("must be a word of up to 64 small letters, digits and hyphens") }
    return name
  }

  private func summary() -> String {
    guard let value = reader.optional("description"), let text = value.text() else { return "" }
    if text.count > 200 { value.refuse("must have at most 200 characters, not \(text.count)") }
    return text
  }

  private func readFormula(_ profile: inout CostProfile) {
    profile.vehicle = choice("vehicle") ?? profile.vehicle
    profile.costBase = choice("cost-base") ?? profile.costBase
    profile.timeModel = choice("time-model") ?? profile.timeModel
    profile.timeFactor = reader.optionalNumber("time-factor", in: 0.1...10) ?? profile.timeFactor
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
  }

  private func choice<Word: RawRepresentable & CaseIterable>(_ key: String) -> Word?
  where Word.RawValue == String {
    reader.optional(key)?.choice(of: Word.allCases.map(\.rawValue)).flatMap(Word.init)
  }

  private func read(_ reader: MappingReader, _ key: String, _ factor: inout Double) {
    factor =
      reader.optionalNumber(key, in: 0...CostProfile.factorRange.upperBound) ?? factor
  }

  private func readTables(_ profile: inout CostProfile) {
    merge("surfaces", into: &profile.surfaces)
    profile.unknownSurface =
      profile.surfaces.removeValue(forKey: "unknown") ?? profile.unknownSurface
    // A mistyped value would leave open what its author meant to close, so tables with a known set
    // of values accept no others.
    merge("tracktypes", into: &profile.tracktypes, known: ProfileKeys.tracktypes)
    merge(
      "unknown-surfaces", into: &profile.unknownSurfaces,
      known: TagSelection.routableHighways.sorted())
    merge("sac-scale", into: &profile.sacScale, known: ProfileKeys.sacScale)
    merge("highways", into: &profile.highways, known: ProfileKeys.highways.sorted())
    merge("tunnels", into: &profile.tunnels, known: ProfileKeys.tunnels)
    merge("trail-visibility", into: &profile.trailVisibility, known: ProfileKeys.trailVisibility)
    merge("smoothness", into: &profile.smoothness, known: ProfileKeys.smoothness)
    merge("mtb-scale", into: &profile.mtbScale, known: ProfileKeys.mtbScale)
    merge("routes", into: &profile.routes, known: ProfileKeys.routes)
    merge("access", into: &profile.access, known: ProfileKeys.access)
    guard let slowdown = reader.optionalMapping("slowdown") else { return }
    for table in Slowdown.tables {
      merge(
        table.key, of: slowdown, into: &profile.slowdown[keyPath: table.path], known: table.known
      ) { $0.number(in: CostProfile.slowdownRange) }
    }
    slowdown.finish()
  }

  private func readLimits(_ profile: inout CostProfile) {
    if let word = reader.optional("max-sac")?
      .choice(of: ProfileKeys.sacScale + [CostProfile.nothing])
    {
      profile.maximumSACScale = SACScale(rawValue: word)
    }
    if let value = reader.optional("max-mtb-scale") {
      profile.maximumMTBScale = isNothing(value) ? nil : value.integer(in: 0...6)
    }
    if let value = reader.optional("max-grade-percent") {
      profile.maximumGradePercent = isNothing(value) ? nil : value.number(in: 1...1000)
    }
  }

  private func isNothing(_ value: YAMLValue) -> Bool {
    guard case .scalar(let text, _) = value.node.content else { return false }
    return text == CostProfile.nothing
  }

  /// Merges the entries of a table; if `known` is given, other keys are refused.
  private func merge(_ key: String, into table: inout [String: Double], known: [String]? = nil) {
    merge(key, of: reader, into: &table, known: known, read: factor)
  }

  private func merge(
    _ key: String, of reader: MappingReader, into table: inout [String: Double], known: [String]?,
    read: (YAMLValue) -> Double?
  ) {
    guard let entries = reader.optionalMapping(key) else { return }
    for (key, value) in entries.all() {
      if let known, !known.contains(key.text) {
        let near = nearestWord(to: key.text, among: known)
        reader.problems.add(
          "unknown key “\(key.text.prefix(60))”", at: key,
          hint: near.map { "did you mean “\($0)”?" }
            ?? "there are \(known.joined(separator: ", "))")
      } else if let factor = read(value) {
        table[key.text] = factor
      }
    }
  }

  private func factor(_ value: YAMLValue) -> Double? {
    guard case .scalar(let text, _) = value.node.content, Double(text) == nil else {
      return value.number(in: CostProfile.factorRange)
    }
    if text == "impassable" { return CostProfile.impassable }
    value.refuse("must be a number or the word impassable, not “\(text.prefix(40))”")
    return nil
  }
}
