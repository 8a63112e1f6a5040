// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SQLiteKit
import TestSupport
import Testing

@Suite("Databases written as pages")
struct DatabasePagesTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("pages.db")
  }

  private func fill(_ database: some PageSink, rows: Int) throws -> (table: UInt32, index: UInt32) {
    let tree = TableTree(database)
    let record = SQLiteRecord(columns: 1)
    let text = { String(repeating: "t", count: $0 % 900) + "\($0)" }
    for row in 0..<rows {
      record.clear()
      record.add(text(row))
      try tree.add(rowid: Int64(row), record)
    }
    let table = try tree.finish()
    let order = (0..<rows).sorted { text($0) < text($1) }
    let index = try writeIndexTree(
      database, order.map { [.text(text($0)), .integer(Int64($0))] }, columns: 2, keyColumns: 2)
    return (table, index)
  }

  private func addSchema(_ database: DatabasePages, _ roots: (table: UInt32, index: UInt32)) {
    database.addTable("t", sql: "CREATE TABLE t(a TEXT)", root: roots.table)
    database.addIndex("i", of: "t", sql: "CREATE INDEX i ON t(a)", root: roots.index)
  }

  @Test("a database without tables is one, of one page")
  func empty() throws {
    try writePages(path) { _ in }
    let connection = try expectIntact(path)
    #expect(try connection.integer("SELECT count(*) FROM sqlite_schema") == 0)
    #expect(try bytesOfFile(path).count == 8192)
  }

  @Test("the header has what SQLite reports", arguments: [512, 4096, 65536])
  func header(pageSize: Int) throws {
    let file = TestFile(path)
    let database = try DatabasePages(
      pageSize: pageSize, applicationID: 0x4372_6E31, userVersion: -3, write: file.write)
    addSchema(database, try fill(database, rows: 100))
    let size = try database.finish()
    let connection = try expectIntact(path)
    let pragmas = [
      ("page_size", "\(pageSize)"), ("application_id", "\(0x4372_6E31)"), ("user_version", "-3"),
      ("encoding", "UTF-8"), ("journal_mode", "delete"), ("freelist_count", "0"),
      ("page_count", "\(size / pageSize)"), ("auto_vacuum", "0"),
    ]
    for (pragma, value) in pragmas {
      #expect(try connection.text("PRAGMA \(pragma)") == value, "\(pragma)")
    }
    #expect(try bytesOfFile(path).count == size)
  }

  @Test("a schema of any size is read back, on page 1 and beyond")
  func schemas() throws {
    for length in Array(0...560) + [1000, 5000] {
      let sql = "CREATE TABLE t(a /*\(String(repeating: "c", count: length))*/)"
      try writePages(path, pageSize: 512) {
        try writeTable($0, "t", sql: sql, [(1, [.integer(5)])], columns: 1)
      }
      let connection = try expectIntact(path, "\(length)")
      #expect(try connection.text("SELECT sql FROM sqlite_schema") == sql)
      #expect(try connection.integer("SELECT a FROM t") == 5)
    }
    for count in Array(1...40) + [300, 1500] {
      try writePages(path, pageSize: 512) {
        for table in 0..<count {
          let sql = "CREATE TABLE t\(table)(a)"
          try writeTable($0, "t\(table)", sql: sql, [(1, [.integer(Int64(table))])], columns: 1)
        }
      }
      let connection = try expectIntact(path, "\(count) tables")
      #expect(try connection.integer("SELECT a FROM t\(count - 1)") == Int64(count - 1))
      #expect(try connection.integer("SELECT count(*) FROM sqlite_schema") == Int64(count))
    }
  }

  @Test("the index of a constraint and the sequence of ids serve SQLite when it adds rows")
  func constraints() throws {
    let sql = "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)"
    try writePages(path) {
      try writeTable(
        $0, "t", sql: sql, [(1, [.null, .text("b")]), (9, [.null, .text("a")])], columns: 2)
      let root = try writeIndexTree(
        $0, [[.text("a"), .integer(9)], [.text("b"), .integer(1)]], columns: 2, keyColumns: 1)
      $0.addIndex("sqlite_autoindex_t_1", of: "t", sql: nil, root: root)
      let sequence = "CREATE TABLE sqlite_sequence(name,seq)"
      try writeTable(
        $0, "sqlite_sequence", sql: sequence, [(1, [.text("t"), .integer(20)])], columns: 2)
    }
    try expectIntact(path).close()
    let connection = try SQLiteConnection(path, .build)
    try connection.execute("INSERT INTO t(name) VALUES ('c')")
    #expect(try connection.integer("SELECT id FROM t WHERE name = 'c'") == 21)
    expectError(.database) { try connection.execute("INSERT INTO t(name) VALUES ('a')") }
    connection.close()
    try expectIntact(path)
  }

  @Test("SQLite goes on changing a database that was written as pages")
  func changes() throws {
    try writePages(path, pageSize: 512) { addSchema($0, try fill($0, rows: 1500)) }
    let connection = try SQLiteConnection(path, .build)
    try connection.execute("DELETE FROM t WHERE rowid % 3 = 0")
    try connection.execute("INSERT INTO t SELECT a || 'x' FROM t WHERE rowid % 2 = 0")
    try connection.execute("UPDATE t SET a = rowid WHERE rowid % 5 = 0")
    #expect(try connection.text("PRAGMA integrity_check") == "ok")
    try connection.execute("VACUUM")
    connection.close()
    let changed = try expectIntact(path)
    #expect(try changed.integer("SELECT count(*) FROM t") == 1500)
  }

  @Test("trees laid out apart and placed one after another give the same bytes as in one pass")
  func placing() throws {
    try writePages(path, pageSize: 512) { database in
      let (first, second) = (try fill(database, rows: 900), try fill(database, rows: 40))
      addSchema(database, first)
      database.addTable("u", sql: "CREATE TABLE u(a TEXT)", root: second.table)
      database.addIndex("j", of: "u", sql: "CREATE INDEX j ON u(a)", root: second.index)
    }
    try expectIntact(path)
    let placed = folder.file("placed.db")
    try writePages(placed, pageSize: 512) { database in
      // Laid out in another order than they are placed in.
      let runs = (try PageRun(pageSize: 512), try PageRun(pageSize: 512))
      let second = try fill(runs.1, rows: 40)
      let first = try fill(runs.0, rows: 900)
      var page = try database.place(runs.0)
      addSchema(database, (page(first.table), page(first.index)))
      page = try database.place(runs.1)
      database.addTable("u", sql: "CREATE TABLE u(a TEXT)", root: page(second.table))
      database.addIndex("j", of: "u", sql: "CREATE INDEX j ON u(a)", root: page(second.index))
    }
    #expect(try bytesOfFile(placed) == bytesOfFile(path))
  }

  @Test("the page that SQLite locks at 1 GiB is left out")
  func lockByte() throws {
    let file = TestFile(path, isSparse: true)
    let database = try DatabasePages(pageSize: 65536, write: file.write)
    let tree = TableTree(database)
    let record = SQLiteRecord(columns: 1)
    for (row, pages) in [4096, 4096, 4096, 4096 - 20].enumerated() {
      record.clear()
      [UInt8](repeating: 0, count: pages * 65532).withUnsafeBytes { record.addBlob($0) }
      try tree.add(rowid: Int64(row), record)
    }
    database.addTable("b", sql: "CREATE TABLE b(a)", root: try tree.finish())
    let run = try PageRun(pageSize: 65536)
    let roots = try fill(run, rows: 3000)
    #expect((1 << 14) - Int(database.nextPage) < Int(roots.table))
    let page = try database.place(run)
    addSchema(database, (page(roots.table), page(roots.index)))
    try database.finish()
    try expectIntact(path)
  }

  @Test("page sizes that SQLite does not have are refused", arguments: [-8, 0, 256, 1000, 131072])
  func pageSizes(size: Int) {
    expectError(.database, .software) { try PageRun(pageSize: size) }
    expectError(.database, .software) { try DatabasePages(pageSize: size) { _, _ in } }
    expectError(.database, .software) {
      try DatabasePages { _, _ in }.place(PageRun(pageSize: 512))
    }
  }

  @Test("an error of the output is passed on, and the file is not a database then")
  func failingOutput() throws {
    let file = TestFile(path)
    var written = 0
    expectError(.database, .ioError) {
      let database = try DatabasePages { bytes, offset throws(CairnError) in
        guard written < 1 << 20 else { throw CairnError(.database, .ioError, "disk full") }
        written += bytes.count
        try file.write(bytes, offset)
      }
      addSchema(database, try fill(database, rows: 10_000))
      return try database.finish()
    }
    expectError(.notADatabase, .dataError) {
      try SQLiteConnection(path, .readOnly).integer("SELECT count(*) FROM sqlite_schema")
    }
  }
}
