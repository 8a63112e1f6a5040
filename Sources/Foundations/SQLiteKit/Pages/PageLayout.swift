// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// The sizes that follow from the page size of a database; names and formulas are those of
/// "Database File Format", section 1.6 (https://www.sqlite.org/fileformat2.html).
package struct PageLayout {
  /// The page size of Cairn's databases: an eighth faster to write than 4096 bytes, and as fast for
  /// random reads.
  package static let standardPageSize = 8192

  /// The bytes of a page; all of them are usable, since no space is reserved.
  let pageSize: Int
  /// The longest record that a leaf of a table holds without overflow pages.
  let longestTableRecord: Int
  /// The longest record that a page of an index holds without overflow pages.
  let longestIndexRecord: Int
  private let shortestLocal: Int

  /// The file header at the start of page 1.
  static let fileHeaderSize = 100
  static let leafHeaderSize = 8
  static let interiorHeaderSize = 12

  /// Throws 70 if SQLite has no pages of this size.
  static func check(_ pageSize: Int) throws(CairnError) {
    guard (512...65536).contains(pageSize), pageSize & (pageSize - 1) == 0 else {
      throw CairnError(.database, .software, "\(pageSize) is not a page size of SQLite")
    }
  }

  init(pageSize: Int) {
    self.pageSize = pageSize
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

  /// The bytes of a record that an overflow page holds, after the number of the next one.
  var overflowSize: Int { pageSize - 4 }

  /// The page that has the byte that SQLite locks, at 1 GiB; it must not be used.
  var lockBytePage: UInt32 { UInt32((1 << 30) / pageSize + 1) }
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

/// A page of a b-tree while it is filled: pointers to cells grow from its start, cells from its end.
final class TreePage {
  private let start: UnsafeMutableRawPointer
  private let pageSize: Int
  let type: PageType
  /// The offsets of the numbers of other pages in this page.
  private(set) var links: [Int] = []
  private(set) var cellCount = 0
  private var contentStart: Int
  private var lastCellSize = 0

  /// No cell takes less space, so that it can become a free block.
  private static let leastCellSize = 4

  init(pageSize: Int, type: PageType) {
    start = .allocate(byteCount: pageSize, alignment: 16)
    self.pageSize = pageSize
    contentStart = pageSize
    self.type = type
  }

  deinit { start.deallocate() }

  /// The whole page.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: pageSize) }

  func reset() {
    links.removeAll(keepingCapacity: true)
    cellCount = 0
    contentStart = pageSize
  }

  /// The bytes that are free for cells and the pointers to them.
  var free: Int { contentStart - type.headerSize - 2 * cellCount }

  /// The bytes that a cell takes together with the pointer to it.
  static func space(ofCell size: Int) -> Int { max(size, leastCellSize) + 2 }

  /// Adds a cell that fits, and returns where its bytes belong.
  func addCell(_ size: Int) -> UnsafeMutableRawPointer {
    let space = max(size, Self.leastCellSize)
    contentStart -= space
    lastCellSize = size
    let pointer = type.headerSize + 2 * cellCount
    put(UInt16(truncatingIfNeeded: contentStart), at: pointer)
    cellCount += 1
    let cell = start + contentStart
    if size < Self.leastCellSize {
      (cell + size).initializeMemory(as: UInt8.self, repeating: 0, count: space - size)
    }
    return cell
  }

  /// Notes that the last cell has the number of a page at an offset.
  func addLink(inLastCell offset: Int) { links.append(contentStart + offset) }

  /// Removes the last cell and returns it.
  func removeLastCell() -> TreeCell {
    let cell = UnsafeRawBufferPointer(start: start + contentStart, count: lastCellSize)
    var removed = TreeCell(bytes: Array(cell), link: nil)
    let space = max(lastCellSize, Self.leastCellSize)
    if let link = links.last, link < contentStart + space {
      removed.link = link - contentStart
      links.removeLast()
    }
    contentStart += space
    cellCount -= 1
    return removed
  }

  /// Completes an interior page with its last child.
  func setLastChild(_ child: UInt32) {
    start.storeBytes(of: child.bigEndian, toByteOffset: 8, as: UInt32.self)
    links.append(8)
  }

  /// Writes the header and clears what is free, so that equal content gives equal bytes.
  func finish() {
    start.storeBytes(of: type.rawValue, as: UInt8.self)
    put(0, at: 1)
    put(UInt16(cellCount), at: 3)
    // 65536 is written as 0.
    put(UInt16(truncatingIfNeeded: contentStart), at: 5)
    start.storeBytes(of: 0, toByteOffset: 7, as: UInt8.self)
    (start + contentStart - free).initializeMemory(as: UInt8.self, repeating: 0, count: free)
  }

  /// Moves the header and the pointers of a finished page behind the file header, if they fit.
  func makeRoomForFileHeader() -> Bool {
    let room = PageLayout.fileHeaderSize
    guard free >= room else { return false }
    (start + room).copyMemory(from: start, byteCount: type.headerSize + 2 * cellCount)
    start.initializeMemory(as: UInt8.self, repeating: 0, count: room)
    return true
  }

  @inline(__always)
  private func put(_ value: UInt16, at offset: Int) {
    start.storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt16.self)
  }
}

/// A cell that is not in a page yet, without the number of a child.
struct TreeCell {
  var bytes: [UInt8]
  /// Where the number of its first overflow page is.
  var link: Int?
}
