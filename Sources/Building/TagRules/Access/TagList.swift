// SPDX-License-Identifier: Apache-2.0

/// The tags of an object for rules that ask for dozens of keys: an object has few tags, and to
/// compare a key with those takes less time than to hash it.
package struct TagList: Sendable {
  let tags: [(key: String, value: String)]
  /// Whether a key has a part after a colon, such as `:forward`, `:left` or `:conditional`.
  let hasColons: Bool
  /// Whether a key ends in `:conditional`.
  let hasConditions: Bool

  /// Lists tags.
  package init(_ tags: WayTags) {
    self.tags = tags.map { ($0.key, $0.value) }
    hasColons = tags.keys.contains { $0.utf8.contains(UInt8(ascii: ":")) }
    hasConditions = hasColons && tags.keys.contains { $0.hasSuffix(":conditional") }
  }

  /// The value of a key, or nil if it is missing.
  package subscript(key: String) -> String? {
    let length = key.utf8.count
    for tag in tags where tag.key.utf8.count == length && tag.key == key { return tag.value }
    return nil
  }
}
