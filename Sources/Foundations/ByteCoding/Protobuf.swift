// SPDX-License-Identifier: Apache-2.0

// Messages of protocol buffers: https://protobuf.dev/programming-guides/encoding/

extension ByteWriter {
  /// Adds a field with a number to a message.
  @inlinable
  package mutating func addField(_ field: UInt64, _ value: UInt64) {
    add(field << 3)
    add(value)
  }

  /// Adds a field with bytes to a message: a text, another message, or packed numbers.
  @inlinable
  package mutating func addField(_ field: UInt64, _ content: some Collection<UInt8>) {
    add(field << 3 | 2)
    add(count: content.count)
    add(raw: content)
  }
}

/// A field of a message.
package struct ProtobufField {
  /// The content of a field.
  package enum Content {
    /// An integer.
    case number(UInt64)
    /// A text, a message, packed numbers, or a number of four or eight bytes.
    case bytes(UnsafeRawBufferPointer)
  }

  /// Its number in the schema.
  package let number: UInt64
  /// The content.
  package let content: Content
}

extension ByteReader {
  /// The next field of a message; nil at the end, and `.some(nil)` if it is damaged. Groups, which
  /// are deprecated, count as damage.
  package mutating func field() -> ProtobufField?? {
    guard !isAtEnd else { return .none }
    guard let tag = varint(), let content = content(ofType: tag & 7) else { return .some(nil) }
    return ProtobufField(number: tag >> 3, content: content)
  }

  private mutating func content(ofType type: UInt64) -> ProtobufField.Content? {
    switch type {
    case 0: varint().map { .number($0) }
    case 1: raw(8).map { .bytes($0) }
    case 2: count().flatMap { raw($0) }.map { .bytes($0) }
    case 5: raw(4).map { .bytes($0) }
    default: nil
    }
  }
}
