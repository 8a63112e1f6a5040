// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The fields of a JSON object that this version does not know, such as those of a later version or
/// of an app. They are written back as read.
///
/// Numbers of up to 38 digits with an exponent between −128 and 127 keep their value exactly;
/// others are rounded to double precision. The order of fields is not kept, since files are written
/// sorted.
public struct UnknownFields: Hashable, Sendable {
  /// A value in JSON.
  public enum Value: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number that decimal digits represent.
    case number(Decimal)
    /// A number out of the range of decimal digits.
    case double(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([Value])
    /// An object by the names of its fields.
    case object([String: Value])
  }

  /// The values by name.
  public var values: [String: Value]

  /// Makes fields; without values none.
  public init(_ values: [String: Value] = [:]) { self.values = values }

  /// Whether there are none.
  public var isEmpty: Bool { values.isEmpty }

  /// The value of a name.
  public subscript(name: String) -> Value? {
    get { values[name] }
    set { values[name] = newValue }
  }
}

extension UnknownFields {
  /// Reads the unknown fields of an object.
  init(from decoder: any Decoder, besides isKnown: (String) -> Bool) throws {
    let container = try decoder.container(keyedBy: FieldName.self)
    values = [:]
    for key in container.allKeys where !isKnown(key.stringValue) {
      values[key.stringValue] = try container.decode(Value.self, forKey: key)
    }
  }

  /// Adds the unknown fields to the object that an encoder writes.
  func encode(to encoder: any Encoder, besides isKnown: (String) -> Bool) throws {
    guard !isEmpty else { return }
    var container = encoder.container(keyedBy: FieldName.self)
    for (name, value) in values where !isKnown(name) {
      try container.encode(value, forKey: FieldName(name))
    }
  }
}

/// Any name of a field.
private struct FieldName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

extension UnknownFields.Value: Codable {
  /// The deepest nesting that is accepted; each level takes stack space.
  private static let maximumDepth = 100

  /// Throws a `DecodingError` if the value is nested too deeply.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard decoder.codingPath.count <= Self.maximumDepth else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "is nested more than \(Self.maximumDepth) levels deep")
    }
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Double.self) {
      self = Self.number(value, try? container.decode(Decimal.self))
    } else if var list = try? decoder.unkeyedContainer() {
      var values: [Self] = []
      while !list.isAtEnd { values.append(try list.decode(Self.self)) }
      self = .array(values)
    } else {
      self = .object(try UnknownFields(from: decoder) { _ in false }.values)
    }
  }

  /// The decimal digits, unless they give another number, as they do out of range.
  private static func number(_ double: Double, _ decimal: Decimal?) -> Self {
    guard let decimal, decimal.isFinite, abs(double - decimal.nearestDouble) <= double.ulp.magnitude
    else { return .double(double) }
    return .number(decimal)
  }

  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let values):
      // An empty object is an object, too.
      var container = encoder.container(keyedBy: FieldName.self)
      for (name, value) in values { try container.encode(value, forKey: FieldName(name)) }
    case .array(let values):
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(value) }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let value): try container.encode(value)
      case .number(let value): try container.encode(value)
      case .double(let value): try container.encode(value)
      case .string(let value): try container.encode(value)
      default: try container.encodeNil()
      }
    }
  }
}

extension Decimal {
  fileprivate var nearestDouble: Double { Double(description) ?? .nan }
}
