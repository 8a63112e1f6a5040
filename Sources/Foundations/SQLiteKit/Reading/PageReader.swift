// SPDX-License-Identifier: Apache-2.0
import CairnCSQLite
import CairnDiagnostics

/// Reads rows of a database from its pages, without SQLite's virtual machine: that takes less than a
/// third of the instructions. The pages come from the file that SQLite has open. For one thread at a
/// time, and for a database that nobody changes.
///
/// Nothing that the file says is believed unchecked. Where anything is not as usual, the functions
/// return nil or false, and SQLite is to be asked: it reads what there is, or says what is damaged.
package final class PageReader {
  /// How many pages are kept, a power of two: 8 MB of Cairn's, so far as a search comes to them.
  private static let keptPages = 1024
  /// No tree of a database is deeper.
  private static let greatestDepth = 20
  /// No more entries of an index have one key.
  private static let mostEntries = 100_000
  /// What lies behind a page can be read, too: the longest head of a record that may begin at its end.
  private static let padding = 512

  private let connection: SQLiteConnection
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let layout: PageLayout
  private let pageCount: Int
  private let buffer: UnsafeMutableRawPointer
  /// The number of the page in each slot of the buffer, 0 for none.
  private let kept: UnsafeMutablePointer<UInt32>

  /// Nil where the pages are not of a kind that this reads.
  package init?(_ connection: SQLiteConnection) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard
      sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        == SQLITE_OK,
      let file, let methods = file.pointee.pMethods, let sizeOf = methods.pointee.xFileSize
    else { return nil }
    var size: sqlite3_int64 = 0
    var head = [UInt8](repeating: 0, count: PageLayout.fileHeaderSize)
    guard sizeOf(file, &size) == SQLITE_OK,
      methods.pointee.xRead?(file, &head, Int32(head.count), 0) == SQLITE_OK
    else { return nil }
    let stated = Int(head[16]) << 8 | Int(head[17])
    let pageSize = stated == 1 ? 65536 : stated
    // No space reserved in pages, and UTF-8.
    guard (512...65536).contains(pageSize), pageSize & (pageSize - 1) == 0, head[20] == 0,
      head[56...59].elementsEqual([0, 0, 0, 1])
    else { return nil }
    (self.connection, self.file) = (connection, file)
    layout = PageLayout(pageSize: pageSize)
    pageCount = Int(clamping: size / Int64(pageSize))
    buffer = .allocate(byteCount: Self.keptPages * pageSize + Self.padding, alignment: 16)
    (buffer + Self.keptPages * pageSize).initializeMemory(
      as: UInt8.self, repeating: 0, count: Self.padding)
    kept = .allocate(capacity: Self.keptPages)
    kept.initialize(repeating: 0, count: Self.keptPages)
  }

  deinit {
    buffer.deallocate()
    kept.deallocate()
  }

  /// The first pages of tables and indexes that were created by these statements, word for word; nil
  /// where one of them is not there.
  package func roots(createdBy statements: [String]) -> [UInt32]? {
    guard
      let row = try? connection.prepare(
        "SELECT sql, rootpage FROM sqlite_master WHERE rootpage > 1")
    else { return nil }
    var roots = [UInt32](repeating: 0, count: statements.count)
    while (try? row.step()) == true {
      guard let sql = row.text(0), let index = statements.firstIndex(of: sql) else { continue }
      roots[index] = UInt32(exactly: row.integer(1)) ?? 0
    }
    return roots.contains(0) ? nil : roots
  }

  // MARK: Pages

  /// Reads consecutive pages.
  private func read(_ first: UInt32, count: Int, into bytes: UnsafeMutableRawPointer) -> Bool {
    guard first > 0, Int(first) - 1 <= pageCount - count, connection.handle != nil,
      let read = file.pointee.pMethods?.pointee.xRead
    else { return false }
    let offset = Int64(first - 1) * Int64(layout.pageSize)
    return read(file, bytes, Int32(count * layout.pageSize), offset) == SQLITE_OK
  }

  /// A page of a tree; valid until another one is asked for.
  @inline(__always)
  private func page(_ number: UInt32, isTable: Bool) -> TreePage? {
    let slot = Int(truncatingIfNeeded: number) & (Self.keptPages - 1)
    let bytes = buffer + slot * layout.pageSize
    if kept[slot] != number {
      kept[slot] = 0
      guard read(number, count: 1, into: bytes) else { return nil }
      kept[slot] = number
    }
    return TreePage(bytes, layout, isTable: isTable)
  }

  // MARK: Tables

  /// The row of a table with an id, whose columns begin with the first one; valid until the next call.
  package func row(_ id: Int64, in root: UInt32) -> StoredRecord? {
    var number = root
    for _ in 0..<Self.greatestDepth {
      guard let page = page(number, isTable: true) else { return nil }
      let index = page.firstIndex(notBefore: id)
      if page.isLeaf {
        guard index < page.count, let row = page.row(index), row.id == id else { return nil }
        return row.record
      }
      number = page.child(index)
    }
    return nil
  }

  /// Calls `body` with the rows of a table that have a number above a bound in a column, in the order of
  /// their ids; false, perhaps after some rows, where SQLite is to be asked. `body` must not ask for
  /// anything else.
  ///
  /// - Parameter column: Its index.
  package func forEachRow(
    in root: UInt32, where column: Int, isAbove bound: Double,
    _ body: (Int64, inout StoredRecord) -> Void
  ) -> Bool {
    guard let leaves = leaves(of: root) else { return false }
    let most = max(1, (1 << 17) / layout.pageSize)
    let bytes = UnsafeMutableRawPointer.allocate(
      byteCount: most * layout.pageSize + Self.padding, alignment: 16)
    defer { bytes.deallocate() }
    (bytes + most * layout.pageSize).initializeMemory(
      as: UInt8.self, repeating: 0, count: Self.padding)
    var next = 0
    var last = Int64.min
    while next < leaves.count {
      // Pages that lie one behind another are read together.
      var count = 1
      while count < most, next + count < leaves.count,
        leaves[next + count] == leaves[next] &+ UInt32(count)
      {
        count += 1
      }
      guard read(leaves[next], count: count, into: bytes) else { return false }
      for index in 0..<count {
        guard
          let page = TreePage(bytes + index * layout.pageSize, layout, isTable: true), page.isLeaf
        else { return false }
        for cell in 0..<page.count {
          guard let (id, number) = page.number(cell, column), id > last else { return false }
          last = id
          guard number > bound else { continue }
          guard var record = page.row(cell)?.record else { return false }
          body(id, &record)
        }
      }
      next += count
    }
    return true
  }

  /// The numbers of all leaves of a table in their order.
  private func leaves(of root: UInt32) -> [UInt32]? {
    var level = [root]
    for _ in 0..<Self.greatestDepth {
      guard let first = page(level[0], isTable: true) else { return nil }
      if first.isLeaf { return level }
      var below: [UInt32] = []
      for number in level {
        guard let page = page(number, isTable: true), !page.isLeaf,
          below.count + page.count < pageCount
        else { return nil }
        for cell in 0...page.count { below.append(page.child(cell)) }
      }
      level = below
    }
    return nil
  }

  // MARK: Indexes

  /// Appends the ids of the rows whose entry in an index begins with an integer, ascending; false where
  /// SQLite is to be asked.
  package func appendRows(withKey key: Int64, in root: UInt32, to rows: inout [Int64]) -> Bool {
    let most = rows.count + Self.mostEntries
    var visits = pageCount
    let isRead = visit(root, 0, IntegerKey(key: key), &visits) { entry in
      entry.skip(1)
      rows.append(entry.integer())
      return rows.count < most
    }
    return isRead != nil
  }

  /// Appends the ids of the rows whose entry in an index of two numbers lies in two ranges, in the order
  /// of the index; false where SQLite is to be asked.
  package func appendRows(
    within first: ClosedRange<Double>, _ second: ClosedRange<Double>, in root: UInt32,
    to rows: inout [Int64]
  ) -> Bool {
    let most = rows.count + Self.mostEntries
    var visits = pageCount
    let isRead = visit(root, 0, NumberKeys(keys: first), &visits) { entry in
      entry.skip(1)
      if second.contains(entry.number()) { rows.append(entry.integer()) }
      return rows.count < most
    }
    return isRead != nil
  }

  /// Calls `body` with the entries of a tree whose first column is within a range, in their order. Nil
  /// where SQLite is to be asked; otherwise whether there may be more of them behind this tree.
  ///
  /// - Parameter visits: How many pages may still be visited: in an index that is sound, each is once.
  private func visit<Keys: IndexKeys>(
    _ number: UInt32, _ depth: Int, _ keys: Keys, _ visits: inout Int,
    _ body: (inout StoredRecord) -> Bool
  ) -> Bool? {
    visits -= 1
    guard visits >= 0, depth < Self.greatestDepth, var page = page(number, isTable: false) else {
      return nil
    }
    var (low, high) = (0, page.count)
    while low < high {
      let middle = (low + high) / 2
      guard let place = page.place(middle, keys) else { return nil }
      if place == .before { low = middle + 1 } else { high = middle }
    }
    while true {
      if !page.isLeaf {
        let goesOn = visit(page.child(low), depth + 1, keys, &visits, body)
        guard let goesOn, goesOn else { return goesOn }
        // The pages below may have taken its place.
        guard let again = self.page(number, isTable: false) else { return nil }
        page = again
      }
      guard low < page.count else { return true }
      guard let place = page.place(low, keys) else { return nil }
      guard place == .within else { return false }
      guard var entry = page.entry(low), body(&entry), entry.isSound else { return nil }
      low += 1
    }
  }
}

