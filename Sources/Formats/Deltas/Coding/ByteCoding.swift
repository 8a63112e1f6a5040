// SPDX-License-Identifier: Apache-2.0

/// Collects numbers and texts as bytes; ``ByteReader`` reads them.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  /// Adds a varint: seven bits in each byte, the lowest first.
  mutating func add(_ value: UInt64) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: value))
  }

  /// Adds a number that is not negative.
  mutating func add(count: Int) { add(UInt64(truncatingIfNeeded: count)) }

  /// Adds a number with its sign in the lowest bit.
  mutating func add(signed value: Int64) {
    add(UInt64(bitPattern: value << 1 ^ value >> 63))
  }

  /// Adds a number of fixed size.
  mutating func add(fixed value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Adds bytes as they are.
  mutating func add(raw bytes: some Collection<UInt8>) { self.bytes.append(contentsOf: bytes) }

  /// Adds a text with its length.
  mutating func add(_ text: String) {
    add(count: text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }
}

/// Reads what ``ByteWriter`` wrote. What is missing or impossible throws
/// ``DeltaError/damaged(_:)``.
struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  /// The offset of the next byte.
  private(set) var offset: Int

  /// Reads bytes that must stay valid.
  init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 0) {
    self.bytes = bytes
    self.offset = min(max(0, offset), bytes.count)
  }

  /// How many bytes are left.
  var left: Int { bytes.count - offset }

  @inline(__always)
  mutating func varint() throws(DeltaError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
      guard shift < 64 else { break }
    }
    throw .damaged("a number is cut off or too long")
  }

  /// A number of things of which each takes at least `size` bytes.
  mutating func count(ofSize size: Int = 1) throws(DeltaError) -> Int {
    let value = try varint()
    guard value <= UInt64(left / max(1, size)) else {
      throw .damaged("it counts more than it has bytes for")
    }
    return Int(value)
  }

  mutating func signed() throws(DeltaError) -> Int64 {
    let value = try varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  @inline(__always)
  mutating func fixed<Value: FixedWidthInteger>(_: Value.Type) throws(DeltaError) -> Value {
    let size = MemoryLayout<Value>.size
    guard left >= size else { throw .damaged("it is cut off") }
    defer { offset += size }
    return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self))
  }

  mutating func raw(_ count: Int) throws(DeltaError) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= left else { throw .damaged("it is cut off") }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  mutating func text() throws(DeltaError) -> String {
    let size = try count()
    return String(decoding: try raw(size), as: UTF8.self)
  }
}
