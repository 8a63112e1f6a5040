// SPDX-License-Identifier: Apache-2.0

/// The value of a key that ends in `:conditional`: `value @ condition; value @ (condition)`.
/// The last clause whose condition holds wins.
///
/// Grammar: https://wiki.openstreetmap.org/wiki/Conditional_restrictions
struct ConditionalTag: Equatable {
  /// The values that may hold on the day: one if that is certain.
  private(set) var values: [Substring] = []
  /// Whether possibly no condition holds, so that the key without `:conditional` applies.
  private(set) var mayNotApply = true
  /// Whether all clauses were understood.
  private(set) var isReadable = true

  /// Evaluates a value for a day; without a day, whatever depends on it is uncertain.
  init(_ text: String, on date: CalendarDate?) {
    for clause in splitOutsideBrackets(text[...], at: ";").reversed()
    where !clause.trimmed.isEmpty {
      let (value, reading) = Self.read(clause, on: date)
      if !reading.isReadable { isReadable = false }
      guard mayNotApply, reading.truth != .no else { continue }
      values.append(value)
      if reading.truth == .yes { mayNotApply = false }
    }
  }

  private static func read(_ clause: Substring, on date: CalendarDate?)
    -> (value: Substring, reading: ConditionReading)
  {
    guard let at = clause.firstIndex(of: "@") else { return (clause.trimmed, .unreadable) }
    let value = clause[..<at].trimmed
    let reading = readCondition(clause[clause.index(after: at)...], on: date)
    return (value, value.isEmpty ? .unreadable : reading)
  }
}

/// Reads a condition, with or without brackets around it.
func readCondition(_ text: Substring, on date: CalendarDate?) -> ConditionReading {
  let text = withoutOuterBrackets(text.trimmed)
  var words: [Substring] = []
  var parts: [[Substring]] = []
  for word in text.split(whereSeparator: \.isWhitespace) {
    if word.lowercased() == "and" {
      parts.append(words)
      words = []
    } else {
      words.append(word)
    }
  }
  parts.append(words)
  var whole = ConditionReading(truth: .yes)
  for part in parts {
    let reading = OpeningHours(part.joined(separator: " "), on: date).reading
    whole.truth = min(whole.truth, reading.truth)
    whole.isReadable = whole.isReadable && reading.isReadable
  }
  return whole
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
