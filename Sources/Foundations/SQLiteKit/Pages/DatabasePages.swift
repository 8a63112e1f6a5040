// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnLocks

/// Writes a new SQLite database without SQLite: rows and records in the order of their keys become
/// full pages, each written once. This takes about a tenth of the time of inserting the rows (see
/// Tests/Benchmarks/DatabasePagesBenchmark).
///
/// Several threads can share the work, each with a ``TreePart``:
///
/// 1. ``layOut(_:in:)`` any part, on any thread;
/// 2. ``place(_:_:)`` the parts in order, which numbers their pages after those before them;
/// 3. ``TreePart/write(_:)``, on any thread;
/// 4. finally, ``finish(_:)`` adds the upper levels of the trees and the schema.
///
/// The bytes depend on the content only, not on the threads.
///
/// The format: "Database File Format", https://www.sqlite.org/fileformat2.html.
package final class DatabasePages: Sendable {
  /// Writes bytes at an offset in the file.
  package typealias Write =
    (_ bytes: UnsafeRawBufferPointer, _ offset: Int) throws(CairnError) -> Void

  /// The version of SQLite that the header names as the writer, 3.40.1; the same on every machine.
  static let writerVersion: UInt32 = 3_040_001

  /// The number of parts of all trees together.
  package var partCount: Int { parts.count }

  private let content: DatabaseContent
  private let layout: PageLayout
  private let parts: [(tree: Int, part: Int)]
  private let state: Mutex<State>

  private struct State {
    var nextPart = 0
    var nextPage: UInt32 = 2
    /// The leaves of each tree so far.
    var levels: [TreeLevel]
    var lastRowid: Int64?
    var lastRecord: [UInt8] = []
  }

  /// Prepares to write a database. Throws 70 if the page size is invalid.
  package convenience init(_ content: DatabaseContent) throws(CairnError) {
    try self.init(content, lockByte: PageLayout.lockByte)
  }

  /// The same with another lock byte, for tests: its page must not be used.
  init(_ content: DatabaseContent, lockByte: Int) throws(CairnError) {
    try PageLayout.check(content.pageSize)
    self.content = content
    layout = PageLayout(pageSize: content.pageSize, lockByte: lockByte)
    parts = content.trees.enumerated().flatMap { index, tree in
      (0..<tree.parts).map { (tree: index, part: $0) }
    }
    state = Mutex(State(levels: content.trees.map { TreeLevel(kind: $0.kind) }))
  }

  /// Makes the part of the memory that ``layOut(_:in:)`` uses.
  package func makePart() throws(CairnError) -> TreePart { try TreePart(pageSize: layout.pageSize) }

  /// Lays out the leaves of a part. Throws the errors of its rows, and 70 if they are out of order.
  package func layOut(_ index: Int, in part: inout TreePart) throws(CairnError) {
    let tree = content.trees[parts[index].tree]
    part.begin(tree.kind, columns: tree.columns, isFirst: parts[index].part == 0)
    try tree.rows(parts[index].part, &part)
    try part.finish()
  }

  /// Numbers the pages of a laid-out part. Parts must be placed in the order of their indices:
  /// throws 70 otherwise, or if the rows of neighbouring parts are out of order, and 65 if the
  /// database has more pages than SQLite allows.
  package func place(_ index: Int, _ part: inout TreePart) throws(CairnError) {
    try state.withLock { state throws(CairnError) in
      guard index == state.nextPart else {
        throw TreePart.misuse("part \(index) is placed before part \(state.nextPart)")
      }
      state.nextPart += 1
      if parts[index].part == 0 { (state.lastRowid, state.lastRecord) = (nil, []) }
      try Self.checkOrder(part, &state)
      let numbers = try numbers(part.pageCount, &state.nextPage)
      part.place(numbers)
      state.levels[parts[index].tree].append(part)
    }
  }

  private static func checkOrder(_ part: borrowing TreePart, _ state: inout State)
    throws(CairnError)
  {
    guard part.rowCount > 0 else { return }
    if case .index(let keyColumns) = part.kind {
      let isAscending = state.lastRecord.withUnsafeBytes { last in
        part.firstRecord.withUnsafeBytes {
          last.isEmpty || RecordOrder.precedes(last, $0, columns: keyColumns)
        }
      }
      guard isAscending else { throw TreePart.misuse("parts of an index are out of order") }
      state.lastRecord = part.withLastRecord { Array($0) }
    } else {
      if let last = state.lastRowid, part.firstRowid <= last {
        throw TreePart.misuse("row \(part.firstRowid) was placed after row \(last)")
      }
      state.lastRowid = part.lastRowid
    }
  }

  /// Takes the next `count` numbers.
  private func numbers(_ count: Int, _ next: inout UInt32) throws(CairnError) -> PageNumbers {
    let numbers = PageNumbers(next: next, lockBytePage: layout.lockBytePage)
    guard UInt64(numbers.first) + UInt64(count) < layout.mostPages else {
      throw CairnError(.database, .dataError, "the database has too many pages")
    }
    if count > 0 { next = numbers[count - 1] + 1 }
    return numbers
  }

  /// Writes the upper levels of all trees, the schema and the file header, when all parts are
  /// placed and written. The first page is written last, so that an unfinished file is not a
  /// database. Throws 70 if parts are missing.
  ///
  /// - Returns: The size of the file in bytes.
  @discardableResult
  package func finish(_ write: Write) throws(CairnError) -> Int {
    try state.withLock { state throws(CairnError) in
      guard state.nextPart == parts.count else {
        throw TreePart.misuse("only \(state.nextPart) of \(parts.count) parts were placed")
      }
      let pages = InteriorPages(layout)
      var next = state.nextPage
      func take(_ count: Int) throws(CairnError) -> PageNumbers { try numbers(count, &next) }
      func append(_ page: UnsafeMutableRawBufferPointer) throws(CairnError) -> UInt32 {
        let number = try take(1)[0]
        try write(UnsafeRawBufferPointer(page), (Int(number) - 1) * layout.pageSize)
        return number
      }
      var schema = try makePart()
      schema.begin(.table, columns: 5, isFirst: true, reserved: PageLayout.fileHeaderSize)
      for (index, entry) in content.schema.enumerated() {
        // A view and a virtual table have no root.
        var root: UInt32 = 0
        if let tree = entry.tree {
          root = try pages.add(state.levels[tree], append: append, appendRoot: append)
        }
        try Self.add(entry, root: root, rowid: Int64(index + 1), to: &schema)
      }
      try schema.finish()
      var first = try place(&schema, pages, take, append, write)
      first.replaceSubrange(0..<PageLayout.fileHeaderSize, with: header(pages: Int(next) - 1))
      try first.withUnsafeBufferPointer { bytes throws(CairnError) in
        try write(UnsafeRawBufferPointer(bytes), 0)
      }
      return (Int(next) - 1) * layout.pageSize
    }
  }

  private static func add(
    _ entry: DatabaseContent.SchemaEntry, root: UInt32, rowid: Int64, to schema: inout TreePart
  ) throws(CairnError) {
    schema.record.add(entry.type)
    schema.record.add(entry.name)
    schema.record.add(entry.table)
    schema.record.add(Int64(root))
    if let sql = entry.sql { schema.record.add(sql) } else { schema.record.addNull() }
    try schema.endRow(rowid)
  }

  /// Writes everything on one thread. Throws the errors of ``layOut(_:in:)``, ``place(_:_:)`` and
  /// `write`.
  ///
  /// - Returns: The size of the file in bytes.
  @discardableResult
  package func writeAll(_ write: Write) throws(CairnError) -> Int {
    var part = try makePart()
    for index in 0..<partCount {
      try layOut(index, in: &part)
      try place(index, &part)
      try part.write(write)
    }
    return try finish(write)
  }

  /// Writes the tree of the schema except its root, which is returned as page 1.
  private func place(
    _ schema: inout TreePart, _ pages: InteriorPages,
    _ take: (_ count: Int) throws(CairnError) -> PageNumbers, _ append: InteriorPages.Append,
    _ write: Write
  ) throws(CairnError) -> [UInt8] {
    var first: [UInt8] = []
    func setFirst(_ page: UnsafeMutableRawBufferPointer) -> UInt32 {
      if let start = page.baseAddress { _ = layout.makeRoomForFileHeader(start) }
      first = Array(page)
      return 1
    }
    let isSingle = schema.leaves.count == 1
    let isFirst = isSingle && layout.makeRoomForFileHeader(schema.pages)
    schema.place(try take(schema.pageCount - (isFirst ? 1 : 0)), firstPageIsFirst: isFirst)
    try schema.write(write)
    if isFirst {
      first = Array(UnsafeRawBufferPointer(start: schema.pages, count: layout.pageSize))
    } else if isSingle {
      // A single long row: SQLite, too, then writes a first page without cells above it.
      _ = setFirst(pages.page(above: schema.leaves[0], .table))
    } else {
      var level = TreeLevel(kind: .table)
      level.append(schema)
      _ = try pages.add(
        level, reserved: PageLayout.fileHeaderSize, append: append, appendRoot: setFirst)
    }
    return first
  }

  private func header(pages: Int) -> [UInt8] {
    var header = Array("SQLite format 3\0".utf8)
    func add(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.bigEndian) { header.append(contentsOf: $0) }
    }
    // 65536 is written as 1.
    add(UInt16(layout.pageSize == 65536 ? 1 : layout.pageSize))
    // Written and read with a rollback journal; no reserved space; fixed fractions.
    header += [1, 1, 0, 64, 32, 32]
    let changes: UInt32 = 1
    add(changes)
    add(UInt32(pages))
    // No free pages.
    add(UInt64(0))
    // The schema cookie and the schema format.
    add(UInt32(content.schema.count))
    add(UInt32(4))
    // The default cache size and the largest root page, only for vacuuming.
    add(UInt64(0))
    let utf8: UInt32 = 1
    add(utf8)
    add(content.userVersion)
    // Incremental vacuum.
    add(UInt32(0))
    add(content.applicationID)
    header += [UInt8](repeating: 0, count: 20)
    // The change counter for which the size is valid.
    add(changes)
    add(Self.writerVersion)
    return header
  }
}
