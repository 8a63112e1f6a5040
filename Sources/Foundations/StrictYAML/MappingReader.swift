// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// Reads the keys of a mapping according to its ``MappingForm``, and finally reports missing and
/// unknown keys.
///
/// ```swift
/// let problems = YAMLProblems(file: path)
/// let top = MappingReader(try YAMLDocument.parse(file: path), called: "the manifest", problems, form)
/// let name = top.value("name")?.text() ?? ""       // if it is missing, finish() says so
/// let edges = top.value("min-edges")?.integer() ?? 1
/// for (key, source) in top.value("sources")?.mapping()?.mappings() ?? [] { … }
/// top.finish()                                     // unknown and missing keys
/// try problems.check()                             // throws all of it
/// ```
///
/// The form lists the keys, those required, and their allowed values. ``value(_:)`` passes this on,
/// so that the caller reads numbers, words and lists without repeating their ranges. A key outside
/// the form cannot be read, and a test finds keys that nothing reads.
package final class MappingReader {
  /// The mapping.
  package let node: YAMLNode
  /// Its name in errors, such as `the manifest`.
  package let name: String
  /// Where problems are recorded.
  package let problems: YAMLProblems
  /// Its keys; nil if their author chooses them.
  package private(set) var form: MappingForm?
  /// The values of keys chosen by the author.
  private let rows: MappingForm.Value?
  private let entries: [YAMLEntry]
  /// The keys that were asked for.
  private var asked: Set<String> = []
  private var missing: [String] = []
  /// Whether it is not a mapping, so that its keys need no errors.
  private let isPlaceholder: Bool

  /// Creates a reader. A node of another kind is recorded as a problem and read as an empty mapping.
  package convenience init(
    _ node: YAMLNode, called name: String, _ problems: YAMLProblems, _ form: MappingForm
  ) {
    self.init(YAMLValue(node, called: name, problems, form: .mapping(form)))
  }

  /// Reads the keys of a value whose form is a mapping or a table.
  init(_ value: YAMLValue) {
    (node, name, problems) = (value.node, value.name, value.problems)
    form = value.form?.mapping
    rows = form == nil ? value.form?.rows : nil
    assert(form != nil || rows != nil, "nothing says which keys \(name) has")
    if case .mapping(let entries) = node.content {
      self.entries = entries
      isPlaceholder = false
    } else {
      problems.add("\(name) must be a mapping (key: value), not \(node.kind)", at: node)
      entries = []
      isPlaceholder = true
    }
  }

  /// Continues with one of the forms that make up its own form.
  package func narrow(to form: MappingForm) { self.form = form }

  /// The value of a key of the form, or nil if it is missing or null.
  package func value(_ key: String) -> YAMLValue? {
    assert(form?[key] != nil, "the form of \(name) has no \(key)")
    asked.insert(key)
    guard let entry = entries.first(where: { $0.key.text == key }), !entry.value.isNull else {
      return nil
    }
    return YAMLValue(entry.value, called: "“\(key)”", problems, form: form?[key])
  }

  /// The value of a key that other keys make required.
  package func required(_ key: String) -> YAMLValue? {
    let value = value(key)
    if value == nil { missing.append(key) }
    return value
  }

  /// Whether a key of the form is present, null or not.
  package func has(_ key: String) -> Bool {
    assert(form?[key] != nil, "the form of \(name) has no \(key)")
    asked.insert(key)
    return isPresent(key)
  }

  private func isPresent(_ key: String) -> Bool { entries.contains { $0.key.text == key } }

  /// Refuses a file with a version, under a key of the form, other than the form's.
  package func checkVersion(_ key: String) {
    guard let version = value(key), let number = version.integer(in: Int.min...),
      let known = version.form?.integerRange?.lowerBound, number != known
    else { return }
    version.refuse("must be \(known), the version that this build reads, not \(number)")
  }

  /// All keys in the order of the file.
  package var keys: [YAMLKey] { entries.map(\.key) }

  /// All entries in the order of the file, for a mapping with keys chosen by the author.
  package func all() -> [(key: YAMLKey, value: YAMLValue)] {
    entries.map { entry in
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

  /// Records missing and unknown keys. Call it after all keys were read. A required key that is
  /// misspelled is recorded once.
  package func finish() {
    guard !isPlaceholder, let form else { return }
    // A form that consists of several is read as one of them, or not at all.
    assert(
      form.isUnion || form.keys.allSatisfy { asked.contains($0.name) },
      "\(name) has keys that nobody reads")
    missing += form.requiredKeys.filter { value($0) == nil && !missing.contains($0) }
    let names = form.keys.map(\.name).sorted()
    for entry in entries where form[entry.key.text] == nil {
      let near = nearestWord(to: entry.key.text, among: names.filter { !isPresent($0) })
      missing.removeAll { $0 == near }
      problems.add(
        "unknown key “\(entry.key.text.prefix(60))”", at: entry.key,
        hint: near.map { "did you mean “\($0)”?" }
          ?? "\(name) takes \(names.joined(separator: ", "))")
    }
    for key in missing {
      let reason = isPresent(key) ? "has no value" : "is missing"
      problems.add("“\(key)” \(reason) in \(name)", at: node)
    }
    missing = []
  }
}
