// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnDiagnostics
import Testing

@testable import CairnSQLiteKit

@Suite("Databases written as pages")
struct DatabasePagesTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("pages.db")
  }

  /// Adds a table of some rows with an index.
  private func fill(
    _ content: inout DatabaseContent, rows: Int, table: String = "t", parts: Int = 1
  ) {
    let text = { String(repeating: "t", count: $0 % 900) + "\($0)" }
    content.addTable(
      table, sql: "CREATE TABLE \(table)(a TEXT)",
      (0..<rows).map { (rowid: Int64($0), values: [.text(text($0))]) }, columns: 1, parts: parts)
    let order = (0..<rows).sorted { text($0) < text($1) }
    content.addIndex(
      "\(table)_index", of: table, sql: "CREATE INDEX \(table)_index ON \(table)(a)",
      order.map { [.text(text($0)), .integer(Int64($0))] }, columns: 2, parts: parts)
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
    var content = DatabaseContent(
      pageSize: pageSize, applicationID: 0x4372_6E31, userVersion: -3)
    fill(&content, rows: 100)
    let size = try DatabasePages(content).writeAll(TestFile(path).write)
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
        $0.addTable("t", sql: sql, [(1, [.integer(5)])], columns: 1)
      }
      let connection = try expectIntact(path, "\(length)")
      #expect(try connection.text("SELECT sql FROM sqlite_schema") == sql)
      #expect(try connection.integer("SELECT a FROM t") == 5)
    }
    for count in Array(1...40) + [300, 1500] {
      try writePages(path, pageSize: 512) {
        for table in 0..<count {
          let sql = "CREATE TABLE t\(table)(a)"
          $0.addTable("t\(table)", sql: sql, [(1, [.integer(Int64(table))])], columns: 1)
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
      $0.addTable(
        "t", sql: sql, [(1, [.null, .text("b")]), (9, [.null, .text("a")])], columns: 2)
      $0.addIndex(
        "sqlite_autoindex_t_1", of: "t", sql: nil,
        [[.text("a"), .integer(9)], [.text("b"), .integer(1)]], columns: 2, isUnique: true)
      let sequence = "CREATE TABLE sqlite_sequence(name,seq)"
      $0.addTable("sqlite_sequence", sql: sequence, [(1, [.text("t"), .integer(20)])], columns: 2)
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
    try writePages(path, pageSize: 512) { fill(&$0, rows: 1500, parts: 7) }
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

  @Test("a view is evaluated by SQLite, and is in the schema where it was added")
  func views() throws {
    try writePages(path) {
      fill(&$0, rows: 20)
      $0.addView("v", sql: "CREATE VIEW v AS SELECT rowid AS id, a FROM t WHERE rowid % 2 = 1")
      fill(&$0, rows: 3, table: "u")
    }
    let connection = try expectIntact(path)
    #expect(try connection.integer("SELECT count(*) FROM v") == 10)
    #expect(try connection.text("SELECT a FROM v WHERE id = 7") == "ttttttt7")
    #expect(
      try connection.text("SELECT group_concat(type || ' ' || name) FROM sqlite_schema")
        == "table t,index t_index,view v,table u,index u_index")
    #expect(
      try connection.integer("SELECT rootpage FROM sqlite_schema WHERE type = 'view'") == 0)
    let copy = folder.file("copy.db")
    try connection.execute("VACUUM INTO '\(copy)'")
    #expect(try SQLiteConnection(copy, .readOnly).integer("SELECT count(*) FROM v") == 10)
  }

  @Test("parts laid out in any order give the same bytes as one after another")
  func threads() throws {
    var content = DatabaseContent(pageSize: 512)
    fill(&content, rows: 900, parts: 7)
    fill(&content, rows: 40, table: "u", parts: 3)
    try DatabasePages(content).writeAll(TestFile(path).write)
    try expectIntact(path)
    let other = folder.file("other.db")
    let file = TestFile(other)
    let database = try DatabasePages(content)
    var one = try database.makePart()
    var two = try database.makePart()
    for index in stride(from: 0, to: database.partCount, by: 2) {
      // The second one is there before the first one, and is written before it.
      try database.layOut(index + 1, in: &two)
      try database.layOut(index, in: &one)
      try database.place(index, &one)
      try database.place(index + 1, &two)
      try two.write(file.write)
      try one.write(file.write)
    }
    try database.finish(file.write)
    #expect(try bytesOfFile(other) == bytesOfFile(path))
  }

  @Test("parts are placed in their order, and all of them")
  func placing() throws {
    var content = DatabaseContent()
    fill(&content, rows: 40, parts: 2)
    let database = try DatabasePages(content)
    var part = try database.makePart()
    try database.layOut(1, in: &part)
    var isRefused = false
    do { try database.place(1, &part) } catch { isRefused = error.exitCode == .software }
    #expect(isRefused)
    expectError(.database, .software) { try database.finish { _, _ in } }
  }

  @Test("the page that SQLite locks at 1 GiB is left out")
  func lockByte() throws {
    // Page 16385. Behind 60 rows of 256 pages each, a leaf among them, and one of 1023, it would be
    // the next one.
    let file = TestFile(path, isSparse: true)
    var content = DatabaseContent(pageSize: 65536)
    content.addTable("b", sql: "CREATE TABLE b(a)", columns: 1, parts: 61) {
      part, tree throws(CairnError) in
      let size = (part < 60 ? 256 : 1023) * 65532 - 100
      tree.record.addBlob(upTo: size) {
        $0.initializeMemory(as: UInt8.self, repeating: 0)
        return size
      }
      try tree.endRow(Int64(part))
    }
    fill(&content, rows: 3000, parts: 3)
    let size = try DatabasePages(content).writeAll(file.write)
    #expect(size > 1 << 30)
    try expectIntact(path)
  }

  @Test("the page that SQLite locks is left out, whichever it would be")
  func lockByteAnywhere() throws {
    var content = DatabaseContent(pageSize: 512)
    fill(&content, rows: 90, parts: 3)
    let pages = try DatabasePages(content).writeAll(TestFile(path).write) / 512
    let rows = try textOfRows(path)
    for page in 2...(pages + 1) {
      // A new file: some file systems wait for the disk when one is emptied.
      let path = folder.file("\(page).db")
      // To SQLite, which locks another page, this one is not used; else it finds nothing.
      let size = try DatabasePages(content, lockByte: page * 512 - 1)
        .writeAll(TestFile(path).write)
      let found = try SQLiteConnection(path, .readOnly).text("PRAGMA integrity_check(3)") ?? ""
      let lines = found.split(separator: "\n").dropFirst()
      if page <= pages {
        #expect(size == (pages + 1) * 512, "page \(page)")
        #expect(lines.count == 1 && lines.last?.contains("never used") == true, "\(found)")
        #expect(lines.last?.filter(\.isNumber) == "\(page)", "\(found)")
      } else {
        #expect(size == pages * 512 && found == "ok", "\(found)")
      }
      #expect(try textOfRows(path) == rows, "page \(page)")
    }
  }

  /// What the table and its index hold.
  private func textOfRows(_ path: String) throws -> String? {
    let connection = try SQLiteConnection(path, .readOnly)
    let rows = try connection.text("SELECT group_concat(a) FROM t NOT INDEXED")
    let order = try connection.text(
      "SELECT group_concat(rowid) FROM (SELECT rowid FROM t ORDER BY a)")
    return rows.flatMap { rows in order.map { rows + $0 } }
  }

  @Test("page sizes that SQLite does not have are refused", arguments: [-8, 0, 256, 1000, 131072])
  func pageSizes(size: Int) {
    expectError(.database, .software) { try DatabasePages(DatabaseContent(pageSize: size)) }
  }

  @Test("an error of the output is passed on, and the file is not a database then")
  func failingOutput() throws {
    let file = TestFile(path)
    var written = 0
    expectError(.database, .ioError) {
      var content = DatabaseContent()
      fill(&content, rows: 10_000, parts: 10)
      return try DatabasePages(content).writeAll { bytes, offset throws(CairnError) in
        guard written < 1 << 20 else { throw CairnError(.database, .ioError, "disk full") }
        written += bytes.count
        try file.write(bytes, offset)
      }
    }
    expectError(.notADatabase, .dataError) {
      try SQLiteConnection(path, .readOnly).integer("SELECT count(*) FROM sqlite_schema")
    }
  }
}
