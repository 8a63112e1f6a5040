// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Diagnostics
import Glibc
import SQLiteKit
import TestSupport
import Testing

@Suite("Opening a database")
struct ConnectionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func validDatabase() throws -> String {
    let path = folder.file("valid.db")
    try changeDatabase(
      path,
      [
        "CREATE TABLE numbers(value INTEGER)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
          + "INSERT INTO numbers SELECT i FROM n",
      ])
    return path
  }

  @Test("a missing file is an error and is not created")
  func missingFile() throws {
    let path = folder.file("missing.db")
    let error = expectError(.database, .noInput) { try SQLiteConnection(path, .readOnly) }
    #expect(error?.description == "\(path): no such file")
    #expect(try folder.contents.isEmpty)
  }

  @Test("a folder is not a database")
  func directory() {
    let error = expectError(.database, .noInput) { try SQLiteConnection(folder.path, .readOnly) }
    #expect(error?.message == "is a folder, not a file")
  }

  @Test("a pipe is refused at once, without blocking")
  func pipe() {
    let path = folder.file("pipe")
    mkfifo(path, 0o600)
    let error = expectError(.database, .noInput) { try SQLiteConnection(path, .readOnly) }
    #expect(error?.message == "is not a regular file")
  }

  @Test("an empty file is not a database")
  func emptyFile() throws {
    let path = try folder.write("", to: "empty.db")
    let error = expectError(.notADatabase, .dataError) { try SQLiteConnection(path, .readOnly) }
    #expect(error?.message == "is empty")
  }

  @Test("a text file is not a database")
  func text() throws {
    let path = try folder.write(String(repeating: "<html>", count: 100), to: "page.html")
    expectError(.notADatabase, .dataError) {
      try SQLiteConnection(path, .readOnly).integer("SELECT count(*) FROM sqlite_master")
    }
  }

  @Test("a truncated database is damaged", arguments: [50, 100, 512, 4096, 9000])
  func cutOff(bytes: Int) throws {
    let path = try folder.write(
      Array(try bytesOfFile(try validDatabase()).prefix(bytes)), to: "cut.db")
    expectError(.damagedDatabase, .dataError) {
      try SQLiteConnection(path, .readOnly).integer("SELECT sum(value) FROM numbers")
    }
  }

  @Test("a row of an implausible length is damage and does not exhaust memory")
  func hugeRow() throws {
    let path = folder.file("huge.db")
    try changeDatabase(
      path, ["CREATE TABLE t(a)", "INSERT INTO t VALUES (zeroblob(\(1 << 27)))"])
    let connection = try SQLiteConnection(path, .readOnly)
    let statement = try connection.prepare("SELECT a FROM t")
    expectError(.damagedDatabase, .dataError) { try statement.step() }
  }

  @Test("a database opened for reading cannot be changed")
  func readOnly() throws {
    let connection = try SQLiteConnection(try validDatabase(), .readOnly)
    expectError(.database, .cannotCreate) { try connection.execute("DELETE FROM numbers") }
  }

  @Test("an invalid statement is quoted on one line")
  func wrongStatement() throws {
    let connection = try SQLiteConnection(try validDatabase(), .readOnly)
    let error = expectError(.database, .dataError) {
      try connection.execute("SELECT absent\n  FROM numbers")
    }
    #expect(error?.message == "no such column: absent, in: SELECT absent FROM numbers")
  }

  @Test("using a closed connection is a bug in Cairn")
  func closed() throws {
    let connection = try SQLiteConnection(try validDatabase(), .readOnly)
    connection.close()
    expectError(.database, .software) { try connection.execute("SELECT 1") }
  }

  @Test("a statement outlives the closing of its connection")
  func statementOutlives() throws {
    let connection = try SQLiteConnection(try validDatabase(), .readOnly)
    let statement = try connection.prepare("SELECT max(value) FROM numbers")
    connection.close()
    #expect(try statement.step())
    #expect(statement.integer(0) == 5000)
  }

  @Test("building leaves neither journal nor write-ahead log")
  func noJournal() throws {
    _ = try validDatabase()
    #expect(try folder.contents == ["valid.db"])
  }

  @Test("the columns of a stored table are listed in order")
  func columns() throws {
    let path = folder.file("columns.db")
    try changeDatabase(path, ["CREATE TABLE t(b, a TEXT, c REAL)"])
    let connection = try SQLiteConnection(path, .readOnly)
    #expect(try connection.columns(ofTable: "t") == ["b", "a", "c"])
    #expect(try connection.columns(ofTable: "absent") == nil)
  }

  @Test("views and virtual tables are not stored tables")
  func ignoresViews() throws {
    let path = folder.file("views.db")
    try changeDatabase(
      path,
      ["CREATE VIEW v AS SELECT 1 AS a", "CREATE VIRTUAL TABLE w USING fts5(a)"])
    let connection = try SQLiteConnection(path, .readOnly)
    #expect(try connection.columns(ofTable: "v") == nil)
    #expect(try connection.columns(ofTable: "w") == nil)
  }
}
