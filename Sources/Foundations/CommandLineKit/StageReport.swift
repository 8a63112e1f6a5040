// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import FoundationEssentials

/// What a stage did, as `--report FILE.json` writes it.
package struct StageReport: Codable, Equatable, Sendable {
  /// A failed stage's reason.
  package struct Failure: Codable, Equatable, Sendable {
    /// The class of the error.
    package var code: String
    /// The error as stderr has it.
    package var message: String
    /// The exit status.
    package var exitCode: Int32
  }

  /// The stage's executable, such as `cairn-decode-pbf`.
  package var stage: String
  /// The version of the tool.
  package var version: String = cairnVersion
  /// Counts and facts of what was read, such as `nodes`.
  package var input: [String: JSONValue] = [:]
  /// Counts and facts of what was written.
  package var output: [String: JSONValue] = [:]
  /// Warnings, one entry a kind.
  package var warnings: [WarningTally.Entry] = []
  /// Seconds of wall clock.
  package var wallSeconds: Double = 0
  /// Seconds of processor time.
  package var cpuSeconds: Double = 0
  /// The largest resident memory in bytes.
  package var peakBytes: Int = 0
  /// Why it failed, if it did.
  package var error: Failure?

  /// Makes an empty report.
  package init(stage: String) { self.stage = stage }
}

/// A value of a report: JSON without its nesting pains.
package enum JSONValue: Codable, Equatable, Sendable, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  /// A whole number.
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
  /// Nothing.
  case null

  /// A whole number.
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

/// A value as JSON with sorted keys and a line feed at the end; on one line unless `pretty`.
package func encodeJSON(_ value: some Encodable, pretty: Bool = true) throws(CairnError) -> [UInt8]
{
  let encoder = JSONEncoder()
  encoder.outputFormatting =
    pretty
    ? [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    : [.sortedKeys, .withoutEscapingSlashes]
  do { return [UInt8](try encoder.encode(value)) + [UInt8(ascii: "\n")] } catch {
    throw CairnError("json", .software, "cannot be written as JSON: \(error)")
  }
}
