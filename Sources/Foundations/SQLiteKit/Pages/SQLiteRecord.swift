// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// A row of a table or an index as SQLite stores it. Add the columns in order, then end the row
/// (``TreePart/endRow()``, ``TreePart/endRow(_:)``), which clears the record for the next one.
///
/// Values are stored as SQLite stores inserted ones: an integer in the fewest bytes, and so is an
/// integral number in a column of REAL affinity. A column that is the table's `INTEGER PRIMARY KEY`
/// is NULL in its record. A record of a WITHOUT ROWID table begins with the columns of the primary
/// key, and a record of an index ends with the rowid.
package struct SQLiteRecord: ~Copyable {
  /// The longest record: SQLite's default limit.
  package static let greatestSize = 1_000_000_000
  /// More columns than this SQLite does not allow by default.
  package static let mostColumns = 2000

  @usableFromInline private(set) var columnCount = 0
  /// The types of the columns, which the record's header consists of, and their size in bytes.
  @usableFromInline private(set) var types: UnsafeMutableRawPointer
  @usableFromInline var typesSize = 0
  @usableFromInline var columns = 0
  /// The values, after space for the header, which is put before them if a record must be in one
  /// piece.
  @usableFromInline private(set) var headroom = 0
  @usableFromInline private(set) var buffer: UnsafeMutableRawPointer
  @usableFromInline private(set) var capacity = 1 << 16
  @usableFromInline var end = 0
  @usableFromInline var isTooLong = false
  /// Negative if any number is.
  @usableFromInline var signs: Int64 = 0

  init() {
    types = .allocate(byteCount: 16, alignment: 16)
    buffer = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    types.deallocate()
    buffer.deallocate()
  }

  /// Begins the first record of a number of columns.
  mutating func begin(columns: Int) {
    columnCount = min(max(columns, 0), Self.mostColumns)
    headroom = 16 + 10 * columnCount
    types.deallocate()
    types = .allocate(byteCount: headroom, alignment: 16)
    clear()
  }

  /// Removes all columns.
  @inlinable
  mutating func clear() {
    typesSize = 0
    columns = 0
    end = headroom
    isTooLong = false
    signs = 0
  }

  /// Adds NULL.
  @inlinable package mutating func addNull() { addType(0) }

  /// Adds an integer.
  @inlinable package mutating func add(_ value: Int64) {
    signs |= value
    // The bits without the sign.
    let magnitude = UInt64(bitPattern: value < 0 ? ~value : value)
    switch magnitude {
    case 0...0x7F:
      if value == 0 || value == 1 {
        addType(8 + UInt64(bitPattern: value))
      } else {
        addType(1)
        addInteger(value, size: 1)
      }
    case ...0x7FFF:
      addType(2)
      addInteger(value, size: 2)
    case ...0x7F_FFFF:
      addType(3)
      addInteger(value, size: 3)
    case ...0x7FFF_FFFF:
      addType(4)
      addInteger(value, size: 4)
    case ...0x7FFF_FFFF_FFFF:
      addType(5)
      addInteger(value, size: 6)
    default:
      addType(6)
      addInteger(value, size: 8)
    }
  }

  /// Adds a number to a column of REAL affinity; NULL for NaN. As in SQLite, an integral number of
  /// up to six bytes is stored as an integer, so −0 becomes 0.
  @inlinable package mutating func add(_ value: Double) {
    if abs(value) < 0x1p47 {
      let integer = Int64(value)
      if Double(integer) == value { return add(integer) }
    } else if value == -0x1p47 {
      return add(Int64(value))
    }
    addUnconverted(value)
  }

  /// Adds a number unchanged to a column without affinity; NULL for NaN.
  @inlinable package mutating func addUnconverted(_ value: Double) {
    guard !value.isNaN else { return addNull() }
    signs |= Int64(bitPattern: value.bitPattern)
    addType(7)
    addInteger(Int64(bitPattern: value.bitPattern), size: 8)
  }

  /// Adds a text of UTF-8.
  @inlinable package mutating func addText(_ bytes: UnsafeRawBufferPointer) {
    addBytes(bytes, type: 13)
  }

  /// Adds a text.
  @inlinable package mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { addText(UnsafeRawBufferPointer($0)) }
  }

  /// Adds a blob of at most `limit` bytes, which `fill` writes; it returns their number.
  @inlinable package mutating func addBlob(
    upTo limit: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int
  ) {
    guard limit >= 0, limit <= Self.greatestSize, reserve(limit) else { return isTooLong = true }
    let size = fill(UnsafeMutableRawBufferPointer(start: buffer + end, count: limit))
    precondition(0...limit ~= size)
    addType(12 + 2 * UInt64(size))
    end += size
  }

  /// Adds a blob.
  @inlinable package mutating func addBlob(_ bytes: UnsafeRawBufferPointer) {
    addBytes(bytes, type: 12)
  }

  @inlinable mutating func addBytes(_ bytes: UnsafeRawBufferPointer, type: UInt64) {
    guard bytes.count <= Self.greatestSize, reserve(bytes.count) else { return isTooLong = true }
    addType(type + 2 * UInt64(bytes.count))
    guard let start = bytes.baseAddress else { return }
    (buffer + end).copyMemory(from: start, byteCount: bytes.count)
    end += bytes.count
  }

  @inlinable @inline(__always)
  mutating func addType(_ type: UInt64) {
    // Columns beyond those announced are counted, and refused when the record is complete.
    columns += 1
    guard columns <= columnCount else { return }
    typesSize += Varint.write(type, to: types + typesSize)
  }

  @inlinable @inline(__always)
  mutating func addInteger(_ value: Int64, size: Int) {
    guard reserve(8) else { return isTooLong = true }
    // Highest bytes first: anything behind them is overwritten by the next value.
    let shifted = UInt64(bitPattern: value) << UInt64(64 - 8 * size)
    (buffer + end).storeBytes(of: shifted.bigEndian, as: UInt64.self)
    end += size
  }

  @inlinable @inline(__always)
  mutating func reserve(_ count: Int) -> Bool {
    end + count <= capacity || grow(count)
  }

  @usableFromInline @inline(never)
  mutating func grow(_ count: Int) -> Bool {
    guard end + count <= Self.greatestSize + headroom else { return false }
    let grown = max(2 * capacity, end + count)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: grown, alignment: 16)
    larger.copyMemory(from: buffer, byteCount: end)
    buffer.deallocate()
    buffer = larger
    capacity = grown
    return true
  }

  /// Throws 70 if columns are missing or superfluous, and 65 if the record is longer than SQLite
  /// allows.
  func check() throws(CairnError) {
    guard columns == columnCount else {
      throw CairnError(
        .database, .software, "a record of \(columnCount) columns was given \(columns)")
    }
    guard !isTooLong, end - headroom + headerSize <= Self.greatestSize else {
      throw CairnError(
        .database, .dataError, "a row is longer than \(Self.greatestSize) bytes, SQLite's limit")
    }
  }

  /// The size of the header, which includes the varint of this size.
  private var headerSize: Int {
    var size = typesSize + 1
    while typesSize + Varint.size(UInt64(size)) > size { size += 1 }
    return size
  }

  /// The complete record in one piece; valid until the next change. Throws as ``check()`` does.
  func bytes() throws(CairnError) -> UnsafeRawBufferPointer {
    try check()
    let headerSize = headerSize
    let start = headroom - headerSize
    let used = Varint.write(UInt64(headerSize), to: buffer + start)
    (buffer + start + used).copyMemory(from: types, byteCount: typesSize)
    return UnsafeRawBufferPointer(start: buffer + start, count: end - start)
  }
}
