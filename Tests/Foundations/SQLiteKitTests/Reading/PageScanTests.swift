// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnDiagnostics
import CairnSQLiteKit
import Testing

/// A scan of a database that is open for reading alone reads pages; of any other SQLite reads all rows.
@Suite("Scans of pages")
struct PageScanTests {
  private static let table = """
    CREATE TABLE t (
      id INTEGER PRIMARY KEY, skipped TEXT, a REAL, b INTEGER, text TEXT, c REAL, blob BLOB, last)
    """
  private static let wanted = ["blob", "id", "text", "a", "b", "c"]
  private static let statements = [
    table, "CREATE INDEX by_place ON t(a, c)", "CREATE INDEX by_number ON t(b)",
    "CREATE INDEX by_text ON t(text)",
  ]
  private static let indexes = ["by_place": ["a", "c"], "by_number": ["b"], "by_text": ["text"]]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A table of rows with values of all kinds, some of which its columns are not declared for.
  private func database(pageSize: Int, rows: Int = 2000, _ changes: [String] = []) throws -> String
  {
    var random = SeededGenerator(seed: UInt64(pageSize))
    let path = folder.file("\(pageSize).\(changes.count).db")
    let connection = try SQLiteConnection(path, .build)
    defer { connection.close() }
    try connection.execute("PRAGMA page_size=\(pageSize)")
    for statement in Self.statements { try connection.execute(statement) }
    try connection.execute("BEGIN")
    let insert = try connection.prepare(
      """
      INSERT OR IGNORE INTO t VALUES (?1, 'skipped', ?2, ?3, nullif(substr('äöüß', ?4 % 5), ''),
        ?2 / 3, zeroblob(?5), 1.5)
      """)
    for index in 0..<rows {
      insert.reset()
      try insert.bind(1, Int64.random(in: -50...1 << (index % 2 == 0 ? 12 : 40), using: &random))
      try insert.bind(2, Double(Int.random(in: -400...400, using: &random)) / 4)
      try insert.bind(3, Int64.random(in: -3...200, using: &random) << Int64(index % 41))
      try insert.bind(4, Int64(index))
      let isLong = index % 100 == 0
      try insert.bind(
        5, Int64.random(in: isLong ? 0...3 * Int64(pageSize) : 0...90, using: &random))
      try insert.step()
    }
    for change in changes { try connection.execute(change) }
    try connection.execute("COMMIT")
    return path
  }

  private func text(_ row: SQLiteRow, _ columns: Range<Int>) -> String {
    columns.map { column in
      if row.isNull(column) { return "NULL \(row.integer(column)) \(row.number(column))" }
      let number = row.number(column)
      return
        "\(row.isInteger(column)) \(row.text(column) ?? "NULL") "
        + (number.isNaN ? "\(row.blob(column).map { $0 })" : "\(number) \(row.integer(column))")
    }.joined(separator: ", ")
  }

  /// The rows of the table and the entries of its indexes as one mode of a connection reads them, and
  /// the error that ended that.
  private func all(_ path: String, _ mode: SQLiteConnection.Mode) -> [String] {
    var texts: [String] = []
    do throws(CairnError) {
      let connection = try SQLiteConnection(path, mode)
      try connection.scan(Self.wanted, from: "t", orderedBy: "id") { row in
        texts.append(text(row, 0..<6))
      }
      for (index, columns) in Self.indexes.sorted(by: { $0.key < $1.key }) {
        try connection.scan(columns + ["id"], fromIndex: index, of: "t") { row in
          texts.append("\(index) " + text(row, 0..<columns.count + 1))
        }
      }
    } catch { texts.append(error.message) }
    return texts
  }

  private func expectSame(_ path: String) -> Int {
    let expected = all(path, .shared(patienceMilliseconds: 0))
    let found = all(path, .readOnly)
    #expect(found.count == expected.count)
    for (one, other) in zip(found, expected) where one != other {
      Issue.record("\(one) instead of \(other)")
      break
    }
    return expected.count
  }

  @Test("rows and entries are those that SQLite gives", arguments: [512, 8192, 65536])
  func same(pageSize: Int) throws {
    #expect(expectSame(try database(pageSize: pageSize)) > 6000)
  }

