// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnDiagnostics
import CairnSQLiteKit
import Testing

@Suite("Pages of tables")
struct TableTreeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private let sql = "CREATE TABLE t(a, b REAL, c)"
  private let columns = ["rowid", "a", "b", "c"]

  private func values(_ index: Int) -> [Value] {
    let text = String(repeating: "é", count: index % 37)
    return [
      index % 5 == 0 ? .null : .integer(Int64(index) * 1_000_003 - 5_000_000),
      .real(Double(index) + 0.5), .text(text),
    ]
  }

  private func reference(_ name: String, _ rows: [(rowid: Int64, values: [Value])]) throws
    -> SQLiteConnection
  {
    let connection = try SQLiteConnection(folder.file(name), .build)
    try connection.execute(sql)
    try insert(
      connection, "INSERT INTO t(rowid, a, b, c) VALUES (?, ?, ?, ?)",
      rows.map { [.integer($0.rowid)] + $0.values })
    return connection
  }

  @Test("a table of any number of small pages has the rows that SQLite inserted")
  func everyCount() throws {
    let rows = (0..<700).map { (rowid: Int64($0 * 3 - 300), values: values($0)) }
    let reference = try reference("reference.db", rows)
    let path = folder.file("pages.db")
    var depths: Set<Int64> = []
    for count in 0...rows.count {
      try writePages(path, pageSize: 512) {
        $0.addTable(
          "t", sql: sql, Array(rows.prefix(count)), columns: 3, parts: 1 + count % 4)
      }
      let pages = try expectIntact(path, "\(count) rows")
      let expected = try content(reference, columns, "FROM t ORDER BY rowid LIMIT \(count)")
      #expect(try content(pages, columns, "FROM t ORDER BY rowid") == expected, "\(count) rows")
      depths.insert(
        try pages.integer(
          "SELECT max(length(path) - length(replace(path, '/', ''))) FROM dbstat WHERE name = 't'")
          ?? -1)
    }
    // A leaf alone, and one and two levels above leaves.
    #expect(depths.count == 3)
  }

  @Test("each row is found by its rowid, in a table of any size", arguments: [100, 5000, 100_000])
  func lookUps(count: Int) throws {
    let rows = (0..<count).map { (rowid: Int64($0 * 7 - 100), values: values($0)) }
    let reference = try reference("reference.db", rows)
    let path = folder.file("pages.db")
    try writePages(path) { $0.addTable("t", sql: sql, rows, columns: 3, parts: count / 1000 + 1) }
    let pages = try expectIntact(path)
    #expect(try payload(pages) == payload(reference))
    let all = try content(reference, columns, "FROM t ORDER BY rowid")
    #expect(try content(pages, columns, "FROM t ORDER BY rowid") == all)
    let found = try pages.prepare("SELECT count(*) FROM t WHERE rowid = ?")
    for row in rows where row.rowid % 11 == 0 {
      found.reset()
      try found.bind(1, row.rowid)
      try found.step()
      #expect(found.integer(0) == 1)
      found.reset()
      try found.bind(1, row.rowid + 1)
      try found.step()
      #expect(found.integer(0) == 0)
    }
  }

  @Test(
    "blobs around the sizes where pages overflow are read back in full",
    arguments: [512, 1024, 4096, 8192, 32768, 65536])
  func overflow(pageSize: Int) throws {
    var sizes: Set<Int> = [0, 1, 2, 127, 128]
    for pages in 0...3 {
      // The record's header takes up to five bytes.
      for offset in -12...12 {
        sizes.insert(pageSize - 35 + pages * (pageSize - 4) + offset)
        sizes.insert(((pageSize - 12) * 32 / 255 - 23) + pages * (pageSize - 4) + offset)
        sizes.insert((pages + 1) * pageSize + offset)
      }
    }
    let rows = sizes.filter { $0 >= 0 }.sorted().enumerated().map { index, size in
      let blob = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ index) }
      return (rowid: Int64(index), values: [Value.integer(Int64(index)), .null, .blob(blob)])
    }
    let reference = try reference("reference.db", rows)
    let path = folder.file("pages.db")
    try writePages(path, pageSize: pageSize) {
      $0.addTable("t", sql: sql, rows, columns: 3, parts: 3)
    }
    let pages = try expectIntact(path)
    #expect(try pages.integer("PRAGMA page_size") == Int64(pageSize))
    #expect(try pages.integer("SELECT count(*) FROM t") == Int64(rows.count))
    for row in rows {
      // An empty blob is bound as NULL.
      let from = "FROM (SELECT rowid, a, b, ifnull(c, x'') AS c FROM t) WHERE rowid = \(row.rowid)"
      let expected = try content(reference, columns, from)
      #expect(try content(pages, columns, from) == expected, "row \(row.rowid)")
    }
  }

  @Test("integers, numbers, texts and NULL take the bytes that SQLite gives them")
  func serialTypes() throws {
    var integers: [Int64] = [0, 1, 2, -1, -2, .min, .min + 1, .max, .max - 1]
    for bits in [7, 8, 15, 16, 23, 24, 31, 32, 39, 40, 47, 48, 53, 55, 56, 62] as [Int64] {
      for offset in -2...2 as ClosedRange<Int64> {
        integers += [1 << bits + offset, -(1 << bits) + offset]
      }
    }
    var reals: [Double] = integers.map { Double($0) }
    reals += [
      0.5, -0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, .pi, 1e300, 1e18, 0x1p47,
      -0x1p47,
    ]
    reals += [0x1p47 - 1, -0x1p47 + 1, 0x1p63, -0x1p63]
    let path = folder.file("pages.db")
    let rows = integers.map { ($0, 0.25) } + reals.map { (7, $0) }
    let reference = try reference(
      "reference.db",
      rows.enumerated().map { (Int64($0), [.integer($1.0), .real($1.1), .real($1.1)]) })
    try writePages(path) {
      $0.addTable("t", sql: sql, columns: 3) { _, tree throws(CairnError) in
        for (index, row) in rows.enumerated() {
          tree.record.add(row.0)
          tree.record.add(row.1)
          tree.record.addUnconverted(row.1)
          try tree.endRow(Int64(index))
        }
      }
    }
    let pages = try expectIntact(path)
    let from = "FROM t ORDER BY rowid"
    #expect(try content(pages, columns, from) == content(reference, columns, from))
    #expect(try payload(pages) == payload(reference))
    // Row by row, so that a byte too many here does not hide one too few there.
    let cells = "SELECT group_concat(mx_payload, ' ') FROM dbstat WHERE name = 't'"
    #expect(try pages.text(cells) == reference.text(cells))
  }

  @Test("rowids may be any 64-bit integers")
  func rowids() throws {
    let rowids: [Int64] = [
      .min, .min + 1, -1 << 40, -129, -1, 0, 1, 127, 128, 1 << 55, 1 << 56, .max,
    ]
    let rows = rowids.map { (rowid: $0, values: values(Int(truncatingIfNeeded: $0 & 0xFF))) }
    let reference = try reference("reference.db", rows)
    let path = folder.file("pages.db")
    try writePages(path, pageSize: 512) { $0.addTable("t", sql: sql, rows, columns: 3) }
    let pages = try expectIntact(path)
    let from = "FROM t ORDER BY rowid"
    #expect(try content(pages, columns, from) == content(reference, columns, from))
  }

  @Test(
    "rows that are not in ascending order are refused, in one part and between two",
    arguments: [5, 4, -1] as [Int64], [1, 2])
  func order(second: Int64, parts: Int) throws {
    expectError(.database, .software) {
      try writePages(folder.file("pages.db")) {
        $0.addTable(
          "t", sql: sql, [(5, values(1)), (second, values(2))], columns: 3, parts: parts)
      }
    }
  }

  @Test("a record with too few or too many columns is refused", arguments: [2, 4])
  func columnCount(columns: Int) throws {
    for row in [0, 1] {
      expectError(.database, .software) {
        try writePages(folder.file("pages.db")) {
          $0.addTable("t", sql: sql, columns: columns) { _, tree throws(CairnError) in
            // The second row takes the quick path.
            for _ in 0..<(row * columns) { tree.record.addNull() }
            if row > 0 { try tree.endRow(1) }
            for _ in 0..<3 { tree.record.addNull() }
            try tree.endRow(2)
          }
        }
      }
    }
  }

  @Test("a table needs rowids, and an index must not have them")
  func kinds() throws {
    expectError(.database, .software) {
      try writePages(folder.file("pages.db")) {
        $0.addTable("t", sql: sql, columns: 0) { _, tree throws(CairnError) in try tree.endRow() }
      }
    }
    expectError(.database, .software) {
      try writePages(folder.file("pages.db")) {
        $0.add(.init("i", of: "t", sql: nil, columns: 0)) { _, tree throws(CairnError) in
          try tree.endRow(1)
        }
      }
    }
  }
}
