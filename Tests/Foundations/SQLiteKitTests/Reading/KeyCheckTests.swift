// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnDiagnostics
import CairnSQLiteKit
import Testing

@Suite("Proofs of keys")
struct KeyCheckTests {
  private static let schema = [
    "CREATE TABLE t (id TEXT PRIMARY KEY, a REAL, b INTEGER, c TEXT, d BLOB)",
    "CREATE INDEX by_place ON t(a, b)", "CREATE INDEX by_c ON t(c)", "CREATE INDEX by_d ON t(d)",
    "CREATE TABLE u (id INTEGER PRIMARY KEY, word TEXT, a REAL)",
    "CREATE UNIQUE INDEX by_word ON u(word)",
    "CREATE TABLE k (a TEXT, b INTEGER, c BLOB, PRIMARY KEY (a, b)) WITHOUT ROWID",
  ]
  private static let rows = [
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
    INSERT INTO t SELECT 'id ' || (i * 7919 % 1009), i * 13 % 101 / 4.0, i % 50,
      iif(i % 3, 'text ' || i % 20, NULL), iif(i % 4, zeroblob(i % 30), NULL) FROM n
    """,
    "INSERT INTO u SELECT rowid * 3, id || ' ' || a, a FROM t",
    "INSERT INTO k SELECT id, b, zeroblob(b) FROM t",
  ]
  private static let tables = ["t", "u", "k"]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func database(_ changes: [String] = [], pageSize: Int = 512) throws -> String {
    let path = folder.file("map.db")
    let connection = try SQLiteConnection(path, .build)
    try connection.execute("PRAGMA page_size=\(pageSize)")
    for statement in Self.schema + Self.rows + changes { try connection.execute(statement) }
    return path
  }

  /// Statements, and a schema that says something else than they do.
  private static func pretending(_ old: String, _ new: String, _ statements: String...)
    -> [String]
  {
    statements + [
      "PRAGMA writable_schema = ON",
      "UPDATE sqlite_master SET sql = replace(sql, '\(old)', '\(new)')",
    ]
  }

  private func provesAll(_ connection: SQLiteConnection) throws(CairnError) -> Bool {
    for table in Self.tables where try !connection.provesKeys(of: table) { return false }
    return true
  }

  @Test("indexes and keys of sound tables are proved", arguments: [512, 8192])
  func sound(pageSize: Int) throws {
    let connection = try SQLiteConnection(database(pageSize: pageSize), .readOnly)
    #expect(try provesAll(connection))
    #expect(try !connection.provesKeys(of: "missing"))
  }

  @Test(
    "wrong indexes and keys are not",
    arguments: [
      pretending(" WHERE b <> 7", "", "CREATE INDEX more ON t(b) WHERE b <> 7"),
      pretending("more ON t(b)", "more ON t(a)", "CREATE INDEX more ON t(b)"),
      pretending("c DESC", "c", "CREATE INDEX more ON t(c DESC)"),
      pretending("t(a, c)", "t(c, a)", "CREATE INDEX more ON t(a, c)"),
      pretending("INDEX more", "UNIQUE INDEX more", "CREATE INDEX more ON t(b)"),
      pretending("substr(c, 3)", "c", "CREATE INDEX more ON t(substr(c, 3))"),
      pretending("more ON u(a)", "more ON u(word)", "CREATE INDEX more ON u(a)"),
      pretending("nullif(a, a)", "id", "CREATE INDEX more ON u(nullif(a, a))"),
      pretending(
        "a DESC", "a", "DROP TABLE k",
        "CREATE TABLE k (a TEXT, PRIMARY KEY (a DESC)) WITHOUT ROWID",
        "INSERT INTO k SELECT id FROM t"),
      pretending(
        "a, b", "a", "DROP TABLE k",
        "CREATE TABLE k (a TEXT, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID",
        "INSERT INTO k SELECT 'a', b FROM t GROUP BY b"),
    ])
  func wrong(changes: [String]) throws {
    let connection = try SQLiteConnection(database(changes), .readOnly)
    #expect(try connection.text("PRAGMA quick_check") == "ok")
    #expect(try connection.text("PRAGMA integrity_check") != "ok")
    #expect(try !provesAll(connection))
  }

  @Test(
    "what is unusual is left to SQLite",
    arguments: [
      "CREATE INDEX more ON t(a DESC)", "CREATE INDEX more ON t(c COLLATE NOCASE)",
      "CREATE INDEX more ON t(b) WHERE b > 3", "CREATE INDEX more ON t(b + 1)",
      "UPDATE t SET c = printf('%600d', 1) WHERE b = 1", "UPDATE t SET b = 'many' WHERE b = 1",
      "ALTER TABLE t ADD COLUMN e TEXT DEFAULT 'e'; CREATE INDEX more ON t(e)",
    ])
  func unusual(change: String) throws {
    let changes = change.split(separator: "; ").map(String.init)
    let connection = try SQLiteConnection(database(changes), .readOnly)
    #expect(try connection.text("PRAGMA integrity_check") == "ok")
    #expect(try !connection.provesKeys(of: "t"))
    #expect(try connection.provesKeys(of: "u"))
  }

  @Test("of a database with bytes changed nothing is proved that SQLite finds wrong")
  func damage() throws {
    let whole = try bytesOfFile(try database())
    var (proved, refused) = (0, 0)
    for seed in 0..<1500 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var bytes = whole
      let offset = Int.random(in: 512..<bytes.count, using: &random)
      // Small changes are seldom found by a check of pages alone.
      bytes[offset] = seed % 2 == 0 ? bytes[offset] ^ 1 : UInt8.random(in: 0...255, using: &random)
      let connection = try SQLiteConnection(try folder.write(bytes, to: "changed.db"), .readOnly)
      do throws(CairnError) {
        guard try connection.text("PRAGMA quick_check(1)") == "ok" else { continue }
        let isProved = try provesAll(connection)
        let isSound = try connection.text("PRAGMA integrity_check(1)") == "ok"
        #expect(isSound || !isProved, "\(seed)")
        if isProved { proved += 1 } else { refused += isSound ? 0 : 1 }
      } catch {}
    }
    #expect(proved > 100 && refused > 300, "\(proved) \(refused)")
  }
}
