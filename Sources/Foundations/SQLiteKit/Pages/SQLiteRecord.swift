// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// A row of a table or an index as SQLite stores it. The columns are added in order; then the record
/// is given to a tree, and cleared for the next one.
///
/// The values are stored as SQLite stores those that are inserted: an integer in the fewest bytes,
/// and the same in a column of REAL affinity if a number is integral. A column that is the table's
/// `INTEGER PRIMARY KEY` is NULL in its record. A record of a WITHOUT ROWID table begins with the
/// columns of the primary key, and that of an index ends with the rowid.
package final class SQLiteRecord {
  /// The longest record: SQLite's default limit.
  package static let greatestSize = 1_000_000_000
  /// More columns than this SQLite does not allow by default.
  package static let mostColumns = 2000

  private let columnCount: Int
  private let types: UnsafeMutableRawPointer
  private var typesSize = 0
  private var columns = 0
  /// The body begins after space for the header, which is put before it when it is complete.
  private let headroom: Int
  private var buffer: UnsafeMutableRawPointer
  private var capacity: Int
  private var end: Int
  private var isTooLong = false

  /// Makes an empty record of a number of columns.
  package init(columns: Int) {
    columnCount = min(max(columns, 0), Self.mostColumns)
    headroom = 16 + 5 * columnCount
    types = .allocate(byteCount: headroom, alignment: 16)
    capacity = headroom + 256
    buffer = .allocate(byteCount: capacity, alignment: 16)
    end = headroom
  }

  deinit {
    types.deallocate()
    buffer.deallocate()
  }

  /// Removes all columns.
  package func clear() {
    typesSize = 0
    columns = 0
    end = headroom
    isTooLong = false
  }

  /// Adds NULL.
  package func addNull() { addType(0) }

  /// Adds an integer.
  package func add(_ value: Int64) {
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

  /// Adds a number to a column of REAL affinity, and NULL for NaN. As in SQLite, an integral number
  /// of up to six bytes is stored as an integer, so −0 becomes 0.
  package func add(_ value: Double) {
    if abs(value) < 0x1p47 {
      let integer = Int64(value)
      if Double(integer) == value { return add(integer) }
    } else if value == -0x1p47 {
      return add(Int64(value))
    }
    addUnconverted(value)
  }

  /// Adds a number to a column without affinity, where it is stored as it is, and NULL for NaN.
  package func addUnconverted(_ value: Double) {
    guard !value.isNaN else { return addNull() }
    addType(7)
    addInteger(Int64(bitPattern: value.bitPattern), size: 8)
  }

  /// Adds a text of UTF-8.
  package func addText(_ bytes: UnsafeRawBufferPointer) { addBytes(bytes, type: 13) }

  /// Adds a text.
  package func add(_ text: String) {
    var text = text
    text.withUTF8 { addText(UnsafeRawBufferPointer($0)) }
  }

  /// Adds a blob.
  package func addBlob(_ bytes: UnsafeRawBufferPointer) { addBytes(bytes, type: 12) }

  private func addBytes(_ bytes: UnsafeRawBufferPointer, type: UInt64) {
    guard bytes.count <= Self.greatestSize, reserve(bytes.count) else { return isTooLong = true }
    addType(type + 2 * UInt64(bytes.count))
    guard let start = bytes.baseAddress else { return }
    (buffer + end).copyMemory(from: start, byteCount: bytes.count)
    end += bytes.count
  }

  @inline(__always)
  private func addType(_ type: UInt64) {
    // Columns beyond those announced are counted, and refused when the record is complete.
    columns += 1
    guard columns <= columnCount else { return }
    typesSize += Varint.write(type, to: types + typesSize)
  }

  @inline(__always)
  private func addInteger(_ value: Int64, size: Int) {
    guard reserve(8) else { return isTooLong = true }
    // The highest bytes first: what is behind them is overwritten by the next value.
    let shifted = UInt64(bitPattern: value) << UInt64(64 - 8 * size)
    (buffer + end).storeBytes(of: shifted.bigEndian, as: UInt64.self)
    end += size
  }

  @inline(__always)
  private func reserve(_ count: Int) -> Bool {
    end + count <= capacity || grow(count)
  }

  @inline(never)
  private func grow(_ count: Int) -> Bool {
    guard end + count <= Self.greatestSize + headroom else { return false }
    let grown = max(2 * capacity, end + count)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: grown, alignment: 16)
    larger.copyMemory(from: buffer, byteCount: end)
    buffer.deallocate()
    buffer = larger
    capacity = grown
    return true
  }

  /// The complete record; valid until the next change. Throws 70 if columns are missing or
  /// superfluous, and 65 if it is longer than SQLite allows.
  func bytes() throws(CairnError) -> UnsafeRawBufferPointer {
    guard columns == columnCount else {
      throw CairnError(
        .database, .software, "a record of \(columnCount) columns was given \(columns)")
    }
    // The size of the header includes itself.
    var headerSize = typesSize + 1
    while typesSize + Varint.size(UInt64(headerSize)) > headerSize { headerSize += 1 }
    let start = headroom - headerSize
    guard !isTooLong, end - start <= Self.greatestSize else {
      throw CairnError(
        .database, .dataError, "a row is longer than \(Self.greatestSize) bytes, SQLite's limit")
    }
    let used = Varint.write(UInt64(headerSize), to: buffer + start)
    (buffer + start + used).copyMemory(from: types, byteCount: typesSize)
    return UnsafeRawBufferPointer(start: buffer + start, count: end - start)
  }
}
