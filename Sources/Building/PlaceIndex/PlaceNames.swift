// SPDX-License-Identifier: Apache-2.0
import PlaceDatabase
import TagRules
import TrailData

/// Collects the names of objects from their tags.
struct PlaceNames {
  /// The keys whose values are names, the ones to show first. `name:*` come after `name`.
  private static let keys = [
    "name", "official_name", "short_name", "loc_name", "alt_name", "int_name", "ref", "old_name",
  ]
  /// The most names that a place keeps.
  private static let limit = 400
  /// The longest name, which OpenStreetMap limits to 255 characters.
  private static let limitBytes = 1020

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
    for index in strings.indices(startingWith: TagSelection.languageNamePrefix)
    where TagSelection.isLanguageName(UnsafeRawBufferPointer(strings.utf8(index))) {
      order[UInt32(index)] = 1
    }
    self.order = order
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