/// Where an entry of an index lies.
private enum IndexPlace {
  case before, within, behind
}

/// A range of the first column of an index.
private protocol IndexKeys {
  /// Where a value lies; nil for one of another type.
  func place(_ value: UnsafeRawPointer, type: Int) -> IndexPlace?
}

/// One integer.
private struct IntegerKey: IndexKeys {
  let key: Int64

  @inline(__always)
  func place(_ value: UnsafeRawPointer, type: Int) -> IndexPlace? {
    guard 1...6 ~= type || 8...9 ~= type else { return nil }
    let found = PageBytes.integer(value, type: type)
    return found < key ? .before : found > key ? .behind : .within
  }
}

/// A range of numbers.
private struct NumberKeys: IndexKeys {
  let keys: ClosedRange<Double>

  @inline(__always)
  func place(_ value: UnsafeRawPointer, type: Int) -> IndexPlace? {
    guard 1...9 ~= type else { return nil }
    let found = PageBytes.number(value, type: type)
    return found < keys.lowerBound ? .before : found > keys.upperBound ? .behind : .within
  }
}

/// A page of a tree; valid as long as its bytes are.
private struct TreePage {
  private let bytes: UnsafeRawPointer
  private let layout: PageLayout
  let isLeaf: Bool
  /// How many cells it has.
  let count: Int

