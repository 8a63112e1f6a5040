// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import FoundationEssentials

/// A JSON value.
package enum JSONValue: Codable, Equatable, Sendable, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  /// An integer.
  case integer(Int)
  /// A number; infinities and NaN are written as null.
  case number(Double)
  /// A text.
  case text(String)
  /// True or false.
  case boolean(Bool)
  /// A list.
  case list([JSONValue])
  /// An object.
  case object([String: JSONValue])
  /// Null.
  case null

  /// An integer.
  package init(integerLiteral value: Int) { self = .integer(value) }
  /// A text.
  package init(stringLiteral value: String) { self = .text(value) }
  /// A number.
  package init(floatLiteral value: Double) { self = .number(value) }
  /// True or false.
  package init(booleanLiteral value: Bool) { self = .boolean(value) }

  /// Reads any JSON value.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Writes the value.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .integer(let value): try container.encode(value)
    case .number(let value):
      if value.isFinite { try container.encode(value) } else { try container.encodeNil() }
    case .text(let value): try container.encode(value)
    case .boolean(let value): try container.encode(value)
    case .list(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    case .null: try container.encodeNil()
    }
  }
}

/// A value as JSON with sorted keys and a final line feed; on one line unless `pretty`.
package func encodeJSON(_ value: some Encodable, pretty: Bool = true) throws(CairnError) -> [UInt8]
{
  if let item = JSONTree.of(value) {
    return JSONText(item, isPretty: pretty).bytes + [UInt8(ascii: "\n")]
  }
  let encoder = JSONEncoder()
  encoder.outputFormatting =
    pretty
    ? [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    : [.sortedKeys, .withoutEscapingSlashes]
  do { return [UInt8](try encoder.encode(value)) + [UInt8(ascii: "\n")] } catch {
    throw CairnError("json", .software, "cannot be encoded as JSON: \(error)")
  }
}

/// Seconds as JSON, to the millisecond.
package func rounded(_ seconds: Double) -> JSONValue { .number((seconds * 1000).rounded() / 1000) }
