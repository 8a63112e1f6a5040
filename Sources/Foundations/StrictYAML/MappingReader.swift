// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// Reads the keys of a mapping, and in the end reports which are missing and which are unknown.
///
/// ```swift
/// let problems = YAMLProblems(file: path)
/// let top = MappingReader(try YAMLDocument.parse(file: path), called: "the manifest", problems)
/// let name = top.text("name")                       // "" if missing: recorded
/// let edges = top.optionalInteger("min-edges", in: 0...) ?? 1
/// for (key, source) in top.mapping("sources").mappings() { … }
/// top.finish()                                      // unknown and missing keys
/// try problems.check()                              // throws all of it
/// ```
///
/// A required key that is missing or invalid gives a placeholder (an empty text, 0, false, an empty
/// list or mapping), so that reading can continue.
///
/// With a ``MappingForm`` it knows which keys there are, which of them are required, and what they may
/// have: ``value(_:)`` hands that on, so that the caller takes numbers, words and lists and does not
/// say their ranges again. Without one it knows the keys that it was asked for.
package final class MappingReader {
  /// The mapping.
  package let node: YAMLNode
  /// Its name in errors, such as `the manifest`.
  package let name: String
  /// Where problems are recorded.
  package let problems: YAMLProblems
  /// Its keys; nil if only the caller knows them, or if their author chooses them.
  package private(set) var form: MappingForm?
  /// What keys may have that their author chooses.
  private let rows: MappingForm.Value?
  private let entries: [YAMLEntry]
  private var known: Set<String> = []
  private var missing: [String] = []
  /// Whether the mapping itself is missing, so that its keys need no errors.
  private let isPlaceholder: Bool

  /// Creates a reader. A node of another kind is recorded as a problem and read as an empty mapping.
  package init(
    _ node: YAMLNode, called name: String, _ problems: YAMLProblems, form: MappingForm? = nil,
    rows: MappingForm.Value? = nil
  ) {
    self.node = node
    self.name = name
    self.problems = problems
    self.form = form
    self.rows = rows
    if case .mapping(let entries) = node.content {
      self.entries = entries
      isPlaceholder = false
    } else {
      problems.add("\(name) must be a mapping (key: value), not \(node.kind)", at: node)
      entries = []
      isPlaceholder = true
    }
  }

  /// An empty mapping in place of a missing one.
  private init(missing name: String, at node: YAMLNode, _ problems: YAMLProblems) {
    (self.node, self.name, self.problems) = (node, name, problems)
    (form, rows, entries, isPlaceholder) = (nil, nil, [], true)
  }

  /// From here on, reads the mapping by one of the forms of which its own form consists.
  package func narrow(to form: MappingForm) { self.form = form }

  /// The value of a key of the form, or nil if it is missing or null.
  package func value(_ key: String) -> YAMLValue? {
    assert(form?[key] != nil, "the form of \(name) has no \(key)")
    return optional(key)
  }

  /// The value of a key, or nil if it is missing or null.
  package func optional(_ key: String) -> YAMLValue? {
    known.insert(key)
    guard let entry = entries.first(where: { $0.key.text == key }), !entry.value.isNull else {
      return nil
    }
    return YAMLValue(entry.value, called: "“\(key)”", problems, form: form?[key])
  }

  /// Refuses a file whose version, under a key of the form, is not the one that the form says.
  package func checkVersion(_ key: String) {
    guard let version = value(key), let number = version.integer(in: Int.min...),
      let known = version.form?.integerRange?.lowerBound, number != known
    else { return }
    version.refuse("must be \(known), the version that this build reads, not \(number)")
  }

  /// The value of a required key.
  package func required(_ key: String) -> YAMLValue? {
    let value = optional(key)
    if value == nil { missing.append(key) }
    return value
  }

  /// Whether a key is present, null or not. Does not make the key known.
  package func has(_ key: String) -> Bool { entries.contains { $0.key.text == key } }

  /// One line of text.
  package func text(_ key: String) -> String { required(key)?.text() ?? "" }
  /// One line of text, or nil if the key is missing.
  package func optionalText(_ key: String) -> String? { optional(key)?.text() }

  /// A number within a range.
  package func number(
    _ key: String, in range: some RangeExpression<Double> = (-Double.infinity)...
  ) -> Double { required(key)?.number(in: range) ?? 0 }
  /// A number within a range, or nil if the key is missing.
  package func optionalNumber(
    _ key: String, in range: some RangeExpression<Double> = (-Double.infinity)...
  ) -> Double? { optional(key)?.number(in: range) }

  /// An integer within a range.
  package func integer(_ key: String, in range: some RangeExpression<Int> = Int.min...) -> Int {
    required(key)?.integer(in: range) ?? 0
  }
  /// An integer within a range, or nil if the key is missing.
  package func optionalInteger(
    _ key: String, in range: some RangeExpression<Int> = Int.min...
  ) -> Int? { optional(key)?.integer(in: range) }

  /// True or false.
  package func boolean(_ key: String) -> Bool { required(key)?.boolean() ?? false }
  /// True or false, or nil if the key is missing.
  package func optionalBoolean(_ key: String) -> Bool? { optional(key)?.boolean() }

  /// The values of a list.
  package func list(_ key: String) -> [YAMLValue] { required(key)?.list() ?? [] }
  /// The values of a list, or nil if the key is missing.
  package func optionalList(_ key: String) -> [YAMLValue]? { optional(key)?.list() }

  /// The keys of a mapping.
  package func mapping(_ key: String) -> MappingReader {
    required(key)?.mapping()
      ?? MappingReader(missing: "“\(key)”", at: node, problems)
  }
  /// The keys of a mapping, or nil if the key is missing.
  package func optionalMapping(_ key: String) -> MappingReader? { optional(key)?.mapping() }

  /// All keys in the order of the file. Does not make them known.
  package var keys: [YAMLKey] { entries.map(\.key) }

  /// An entry of a table of numbers.
  package struct NumberEntry: Equatable, Sendable {
    /// The key.
    package let key: YAMLKey
    /// The number.
    package let value: Double
  }

  /// All entries in the order of the file, for a mapping with arbitrary keys.
  package func all() -> [(key: YAMLKey, value: YAMLValue)] {
    known.formUnion(entries.map(\.key.text))
    return entries.map { entry in
      let key = entry.key
      return (
        key,
        YAMLValue(
          entry.value, called: "“\(key.text)”", problems, form: form.map { $0[key.text] } ?? rows)
      )
    }
  }

  /// All entries as mappings; others are recorded as problems and left out.
  package func mappings() -> [(key: YAMLKey, value: MappingReader)] {
    all().compactMap { key, value in value.mapping().map { (key, $0) } }
  }

  /// All entries as numbers within a range; others are recorded as problems and left out.
  package func numbers(
    in range: some RangeExpression<Double> = (-Double.infinity)...
  ) -> [NumberEntry] {
    all().compactMap { key, value in
      value.number(in: range).map { NumberEntry(key: key, value: $0) }
    }
  }

  /// Records missing and unknown keys. Call it when all keys were read. A missing key that is
  /// present but misspelled is recorded once.
  package func finish() {
    guard !isPlaceholder else { return }
    if let form {
      // A form of several is read by one of them, or not at all.
      assert(
        !form.alternatives.isEmpty || form.keys.allSatisfy { known.contains($0.name) },
        "\(name) has keys that nobody reads")
      known = Set(form.keys.map(\.name))
      missing += form.requiredKeys.filter { optional($0) == nil }
    }
    let candidates = known.filter { !has($0) }
    for entry in entries where !known.contains(entry.key.text) {
      let near = nearestWord(to: entry.key.text, among: candidates.sorted())
      missing.removeAll { $0 == near }
      problems.add(
        "unknown key “\(entry.key.text.prefix(60))”", at: entry.key,
        hint: near.map { "did you mean “\($0)”?" }
          ?? "\(name) takes \(known.sorted().joined(separator: ", "))")
    }
    for key in missing {
      let reason = has(key) ? "has no value" : "is missing"
      problems.add("“\(key)” \(reason) in \(name)", at: node)
    }
    missing = []
  }
}
