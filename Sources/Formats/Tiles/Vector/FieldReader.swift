// SPDX-License-Identifier: Apache-2.0

/// Reads fields of protocol buffers that anybody may have written.
struct FieldReader {
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
