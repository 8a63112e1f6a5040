// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding

/// Reads the output of a `ByteWriter`. Missing or impossible values throw
/// ``DeltaError/damaged(_:)``.
struct DeltaReader {
  private var bytes: ByteReader

  /// Reads bytes that must stay valid.
  init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 0) {
    self.bytes = ByteReader(bytes, from: offset)
  }

  /// The offset of the next byte.
  var offset: Int { bytes.offset }

  /// The number of bytes left.
  var left: Int { bytes.left }

  @inline(__always)
  mutating func varint() throws(DeltaError) -> UInt64 {
    guard let value = bytes.varint() else { throw .damaged("a number is truncated or too long") }
    return value
  }

  /// A number of items that take at least `size` bytes each.
  mutating func count(ofSize size: Int = 1) throws(DeltaError) -> Int {
    let value = try varint()
    guard value <= UInt64(left / max(1, size)) else {
      throw .damaged("it counts more than it has bytes for")
    }
    return Int(value)
  }

  mutating func signed() throws(DeltaError) -> Int64 { unzigzag(try varint()) }

  @inline(__always)
  mutating func fixed<Value: FixedWidthInteger & BitwiseCopyable>(_: Value.Type)
    throws(DeltaError) -> Value
  {
    guard let value: Value = bytes.fixed() else { throw .damaged("it is truncated") }
    return value
  }

  mutating func raw(_ count: Int) throws(DeltaError) -> UnsafeRawBufferPointer {
    guard let found = bytes.raw(count) else { throw .damaged("it is truncated") }
    return found
  }

  mutating func text() throws(DeltaError) -> String {
    let size = try count()
    return String(decoding: try raw(size), as: UTF8.self)
  }
}
