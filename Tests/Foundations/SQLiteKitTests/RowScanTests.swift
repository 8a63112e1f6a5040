// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnDiagnostics
import CairnSQLiteKit
import Testing

@Suite("Scans of rows")
struct RowScanTests {
  private func connection(_ table: String) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(":memory:", .build)
    try connection.execute("CREATE TABLE t (\(table)")
    try connection.execute(
      "INSERT INTO t VALUES (5, 1.5, 'five', NULL), (-2, NULL, x'0001', 7), (9, 3, '', 'x')")
    return connection
  }

  @Test(
    "rows come in the order of the key, whether the table is stored by it or not",
    arguments: [
      "id INTEGER PRIMARY KEY, a, b, c)", "id integer primary key autoincrement, a, b, c)",
      "id INT PRIMARY KEY, a, b, c)", "id INTEGER PRIMARY KEY DESC, a, b, c)",
      "id INTEGER, a, b, c)", "id INTEGER, a, b, c, PRIMARY KEY (id, b)) WITHOUT ROWID",
      "id INTEGER PRIMARY KEY, a, b, c) WITHOUT ROWID", "a INTEGER, id, b, c, PRIMARY KEY (a))",
    ])
  func order(table: String) throws {
    let connection = try connection(table)
    var ids: [Int64] = []
    try connection.scan(["id", "c"], from: "t", orderedBy: "id") { row in
      ids.append(row.integer(0))
    }
    let expected = try connection.prepare("SELECT id FROM t ORDER BY id")
    var all: [Int64] = []
    while try expected.step() { all.append(expected.integer(0)) }
    #expect(ids == all && ids.count == 3)
  }

  @Test("columns have the values and types of the row")
  func values() throws {
    var texts: [String] = []
    try connection("id INTEGER PRIMARY KEY, a, b, c)").scan(
      ["id", "a", "b", "c"], from: "t", orderedBy: "id"
    ) { row in
      texts.append(
        "\(row.integer(0)) \(row.number(1)) \(row.isInteger(1)) \(row.blob(2).count) "
          + "\(row.isNull(3)) \(row.text(3) ?? "NULL") \(row.number(3))")
    }
    #expect(
      texts == [
        "-2 nan false 2 false 7 7.0", "5 1.5 false 4 true NULL nan", "9 3.0 true 0 false x nan",
      ])
  }

  @Test("an error ends the scan and is thrown as it is; the next scan works")
  func failure() throws {
    let connection = try connection("id INTEGER PRIMARY KEY, a, b, c)")
    var count = 0
    expectError("stop", .dataError) {
      try connection.scan(["id"], from: "t", orderedBy: "id") { _ throws(CairnError) in
        count += 1
        if count == 2 { throw CairnError("stop", .dataError, "enough") }
      }
    }
    #expect(count == 2)
    try connection.scan(["id"], from: "t", orderedBy: "id") { _ in count += 1 }
    #expect(count == 5)
    #expect(throws: CairnError.self) {
      try connection.scan(["missing"], from: "t", orderedBy: "id") { _ in }
    }
  }
}
