// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import StrictYAML
import SystemIO
import TagRules
import TravelModels

/// Reads the keys of a profile file.
struct ProfileReader {
  /// What `based-on` may name.
  enum Bases {
    /// A built-in profile; a database must not make anyone read files.
    case builtIn
    /// A file, too. The last one of these is being read; each of the others is based on the next one.
    case files([String])
  }

  /// How many files may be based on each other.
  static let longestChain = 16

  private let reader: MappingReader
  private let bases: Bases
  private let lines: ProfileLines

  /// - Parameter lines: Gets where values stand.
  init(_ reader: MappingReader, bases: Bases, _ lines: ProfileLines = ProfileLines()) {
    self.reader = reader
    self.bases = bases
    self.lines = lines
  }

  /// Reads the whole profile. Throws what is wrong with a file that it is based on; problems of its
  /// own are recorded.
  func read() throws(CairnError) -> CostProfile {
    if let version = reader.required("cairn-profile"), let number = version.integer(),
      number != CostProfile.fileVersion
    {
      version.refuse(
        "must be \(CostProfile.fileVersion), the version that this build reads, not \(number)")
    }
    var profile = try base()
    profile.name = name()
    profile.summary = summary()
    change(&profile)
    return profile
  }

  /// Reads the keys that change a profile: all but its name, its description and its base.
  func change(_ profile: inout CostProfile) {
    readFormula(&profile)
    readTables(&profile)
    readLimits(&profile)
  }

  /// The profile that this one is based on; `hiking` where it does not say.
  private func base() throws(CairnError) -> CostProfile {
    guard let value = reader.optional("based-on"), let word = value.text() else { return .hiking }
    if word == CostProfile.nothing { return CostProfile(name: "") }
    if let known = CostProfile.builtIn.first(where: { $0.name == word }) { return known }
    guard case .files(let chain) = bases, CostProfile.isPath(word) else {
      _ = value.choice(of: CostProfile.builtIn.map(\.name) + [CostProfile.nothing])
      return .hiking
    }
    let path = joinPath(splitPath(chain.last ?? "").folder, word)
    guard !chain.contains(path), chain.count < Self.longestChain else {
      value.refuse(
        chain.contains(path)
          ? "leads back to this file: \(path) is based on it"
          : "is the last of \(Self.longestChain) files that are based on each other",
        hint: "a profile is based on a built-in one in the end, or on none")
      return .hiking
    }
    guard pathExists(path) else {
      value.refuse("names a file that does not exist: \(path)")
      return .hiking
    }
    return try CostProfile(file: path, above: chain, lines)
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
    profile.timeSpread =
      reader.optionalNumber("time-spread", in: TimeSpread.range) ?? profile.timeSpread
    profile.climbFactor = reader.optionalNumber("climb-factor", in: 0...100) ?? profile.climbFactor
    profile.speedKilometresPerHour =
      reader.optionalNumber("speed-kmh", in: 0.5...60) ?? profile.speedKilometresPerHour
    lines.timeModel = line("time-model") ?? lines.timeModel
    lines.speed = line("speed-kmh") ?? lines.speed
    if let descent = reader.optionalMapping("descent") {
      read(descent, "below-10", &profile.descent.below10)
      read(descent, "from-10", &profile.descent.from10)
      read(descent, "from-20", &profile.descent.from20)
      read(descent, "above-30", &profile.descent.above30)
      descent.finish()
    }
  }

  /// Where the value of a key stands; nil where the file does not have it.
  private func line(_ key: String) -> Location? {
    reader.optional(key).map {
      Location(file: $0.problems.file, .line($0.node.line, column: $0.node.column))
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
    if let value = reader.optional("max-sac") {
      if case .scalar(let text, _) = value.node.content, let grade = SACScale(grade: text) {
        profile.maximumSACScale = grade
      } else if let word = value.choice(of: ProfileKeys.sacScale + [CostProfile.nothing]) {
        profile.maximumSACScale = SACScale(rawValue: word)
      }
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
    var seen: [String: String] = [:]
    for (key, value) in entries.all() {
      let word = Self.gradeName(key.text, in: known)
      if let other = seen.updateValue(key.text, forKey: word) {
        reader.problems.add("“\(key.text)” and “\(other)” are the same grade", at: key)
      } else if let known, !known.contains(word) {
        let near = nearestWord(to: key.text, among: known)
        reader.problems.add(
          "unknown key “\(key.text.prefix(60))”", at: key,
          hint: near.map { "did you mean “\($0)”?" }
            ?? "there are \(known.joined(separator: ", "))")
      } else if known == nil, let near = Self.likelySurface(word) {
        reader.problems.add(
          "no surface is called “\(key.text.prefix(60))”", at: key, hint: "did you mean “\(near)”?")
      } else if let factor = read(value) {
        table[word] = factor
      }
    }
  }

  /// A key of a table by its usual name: in one of grades of the SAC scale, `T3` is one.
  private static func gradeName(_ key: String, in known: [String]?) -> String {
    guard known == ProfileKeys.sacScale else { return key }
    return SACScale(grade: key)?.rawValue ?? key
  }

  /// The surface that an unknown one is probably meant to be. Mappers invent surfaces, so one that
  /// is not like any other is accepted.
  private static func likelySurface(_ word: String) -> String? {
    ProfileKeys.surfaces.contains(word) ? nil : nearestWord(to: word, among: ProfileKeys.surfaces)
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
