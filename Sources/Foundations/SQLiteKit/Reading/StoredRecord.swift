// SPDX-License-Identifier: Apache-2.0

/// A row of a table or an entry of an index in its page, whose columns are read in order. Valid
/// until the next call of the ``PageReader``.
///
/// A missing column, or one of another type than expected, makes the record unsound.
///
/// It is usable from inlined code because the compiler inlines functions of no other package type
/// into other modules.
@usableFromInline
package struct StoredRecord {
  @usableFromInline let bytes: UnsafeRawPointer
  /// The bytes in the page; the rest of a long record is elsewhere.
  @usableFromInline let end: Int
  /// The number of all its bytes.
  private let whole: Int
  @usableFromInline let headerEnd: Int
  @usableFromInline var nextType: Int
  @usableFromInline var nextValue: Int
  /// Whether a column read so far is missing or has another type than expected.
  @usableFromInline var isUnsound = false

  /// Whether all columns read so far exist and have the expected types.
  @inlinable package var isSound: Bool { !isUnsound }

  /// - Parameters:
  ///   - bytes: The record, followed by at least sixteen readable bytes.
  ///   - size: The number of its bytes there.
  ///   - whole: The number of all its bytes.
  @inline(__always)
  init?(_ bytes: UnsafeRawPointer, size: Int, whole: Int) {
    var offset = 0
    let header = PageBytes.varint(bytes, &offset)
    guard header >= Int64(offset), header <= Int64(size) else { return nil }
    (self.bytes, end, self.whole, headerEnd) = (bytes, size, whole, Int(header))
    (nextType, nextValue) = (offset, Int(header))
  }

  /// The type of the next column and the start of its value; nil after the last one, which makes
  /// the record unsound.
  @inlinable @inline(__always)
  mutating func next() -> (type: Int, offset: Int, size: Int)? {
    guard nextType < headerEnd else {
      isUnsound = true
      return nil
    }
    let type = PageBytes.varint(bytes, &nextType)
    // A value this large is in no page, whatever its exact size.
    guard type >= 0, type < 1 << 30 else {
      isUnsound = true
      return nil
    }
    let size = PageBytes.size(ofType: Int(type))
    let offset = nextValue
    // No sum of sizes overflows, not even with 32 bits.
    nextValue = min(nextValue + size, 1 << 30)
    return (Int(type), offset, size)
  }

  /// The next column; nil if it is not in the page, or has a type that no value has.
  @inline(__always)
  mutating func value() -> StoredValue? {
    guard let (type, offset, size) = next(), type != 10, type != 11, offset + size <= end else {
      return nil
    }
    return StoredValue(bytes: bytes + offset, type: type)
  }

  /// Whether the record is as long as its columns, if all of them were read: SQLite calls any other
  /// record damaged.
  var fits: Bool { nextType < headerEnd || nextType == headerEnd && nextValue == whole }

  /// The record up to the last column read.
  var bytesRead: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes, count: min(nextValue, end))
  }

  /// Skips some columns.
  @inlinable @inline(__always)
  package mutating func skip(_ count: Int) {
    var (left, place, value) = (count, nextType, nextValue)
    // The types of all but long values take a byte.
    while left > 0, place < headerEnd {
      let type = Int(bytes.load(fromByteOffset: place, as: UInt8.self))
      guard type < 0x80 else { break }
      place += 1
      value += PageBytes.size(ofType: type)
      left -= 1
    }
    (nextType, nextValue) = (place, value)
    for _ in 0..<left { _ = next() }
  }

  /// The next column, which must be an integer.
  @inlinable @inline(__always)
  package mutating func integer() -> Int64 {
    guard let (type, offset, size) = next(), 1...6 ~= type || 8...9 ~= type, offset + size <= end
    else {
      isUnsound = true
      return 0
    }
    return PageBytes.integer(bytes + offset, type: type)
  }

  /// The next column, which must be an integer or NULL.
  @inlinable @inline(__always)
  package mutating func optionalInteger() -> Int64? {
    guard let (type, offset, size) = next(), 0...6 ~= type || 8...9 ~= type, offset + size <= end
    else {
      isUnsound = true
      return nil
    }
    return type == 0 ? nil : PageBytes.integer(bytes + offset, type: type)
  }

  /// The next column, which must be a number.
  @inlinable @inline(__always)
  package mutating func number() -> Double {
    guard let (type, offset, size) = next(), 1...9 ~= type, offset + size <= end else {
      isUnsound = true
      return 0
    }
    return PageBytes.number(bytes + offset, type: type)
  }

  /// The next column, which must be a number or NULL.
  package mutating func optionalNumber() -> Double? {
    guard let (type, offset, size) = next(), 0...9 ~= type, offset + size <= end else {
      isUnsound = true
      return nil
    }
    return type == 0 ? nil : PageBytes.number(bytes + offset, type: type)
  }

  /// The next column, which must be a text or NULL.
  package mutating func optionalText() -> String? {
    guard let (type, offset, size) = next(), type == 0 || type >= 13 && type % 2 == 1,
      offset + size <= end
    else {
      isUnsound = true
      return nil
    }
    guard type != 0 else { return nil }
    return String(
      decoding: UnsafeRawBufferPointer(start: bytes + offset, count: size), as: UTF8.self)
  }

  /// The bytes of the next column, which must be a text or NULL; none for NULL.
  @inlinable @inline(__always)
  package mutating func textBytes() -> UnsafeRawBufferPointer {
    guard let (type, offset, size) = next(), type == 0 || type >= 13 && type % 2 == 1,
      offset + size <= end
    else {
      isUnsound = true
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(start: bytes + offset, count: size)
  }

  /// The bytes of the next column, which must be a blob or NULL; none for NULL.
  package mutating func blob() -> UnsafeRawBufferPointer {
    let (blob, isWhole) = startOfBlob()
    if !isWhole { isUnsound = true }
    return blob
  }

  /// The bytes in the page of the next column, which must be a blob or NULL, and whether these are
  /// all.
  mutating func startOfBlob() -> (bytes: UnsafeRawBufferPointer, isWhole: Bool) {
    guard let (type, offset, size) = next(), type == 0 || type >= 12 && type % 2 == 0 else {
      isUnsound = true
      return (UnsafeRawBufferPointer(start: nil, count: 0), false)
    }
    let count = max(0, min(size, end - offset))
    guard count > 0 else { return (UnsafeRawBufferPointer(start: nil, count: 0), size == 0) }
    return (UnsafeRawBufferPointer(start: bytes + offset, count: count), count == size)
  }
}

