// SPDX-License-Identifier: Apache-2.0
import CairnCSQLite
import CairnDiagnostics

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Reads rows of a database from its pages, without SQLite's virtual machine: that takes less than a
/// third of the instructions. The pages come from the file that SQLite has open. For one thread at a
/// time, and for a database that nobody changes.
///
/// Everything in the file is checked before it is used. If anything is unusual, the functions
/// return nil or false, and SQLite has to read: it copes with the unusual, or reports the damage.
package final class PageReader {
  /// What is read, which says how many pages are kept.
  package enum Purpose: Sendable {
    /// Whole trees, each page once: a page for each level is kept.
    case scans
    /// Rows here and there: up to 8 MB in Cairn's databases are kept.
    case searches

    /// A power of two.
    fileprivate var keptPages: Int { self == .scans ? 32 : 1024 }
  }

  /// The greatest depth of a tree.
  private static let greatestDepth = 20
  /// The most entries of an index with one key.
  private static let mostEntries = 100_000
  /// The readable bytes after a page: the longest head of a record that may begin at its end.
  private static let padding = 512

  private let connection: SQLiteConnection
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let layout: PageLayout
  /// The number of pages, by the header as SQLite reads it, and none that the file does not have.
  private let pageCount: Int
  private let keptPages: Int
  private let buffer: UnsafeMutableRawPointer
  /// The page in each slot.
  private let kept: UnsafeMutablePointer<KeptPage>
  /// The number of places in the buffer that have been used. They are used one after another, so that
  /// no more memory is touched than a search needs: getting new memory takes as long as reading a page.
  private var usedPlaces: UInt32 = 0
  private let interior = PageKeys()
  private let leaves = PageKeys()

  private struct KeptPage {
    /// Its number; 0 for none.
    var number: UInt32 = 0
    /// Its place in the buffer, once the slot has one.
    var place = UInt32.max
  }

  /// Nil where the pages are not of a kind that this reads.
  package init?(_ connection: SQLiteConnection, for purpose: Purpose) {
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
    let storedSize = Int(head[16]) << 8 | Int(head[17])
    let pageSize = storedSize == 1 ? 65536 : storedSize
    // No space reserved in pages, and UTF-8.
    guard (512...65536).contains(pageSize), pageSize & (pageSize - 1) == 0, head[20] == 0,
      head[56...59].elementsEqual([0, 0, 0, 1])
    else { return nil }
    (self.connection, self.file) = (connection, file)
    layout = PageLayout(pageSize: pageSize)
    let inFile = Int(clamping: min(size / Int64(pageSize), Int64(layout.mostPages)))
    // What wrote the file without writing this number has left a change counter that differs.
    let stated = Int(clamping: PageBytes.word(head, 28))
    let isStated = stated > 0 && head[24...27].elementsEqual(head[92...95])
    pageCount = isStated ? min(stated, inFile) : inFile
    keptPages = purpose.keptPages
    let bytes = keptPages * pageSize
    buffer = .allocate(
      byteCount: bytes + Self.padding, alignment: purpose == .scans ? 16 : 1 << 21)
    #if os(Linux)
      // Where the system has pages of 2 MB, getting one takes a tenth of the time for as many small ones,
      // in which a short search would spend a tenth of its time.
      if purpose == .searches { madvise(buffer, bytes, MADV_HUGEPAGE) }
    #endif
    (buffer + bytes).initializeMemory(as: UInt8.self, repeating: 0, count: Self.padding)
    kept = .allocate(capacity: keptPages)
    kept.initialize(repeating: KeptPage(), count: keptPages)
  }

  var pageSize: Int { layout.pageSize }

  deinit {
    buffer.deallocate()
    kept.deallocate()
  }

  /// The first pages of tables and indexes that were created by these statements, word for word: nil
  /// for those that are not there. Nil if the schema cannot be read.
  package func roots(createdBy statements: [String]) -> [UInt32?]? {
    guard
      let row = try? connection.prepare(
        "SELECT sql, rootpage FROM sqlite_master WHERE rootpage > 1")
    else { return nil }
    var roots = [UInt32?](repeating: nil, count: statements.count)
    do throws(CairnError) {
      while try row.step() {
        guard let sql = row.text(0), let index = statements.firstIndex(of: sql) else { continue }
        roots[index] = UInt32(exactly: row.integer(1))
      }
    } catch { return nil }
    return roots
  }

  // MARK: Pages

  /// Whether there is a page of a number that a page says.
  @inline(__always)
  private func isPage(_ number: UInt32) -> Bool {
    number != 0 && UInt(truncatingIfNeeded: number) <= UInt(bitPattern: pageCount)
  }

  /// Reads consecutive pages.
  private func read(_ first: UInt32, count: Int, into bytes: UnsafeMutableRawPointer) -> Bool {
    guard isPage(first), Int(first) - 1 <= pageCount - count, connection.handle != nil,
      let read = file.pointee.pMethods?.pointee.xRead
    else { return false }
    let offset = Int64(first - 1) * Int64(layout.pageSize)
    return read(file, bytes, Int32(count * layout.pageSize), offset) == SQLITE_OK
  }

  /// A page of a tree; valid until another one is requested.
  ///
  /// - Parameter depth: Its depth, if all pages are read in turn: each takes the place of the last one
  ///   there.
  @inline(__always)
  private func page(_ number: UInt32, isTable: Bool, inTurnAt depth: Int? = nil) -> TreePage? {
    // Without this, 0 would be the page of each slot that has none.
    guard isPage(number) else { return nil }
    let slot = (depth ?? Int(truncatingIfNeeded: number)) & (keptPages - 1)
    if kept[slot].number != number {
      if kept[slot].place == .max {
        kept[slot].place = usedPlaces
        usedPlaces += 1
      }
      kept[slot].number = 0
      guard read(number, count: 1, into: bytes(inSlot: slot)) else { return nil }
      kept[slot].number = number
    }
    return TreePage(bytes(inSlot: slot), layout, isTable: isTable)
  }

  @inline(__always)
  private func bytes(inSlot slot: Int) -> UnsafeMutableRawPointer {
    buffer + Int(kept[slot].place) * layout.pageSize
  }

  // MARK: Tables

  /// The row of a table with an id, whose columns begin with the first one; valid until the next call.
  package func row(_ id: Int64, in root: UInt32) -> StoredRecord? {
    var number = root
    for _ in 0..<Self.greatestDepth {
      if let child = child(of: number, notBefore: id, isTable: true) {
        number = child.page
        continue
      }
      guard let page = page(number, isTable: true) else { return nil }
      if page.isLeaf { return row(id, of: page, number) }
      guard interior.keep(interior: page, number, isTable: true) else { return nil }
    }
    return nil
  }

  /// The row of a leaf with an id.
  @inline(__always)
  private func row(_ id: Int64, of leaf: TreePage, _ number: UInt32) -> StoredRecord? {
    let index: Int
    if let entries = leaves.entries(of: number, isTable: true) {
      index = entries.firstIndex(notBefore: id)
    } else if let consecutive = leaf.index(ofConsecutive: id) {
      index = consecutive
    } else {
      leaves.searched(leaf, number, isTable: true)
      index = leaf.firstIndex(notBefore: id)
    }
    guard index < leaf.count, let row = leaf.row(index), row.id == id else { return nil }
    return row.record
  }

  /// The first child of a kept interior page with a key that is not less than one, and its key; nil
  /// if the page is not kept.
  @inline(__always)
  private func child(of number: UInt32, notBefore key: Int64, isTable: Bool) -> (
    page: UInt32, key: Int64
  )? {
    guard let entries = interior.entries(of: number, isTable: isTable) else { return nil }
    // The last child has the greatest possible key.
    let entry = entries[entries.firstIndex(notBefore: key)]
    return (UInt32(truncatingIfNeeded: entry.value), entry.key)
  }

  /// Calls `body` with the leaves of a table in order, until it returns false. Returns whether it
  /// was called for all of them and never did.
  private func forEachLeaf(
    of root: UInt32, _ body: (TreePage) throws(CairnError) -> Bool
  ) throws(CairnError) -> Bool {
    guard let leaves = leaves(of: root) else { return false }
    let most = max(1, (1 << 17) / layout.pageSize)
    let bytes = UnsafeMutableRawPointer.allocate(
      byteCount: most * layout.pageSize + Self.padding, alignment: 16)
    defer { bytes.deallocate() }
    (bytes + most * layout.pageSize).initializeMemory(
      as: UInt8.self, repeating: 0, count: Self.padding)
    var next = 0
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
          let page = TreePage(bytes + index * layout.pageSize, layout, isTable: true), page.isLeaf,
          try body(page)
        else { return false }
      }
      next += count
    }
    return true
  }

  /// The numbers of all leaves of a table in their order.
  private func leaves(of root: UInt32) -> [UInt32]? {
    var level = [root]
    for _ in 0..<Self.greatestDepth {
      guard let first = page(level[0], isTable: true, inTurnAt: 0) else { return nil }
      if first.isLeaf { return level }
      var below: [UInt32] = []
      for number in level {
        guard let page = page(number, isTable: true, inTurnAt: 0), !page.isLeaf,
          below.count + page.count < pageCount
        else { return nil }
        for cell in 0...page.count { below.append(page.child(cell)) }
      }
      level = below
    }
    return nil
  }

  // MARK: Scans

  /// Calls `body`, in order, with the id and the values of each row of a table, or with 0 and the
  /// values of each entry of an index. The values are nil if SQLite has to read the row, such as
  /// one that spans several pages. Returns false if `body` does, or, perhaps after some rows, if
  /// SQLite has to read the rest. `body` must not use the reader.
  func scan(
    _ tree: StoredTree,
    _ body: (Int64, UnsafePointer<StoredValue>?) throws(CairnError) -> Bool
  ) throws(CairnError) -> Bool {
    let values = StoredValues(tree)
    if tree.isTable {
      var last = Int64.min
      return try forEachLeaf(of: tree.root) { page throws(CairnError) in
        for cell in 0..<page.count {
          guard let (id, found) = page.row(cell), id > last else { return false }
          var record = found
          last = id
          guard try body(id, values.read(&record, id)) else { return false }
        }
        return true
      }
    }
    return try forEachEntry(of: tree) { entry throws(CairnError) in
      try body(0, values.read(&entry, 0))
    }
  }

  /// Calls `body` with the entries of an index in order, until it returns false. Returns whether it
  /// was called for all of them and never did. `body` must not use the reader.
  func forEachEntry(
    of tree: StoredTree, _ body: (inout StoredRecord) throws(CairnError) -> Bool
  ) throws(CairnError) -> Bool {
    var visits = pageCount
    return try forEachEntry(of: tree.root, 0, &visits, body)
  }

  private func forEachEntry(
    of number: UInt32, _ depth: Int, _ visits: inout Int,
    _ body: (inout StoredRecord) throws(CairnError) -> Bool
  ) throws(CairnError) -> Bool {
    visits -= 1
    guard visits >= 0, depth < Self.greatestDepth,
      var page = page(number, isTable: false, inTurnAt: depth)
    else { return false }
    for cell in 0...page.count {
      if !page.isLeaf {
        guard try forEachEntry(of: page.child(cell), depth + 1, &visits, body),
          // The pages below may have taken its place.
          let again = self.page(number, isTable: false, inTurnAt: depth)
        else { return false }
        page = again
      }
      guard cell < page.count else { break }
      guard var entry = page.entry(cell), try body(&entry) else { return false }
    }
    return true
  }

  // MARK: Indexes

  /// Appends the ids of the rows whose entry in an index begins with an integer, ascending; false
  /// if SQLite has to read.
  package func appendRows(withKey key: Int64, in root: UInt32, to rows: inout [Int64]) -> Bool {
    if appendRows(withKey: key, inLeafOf: root, to: &rows) { return true }
    let most = rows.count + Self.mostEntries
    var visits = pageCount
    let isRead = visit(root, 0, IntegerKey(key: key), &visits) { entry in
      entry.skip(1)
      rows.append(entry.integer())
      return rows.count < most
    }
    return isRead != nil
  }

  /// The same if a single leaf has all entries, as for most keys, in a third of the instructions.
  /// Otherwise false, and nothing is appended.
  private func appendRows(withKey key: Int64, inLeafOf root: UInt32, to rows: inout [Int64]) -> Bool
  {
    var number = root
    for _ in 0..<Self.greatestDepth {
      if let child = child(of: number, notBefore: key, isTable: false) {
        // An entry above the leaves has an equal key, and others may follow it.
        guard child.key > key else { return false }
        number = child.page
        continue
      }
      if let entries = leaves.entries(of: number, isTable: false) {
        return Self.appendRows(withKey: key, of: entries, to: &rows)
      }
      guard let page = page(number, isTable: false) else { return false }
      if page.isLeaf {
        leaves.searched(page, number, isTable: false)
        return appendRows(withKey: key, of: page, to: &rows)
      }
      guard interior.keep(interior: page, number, isTable: false) else { return false }
    }
    return false
  }

  /// The same for the kept entries of a leaf.
  @inline(__always)
  private static func appendRows(
    withKey key: Int64, of entries: UnsafeBufferPointer<PageKeys.Entry>, to rows: inout [Int64]
  ) -> Bool {
    let first = entries.firstIndex(notBefore: key)
    var end = first
    while end < entries.count, entries[end].key == key { end += 1 }
    // Others may follow in the next leaf.
    guard end < entries.count else { return false }
    for index in first..<end { rows.append(entries[index].value) }
    return true
  }

  /// The same for the entries of a leaf.
  @inline(__always)
  private func appendRows(withKey key: Int64, of leaf: TreePage, to rows: inout [Int64]) -> Bool {
    var (low, high) = (0, leaf.count)
    while low < high {
      let middle = (low + high) >> 1
      guard let found = leaf.integer(middle) else { return false }
      if found < key { low = middle + 1 } else { high = middle }
    }
    let known = rows.count
    while low < leaf.count {
      guard let found = leaf.integer(low) else { break }
      guard found == key else { return true }
      guard var entry = leaf.entry(low) else { break }
      entry.skip(1)
      rows.append(entry.integer())
      guard entry.isSound else { break }
      low += 1
    }
    if low < leaf.count { rows.removeLast(rows.count - known) }
    return low == leaf.count
  }

  /// Appends the ids of the rows whose entry in an index of two numbers lies in two ranges, in the
  /// order of the index; false if SQLite has to read.
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

  /// Calls `body`, in order, with the entries of a tree whose first column is within a range.
  /// Returns whether more of them may follow this tree; nil if SQLite has to read.
  ///
  /// - Parameter visits: The number of pages that may still be visited; a sound index needs each
  ///   page once.
  private func visit<Keys: IndexKeys>(
    _ number: UInt32, _ depth: Int, _ keys: Keys, _ visits: inout Int,
    _ body: (inout StoredRecord) -> Bool
  ) -> Bool? {
    visits -= 1
    guard visits >= 0, depth < Self.greatestDepth else { return nil }
    guard var page = page(number, isTable: false) else { return nil }
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

/// The place of an index entry relative to a range.
enum IndexPlace {
  case before, within, behind
}

/// A range of the first column of an index.
protocol IndexKeys {
  /// The place of a value; nil for a value of another type.
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
