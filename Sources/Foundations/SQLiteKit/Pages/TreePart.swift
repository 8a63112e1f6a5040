// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// The leaves of a part of a tree, consecutive in memory, with the overflow pages of their rows.
/// ``DatabasePages`` begins a part, the source of its rows adds them, and ``DatabasePages`` numbers
/// the pages and writes them.
///
/// ```swift
/// part.record.add(5)
/// part.record.add("five")
/// try part.endRow()
/// ```
///
/// It is reused for one part after another, to allocate its memory once. Not thread-safe.
package struct TreePart: ~Copyable {
  /// The row in progress.
  package var record = SQLiteRecord()

  @usableFromInline let layout: PageLayout
  private(set) var kind = TreeKind.table
  /// The space left free on a leaf: the file header's on that of the schema, which may share page 1
  /// with it.
  @usableFromInline private(set) var reserved = 0
  /// Whether the first record of an index belongs between the leaves of the previous part and of
  /// this one.
  private(set) var hasLeadingRecord = false

  /// The pages, numbered from 0 until they are placed.
  @usableFromInline var pages: UnsafeMutableRawPointer
  var capacity: Int
  var pageCount = 0
  /// The offsets of the numbers of other pages in ``pages``.
  var links: [Int] = []
  /// The leaves, as page numbers, and their separators: for a table the last rowid of each leaf,
  /// for an index the records in between.
  var leaves: [UInt32] = []
  var separators = TreeCells()
  /// The positions of the pages in the file, once placed.
  var runs: [(pages: Range<Int>, offset: Int)] = []

  /// The current leaf: its offset in ``pages``, and its content. Without one, nothing is free.
  @usableFromInline var leafStart = 0
  @usableFromInline var cellCount = 0
  @usableFromInline var contentStart = 0

  @usableFromInline private(set) var isTable = true
  @usableFromInline var rowCount = 0
  var firstRowid: Int64 = 0
  @usableFromInline var lastRowid: Int64 = 0
  /// A record that did not fit into the leaf; it follows the leaf, unless it is the last one.
  var pending: TreeCell?
  var firstRecord: [UInt8] = []
  /// The last record of an index in ``pages``; without types if it is only in ``lastCopy``.
  @usableFromInline var last = LastRecord()
  var lastCopy: [UInt8] = []

  @usableFromInline struct LastRecord {
    /// The offset of its types, which follow one byte of its header.
    @usableFromInline var start = 0
    @usableFromInline var typesSize = 0
    @usableFromInline var bodySize = 0
    /// The bytes of its key, at the start of the body.
    @usableFromInline var keySize = 0
    /// Negative if any of its numbers is.
    @usableFromInline var signs: Int64 = 0
  }

  /// Makes an empty part of a database with a page size. Throws 70 if the size is invalid.
  package init(pageSize: Int = PageLayout.standardPageSize) throws(CairnError) {
    try PageLayout.check(pageSize)
    layout = PageLayout(pageSize: pageSize)
    capacity = 8 * pageSize
    pages = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { pages.deallocate() }

  /// Clears the part and begins another one.
  mutating func begin(_ kind: TreeKind, columns: Int, isFirst: Bool, reserved: Int = 0) {
    self.kind = kind
    self.reserved = reserved
    isTable = kind == .table
    hasLeadingRecord = !isTable && !isFirst
    record.begin(columns: columns)
    pageCount = 0
    links.removeAll(keepingCapacity: true)
    leaves.removeAll(keepingCapacity: true)
    separators.removeAll()
    runs.removeAll(keepingCapacity: true)
    (leafStart, cellCount, contentStart) = (0, 0, 0)
    (rowCount, firstRowid, lastRowid) = (0, 0, 0)
    pending = nil
    last = LastRecord()
  }

  /// The bytes that are free in the leaf for cells and the pointers to them.
  @inlinable var free: Int {
    contentStart - reserved - PageLayout.leafHeaderSize - PageLayout.pointerSize * cellCount
  }

  /// Adds a cell of at least ``PageLayout/leastCellSize`` bytes that fits into the leaf, and
  /// returns the place for its bytes.
  @inlinable @inline(__always)
  mutating func addCell(_ size: Int) -> UnsafeMutableRawPointer {
    contentStart -= size
    let pointer = leafStart + PageLayout.leafHeaderSize + PageLayout.pointerSize * cellCount
    pages.storeBytes(
      of: UInt16(truncatingIfNeeded: contentStart).bigEndian, toByteOffset: pointer,
      as: UInt16.self)
    cellCount += 1
    return pages + leafStart + contentStart
  }

  /// Ends a row of a table; in ascending order of rowids. Throws 70 otherwise, and as
  /// ``SQLiteRecord/check()`` does.
  @inlinable @inline(__always)
  package mutating func endRow(_ rowid: Int64) throws(CairnError) {
    // Types of one byte each, no overflow pages, and space in the leaf.
    let size = record.typesSize + 1 + record.end - record.headroom
    let key = UInt64(bitPattern: rowid)
    let head = Varint.size(UInt64(truncatingIfNeeded: size)) + Varint.size(key)
    guard isTable, record.columns == record.columnCount, record.typesSize < 0x7F,
      size <= layout.longestTableRecord, PageLayout.space(ofCell: head + size) <= free,
      head + size >= PageLayout.leastCellSize, rowid > lastRowid
    else { return try endRowSlowly(rowid) }
    rowCount += 1
    lastRowid = rowid
    var cell = addCell(head + size)
    cell += Varint.write(UInt64(truncatingIfNeeded: size), to: cell)
    cell += Varint.write(key, to: cell)
    write(to: cell)
  }

  /// Ends a record of an index; in ascending order of its key by the collation BINARY: NULL,
  /// numbers, texts, blobs. Throws 70 otherwise, and as ``SQLiteRecord/check()`` does.
  @inlinable @inline(__always)
  package mutating func endRow() throws(CairnError) {
    let size = record.typesSize + 1 + record.end - record.headroom
    let head = Varint.size(UInt64(truncatingIfNeeded: size))
    guard !isTable, record.columns == record.columnCount, record.typesSize < 0x7F,
      size <= layout.longestIndexRecord, PageLayout.space(ofCell: head + size) <= free,
      head + size >= PageLayout.leastCellSize, followsByBytes
    else { return try endRowSlowly() }
    rowCount += 1
    let cell = addCell(head + size)
    _ = Varint.write(UInt64(truncatingIfNeeded: size), to: cell)
    last.start = leafStart + contentStart + head + 1
    last.bodySize = record.end - record.headroom
    last.signs = record.signs
    write(to: cell + head)
  }

  /// Whether the record has the types of the previous one and a greater key by its bytes alone,
  /// which suffices if no number is negative.
  @inlinable @inline(__always)
  var followsByBytes: Bool {
    guard last.typesSize == record.typesSize, last.signs | record.signs >= 0 else { return false }
    let types = pages + last.start
    return RecordOrder.compareShort(types, record.types, last.typesSize) == 0
      && RecordOrder.compareShort(
        types + last.typesSize, record.buffer + record.headroom, last.keySize) < 0
  }

  /// Writes the record and clears it.
  @inlinable @inline(__always)
  mutating func write(to start: UnsafeMutableRawPointer) {
    start.storeBytes(of: UInt8(truncatingIfNeeded: record.typesSize + 1), as: UInt8.self)
    (start + 1).copyMemory(from: record.types, byteCount: record.typesSize)
    (start + 1 + record.typesSize).copyMemory(
      from: record.buffer + record.headroom, byteCount: record.end - record.headroom)
    record.clear()
  }
}
