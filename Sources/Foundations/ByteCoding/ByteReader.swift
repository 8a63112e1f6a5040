// SPDX-License-Identifier: Apache-2.0

/// Reads numbers and bytes one after another from untrusted input: truncated or impossible values
/// are nil. It never reads outside its bytes.
package struct ByteReader {
  @usableFromInline let bytes: UnsafeRawBufferPointer
  @usableFromInline var position: Int

  /// Reads bytes that must stay valid.
  @inlinable
  package init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 0) {
    self.bytes = bytes
    position = min(max(0, offset), bytes.count)
  }

  /// The offset of the next byte.
  @inlinable package var offset: Int { position }

  /// The number of bytes left.
  @inlinable package var left: Int { bytes.count - position }

  /// Whether all bytes have been read.
  @inlinable package var isAtEnd: Bool { position == bytes.count }

  /// The next varint; nil if it is truncated or longer than 64 bits.
  @inlinable @inline(__always)
  package mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < bytes.count, shift < 64 {
      let byte = UInt64(bytes[position])
      position += 1
      // The tenth byte has only one bit.
      guard shift < 63 || byte <= 1 else { return nil }
      value |= (byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  /// A number of items that take at least `size` bytes each; nil if there are not enough bytes
  /// left.
  @inlinable
  package mutating func count(ofSize size: Int = 1) -> Int? {
    guard let value = varint(), value <= UInt64(left / max(1, size)) else { return nil }
    return Int(value)
  }

  /// A number of fixed size, the lowest byte first.
  @inlinable @inline(__always)
  package mutating func fixed<Number: FixedWidthInteger & BitwiseCopyable>(
    _: Number.Type = Number.self
  ) -> Number? {
    let size = MemoryLayout<Number>.size
    guard left >= size else { return nil }
    defer { position += size }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
  }

  /// The next bytes.
  @inlinable
  package mutating func raw(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count >= 0, count <= left else { return nil }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }
}
