// SPDX-License-Identifier: Apache-2.0

/// Collects numbers and texts as bytes; ``ByteReader`` reads them.
package struct ByteWriter: Sendable {
  /// The bytes so far.
  package var bytes: [UInt8]

  /// Starts with existing bytes.
  @inlinable package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  /// Adds a varint.
  @inlinable @inline(__always)
  package mutating func add(_ value: UInt64) { bytes.append(varint: value) }

  /// Adds a non-negative number as a varint.
  @inlinable @inline(__always)
  package mutating func add(count: Int) { add(UInt64(truncatingIfNeeded: count)) }

  /// Adds a number with its sign in the lowest bit, as a varint.
  @inlinable @inline(__always)
  package mutating func add(signed value: Int64) { add(zigzag(value)) }

  /// Adds a number of fixed size, the lowest byte first.
  @inlinable @inline(__always)
  package mutating func add(fixed value: some FixedWidthInteger) { bytes.append(fixed: value) }

  /// Adds bytes unchanged.
  @inlinable @inline(__always)
  package mutating func add(raw bytes: some Collection<UInt8>) {
    self.bytes.append(contentsOf: bytes)
  }

  /// Adds a text with its length.
  package mutating func add(_ text: String) {
    add(count: text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }
}
