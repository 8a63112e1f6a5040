// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding

extension JSONValue {
  /// Reads JSON in UTF-8, of one value; nil if it is not well-formed, nested more than 512 levels
  /// deep, or has a number that is too large. Of equal keys of an object, the last one counts.
  package init?(json bytes: [UInt8]) {
    var reader = JSONReader(bytes)
    self.init(&reader)
    guard reader.isAtEnd() else { return nil }
  }

  private init?(_ reader: inout JSONReader) {
    switch reader.next() {
    case .object:
      var values: [String: JSONValue] = [:]
      let isRead = reader.object { key, reader in
        values[key] = JSONValue(&reader)
        return values[key] != nil
      }
      guard isRead else { return nil }
      self = .object(values)
    case .list:
      var values: [JSONValue] = []
      let isRead = reader.list { reader in
        guard let value = JSONValue(&reader) else { return false }
        values.append(value)
        return true
      }
      guard isRead else { return nil }
      self = .list(values)
    case .text:
      guard let text = reader.text() else { return nil }
      self = .text(text)
    case .boolean:
      guard let isTrue = reader.boolean() else { return nil }
      self = .boolean(isTrue)
    case .null:
      guard reader.null() else { return nil }
      self = .null
    case .number:
      guard let number = reader.digits(), let value = Self(number) else { return nil }
      self = value
    case nil: return nil
    }
  }

  /// Up to here, a number with a fraction or an exponent is an integer if it has no fraction.
  private static let greatestExact = 0x1p53

  private init?(_ number: (text: String, isInteger: Bool)) {
    if number.isInteger, let value = Int(number.text) {
      self = .integer(value)
      return
    }
    guard let value = Double(number.text), value.isFinite else { return nil }
    let whole = abs(value) <= Self.greatestExact ? Int(exactly: value) : nil
    self = whole.map { .integer($0) } ?? .number(value)
  }

  /// The text; nil for another value.
  package var text: String? { if case .text(let value) = self { value } else { nil } }
  /// The integer; nil for another value.
  package var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  /// The number or integer; nil for another value.
  package var number: Double? {
    switch self {
    case .number(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }
  /// The elements; nil for another value.
  package var list: [JSONValue]? { if case .list(let values) = self { values } else { nil } }
  /// The texts of a list; nil for another value or other elements.
  package var texts: [String]? { list?.all(\.text) }
  /// The values by key; nil for another value.
  package var object: [String: JSONValue]? {
    if case .object(let values) = self { values } else { nil }
  }
}

extension [JSONValue] {
  /// What is read of each element; nil if one of them is refused.
  package func all<Content>(_ read: (JSONValue) -> Content?) -> [Content]? {
    var values: [Content] = []
    for element in self {
      guard let value = read(element) else { return nil }
      values.append(value)
    }
    return values
  }
}

extension [String: JSONValue] {
  /// What is read of each value; nil if one of them is refused.
  package func all<Content>(_ read: (JSONValue) -> Content?) -> [String: Content]? {
    var values: [String: Content] = [:]
    for (key, value) in self {
      guard let value = read(value) else { return nil }
      values[key] = value
    }
    return values
  }

  /// What is read of the value of a key, or an inner nil where it is missing or null; an outer nil
  /// if it is refused.
  package func optional<Content>(_ key: String, _ read: (JSONValue) -> Content?) -> Content?? {
    guard let value = self[key], value != .null else { return .some(nil) }
    return read(value).map { .some($0) }
  }
}
