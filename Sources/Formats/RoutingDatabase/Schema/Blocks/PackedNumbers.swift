// SPDX-License-Identifier: Apache-2.0

/// Whole numbers of equal width in a blob: a byte with the width in bytes, 2 or 4, then the
/// numbers, unsigned and little-endian. Two bytes are used if all numbers fit.
package struct PackedNumbers {
  private let bytes: UnsafeRawBufferPointer
  /// The bytes of a number, 2 or 4.
  package let width: Int
  /// The number of numbers.
  package let count: Int

  /// The numbers of a blob, which must stay valid; nil if its length or its width is impossible.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard let first = bytes.first, first == 2 || first == 4 else { return nil }
    width = Int(first)
    guard (bytes.count - 1) % width == 0 else { return nil }
    self.bytes = bytes
    count = (bytes.count - 1) / width
  }

  /// The number at an index below ``count``.
  package subscript(_ index: Int) -> Int {
    precondition(index >= 0 && index < count)
    let offset = 1 + index * width
    if width == 2 {
      return Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
    }
    // On 32 bits nothing has an index as great as half of these numbers.
    return Int(
      clamping: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  /// The bytes that each of some numbers needs.
  static func width(of numbers: [Int]) -> Int {
    numbers.allSatisfy { $0 <= Int(UInt16.max) } ? 2 : 4
  }

  /// A blob of numbers, which must be from 0 to 2³² − 1.
  package static func pack(_ numbers: [Int]) -> [UInt8] {
    pack(numbers, width: width(of: numbers))
  }

  static func pack(_ numbers: [Int], width: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 1 + width * numbers.count) { buffer, count in
      count = pack(numbers, width: width, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }

  /// Writes a blob into a buffer that is large enough, and returns its size.
  static func pack(_ numbers: [Int], width: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int
  {
    buffer[0] = UInt8(width)
    var offset = 1
    for number in numbers {
      let bits = UInt32(truncatingIfNeeded: number)
      if width == 2 {
        buffer.storeBytes(
          of: UInt16(truncatingIfNeeded: bits).littleEndian, toByteOffset: offset, as: UInt16.self)
      } else {
        buffer.storeBytes(of: bits.littleEndian, toByteOffset: offset, as: UInt32.self)
      }
      offset += width
    }
    return offset
  }
}
