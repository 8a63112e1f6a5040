// SPDX-License-Identifier: Apache-2.0

/// Appends fields of protocol buffers to bytes: https://protobuf.dev/programming-guides/encoding/
package struct ProtobufWriter: Sendable {
  /// The bytes so far.
  package var bytes: [UInt8] = []

  /// Begins without bytes.
  package init() {}

  /// Appends a number in groups of seven bits.
  @inline(__always)
  package mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a field with a number.
  package mutating func field(_ number: UInt64, _ value: UInt64) {
    varint(number << 3)
    varint(value)
  }

  /// Appends a field with bytes.
  package mutating func field(_ number: UInt64, _ content: some Collection<UInt8>) {
    varint(number << 3 | 2)
    varint(UInt64(content.count))
    bytes.append(contentsOf: content)
  }

  /// A signed number as an unsigned one, in which small ones stay small.
  @inline(__always)
  package static func zigzag(_ value: Int32) -> UInt32 {
    UInt32(bitPattern: (value << 1) ^ (value >> 31))
  }
}

/// Reads fields of protocol buffers that anybody may have written.
struct ProtobufReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  /// The next varint; nil if it is cut off or longer than 64 bits.
  @inline(__always)
  mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < bytes.count, shift < 64 {
      let byte = UInt64(bytes[position])
      position += 1
      guard shift < 63 || byte <= 1 else { return nil }
      value |= (byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  /// What a field has.
  enum Content {
    case number(UInt64)
    case bytes(UnsafeRawBufferPointer)
  }

  /// The next field; nil at the end, and `.some(nil)` if it is damaged.
  mutating func field() -> (number: UInt64, content: Content)?? {
    guard !isAtEnd else { return .none }
    guard let tag = varint() else { return .some(nil) }
    switch tag & 7 {
    case 0:
      guard let value = varint() else { return .some(nil) }
      return (tag >> 3, .number(value))
    case 1: return take(8).map { (tag >> 3, .bytes($0)) }.map(Optional.some) ?? .some(nil)
    case 2:
      guard let length = varint(), length <= UInt64(bytes.count - position),
        let content = take(Int(length))
      else { return .some(nil) }
      return (tag >> 3, .bytes(content))
    case 5: return take(4).map { (tag >> 3, .bytes($0)) }.map(Optional.some) ?? .some(nil)
    default: return .some(nil)
    }
  }

  private mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count <= bytes.count - position else { return nil }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }
}
