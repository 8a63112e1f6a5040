// SPDX-License-Identifier: Apache-2.0

/// SQLite's integers of one to nine bytes: seven bits a byte, the highest first, and eight bits in
/// the ninth.
@usableFromInline
enum Varint {
  @inlinable @inline(__always)
  static func size(_ value: UInt64) -> Int {
    if value < 0x80 { return 1 }
    return min(9, (70 - value.leadingZeroBitCount) / 7)
  }

  /// Writes a value and returns its size.
  @inlinable @inline(__always)
  static func write(_ value: UInt64, to bytes: UnsafeMutableRawPointer) -> Int {
    if value < 0x80 {
      bytes.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
      return 1
    }
    if value < 0x4000 {
      let both = UInt16(truncatingIfNeeded: (value >> 7) << 8 | value & 0x7F | 0x8000)
      bytes.storeBytes(of: both.bigEndian, as: UInt16.self)
      return 2
    }
    return writeLong(value, to: bytes)
  }

  @inlinable
  static func writeLong(_ value: UInt64, to bytes: UnsafeMutableRawPointer) -> Int {
    let count = size(value)
    var rest = value
    var last = count - 1
    if count == 9 {
      bytes.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: 8, as: UInt8.self)
      rest >>= 8
      last = 7
    }
    for index in stride(from: last, through: 0, by: -1) {
      let more: UInt8 = index == count - 1 ? 0 : 0x80
      bytes.storeBytes(
        of: UInt8(truncatingIfNeeded: rest & 0x7F) | more, toByteOffset: index, as: UInt8.self)
      rest >>= 7
    }
    return count
  }

  /// Reads a value of at most eight bytes, as a record's header has, and moves past it.
  @inline(__always)
  static func read(_ bytes: UnsafeRawPointer, _ offset: inout Int) -> Int {
    var value = 0
    while true {
      let byte = bytes.load(fromByteOffset: offset, as: UInt8.self)
      offset += 1
      value = value << 7 | Int(byte & 0x7F)
      if byte & 0x80 == 0 { return value }
    }
  }
}
