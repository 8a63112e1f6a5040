// SPDX-License-Identifier: Apache-2.0

/// Maps a signed number to an unsigned one, keeping small ones small: 0, −1, 1, −2 … become 0, 1,
/// 2, 3 …
@inlinable @inline(__always)
package func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }

/// The inverse of ``zigzag(_:)``.
@inlinable @inline(__always)
package func unzigzag(_ value: UInt64) -> Int64 {
  Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
}

extension [UInt8] {
  /// Appends a varint (LEB128): seven bits in each byte, lowest first; all bytes except the last
  /// have the eighth bit set.
  @inlinable @inline(__always)
  package mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a number of fixed size, the lowest byte first.
  @inlinable @inline(__always)
  package mutating func append(fixed value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}
