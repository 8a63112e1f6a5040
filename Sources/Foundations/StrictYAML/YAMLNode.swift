// SPDX-License-Identifier: Apache-2.0

/// A value of a YAML document and where it stands.
public struct YAMLNode: Equatable, Sendable {
  /// What the value is.
  public enum Content: Equatable, Sendable {
    /// A text. Numbers, booleans and null are plain texts until somebody asks for them;
    /// `isPlain` tells `12` from `"12"`.
    case scalar(String, isPlain: Bool)
    /// A list.
    case sequence([YAMLNode])
    /// Keys with their values, in the order of the file; no key occurs twice.
    case mapping([YAMLEntry])
  }

  /// What the value is.
  public let content: Content
  /// The line where it begins, counted from 1.
  public let line: Int
  /// The character of that line where it begins, counted from 1.
  public let column: Int

  /// Whether this is null: nothing at all, `~` or `null`, unquoted.
  public var isNull: Bool {
    guard case .scalar(let text, isPlain: true) = content else { return false }
    return text.isEmpty || text == "~" || text == "null"
  }

  /// What kind of value this is, in words for an error.
  var kind: String {
    switch content {
    case .scalar(let text, _): isNull ? "nothing" : "“\(text.prefix(40))”"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}

/// A key and its value.
public struct YAMLEntry: Equatable, Sendable {
  /// The key.
  public let key: YAMLKey
  /// The value.
  public let value: YAMLNode
}

/// The key of a mapping and where it stands: one line of text without control characters.
public struct YAMLKey: Equatable, Sendable {
  /// The key itself.
  public let text: String
  /// The line where it begins, counted from 1.
  public let line: Int
  /// The character of that line where it begins, counted from 1.
  public let column: Int
}
