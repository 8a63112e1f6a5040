// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// Writes a new SQLite database in one pass, without SQLite: rows and records in the order of their
/// keys become full pages, which are written once, in order. That takes about a tenth of the time
/// of inserting the rows (see Tests/Benchmarks/DatabasePages).
///
/// The trees of tables and indexes (``TableTree``, ``IndexTree``) are laid out one after another;
/// their roots are named by ``addTable(_:sql:root:)`` and ``addIndex(_:of:sql:root:)``, and
/// ``finish()`` writes the schema. Nothing compares the rows with the declarations: the caller sees
/// to columns, constraints, the autoindexes of PRIMARY KEY and UNIQUE
/// (`sqlite_autoindex_TABLE_1`, … without `sql`) and `sqlite_sequence`. The bytes depend on the
/// content only.
///
/// The format: "Database File Format", https://www.sqlite.org/fileformat2.html.
package final class DatabasePages: PageSink {
  /// The version of SQLite that the header names as the writer, 3.40.1; the same on every machine.
  static let writerVersion: UInt32 = 3_040_001
  private static let bufferSize = 1 << 19

  package let pageSize: Int
  package private(set) var nextPage: UInt32 = 2

  private let applicationID: UInt32
  private let userVersion: UInt32
  private let lockBytePage: UInt32
  private let write: (UnsafeRawBufferPointer, Int) throws(CairnError) -> Void
  /// Pages that are not written yet, and their offset in the file.
  private let buffer: UnsafeMutableRawBufferPointer
  private var buffered = 0
  private var offset: Int
  private var schema: [SchemaEntry] = []

  private struct SchemaEntry {
    var type: String
    var name: String
    var table: String
    var root: UInt32
    var sql: String?
  }

  /// Begins a database. Throws 70 if the page size is invalid.
  ///
  /// - Parameters:
  ///   - applicationID: The value of `PRAGMA application_id`.
  ///   - userVersion: The value of `PRAGMA user_version`.
  ///   - write: Writes bytes at an offset in the file. It is called in the order of offsets, without
  ///     gaps, but for the first page, which is written last: a file that was not finished is not a
  ///     database.
  package init(
    pageSize: Int = PageLayout.standardPageSize, applicationID: Int64 = 0, userVersion: Int64 = 0,
    write: @escaping (_ bytes: UnsafeRawBufferPointer, _ offset: Int) throws(CairnError) -> Void
  ) throws(CairnError) {
    try PageLayout.check(pageSize)
    self.pageSize = pageSize
    self.applicationID = UInt32(truncatingIfNeeded: applicationID)
    self.userVersion = UInt32(truncatingIfNeeded: userVersion)
    self.write = write
    lockBytePage = PageLayout(pageSize: pageSize).lockBytePage
    buffer = .allocate(byteCount: Self.bufferSize, alignment: 16)
    offset = pageSize
  }

  deinit { buffer.deallocate() }

  package func page(after page: UInt32) -> UInt32 {
    page + 1 == lockBytePage ? page + 2 : page + 1
  }

  package func append(_ page: UnsafeRawBufferPointer, links: [Int]) throws(CairnError) {
    guard page.count == pageSize else {
      throw CairnError(.database, .software, "a page of another size was added")
    }
    // SQLite's greatest page number.
    guard nextPage < UInt32.max - 2 else {
      throw CairnError(.database, .dataError, "the database has too many pages")
    }
    try put(page)
    if nextPage + 1 == lockBytePage {
      try put(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    nextPage = self.page(after: nextPage)
  }

  /// Appends a page, an empty one as zeros.
  private func put(_ page: UnsafeRawBufferPointer) throws(CairnError) {
    if buffered + pageSize > buffer.count { try flush() }
    let target = UnsafeMutableRawBufferPointer(
      rebasing: buffer[buffered..<(buffered + pageSize)])
    if page.isEmpty { target.initializeMemory(as: UInt8.self, repeating: 0) }
    target.copyBytes(from: page)
    buffered += pageSize
  }

  private func flush() throws(CairnError) {
    guard buffered > 0 else { return }
    try write(UnsafeRawBufferPointer(rebasing: buffer[..<buffered]), offset)
    offset += buffered
    buffered = 0
  }

  /// Writes the pages of a run, which is empty afterwards. Throws 70 if they have another size.
  ///
  /// - Returns: The number of a page of the run in this database, such as the root of a tree.
  package func place(_ run: PageRun) throws(CairnError) -> (_ page: UInt32) -> UInt32 {
    guard run.pageSize == pageSize else {
      throw CairnError(.database, .software, "a run of pages of another size was placed")
    }
    return try run.move(to: self)
  }

  /// Adds a table to the schema. `sql` is its declaration: `CREATE TABLE name(…)`.
  package func addTable(_ name: String, sql: String, root: UInt32) {
    schema.append(SchemaEntry(type: "table", name: name, table: name, root: root, sql: sql))
  }

  /// Adds an index to the schema; nil for the `sql` of one that a constraint of its table implies.
  package func addIndex(_ name: String, of table: String, sql: String?, root: UInt32) {
    schema.append(SchemaEntry(type: "index", name: name, table: table, root: root, sql: sql))
  }

  /// Writes the schema and the file header. Nothing can be added afterwards.
  ///
  /// - Returns: The size of the file in bytes.
  @discardableResult
  package func finish() throws(CairnError) -> Int {
    let tree = TableTree(self, reserved: PageLayout.fileHeaderSize)
    let record = SQLiteRecord(columns: 5)
    for (index, entry) in schema.enumerated() {
      record.clear()
      record.add(entry.type)
      record.add(entry.name)
      record.add(entry.table)
      record.add(Int64(entry.root))
      if let sql = entry.sql { record.add(sql) } else { record.addNull() }
      try tree.add(rowid: Int64(index + 1), record)
    }
    var first = try tree.finishAsFirstPage()
    try flush()
    first.replaceSubrange(0..<PageLayout.fileHeaderSize, with: header(pages: offset / pageSize))
    try first.withUnsafeBufferPointer { bytes throws(CairnError) in
      try write(UnsafeRawBufferPointer(bytes), 0)
    }
    return offset
  }

  private func header(pages: Int) -> [UInt8] {
    var header = Array("SQLite format 3\0".utf8)
    func add(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.bigEndian) { header.append(contentsOf: $0) }
    }
    // 65536 is written as 1.
    add(UInt16(pageSize == 65536 ? 1 : pageSize))
    // Written and read with a rollback journal; no reserved space; fractions that are fixed.
    header += [1, 1, 0, 64, 32, 32]
    let changes: UInt32 = 1
    add(changes)
    add(UInt32(pages))
    // No free pages.
    add(UInt64(0))
    // The schema cookie and the schema format.
    add(UInt32(schema.count))
    add(UInt32(4))
    // The default cache size and the largest root page, only for vacuuming.
    add(UInt64(0))
    let utf8: UInt32 = 1
    add(utf8)
    add(userVersion)
    // Incremental vacuum.
    add(UInt32(0))
    add(applicationID)
    header += [UInt8](repeating: 0, count: 20)
    // The change counter for which the size is valid.
    add(changes)
    add(Self.writerVersion)
    return header
  }
}