/// How SQLite writes numbers.
@usableFromInline
enum PageBytes {
  /// The varint at an offset, which moves past it; reads at most nine bytes.
  @inlinable @inline(__always)
  static func varint(_ bytes: UnsafeRawPointer, _ offset: inout Int) -> Int64 {
    let first = bytes.load(fromByteOffset: offset, as: UInt8.self)
    offset += 1
    return first < 0x80 ? Int64(first) : longVarint(bytes, &offset, UInt64(first & 0x7F))
  }

  @inlinable @inline(__always)
  static func longVarint(_ bytes: UnsafeRawPointer, _ offset: inout Int, _ first: UInt64)
    -> Int64
  {
    var value = first
    for _ in 0..<7 {
      let byte = bytes.load(fromByteOffset: offset, as: UInt8.self)
      offset += 1
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return Int64(bitPattern: value) }
    }
    let last = bytes.load(fromByteOffset: offset, as: UInt8.self)
    offset += 1
    return Int64(bitPattern: value << 8 | UInt64(last))
  }

  @inline(__always)
  static func short(_ bytes: UnsafeRawPointer, _ offset: Int) -> Int {
    Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  @inline(__always)
  static func word(_ bytes: UnsafeRawPointer, _ offset: Int) -> UInt32 {
    UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// The bytes of a value of a type.
  @inlinable @inline(__always)
  static func size(ofType type: Int) -> Int {
    if type >= 12 { return (type - 12) >> 1 }
    // 0, 1, 2, 3, 4, 6, 8, 8, 0, 0 and two that do not occur.
    return Int(truncatingIfNeeded: UInt64(0x8864_3210) &>> UInt64(4 &* type)) & 0xF
  }

  /// The integer of a type from 1 to 6, 8 or 9.
  @inlinable @inline(__always)
  static func integer(_ bytes: UnsafeRawPointer, type: Int) -> Int64 {
    if type >= 8 { return Int64(type - 8) }
    // Eight bytes can always be read; the first ones count.
    let bits = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    return Int64(bitPattern: bits) &>> Int64(64 &- 8 &* size(ofType: type))
  }

  /// The number of a type from 1 to 9.
  @inlinable @inline(__always)
  static func number(_ bytes: UnsafeRawPointer, type: Int) -> Double {
    type == 7
      ? Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
      : Double(integer(bytes, type: type))
  }
}
