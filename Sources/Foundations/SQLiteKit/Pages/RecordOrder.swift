// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The order of records in an index: NULL, numbers by value, texts and blobs by their bytes (the
/// collation BINARY).
@usableFromInline
enum RecordOrder {
  /// Less than, equal to or greater than 0, as some bytes are to others; for a few of them.
  @inlinable @inline(__always)
  static func compareShort(
    _ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ count: Int
  ) -> Int {
    var offset = 0
    while offset + 8 <= count {
      let left = one.loadUnaligned(fromByteOffset: offset, as: UInt64.self).bigEndian
      let right = other.loadUnaligned(fromByteOffset: offset, as: UInt64.self).bigEndian
      if left != right { return left < right ? -1 : 1 }
      offset += 8
    }
    while offset < count {
      let left = one.load(fromByteOffset: offset, as: UInt8.self)
      let right = other.load(fromByteOffset: offset, as: UInt8.self)
      if left != right { return left < right ? -1 : 1 }
      offset += 1
    }
    return 0
  }

  /// The bytes that the first columns of a valid record take in its body.
  static func keySize(_ record: UnsafeRawBufferPointer, columns: Int) -> Int {
    guard let start = record.baseAddress else { return 0 }
    var offset = 0
    _ = Varint.read(start, &offset)
    var size = 0
    for _ in 0..<columns {
      let type = Varint.read(start, &offset)
      switch type {
      case 0, 8, 9: break
      case 1...4: size += type
      case 5: size += 6
      case 6, 7: size += 8
      default: size += (type - 12) / 2
      }
    }
    return size
  }

  /// Whether one valid record precedes another by their first columns.
  static func precedes(
    _ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer, columns: Int
  ) -> Bool {
    guard let one = one.baseAddress, let other = other.baseAddress else { return false }
    var (oneType, otherType) = (0, 0)
    var oneValue = Varint.read(one, &oneType)
    var otherValue = Varint.read(other, &otherType)
    for _ in 0..<columns {
      let left = Value(one, type: Varint.read(one, &oneType), offset: &oneValue)
      let right = Value(other, type: Varint.read(other, &otherType), offset: &otherValue)
      let order = left.compare(right)
      if order != 0 { return order < 0 }
    }
    return false
  }

  private enum Value {
    case null
    case integer(Int64)
    case real(Double)
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)

    @inline(__always)
    init(_ record: UnsafeRawPointer, type: Int, offset: inout Int) {
      switch type {
      case 0: self = .null
      case 1...6:
        let size = type < 5 ? type : 2 * type - 4
        var value = Int64(record.load(fromByteOffset: offset, as: Int8.self))
        for index in 1..<max(size, 1) {
          value = value << 8 | Int64(record.load(fromByteOffset: offset + index, as: UInt8.self))
        }
        offset += size
        self = .integer(value)
      case 7:
        let bits = record.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        offset += 8
        self = .real(Double(bitPattern: UInt64(bigEndian: bits)))
      case 8, 9: self = .integer(Int64(type - 8))
      default:
        let bytes = UnsafeRawBufferPointer(start: record + offset, count: (type - 12) / 2)
        offset += bytes.count
        self = type % 2 == 0 ? .blob(bytes) : .text(bytes)
      }
    }

    private var kind: Int {
      switch self {
      case .null: 0
      case .integer, .real: 1
      case .text: 2
      case .blob: 3
      }
    }

    /// Less than, equal to or greater than 0, as this value is to the other.
    @inline(__always)
    func compare(_ other: Value) -> Int {
      switch (self, other) {
      case (.integer(let one), .integer(let two)): one < two ? -1 : one > two ? 1 : 0
      case (.real(let one), .real(let two)): one < two ? -1 : one > two ? 1 : 0
      case (.integer(let one), .real(let two)): Self.compare(one, two)
      case (.real(let one), .integer(let two)): -Self.compare(two, one)
      case (.text(let one), .text(let two)), (.blob(let one), .blob(let two)):
        Self.compare(one, two)
      default: kind - other.kind
      }
    }

    private static func compare(_ integer: Int64, _ real: Double) -> Int {
      if real >= 0x1p63 { return -1 }
      if real < -0x1p63 { return 1 }
      let whole = Int64(real)
      if integer != whole { return integer < whole ? -1 : 1 }
      let rest = real - Double(whole)
      return rest > 0 ? -1 : rest < 0 ? 1 : 0
    }

    private static func compare(_ one: UnsafeRawBufferPointer, _ two: UnsafeRawBufferPointer)
      -> Int
    {
      let count = min(one.count, two.count)
      if count > 0, let start = one.baseAddress, let other = two.baseAddress {
        let order = memcmp(start, other, count)
        if order != 0 { return Int(order) }
      }
      return one.count - two.count
    }
  }
}
