// SPDX-License-Identifier: Apache-2.0

/// A value that is null in JSON where there is none, instead of being left out.
package struct Nullable<Value: Encodable>: Encodable {
  /// The value, if there is one.
  package var value: Value?

  /// Takes a value or none.
  package init(_ value: Value?) { self.value = value }

  /// Writes the value or null.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension Nullable: Sendable where Value: Sendable {}
