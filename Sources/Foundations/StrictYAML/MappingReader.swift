// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// Reads the keys of a mapping, and knows in the end which were missing and which nobody asked for.
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
/// What a required key gives where it is missing or wrong is a placeholder (an empty text, 0,
/// false, an empty list or mapping), only there so that reading can go on.
package final class MappingReader {
  /// The mapping.
  package let node: YAMLNode
  /// What errors call it, such as `the manifest`.
  package let name: String
  /// Where problems are recorded.
  package let problems: YAMLProblems
  private let entries: [YAMLEntry]
  private var asked: Set<String> = []
  private var missing: [String] = []
  /// A mapping that was itself missing: complaints about its keys would only be noise.
  private let isPlaceholder: Bool

  /// Starts reading a mapping. A node of another kind is recorded as a problem and read as if it
  /// had no keys.
  package convenience init(_ node: YAMLNode, called name: String, _ problems: YAMLProblems) {
    if case .mapping(let entries) = node.content {
      self.init(node, name, problems, entries, isPlaceholder: false)
    } else {
      problems.add("\(name) must be a mapping (key: value), not \(node.kind)", at: node)
      self.init(node, name, problems, [], isPlaceholder: true)
    }
  }

  private init(
    _ node: YAMLNode, _ name: String, _ problems: YAMLProblems, _ entries: [YAMLEntry],
    isPlaceholder: Bool
  ) {
    self.node = node
    self.name = name
    self.problems = problems
    self.entries = entries
    self.isPlaceholder = isPlaceholder
  }

  /// The value of a key, or nil if it is not there or null.
  package func optional(_ key: String) -> YAMLValue? {
    asked.insert(key)
    guard let entry = entries.first(where: { $0.key.text == key }), !entry.value.isNull else {
      return nil
    }
    return YAMLValue(entry.value, called: "“\(key)”", problems)
  }

  /// The value of a key that must be there.
  package func required(_ key: String) -> YAMLValue? {
    let value = optional(key)
    if value == nil { missing.append(key) }
    return value
  }

  /// Whether a key is there, null or not. It does not count as asked for.
  package func has(_ key: String) -> Bool { entries.contains { $0.key.text == key } }

  /// One line of text.
  package func text(_ key: String) -> String { required(key)?.text() ?? "" }
  /// One line of text, or nil if the key is not there.
  package func optionalText(_ key: String) -> String? { optional(key)?.text() }

  /// A number of a range.
  package func number(
    _ key: String, in range: some RangeExpression<Double> = (-Double.infinity)...
  ) -> Double { required(key)?.number(in: range) ?? 0 }
  /// A number of a range, or nil if the key is not there.
  package func optionalNumber(
    _ key: String, in range: some RangeExpression<Double> = (-Double.infinity)...
  ) -> Double? { optional(key)?.number(in: range) }

  /// A whole number of a range.
  package func integer(_ key: String, in range: some RangeExpression<Int> = Int.min...) -> Int {
    required(key)?.integer(in: range) ?? 0
  }
  /// A whole number of a range, or nil if the key is not there.
  package func optionalInteger(
    _ key: String, in range: some RangeExpression<Int> = Int.min...
  ) -> Int? { optional(key)?.integer(in: range) }

  /// True or false.
  package func boolean(_ key: String) -> Bool { required(key)?.boolean() ?? false }
  /// True or false, or nil if the key is not there.
  package func optionalBoolean(_ key: String) -> Bool? { optional(key)?.boolean() }

  /// The values of a list.
  package func list(_ key: String) -> [YAMLValue] { required(key)?.list() ?? [] }
  /// The values of a list, or nil if the key is not there.
  package func optionalList(_ key: String) -> [YAMLValue]? { optional(key)?.list() }

  /// The keys of a mapping.
  package func mapping(_ key: String) -> MappingReader {
    required(key)?.mapping()
      ?? MappingReader(node, "“\(key)”", problems, [], isPlaceholder: true)
  }
  /// The keys of a mapping, or nil if the key is not there.
  package func optionalMapping(_ key: String) -> MappingReader? { optional(key)?.mapping() }

  /// All keys in the order of the file. They do not count as asked for.
  package var keys: [YAMLKey] { entries.map(\.key) }

  /// A key of a table of numbers, its number, and where the key stands.
  package struct NumberEntry: Equatable, Sendable {
    /// The key.
    package let key: YAMLKey
    /// The number.
    package let value: Double
  }

  /// All entries in the order of the file, for a mapping whose keys the file's author chooses.
  package func all() -> [(key: YAMLKey, value: YAMLValue)] {
    asked.formUnion(entries.map(\.key.text))
    return entries.map { ($0.key, YAMLValue($0.value, called: "“\($0.key.text)”", problems)) }
  }

  /// All entries as mappings; those that are none are left out (and recorded).
  package func mappings() -> [(key: YAMLKey, value: MappingReader)] {
    all().compactMap { key, value in value.mapping().map { (key, $0) } }
  }

  /// All entries as numbers of a range; those that are none are left out (and recorded).
  package func numbers(
    in range: some RangeExpression<Double> = (-Double.infinity)...
  ) -> [NumberEntry] {
    all().compactMap { key, value in
      value.number(in: range).map { NumberEntry(key: key, value: $0) }
    }
  }

  /// Records the keys that are missing and those that nobody asked for. To be called when all
  /// keys were read. A missing key that is there with a typing error is recorded once.
  package func finish() {
    guard !isPlaceholder else { return }
    let candidates = asked.filter { !has($0) }
    for entry in entries where !asked.contains(entry.key.text) {
      let near = nearestWord(to: entry.key.text, among: candidates.sorted())
      missing.removeAll { $0 == near }
      problems.add(
        "unknown key “\(entry.key.text.prefix(60))”", at: entry.key,
        hint: near.map { "did you mean “\($0)”?" }
          ?? "\(name) takes \(asked.sorted().joined(separator: ", "))")
    }
    for key in missing {
      let reason = has(key) ? "is there without a value" : "is missing"
      problems.add("“\(key)” \(reason) in \(name)", at: node)
    }
    missing = []
  }
}
