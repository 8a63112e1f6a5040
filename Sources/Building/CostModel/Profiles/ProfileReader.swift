// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnTagRules
import CairnTravelModels
import StrictYAML
import SystemIO

/// Reads the keys of a profile file.
struct ProfileReader {
  /// The possible values of `based-on`.
  enum Bases {
    /// A built-in profile; a database must not make anyone read files.
    case builtIn
    /// A file, too. The last one of these is being read; each of the others is based on the next one.
    case files([String])
  }

  /// The most files based on each other.
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

  /// Reads the whole profile. Throws the errors of a file on which it is based; its own problems
  /// are recorded.
  func read() throws(CairnError) -> CostProfile {
    reader.checkVersion("cairn-profile")
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
    guard let value = reader.value("based-on"), let word = value.text() else { return .hiking }
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
          ? "is circular: \(path) is based on this file"
          : "is the last of \(Self.longestChain) files that are based on each other",
        hint: "the chain must end with a built-in profile or none")
      return .hiking
    }
    guard pathExists(path) else {
      value.refuse("names a file that does not exist: \(path)")
      return .hiking
    }
    return try CostProfile(file: path, above: chain, lines)
  }

  private func name() -> String {
    guard let value = reader.value("name"), let name = value.text() else { return "" }
    let isWord =
      (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-")
      }
    if !isWord { value.refuse("must be up to 64 lower-case letters, digits and hyphens") }
    return name
  }

  private func summary() -> String {
    guard let value = reader.value("description"), let text = value.text() else { return "" }
    if text.count > 200 { value.refuse("must have at most 200 characters, not \(text.count)") }
    return text
  }

  private func readFormula(_ profile: inout CostProfile) {
    profile.vehicle = choice("vehicle") ?? profile.vehicle
    profile.costBase = choice("cost-base") ?? profile.costBase
    profile.timeModel = choice("time-model") ?? profile.timeModel
    profile.contradictedGrades = choice("contradicted-grades") ?? profile.contradictedGrades
    read(CostProfile.scalars, reader, &profile)
    lines.timeModel = line("time-model") ?? lines.timeModel
    lines.speed = line("speed-kmh") ?? lines.speed
    lines.climb = line("climb-factor") ?? lines.climb
    lines.descent = line("descent") ?? lines.descent
    if let descent = reader.value("descent")?.mapping() {
      read(CostProfile.descents, descent, &profile)
      descent.finish()
    }
  }

  private func read(
    _ scalars: [ProfileScalar], _ reader: MappingReader, _ profile: inout CostProfile
  ) {
    for scalar in scalars {
      if let number = reader.value(scalar.key)?.number() {
        profile[keyPath: scalar.path] = number
      }
    }
  }

  /// The line of a key's value; nil if the file does not have it.
  private func line(_ key: String) -> Location? {
    reader.value(key).map {
      Location(file: $0.problems.file, .line($0.node.line, column: $0.node.column))
    }
  }

  private func choice<Word: RawRepresentable & CaseIterable>(_ key: String) -> Word?
  where Word.RawValue == String {
    reader.value(key)?.choice().flatMap(Word.init)
  }

  private func readTables(_ profile: inout CostProfile) {
    for table in CostProfile.tables {
      merge(reader.value(table.key), into: &profile[keyPath: table.path], known: table.known)
    }
    guard let slowdown = reader.value("slowdown")?.mapping() else { return }
    for table in Slowdown.tables {
      merge(
        slowdown.value(table.key), into: &profile.slowdown[keyPath: table.path],
        known: table.known)
    }
    slowdown.finish()
  }

  private func readLimits(_ profile: inout CostProfile) {
    if let value = reader.value("max-sac") {
      if case .scalar(let text, _) = value.node.content, let grade = SACScale(grade: text) {
        profile.maximumSACScale = grade
      } else if value.choice() != nil {
        profile.maximumSACScale = nil
      }
    }
    if let value = reader.value("max-mtb-scale") {
      profile.maximumMTBScale = value.word == nil ? value.integer() : nil
    }
    if let value = reader.value("max-grade-percent") {
      profile.maximumGradePercent = value.word == nil ? value.number() : nil
    }
  }

  /// Merges the entries of a table. A mistyped value would leave something open that its author
  /// meant to close, so tables with a known set of values accept no others.
  private func merge(_ value: YAMLValue?, into table: inout [String: Double], known: [String]?) {
    guard let entries = value?.mapping() else { return }
    var seen: [String: String] = [:]
    for (key, value) in entries.all() {
      let word = Self.gradeName(key.text, in: known)
      if let other = seen.updateValue(key.text, forKey: word) {
        problems.add("“\(key.text)” and “\(other)” are the same grade", at: key)
      } else if let known, !known.contains(word) {
        let near = nearestWord(to: key.text, among: known)
        problems.add(
          "unknown key “\(key.text.prefix(60))”", at: key,
          hint: near.map { "did you mean “\($0)”?" }
            ?? "there are \(known.joined(separator: ", "))")
      } else if known == nil, let near = Self.likelySurface(word) {
        problems.add(
          "no surface is called “\(key.text.prefix(60))”", at: key, hint: "did you mean “\(near)”?")
      } else if let factor = factor(value.checked(by: entries.form?[word] ?? value.form)) {
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
    if value.word != nil { return CostProfile.impassable }
    guard let word = value.form?.words.named.first, case .scalar(let text, _) = value.node.content,
      Double(text) == nil
    else { return value.number() }
    value.refuse("must be a number or the word \(word), not “\(text.prefix(40))”")
    return nil
  }

  private var problems: YAMLProblems { reader.problems }
}
