// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnCSQLite
import CairnDiagnostics
import Glibc
import Testing

@testable import CairnSQLiteKit

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

  @Test("a database that is only read is damaged or too large if memory does not suffice")
  func memory() throws {
    let path = try validDatabase()
    let read = try SQLiteConnection(path, .readOnly).error(SQLITE_NOMEM, statement: nil)
    #expect(read.code == .damagedDatabase && read.exitCode == .dataError)
    #expect(read.message == "is damaged, or takes more memory to read than there is")
    let written = try SQLiteConnection(path, .shared(patienceMilliseconds: 0))
    let error = written.error(SQLITE_NOMEM, statement: nil)
    #expect(error.exitCode == .temporaryFailure && error.message == "out of memory")
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

  @Test("the columns of several tables are listed, without those that are not stored")
  func columnsOfTables() throws {
    let path = folder.file("tables.db")
    try changeDatabase(
      path,
      [
        "CREATE TABLE t(b, a TEXT)", "CREATE TABLE u(x, y AS (x + 1))", "CREATE VIEW v AS SELECT 1",
        "CREATE TABLE w(z)",
      ])
    let connection = try SQLiteConnection(path, .readOnly)
    let columns = try connection.columns(ofTables: ["w", "t", "u", "v", "absent"])
    #expect(columns == ["t": ["b", "a"], "w": ["z"]])
    #expect(try connection.columns(ofTables: []).isEmpty)
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

  @Test("reading a database in WAL mode leaves no files, and changes in a -wal file are an error")
  func writeAheadLog() throws {
    let path = folder.file("w a%l?#.db")
    try changeDatabase(
      path,
      ["CREATE TABLE t(a)", "INSERT INTO t VALUES (7)", "PRAGMA locking_mode=NORMAL"])
    var bytes = try bytesOfFile(path)
    (bytes[18], bytes[19]) = (2, 2)
    try folder.write(bytes, to: "w a%l?#.db")
    let connection = try SQLiteConnection(path, .readOnly)
    #expect(try connection.integer("SELECT a FROM t") == 7)
    #expect(try folder.contents == ["w a%l?#.db"])
    try folder.write("changes", to: "w a%l?#.db-wal")
    let error = expectError(.unclosedDatabase, .dataError) { try SQLiteConnection(path, .readOnly) }
    #expect(
      error?.message
        == "is open in another program, or was not closed: its -wal file contains changes"
    )
  }

  @Test(
    "a schema with anything that SQLite would evaluate is refused",
    arguments: [
      ("CREATE INDEX i ON t(length(printf('%.*c', a, 'x')))", "index i has an expression"),
      ("CREATE INDEX i ON t(a) WHERE b LIKE '%a%b%'", "index i has a condition"),
      ("CREATE VIEW v AS SELECT 1 AS a", "has a view v"),
      ("CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END", "has a trigger g"),
      ("CREATE VIRTUAL TABLE w USING fts5(a)", "table w is virtual"),
      ("CREATE TABLE u(a, b AS (a + 1))", "table u has a generated column"),
    ])
  func computedSchema(statement: String, problem: String) throws {
    let path = folder.file("computed.db")
    try changeDatabase(path, ["CREATE TABLE t(a, b)", "CREATE INDEX plain ON t(b, a)"])
    try SQLiteConnection(path, .readOnly).refuseComputedSchema()
    let text = try SQLiteConnection(path, .readOnly).schemaText()
    try changeDatabase(path, ["INSERT INTO t VALUES (1, 2)"])
    #expect(try SQLiteConnection(path, .readOnly).schemaText() == text)
    try changeDatabase(path, [statement])
    #expect(try SQLiteConnection(path, .readOnly).schemaText() != text)
    let error = expectError(.computedSchema, .dataError) {
      try SQLiteConnection(path, .readOnly).refuseComputedSchema()
    }
    #expect(error?.message == "\(problem), which is not evaluated")
  }

  @Test("an integrity check evaluates no constraints")
  func ignoresConstraints() throws {
    let path = folder.file("check.db")
    try changeDatabase(path, ["CREATE TABLE t(a)", "INSERT INTO t VALUES (1)"])
    try changeDatabase(
      path,
      [
        "PRAGMA writable_schema=ON",
        "UPDATE sqlite_master SET sql = 'CREATE TABLE t(a CHECK (a > 1))'",
      ])
    let connection = try SQLiteConnection(path, .readOnly)
    #expect(try connection.text("PRAGMA integrity_check") == "ok")
  }

  @Test("statements that take more operations than allowed are interrupted")
  func workLimit() throws {
    let connection = try SQLiteConnection(try validDatabase(), .readOnly)
    connection.limitWork(operations: 1_000_000)
    #expect(try connection.integer("SELECT count(*) FROM numbers") == 5000)
    let error = expectError(.damagedDatabase, .dataError) {
      try connection.integer(
        "SELECT count(*) FROM numbers a, numbers b, numbers c WHERE a.value < b.value + c.value")
    }
    #expect(error?.message == "takes more work to read than its size allows")
  }

  @Test("what a transaction reads stays as it is until its end, which follows an error, too")
  func reading() throws {
    let path = try validDatabase()
    let connection = try SQLiteConnection(path, .readOnly)
    let other = try SQLiteConnection(path, .shared(patienceMilliseconds: 0))
    let insertion = "INSERT INTO numbers VALUES (0)"
    for count in Int64(5000)...5001 {
      try connection.beginReading()
      #expect(try connection.integer("SELECT count(*) FROM numbers") == count)
      expectError(.lockedDatabase, .temporaryFailure) { try other.execute(insertion) }
      expectError(.database, .dataError) { try connection.execute("SELECT nothing") }
      connection.endReading()
      try other.execute(insertion)
    }
  }

  @Test("a statement of a database that is only read ends, whatever it asks for")
  func endlessStatement() throws {
    let connection = try SQLiteConnection(try validDatabase(), .readOnly)
    let error = expectError(.damagedDatabase, .dataError) {
      // It would end by itself, so that this fails and does not hang where nothing limits it.
      try connection.integer(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000000) "
          + "SELECT count(*) FROM n")
    }
    #expect(error?.message == "takes more work to read than its size allows")
    // Each statement has as much.
    let many = "SELECT count(*) FROM numbers a, numbers b WHERE a.value < b.value"
    for _ in 0..<2 { #expect(try connection.integer(many) == 12_497_500) }
  }

  @Test("once a signal asked for a stop, no statement of a database that is only read goes on")
  func stop() async throws {
    // A process of its own, since the request is for good.
    await #expect(processExitsWith: .exitCode(75)) {
      let folder = try TemporaryFolder()
      let path = folder.file("a.db")
      try changeDatabase(path, ["CREATE TABLE t(a)"])
      let connection = try SQLiteConnection(path, .readOnly)
      StopRequest.make()
      do throws(CairnError) {
        _ = try connection.integer(
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) "
            + "SELECT count(*) FROM n")
      } catch { exit(error.exitCode.rawValue) }
    }
  }

  @Test("a table that computes a column does not count as stored")
  func generatedColumn() throws {
    let path = folder.file("generated.db")
    try changeDatabase(path, ["CREATE TABLE t(a, b AS (a + 1))", "CREATE TABLE u(a, b)"])
    let connection = try SQLiteConnection(path, .readOnly)
    #expect(try connection.columns(ofTable: "t") == nil)
    #expect(try connection.columns(ofTable: "u") == ["a", "b"])
  }

  @Test("one with a journal of a program that was killed was not closed, and stays as it is")
  func hotJournal() throws {
    let path = folder.file("hot.db")
    do {
      let writer = try SQLiteConnection(path, .shared(patienceMilliseconds: 0))
      try writer.execute("CREATE TABLE t (a, b)")
      try writer.execute("INSERT INTO t VALUES (1, zeroblob(100000))")
    }
    let writer = try SQLiteConnection(path, .shared(patienceMilliseconds: 0))
    try writer.execute("PRAGMA cache_size=1")
    try writer.execute("BEGIN")
    try writer.execute("UPDATE t SET b = randomblob(100000)")
    // What a killed program leaves: both files as they are in the middle of it.
    let copy = try folder.write(try bytesOfFile(path), to: "killed.db")
    try folder.write(try bytesOfFile(path + "-journal"), to: "killed.db-journal")
    let before = try bytesOfFile(copy)
    let error = expectError(.unclosedDatabase, .dataError) {
      try SQLiteConnection(copy, .readOnly).integer("SELECT count(*) FROM t")
    }
    #expect(error?.message == "was not closed: its -journal file contains changes")
    #expect(try bytesOfFile(copy) == before)
    try writer.execute("ROLLBACK")
  }
}