  @Test(
    "values of other types, whole numbers and missing columns are read as SQLite reads them",
    arguments: [
      "UPDATE t SET b = 'seven' WHERE id % 3 = 0", "UPDATE t SET b = 2.5 WHERE id % 100 = 0",
      "UPDATE t SET a = 'high' WHERE id % 50 = 0", "UPDATE t SET a = x'00' WHERE id % 50 = 0",
      "UPDATE t SET a = 9e999, c = -9e999", "UPDATE t SET a = round(a), c = 0",
      "UPDATE t SET text = x'3132' WHERE id % 40 = 1", "UPDATE t SET blob = 12.5 WHERE id % 40 = 1",
      "UPDATE t SET a = NULL, b = NULL, text = NULL, blob = NULL WHERE id % 2 = 1",
      "UPDATE t SET b = 9223372036854775807 WHERE id % 3 = 1", "DELETE FROM t WHERE id > 7",
      "DELETE FROM t",
    ])
  func unusual(change: String) throws {
    _ = expectSame(try database(pageSize: 1024, rows: 700, [change]))
  }

  @Test("a column that was added later has its default in the rows before")
  func added() throws {
    let path = try database(pageSize: 1024, rows: 300)
    do {
      let connection = try SQLiteConnection(path, .build)
      try connection.execute("ALTER TABLE t DROP COLUMN blob")
      try connection.execute("ALTER TABLE t ADD COLUMN blob BLOB DEFAULT x'0102'")
      try connection.execute(
        "INSERT INTO t (id, blob) VALUES (9223372036854775807, x'03'), (-9223372036854775808, NULL)"
      )
    }
    #expect(expectSame(path) > 300)
  }

  @Test(
    "tables of other kinds are left to SQLite",
    arguments: [
      "id INTEGER PRIMARY KEY, v NUMERIC)", "id INTEGER PRIMARY KEY, v INT)", "id INTEGER, v REAL)",
      "id INTEGER PRIMARY KEY DESC, v TEXT)", "id INTEGER PRIMARY KEY, v REAL AS (id / 2.0))",
      "id INTEGER PRIMARY KEY, v REAL) WITHOUT ROWID",
    ])
  func kinds(columns: String) throws {
    let path = folder.file("kinds.db")
    do {
      let connection = try SQLiteConnection(path, .build)
      try connection.execute("CREATE TABLE t (\(columns)")
      try connection.execute("INSERT INTO t (id) VALUES (3), (1), (2)")
    }
    var rows: [[String]] = []
    for mode in [SQLiteConnection.Mode.readOnly, .shared(patienceMilliseconds: 0)] {
      var texts: [String] = []
      try SQLiteConnection(path, mode).scan(["id", "v"], from: "t", orderedBy: "id") { row in
        texts.append(text(row, 0..<2))
      }
      rows.append(texts)
    }
    #expect(rows[0] == rows[1] && rows[0].count == 3)
  }

  @Test("usual rows take none of SQLite's operations, and unusual ones some")
  func operations() throws {
    func rows(_ changes: [String]) throws -> Int {
      let connection = try SQLiteConnection(
        database(pageSize: 8192, rows: 20_000, changes), .readOnly)
      connection.limitWork(operations: 40_000)
      var count = 0
      do throws(CairnError) {
        try connection.scan(["id", "a", "b"], from: "t", orderedBy: "id") { _ in count += 1 }
        try connection.scan(["a", "c", "id"], fromIndex: "by_place", of: "t") { _ in count += 1 }
      } catch { return -1 }
      return count
    }
    let usual = try rows([])
    #expect(usual > 20_000 && usual % 2 == 0, "\(usual)")
    #expect(try rows(["UPDATE t SET b = 'seven'"]) == -1)
  }

  @Test("an error ends the scan and is thrown as it is, and the next scan works")
  func failure() throws {
    let changes = ["UPDATE t SET b = 'seven' WHERE id = (SELECT min(id) FROM t)"]
    let connection = try SQLiteConnection(
      database(pageSize: 512, rows: 200, changes), .readOnly)
    for last in 1...3 {
      var count = 0
      expectError("stop", .dataError) {
        try connection.scan(["id", "b"], from: "t", orderedBy: "id") { _ throws(CairnError) in
          count += 1
          if count == last { throw CairnError("stop", .dataError, "enough") }
        }
      }
      #expect(count == last)
    }
  }

  @Test("of a database with bytes changed that SQLite finds intact, all is read as SQLite does")
  func damage() throws {
    let whole = try bytesOfFile(try database(pageSize: 512, rows: 300))
    var (intact, damaged) = (0, 0)
    for seed in 0..<400 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var bytes = whole
      for _ in 0..<(seed % 4 == 0 ? 40 : 1) {
        bytes[Int.random(in: 512..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      let path = try folder.write(bytes, to: "changed.db")
      var isIntact = false
      do throws(CairnError) {
        let check = try SQLiteConnection(path, .readOnly)
        isIntact = try check.text("PRAGMA integrity_check(1)") == "ok"
      } catch {}
      if isIntact {
        intact += 1
        _ = expectSame(path)
      } else {
        damaged += 1
        _ = all(path, .readOnly)
      }
    }
    #expect(intact > 30 && damaged > 100)
  }
}
