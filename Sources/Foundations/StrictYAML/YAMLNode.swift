// SPDX-License-Identifier: Apache-2.0

/// A value of a YAML document and its position.
package struct YAMLNode: Equatable, Sendable {
  /// The type of the value.
  package enum Content: Equatable, Sendable {
    /// A text. Numbers, booleans and null are plain texts until they are read as such; `isPlain`
    /// distinguishes `12` from `"12"`.
    case scalar(String, isPlain: Bool)
    /// A list.
    case sequence([YAMLNode])
    /// Keys with their values, in the order of the file; no key appears twice.
    case mapping([YAMLEntry])
  }

  /// The type of the value.
  package let content: Content
  /// The line of its start, counted from 1.
  package let line: Int
  /// The character of its start on that line, counted from 1.
  package let column: Int

  /// Whether this is null: an empty value, `~` or `null`, unquoted.
  package var isNull: Bool {
    guard case .scalar(let text, isPlain: true) = content else { return false }
    return text.isEmpty || text == "~" || text == "null"
  }

  /// The kind of this value, for errors.
  var kind: String {
    switch content {
    case .scalar(let text, _): isNull ? "nothing" : "“\(text.prefix(40))”"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}

/// A key and its value.
package struct YAMLEntry: Equatable, Sendable {
  /// The key.
  package let key: YAMLKey
  /// The value.
  package let value: YAMLNode
}

/// The key of a mapping and its position: one line of text without control characters.
package struct YAMLKey: Equatable, Sendable {
  /// The key itself.
  package let text: String
  /// The line of its start, counted from 1.
  package let line: Int
  /// The character of its start on that line, counted from 1.
  package let column: Int
}
