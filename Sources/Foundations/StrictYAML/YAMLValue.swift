// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

/// A value to be read as text, a number, a list or a mapping.
///
/// Each function records a problem and returns nil if the value is something else. The caller need
/// not handle that, since ``YAMLProblems/check()`` throws in the end.
package struct YAMLValue {
  /// The value.
  package let node: YAMLNode
  /// Its name in errors, such as `“min-edges”`.
  package let name: String
  /// Where problems are recorded.
  package let problems: YAMLProblems
  /// The allowed values, if its reader has a form.
  package let form: MappingForm.Value?

  /// Creates a value; errors begin with `name`.
  package init(
    _ node: YAMLNode, called name: String, _ problems: YAMLProblems,
    form: MappingForm.Value? = nil
  ) {
    self.node = node
    self.name = name
    self.problems = problems
    self.form = form
  }

  /// The same value with another form.
  package func checked(by form: MappingForm.Value?) -> YAMLValue {
    YAMLValue(node, called: name, problems, form: form)
  }

  /// Records a problem with this value; `message` follows its name.
  package func refuse(_ message: String, hint: String? = nil) {
    problems.add("\(name) \(message)", at: node, hint: hint)
  }

  /// One line of text, not empty. `no` and `12` are text, too.
  package func text() -> String? {
    guard case .scalar(let text, _) = node.content, !node.isNull else {
      refuse("must be text, not \(node.kind)")
      return nil
    }
    if text.isEmpty || containsControlCharacters(text) {
      refuse(text.isEmpty ? "must not be empty" : "must be one line of plain text")
      return nil
    }
    return text
  }

  /// A word of its form, or a synonym.
  package func choice() -> String? {
    choice(of: form?.words.named ?? [], or: form?.words.synonyms ?? [])
  }

  /// A word of its form, if it is one; otherwise nil, without a recorded problem.
  package var word: String? {
    guard case .scalar(let text, _) = node.content, form?.words.named.contains(text) == true else {
      return nil
    }
    return text
  }

  /// One of several words.
  package func choice(of words: [String], or synonyms: [String] = []) -> String? {
    guard let text = text() else { return nil }
    guard words.contains(text) || synonyms.contains(text) else {
      let near = nearestWord(to: text, among: words)
      refuse(
        "must be one of \(words.joined(separator: ", ")), not “\(text.prefix(40))”",
        hint: near.map { "did you mean \($0)?" })
      return nil
    }
    return text
  }

  /// A number within the range of its form, if any.
  package func number() -> Double? {
    guard let range = form?.range else { return number(in: (-Double.infinity)...) }
    return range.upperBound == .greatestFiniteMagnitude
      ? number(in: range.lowerBound...) : number(in: range)
  }

  /// A finite decimal number within a range, such as `12`, `-0.5` or `1e3`, unquoted.
  package func number(in range: some RangeExpression<Double>) -> Double? {
    guard let number = decimal() else {
      refuse("must be a number, not \(node.kind)")
      return nil
    }
    guard range.contains(number) else {
      refuse("must be \(description(of: range)), not \(plain(number))")
      return nil
    }
    return number
  }

  /// An integer within the range of its form, if any.
  package func integer() -> Int? {
    guard let range = form?.integerRange else { return integer(in: Int.min...) }
    return range.upperBound == .max ? integer(in: range.lowerBound...) : integer(in: range)
  }

  /// An integer within a range, unquoted.
  package func integer(in range: some RangeExpression<Int>) -> Int? {
    guard case .scalar(let text, isPlain: true) = node.content, let number = Int(text) else {
      refuse("must be a whole number, not \(node.kind)")
      return nil
    }
    guard range.contains(number) else {
      refuse("must be \(description(of: range)), not \(number)")
      return nil
    }
    return number
  }

  /// `true` or `false`, unquoted.
  package func boolean() -> Bool? {
    switch node.content {
    case .scalar("true", isPlain: true): return true
    case .scalar("false", isPlain: true): return false
    default:
      refuse("must be true or false, not \(node.kind)")
      return nil
    }
  }

  /// The values of a list.
  package func list() -> [YAMLValue]? {
    guard case .sequence(let nodes) = node.content else {
      refuse("must be a list, not \(node.kind)")
      return nil
    }
    return nodes.enumerated().map { index, node in
      YAMLValue(
        node, called: "value \(index + 1) of \(name)", problems, form: form?.list?.value)
    }
  }

  /// The values of a list with the number of items allowed by its form; errors refer to them as
  /// `noun`.
  package func list(of noun: String) -> [YAMLValue]? {
    guard let values = list() else { return nil }
    guard let count = form?.list?.count, !count.contains(values.count) else { return values }
    let bounds =
      count.lowerBound == count.upperBound
      ? "\(count.lowerBound)"
      : count.upperBound == .max
        ? "at least \(count.lowerBound)"
        : count.lowerBound == 0
          ? "at most \(count.upperBound)" : "\(count.lowerBound) to \(count.upperBound)"
    refuse("must have \(bounds) \(noun), not \(values.count)")
    return nil
  }

  /// The numbers of a list of exactly `count` numbers.
  package func numbers(count: Int) -> [Double]? {
    guard let values = list() else { return nil }
    guard values.count == count else {
      refuse("must have \(count) numbers, not \(values.count)")
      return nil
    }
    let numbers = values.compactMap { $0.number(in: (-Double.infinity)...) }
    return numbers.count == count ? numbers : nil
  }

  /// The keys of a mapping.
  package func mapping() -> MappingReader? {
    guard case .mapping = node.content else {
      refuse("must be a mapping (key: value), not \(node.kind)")
      return nil
    }
    return MappingReader(self)
  }

  private func decimal() -> Double? {
    guard case .scalar(let text, isPlain: true) = node.content,
      // Swift would accept `nan`, `infinity` and `0x1p3`, too.
      text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
      let number = Double(text), number.isFinite
    else { return nil }
    return number
  }
}

private func description(of range: Any) -> String {
  switch range {
  case let range as ClosedRange<Double>:
    "from \(plain(range.lowerBound)) to \(plain(range.upperBound))"
  case let range as Range<Double>:
    "at least \(plain(range.lowerBound)) and below \(plain(range.upperBound))"
  case let range as PartialRangeFrom<Double>: "at least \(plain(range.lowerBound))"
  case let range as PartialRangeThrough<Double>: "at most \(plain(range.upperBound))"
  case let range as PartialRangeUpTo<Double>: "below \(plain(range.upperBound))"
  case let range as ClosedRange<Int>: "from \(range.lowerBound) to \(range.upperBound)"
  case let range as PartialRangeFrom<Int>: "at least \(range.lowerBound)"
  case let range as PartialRangeThrough<Int>: "at most \(range.upperBound)"
  default: "in the range \(range)"
  }
}

/// `0` for 0.0.
private func plain(_ number: Double) -> String {
  let text = "\(number)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
