// SPDX-License-Identifier: Apache-2.0
import PlaceDatabase
import TrailData

/// Collects the names of objects from their tags.
struct PlaceNames {
  /// The keys whose values are names, the ones to show first. `name:*` come after `name`.
  private static let keys = [
    "name", "official_name", "short_name", "loc_name", "alt_name", "int_name", "ref", "old_name",
  ]
  /// What a name in a language begins with.
  private static let languagePrefix = "name:"
  /// The most names that a place keeps.
  private static let limit = 400
  /// Names that say nothing: what some editors fill in.
  private static let limitBytes = 400

  private let strings: StringTable
  /// The order of the keys of names by their indices in the string table.
  private let order: [UInt32: Int]

  /// Looks the keys up.
  init(_ strings: StringTable) {
    self.strings = strings
    var order: [UInt32: Int] = [:]
    for (position, key) in Self.keys.enumerated() {
      if let index = strings.index(of: key) { order[index] = position * 2 }
    }
    for index in 0..<strings.count {
      // Texts are sorted, but the table has no range search; this is done once for a file.
      let text = strings.utf8(index)
      guard text.count > 5, text.starts(with: Self.languagePrefix.utf8) else { continue }
      let suffix = String(decoding: text.dropFirst(5), as: UTF8.self)
      if Self.isLanguage(suffix) { order[UInt32(index)] = 1 }
    }
    self.order = order
  }

  /// Whether `name:SUFFIX` is a name in a language, such as `ca`, `zh-Hant` or `sr-Latn`, and not,
  /// for instance, its `etymology` or `pronunciation`.
  private static func isLanguage(_ suffix: String) -> Bool {
    let parts = suffix.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, (2...3).contains(first.utf8.count) else { return false }
    return first.utf8.allSatisfy { (0x61...0x7A).contains($0) }
      && parts.dropFirst().allSatisfy { (2...8).contains($0.utf8.count) }
  }

  /// The names of an object, the one to show first; names that only differ in case or accents count
  /// once. Empty if it has none.
  func names(of object: Int, in tags: TagTable) -> [PlaceName] {
    var found: [(order: Int, tag: Int)] = []
    for tag in tags.tags(of: object) {
      if let order = order[tags.key(tag)] { found.append((order, tag)) }
    }
    guard !found.isEmpty else { return [] }
    found.sort { ($0.order, $0.tag) < ($1.order, $1.tag) }
    var names: [PlaceName] = []
    for (_, tag) in found {
      let key = strings[Int(tags.key(tag))]
      let value = strings[Int(tags.value(tag))]
      add(value, key, to: &names)
    }
    return names
  }

  /// Adds the names in a value, which may be several with semicolons between them.
  private func add(_ value: String, _ key: String, to names: inout [PlaceName]) {
    for part in value.split(separator: ";") {
      let text = Self.trimmed(part)
      guard names.count < Self.limit, text.utf8.count <= Self.limitBytes else { continue }
      let folded = FoldedName(text)
      guard !folded.isEmpty, !names.contains(where: { $0.folded == folded }) else { continue }
      names.append(PlaceName(key: key, text: text, folded: folded))
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    var rest = text
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}

extension [PlaceName] {
  /// Adds the names of the same place from another object.
  mutating func merge(_ others: [PlaceName]) {
    for name in others where !contains(where: { $0.folded == name.folded }) { append(name) }
  }
}