  /// Nil if it is of another kind, or has no room for so many cells.
  @inline(__always)
  init?(_ bytes: UnsafeRawPointer, _ layout: PageLayout, isTable: Bool) {
    let type = bytes.load(as: UInt8.self)
    let leaf = isTable ? PageType.tableLeaf : .indexLeaf
    let interior = isTable ? PageType.tableInterior : .indexInterior
    guard type == leaf.rawValue || type == interior.rawValue else { return nil }
    isLeaf = type == leaf.rawValue
    count = PageBytes.short(bytes, 3)
    self.bytes = bytes
    self.layout = layout
    guard pointers + PageLayout.pointerSize * count <= layout.pageSize else { return nil }
  }

  private var pointers: Int {
    isLeaf ? PageLayout.leafHeaderSize : PageLayout.interiorHeaderSize
  }

  /// Where a cell begins. It is a place in the page, whatever the page says.
  @inline(__always)
  private func cell(_ index: Int) -> Int {
    min(
      PageBytes.short(bytes, pointers + PageLayout.pointerSize * index),
      layout.pageSize - PageLayout.leastCellSize)
  }

  /// The child before a cell, or behind the last one.
  @inline(__always)
  func child(_ index: Int) -> UInt32 {
    PageBytes.word(bytes, index < count ? cell(index) : 8)
  }

