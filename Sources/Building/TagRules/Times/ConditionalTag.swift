// SPDX-License-Identifier: Apache-2.0

/// The value of a key that ends in `:conditional`: `value @ condition; value @ (condition)`.
/// The last clause whose condition holds wins.
///
/// Grammar: https://wiki.openstreetmap.org/wiki/Conditional_restrictions
struct ConditionalTag: Hashable, Sendable {
  /// A value and the condition under which it holds.
  struct Clause: Hashable, Sendable {
    var value: String
    var condition: Condition
  }

  /// Its clauses, the last one first.
  private(set) var clauses: [Clause] = []

  /// Whether all clauses were understood.
  var isReadable: Bool { clauses.allSatisfy { !$0.value.isEmpty && $0.condition.isReadable } }

  /// Whether a condition differs between days or hours.
  var dependsOnTime: Bool { clauses.contains { $0.condition.dependsOnTime } }

  /// Reads a value.
  init(_ text: String) {
    for clause in splitOutsideBrackets(text[...], at: ";").reversed()
    where !clause.trimmed.isEmpty {
      guard let at = clause.firstIndex(of: "@") else {
        clauses.append(Clause(value: String(clause.trimmed), condition: .unreadable))
        continue
      }
      let value = String(clause[..<at].trimmed)
      let condition = Condition(clause[clause.index(after: at)...])
      clauses.append(Clause(value: value, condition: value.isEmpty ? .unreadable : condition))
    }
  }

  /// The values that may hold, one if that is certain; and whether possibly no condition holds, so
  /// that the key without `:conditional` applies.
  func values(_ truth: (Condition) -> Truth) -> (values: [String], mayNotApply: Bool) {
    var values: [String] = []
    for clause in clauses {
      let truth = truth(clause.condition)
      guard truth != .no else { continue }
      values.append(clause.value)
      if truth == .yes { return (values, false) }
    }
    return (values, true)
  }
}

/// A condition, with or without brackets around it: one or several of ``OpeningHours``, which all
/// must hold, combined by `AND`.
struct Condition: Hashable, Sendable {
  private var parts: [OpeningHours]

  /// One that makes no sense.
  static let unreadable = Condition("")

  /// Reads a condition.
  init(_ text: some StringProtocol) {
    let text = withoutOuterBrackets(Substring(text).trimmed)
    parts = []
    var words: [Substring] = []
    func part() -> OpeningHours { OpeningHours(words.joined(separator: " ")) }
    for word in text.split(whereSeparator: \.isWhitespace) {
      if word.lowercased() == "and" {
        parts.append(part())
        words = []
      } else {
        words.append(word)
      }
    }
    parts.append(part())
  }

  /// A value of `opening_hours`.
  init(hours: String) { parts = [OpeningHours(hours)] }

  /// Whether all of it was understood. What was not is unknown, unless the rest decides.
  var isReadable: Bool { parts.allSatisfy(\.isReadable) }

  /// Whether it differs between days or hours.
  var dependsOnTime: Bool { parts.contains(where: \.dependsOnTime) }

  /// See ``OpeningHours/changes``.
  var changes: Set<Int> { parts.reduce(into: []) { $0.formUnion($1.changes) } }

  /// Whether it holds.
  func reading(at moment: Moment) -> ConditionReading {
    var whole = ConditionReading(truth: .yes)
    for part in parts {
      let reading = part.reading(at: moment)
      whole.truth = min(whole.truth, reading.truth)
      whole.isReadable = whole.isReadable && reading.isReadable
      whole.assumesNoHoliday = whole.assumesNoHoliday || reading.assumesNoHoliday
    }
    return whole
  }
}

/// A text without the brackets around all of it, even if one of the pair is missing.
private func withoutOuterBrackets(_ text: Substring) -> Substring {
  guard text.first == "(" else {
    return text.last == ")" && !text.contains("(") ? text.dropLast() : text
  }
  var depth = 0
  for index in text.indices {
    if text[index] == "(" { depth += 1 }
    if text[index] == ")" { depth -= 1 }
    if depth == 0 {
      return text.index(after: index) == text.endIndex ? text.dropFirst().dropLast() : text
    }
  }
  return text.dropFirst()
}

/// The parts of a text between separators that are neither in brackets nor in quotes.
func splitOutsideBrackets(_ text: Substring, at separator: Character) -> [Substring] {
  var parts: [Substring] = []
  var start = text.startIndex
  var depth = 0
  var isQuoted = false
  for index in text.indices {
    switch text[index] {
    case "\"": isQuoted.toggle()
    case "(" where !isQuoted: depth += 1
    case ")" where !isQuoted: depth = max(0, depth - 1)
    case separator where !isQuoted && depth == 0:
      parts.append(text[start..<index])
      start = text.index(after: index)
    default: break
    }
  }
  parts.append(text[start...])
  return parts
}

/// Whether a condition holds, as far as is known. The logic is Kleene's: `min` is "and",
/// `max` is "or".
enum Truth: Int, Comparable, Sendable, CaseIterable {
  case no
  case unknown
  case yes

  init(_ holds: Bool) { self = holds ? .yes : .no }

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The opposite.
  var negated: Truth { Truth(rawValue: 2 - rawValue) ?? .unknown }
}

/// A condition, evaluated for a day.
struct ConditionReading: Equatable {
  /// Whether it holds.
  var truth: Truth
  /// Whether it could be read. A part that could not is ``Truth/unknown``, unless the rest decides.
  var isReadable = true
  /// Whether it would be another on a public holiday, which the day is assumed not to be.
  var assumesNoHoliday = false

  /// The result of a condition that cannot be read.
  static let unreadable = ConditionReading(truth: .unknown, isReadable: false)
}
