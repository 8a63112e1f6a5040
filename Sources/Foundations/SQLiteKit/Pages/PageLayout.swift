// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// The sizes derived from the page size of a database; names and formulas are those of "Database
/// File Format", section 1.6 (https://www.sqlite.org/fileformat2.html).
package struct PageLayout {
  /// The page size of Cairn's databases: an eighth faster to write than 4096 bytes, and as fast for
  /// random reads.
  package static let standardPageSize = 8192

  /// The bytes of a page, all usable, since no space is reserved.
  @usableFromInline let pageSize: Int
  /// The longest record that a leaf of a table holds without overflow pages.
  @usableFromInline let longestTableRecord: Int
  /// The longest record that a page of an index holds without overflow pages.
  @usableFromInline let longestIndexRecord: Int
  private let shortestLocal: Int
  /// The page with the byte that SQLite locks, which must not be used.
  let lockBytePage: UInt32

  /// The byte that SQLite locks, at 1 GiB.
  static let lockByte = 1 << 30

  /// The file header at the start of page 1.
  static let fileHeaderSize = 100
  @usableFromInline static let leafHeaderSize = 8
  static let interiorHeaderSize = 12
  /// The least size of a cell, so that it can become a free block.
  @usableFromInline static let leastCellSize = 4
  /// The pointer to a cell.
  @usableFromInline static let pointerSize = 2

  /// Throws 70 if SQLite has no pages of this size.
  static func check(_ pageSize: Int) throws(CairnError) {
    guard (512...65536).contains(pageSize), pageSize & (pageSize - 1) == 0 else {
      throw CairnError(.database, .software, "\(pageSize) is not a page size of SQLite")
    }
  }

  init(pageSize: Int, lockByte: Int = lockByte) {
    self.pageSize = pageSize
    lockBytePage = UInt32(lockByte / pageSize + 1)
    longestTableRecord = pageSize - 35
    longestIndexRecord = (pageSize - 12) * 64 / 255 - 23
    shortestLocal = (pageSize - 12) * 32 / 255 - 23
  }

  /// The bytes of a record that are in its cell; the others are in overflow pages.
  func localSize(of record: Int, longest: Int) -> Int {
    guard record > longest else { return record }
    let size = shortestLocal + (record - shortestLocal) % overflowSize
    return size <= longest ? size : shortestLocal
  }

  /// The bytes of a record on an overflow page, after the number of the next one.
  var overflowSize: Int { pageSize - 4 }

  /// More pages than a database can have: the limit of SQLite's numbers and, with 32-bit integers,
  /// of the offset of the last byte.
  var mostPages: UInt64 { min(UInt64(UInt32.max - 4), UInt64(Int.max / pageSize)) }

  /// The bytes that a cell takes together with the pointer to it.
  @inlinable
  static func space(ofCell size: Int) -> Int { max(size, leastCellSize) + pointerSize }

  /// Writes the header of a page with its cells and pointers, and clears the free space, so that
  /// equal content gives equal bytes.
  func finish(_ page: UnsafeMutableRawPointer, _ type: PageType, cells: Int, contentStart: Int) {
    page.storeBytes(of: type.rawValue, as: UInt8.self)
    page.storeBytes(of: 0, toByteOffset: 1, as: UInt16.self)
    page.storeBytes(
      of: UInt16(truncatingIfNeeded: cells).bigEndian, toByteOffset: 3, as: UInt16.self)
    // 65536 is written as 0.
    page.storeBytes(
      of: UInt16(truncatingIfNeeded: contentStart).bigEndian, toByteOffset: 5, as: UInt16.self)
    page.storeBytes(of: 0, toByteOffset: 7, as: UInt8.self)
    let end = type.headerSize + Self.pointerSize * cells
    (page + end).initializeMemory(as: UInt8.self, repeating: 0, count: contentStart - end)
  }

  /// Moves the header and the pointers of a finished page behind the file header, if they fit.
  func makeRoomForFileHeader(_ page: UnsafeMutableRawPointer) -> Bool {
    let type = page.load(as: UInt8.self)
    let isLeaf = PageType(rawValue: type)?.isLeaf ?? false
    let cells = UInt16(bigEndian: page.loadUnaligned(fromByteOffset: 3, as: UInt16.self))
    let content = UInt16(bigEndian: page.loadUnaligned(fromByteOffset: 5, as: UInt16.self))
    let used =
      (isLeaf ? Self.leafHeaderSize : Self.interiorHeaderSize) + Self.pointerSize * Int(cells)
    let contentStart = content == 0 ? 65536 : Int(content)
    guard contentStart - used >= Self.fileHeaderSize else { return false }
    (page + Self.fileHeaderSize).copyMemory(from: page, byteCount: used)
    page.initializeMemory(as: UInt8.self, repeating: 0, count: Self.fileHeaderSize)
    return true
  }
}

/// The type of a page of a b-tree, in its first byte.
enum PageType: UInt8 {
  case indexInterior = 2
  case tableInterior = 5
  case indexLeaf = 10
  case tableLeaf = 13

  var isLeaf: Bool { self == .indexLeaf || self == .tableLeaf }
  var headerSize: Int { isLeaf ? PageLayout.leafHeaderSize : PageLayout.interiorHeaderSize }
}

/// The kind of a tree.
enum TreeKind: Equatable, Sendable {
  /// The rows of a table with rowids.
  case table
  /// The records of an index or of a WITHOUT ROWID table, which their first columns identify.
  case index(keyColumns: Int)

  var leaf: PageType { self == .table ? .tableLeaf : .indexLeaf }
  var interior: PageType { self == .table ? .tableInterior : .indexInterior }
}
