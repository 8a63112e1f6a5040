// SPDX-License-Identifier: Apache-2.0

/// The tags of an object for rules that ask for dozens of keys: an object has few tags, and to
/// compare a key with those takes less time than to hash it.
package struct TagList: Sendable {
  let tags: [(key: String, value: String)]
  /// Whether a key has a part after a colon, such as `:forward`, `:left` or `:conditional`.
  let hasColons: Bool
  /// Whether a key ends in `:conditional`.
  let hasConditions: Bool
  /// A bit for the length of each key, up to 63 bytes: most keys that rules ask for are missing, and
  /// most of these are as long as none of the object.
  private let lengths: UInt64

  /// Lists tags.
  package init(_ tags: WayTags) { self.init(tags.map { ($0.key, $0.value) }) }

  /// Lists tags with keys that differ.
  package init(_ tags: [(key: String, value: String)]) {
    self.tags = tags
    var (lengths, hasColons): (UInt64, Bool) = (0, false)
    for index in tags.indices {
      lengths |= 1 << UInt64(min(tags[index].key.utf8.count, 63))
      hasColons = hasColons || tags[index].key.utf8.contains(UInt8(ascii: ":"))
    }
    (self.lengths, self.hasColons) = (lengths, hasColons)
    hasConditions = hasColons && tags.contains { $0.key.hasSuffix(":conditional") }
  }

  /// The value of a key, or nil if it is missing.
  package subscript(key: String) -> String? {
    let length = key.utf8.count
    guard lengths & 1 << UInt64(min(length, 63)) != 0 else { return nil }
    for index in tags.indices where tags[index].key.utf8.count == length && tags[index].key == key {
      return tags[index].value
    }
    return nil
  }
}
