// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

extension CairnError.Code {
  /// The command line does not fit the command.
  package static let usage: Self = "usage"
}

/// A command line, parsed according to the definition of its command.
package struct Arguments: Sendable {
  private let definition: CommandDefinition
  private var values: [String: [String]] = [:]
  /// The positional arguments.
  package private(set) var positionals: [String] = []

  /// Parses a command line. Throws 64 for anything that the definition does not allow. Missing
  /// options are reported by ``checkRequired()``, so that `--help` works without them.
  package init(_ words: some Sequence<String>, for definition: CommandDefinition)
    throws(CairnError)
  {
    self.definition = definition
    var rest = Array(words)[...]
    while let word = rest.popFirst() {
      if word == "--" {
        positionals += rest
        break
      } else if word.hasPrefix("--") {
        try readLong(word.dropFirst(2), &rest)
      } else if looksLikeOption(word) {
        try readLetters(word.dropFirst(), &rest)
      } else {
        positionals.append(word)
      }
    }
  }

  private var options: [CommandDefinition.Option] {
    definition.options + CommandDefinition.commonOptions
  }

  private mutating func readLong(_ word: Substring, _ rest: inout ArraySlice<String>)
    throws(CairnError)
  {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = options.first(where: { $0.name == name }) else {
      let near = nearestWord(to: name, among: options.map(\.name))
      throw usageError(
        "unknown option --\(name)", hint: near.map { "did you mean --\($0)?" })
    }
    if option.value == nil {
      guard parts.count == 1 else { throw usageError("--\(name) takes no value") }
      try store("", for: option)
    } else if parts.count == 2 {
      try store(String(parts[1]), for: option)
    } else {
      try storeNext(&rest, for: option)
    }
  }

  private mutating func readLetters(_ word: Substring, _ rest: inout ArraySlice<String>)
    throws(CairnError)
  {
    var letters = word
    while let letter = letters.popFirst() {
      guard let option = options.first(where: { $0.letter == letter }) else {
        let isLongName = options.contains { $0.name == word }
        throw usageError(
          "unknown option -\(letter)", hint: isLongName ? "did you mean --\(word)?" : nil)
      }
      if option.value == nil {
        try store("", for: option)
      } else if letters.isEmpty {
        try storeNext(&rest, for: option)
      } else {
        try store(String(letters), for: option)
        return
      }
    }
  }

  private mutating func storeNext(
    _ rest: inout ArraySlice<String>, for option: CommandDefinition.Option
  ) throws(CairnError) {
    guard let value = rest.popFirst() else { throw missingValue(of: option) }
    guard !looksLikeOption(value) else {
      throw usageError(
        "--\(option.name) needs a value, and \(value) looks like an option",
        hint: "write --\(option.name)=\(value) if this is the value")
    }
    try store(value, for: option)
  }

  private mutating func store(_ value: String, for option: CommandDefinition.Option)
    throws(CairnError)
  {
    if value.isEmpty, option.value != nil { throw missingValue(of: option) }
    if values[option.name] != nil, !option.repeats, option.value != nil {
      throw usageError("--\(option.name) is given twice")
    }
    values[option.name, default: []].append(value)
  }

  private func missingValue(of option: CommandDefinition.Option) -> CairnError {
    usageError("--\(option.name) needs a value: --\(option.name) \(option.value ?? "")")
  }

  /// Throws 64 if a required option or argument is missing, or if there are too many arguments.
  package func checkRequired() throws(CairnError) {
    for option in definition.options where option.isRequired && values[option.name] == nil {
      throw usageError("--\(option.name) \(option.value ?? "") is required")
    }
    for (index, positional) in definition.positionals.enumerated()
    where positional.isRequired && positionals.count <= index {
      throw usageError("\(positional.name) is required: \(positional.help)")
    }
    if definition.positionals.last?.repeats != true,
      positionals.count > definition.positionals.count
    {
      throw usageError("unexpected argument “\(positionals[definition.positionals.count])”")
    }
  }

  /// Whether a flag or an option was given.
  package func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of an option, if it was given.
  package func value(_ name: String) -> String? { values[name]?.last }

  /// The file of `--output`; nil for standard output, also written `-`.
  package var outputFile: String? {
    let path = value("output")
    return path == "-" ? nil : path
  }

  /// All values of a repeatable option, in order.
  package func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The value of a required option. Throws 64 if it is missing.
  package func required(_ name: String) throws(CairnError) -> String {
    guard let value = value(name) else { throw usageError("--\(name) is required") }
    return value
  }

  /// The value of an option as an integer within a range. Throws 64 for anything else.
  package func integer(_ name: String, in range: ClosedRange<Int>) throws(CairnError) -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw usageError(
        "--\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), "
          + "not “\(text)”")
    }
    return number
  }

  /// The value of an option as an amount of memory in bytes, such as `2 GiB`, from 1 MiB to a
  /// petabyte; a number alone counts MiB. Throws 64 for anything else.
  package func memory(_ name: String) throws(CairnError) -> Int? {
    guard let text = value(name) else { return nil }
    guard let bytes = memoryBytes(text) else {
      throw usageError(
        "--\(name) takes a size from 1 MiB to a petabyte, such as 2 GiB, or a number of MiB, "
          + "not “\(text)”")
    }
    return bytes
  }

  /// The value of an option as a time in seconds, such as `7d` or `36 h`, of at most a century. Throws
  /// 64 for anything else.
  package func seconds(_ name: String) throws(CairnError) -> Double? {
    guard let text = value(name) else { return nil }
    guard let (number, unit) = splitQuantity(text), let factor = timeUnits[unit],
      (0...3_155_760_000).contains(number * factor)
    else {
      throw usageError(
        "--\(name) takes a time with a unit (s, min, h or d), such as 7d, not “\(text)”")
    }
    return number * factor
  }

  /// The value of an option as a decimal number within a range, such as `30` or `2.5`. Throws 64
  /// for anything else.
  package func number(_ name: String, in range: ClosedRange<Double>) throws(CairnError) -> Double? {
    guard let text = value(name) else { return nil }
    // Swift would accept `inf` and `0x1p3`, too.
    let isDecimal = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    guard isDecimal, let number = Double(text), range.contains(number) else {
      throw usageError(
        "--\(name) takes a number from \(plain(range.lowerBound)) to \(plain(range.upperBound)), "
          + "not “\(text)”")
    }
    return number
  }

  /// The value of an option that must be one of several words. Throws 64 for any other.
  package func choice(_ name: String, of choices: [String]) throws(CairnError) -> String? {
    guard let text = value(name) else { return nil }
    guard choices.contains(text) else {
      let near = nearestWord(to: text, among: choices)
      throw usageError(
        "--\(name) takes \(choices.joined(separator: ", ")), not “\(text)”",
        hint: near.map { "did you mean \($0)?" })
    }
    return text
  }

  /// An error in the command line.
  package func usageError(_ message: String, hint: String? = nil) -> CairnError {
    CairnError(.usage, .usage, message, hint: hint ?? "see \(definition.name) --help")
  }
}

/// An amount of memory such as `2 GiB`, or a number of MiB; nil for anything else and outside of 1
/// MiB to a petabyte.
private func memoryBytes(_ text: String) -> Int? {
  guard let (number, unit) = splitQuantity(text),
    let factor = byteUnits[unit.isEmpty ? "MiB" : unit],
    (1_048_576...1e15).contains(number * factor)
  else { return nil }
  return Int(number * factor)
}

/// `30` for 30.0.
private func plain(_ number: Double) -> String {
  Int(exactly: number).map { "\($0)" } ?? "\(number)"
}

/// Whether a word begins with a dash that is neither alone (stdin or stdout) nor a minus sign.
private func looksLikeOption(_ word: String) -> Bool {
  guard word.hasPrefix("-"), let next = word.dropFirst().first else { return false }
  return !(next == "." || next.isASCII && next.isNumber)
}
