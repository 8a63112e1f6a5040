// SPDX-License-Identifier: Apache-2.0

/// A value encoded in JSON as null if absent, instead of being left out.
package struct Nullable<Value: Encodable>: Encodable {
  /// The value, if any.
  package var value: Value?

  /// Wraps an optional value.
  package init(_ value: Value?) { self.value = value }

  /// Writes the value or null.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension Nullable: Sendable where Value: Sendable {}
extension Nullable: Equatable where Value: Equatable {}