  /// The id of a row of a table; in an interior page the greatest one in the child before a cell.
  @inline(__always)
  func id(_ index: Int) -> Int64 {
    var offset = cell(index)
    if isLeaf { _ = PageBytes.varint(bytes, &offset) } else { offset += 4 }
    return PageBytes.varint(bytes, &offset)
  }

  /// The first cell of a table whose id is not less than one; behind the last one if there is none.
  @inline(__always)
  func firstIndex(notBefore id: Int64) -> Int {
    guard count > 0 else { return 0 }
    // The ids of many a table have no gaps.
    let first = self.id(0)
    if isLeaf, id >= first, UInt64(bitPattern: id &- first) < UInt64(count) {
      let index = Int(id &- first)
      if self.id(index) == id { return index }
    }
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self.id(middle) < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Where the first column of an entry of an index lies; nil if that is not to be told from its head.
  @inline(__always)
  func place<Keys: IndexKeys>(_ index: Int, _ keys: Keys) -> IndexPlace? {
    var offset = cell(index) + (isLeaf ? 0 : 4)
    _ = PageBytes.varint(bytes, &offset)
    let header = Int(bytes.load(fromByteOffset: offset, as: UInt8.self))
    let type = Int(bytes.load(fromByteOffset: offset + 1, as: UInt8.self))
    guard header < 0x80 else { return nil }
    return keys.place(bytes + offset + header, type: type)
  }

  /// A row in a leaf of a table.
  @inline(__always)
  func row(_ index: Int) -> (id: Int64, record: StoredRecord)? {
    var offset = cell(index)
    let size = PageBytes.varint(bytes, &offset)
    let id = PageBytes.varint(bytes, &offset)
    return record(size, at: offset, layout.longestTableRecord).map { (id, $0) }
  }

  /// The id of a row in a leaf of a table, and a number in one of its columns; nil if there is another
  /// value, or none.
  @inline(__always)
  func number(_ index: Int, _ column: Int) -> (id: Int64, number: Double)? {
    var offset = cell(index)
    _ = PageBytes.varint(bytes, &offset)
    let id = PageBytes.varint(bytes, &offset)
    let header = Int(bytes.load(fromByteOffset: offset, as: UInt8.self))
    guard column + 1 < header, header < 0x80 else { return nil }
    var value = offset + header
    for before in 1...column {
      let type = Int(bytes.load(fromByteOffset: offset + before, as: UInt8.self))
      guard type < 0x80 else { return nil }
      value += PageBytes.size(ofType: type)
    }
    let type = Int(bytes.load(fromByteOffset: offset + column + 1, as: UInt8.self))
    guard 1...9 ~= type, value < layout.pageSize else { return nil }
    return (id, PageBytes.number(bytes + value, type: type))
  }

  /// An entry of an index.
  @inline(__always)
  func entry(_ index: Int) -> StoredRecord? {
    var offset = cell(index) + (isLeaf ? 0 : 4)
    let size = PageBytes.varint(bytes, &offset)
    return record(size, at: offset, layout.longestIndexRecord)
  }

  @inline(__always)
  private func record(_ size: Int64, at offset: Int, _ longest: Int) -> StoredRecord? {
    guard size > 0, size <= Int64(SQLiteRecord.greatestSize) else { return nil }
    let local = layout.localSize(of: Int(size), longest: longest)
    guard offset + local <= layout.pageSize else { return nil }
    return StoredRecord(bytes + offset, size: local)
  }
}
