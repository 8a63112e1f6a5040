// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnDiagnostics
import CairnSQLiteKit
import Testing

@Suite("Pages of indexes")
struct IndexTreeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func connection(_ name: String, _ statements: [String]) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(folder.file(name), .build)
    for statement in statements { try connection.execute(statement) }
    return connection
  }

  @Test("a WITHOUT ROWID table of any number of small pages has the rows that SQLite inserted")
  func withoutRowid() throws {
    let sql = "CREATE TABLE t(a INTEGER, b TEXT, c REAL, PRIMARY KEY(a, b)) WITHOUT ROWID"
    let rows: [[Value]] = (0..<500).map { index in
      [
        .integer(Int64(index / 3) - 40),
        .text("\(index % 3)" + String(repeating: "x", count: index % 90)),
        .real(Double(index) / 8 + 0.01),
      ]
    }
    let reference = try connection("reference.db", [sql])
    try insert(reference, "INSERT INTO t VALUES (?, ?, ?)", rows)
    let path = folder.file("pages.db")
    var depths: Set<Int64> = []
    for count in 0...rows.count {
      try writePages(path, pageSize: 512) {
        // Parts of at least two rows.
        $0.addTable(
          "t", sql: sql, Array(rows.prefix(count)), columns: 3, keyColumns: 2,
          parts: 1 + count % max(1, min(9, count / 2)))
      }
      let pages = try expectIntact(path, "\(count) rows")
      let columns = ["a", "b", "c"]
      let expected = try content(reference, columns, "FROM t ORDER BY a, b LIMIT \(count)")
      #expect(try content(pages, columns, "FROM t ORDER BY a, b") == expected, "\(count) rows")
      depths.insert(
        try pages.integer(
          "SELECT max(length(path) - length(replace(path, '/', ''))) FROM dbstat "
            + "WHERE name = 't' AND pagetype <> 'overflow'") ?? -1)
    }
    #expect(depths.count >= 3)
  }

  private func expectIndexed(_ keys: [Value], pageSize: Int, parts: Int = 1) throws {
    let table = "CREATE TABLE t(id INTEGER PRIMARY KEY, key)"
    let index = "CREATE INDEX i ON t(key)"
    let reference = try connection("reference-\(pageSize)-\(keys.count)-\(parts).db", [table])
    let rows = keys.enumerated().map { index, key in
      (rowid: Int64(index) - 5, values: [.null, key])
    }
    try insert(
      reference, "INSERT INTO t VALUES (?, ?)", rows.map { [.integer($0.rowid), $0.values[1]] })
    try reference.execute(index)
    // SQLite is the judge of the order.
    var order: [Int] = []
    let sorted = try reference.prepare("SELECT id FROM t NOT INDEXED ORDER BY key, id")
    while try sorted.step() { order.append(Int(sorted.integer(0)) + 5) }
    let path = folder.file("pages.db")
    try writePages(path, pageSize: pageSize) {
      $0.addTable("t", sql: table, rows, columns: 2, parts: parts)
      let records = order.map { [keys[$0], .integer(Int64($0) - 5)] }
      $0.addIndex("i", of: "t", sql: index, records, columns: 2, parts: parts)
    }
    let pages = try expectIntact(path, "\(keys.count) keys")
    let from = "FROM t INDEXED BY i WHERE key IS NOT NULL OR key IS NULL ORDER BY key, id"
    let columns = ["id", "key"]
    #expect(try content(pages, columns, from) == content(reference, columns, from))
    if pageSize == 8192 { #expect(try payload(pages) == payload(reference)) }
  }

  @Test("an index has duplicate keys in the order of their rowids, at any number of rows")
  func duplicates() throws {
    for count in Array(0...160) + [1000] {
      for parts in Set([1, count / 3, count / 2].map { max(1, $0) }) {
        try expectIndexed(
          (0..<count).map { .integer(Int64($0 % 7) * 1_000_000_007) }, pageSize: 512, parts: parts)
      }
    }
    for parts in [1, 40] {
      try expectIndexed(
        (0..<30_000).map { .integer(Int64($0 / 5 % 999) << 33) }, pageSize: 8192, parts: parts)
    }
  }

  @Test("an index has the order of SQLite: NULL, numbers by value, texts, blobs")
  func mixedKeys() throws {
    var random = SeededGenerator(seed: 7)
    var keys: [Value] = [.null, .text(""), .integer(.max), .integer(.min), .real(0x1p63)]
    keys += [.real(-0x1p63), .real(.infinity), .real(-.infinity), .real(0x1p53), .real(-0.0)]
    keys += [.integer(1 << 53 + 1), .integer(1 << 53 - 1), .real(9.2e18), .integer(0)]
    for _ in 0..<400 {
      let number = Int64.random(in: -300...300, using: &random)
      keys.append(.integer(number))
      keys.append(.real(Double(number) + 0.5))
      keys.append(.real(Double(number)))
      keys.append(.integer(number << Int64.random(in: 0...54, using: &random)))
      let length = Int.random(in: 1...9, using: &random)
      keys.append(.text(String(repeating: "aé\u{FFFD}", count: length).cut(length)))
      keys.append(.blob((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }))
      keys.append(.null)
    }
    keys.shuffle(using: &random)
    try expectIndexed(keys, pageSize: 8192)
    try expectIndexed(keys, pageSize: 512, parts: 17)
  }

  @Test(
    "keys around the sizes where pages overflow are found in full",
    arguments: [512, 1024, 8192, 65536])
  func overflow(pageSize: Int) throws {
    let longest = (pageSize - 12) * 64 / 255 - 23
    let shortest = (pageSize - 12) * 32 / 255 - 23
    var sizes: Set<Int> = []
    for pages in 0...2 {
      for offset in -12...12 {
        sizes.insert(longest + pages * (pageSize - 4) + offset)
        sizes.insert(shortest + pages * (pageSize - 4) + offset)
      }
    }
    let all = sizes.filter { $0 > 0 }.sorted()
    // Each twice, and every number of them at the end of the tree.
    let keys = (all + all.reversed()).map { Value.text(String(repeating: "k", count: $0)) }
    for dropped in pageSize < 8192 ? Array(0...20) : [0, 1] {
      try expectIndexed(Array(keys.dropLast(dropped)), pageSize: pageSize, parts: 1 + dropped % 5)
    }
  }

  @Test("neighbouring records of an index are refused in the other order, and twice")
  func order() throws {
    let ascending: [Value] = [
      .null, .real(-.infinity), .integer(.min), .integer(-129), .integer(-128), .real(-0.5),
      .integer(0), .integer(1), .real(1.5), .integer(2), .integer(128), .integer(32768),
      .integer(1 << 23), .integer(1 << 31), .integer(1 << 47), .integer(.max), .real(0x1p63),
      .text(""), .text("A"), .text("AB"), .text("B"), .text("é"), .blob([]), .blob([0]),
      .blob([0, 0]), .blob([255]),
    ]
    for (one, two) in zip(ascending, ascending.dropFirst()) {
      try writeIndex([[one], [two]], columns: 1)
      expectError(.database, .software) { try writeIndex([[two], [one]], columns: 1) }
      expectError(.database, .software) {
        try writeIndex([[one, .null], [one, two]], columns: 2, isUnique: true)
      }
    }
  }

  /// Writes an index of some records.
  @discardableResult
  private func writeIndex(
    _ records: [[Value]], columns: Int, isUnique: Bool = false, parts: Int = 1
  ) throws -> Int {
    try writePages(folder.file("index.db")) {
      $0.addIndex(
        "i", of: "t", sql: nil, records, columns: columns, isUnique: isUnique, parts: parts)
    }
  }

  @Test("records of the same types are refused exactly where they do not ascend")
  func sameTypes() throws {
    let pools: [[Value]] = [
      [.integer(-3), .integer(-2), .integer(2), .integer(3), .integer(127)],
      [.real(-1.5), .real(-1.25), .real(1.25), .real(1.5)],
      [.text("a"), .text("b"), .text("\u{7F}")], [.integer(-300), .integer(300), .integer(301)],
    ]
    for pool in pools {
      for choice in 0..<(pool.count * pool.count * pool.count) {
        let chosen =
          [choice % pool.count, choice / pool.count % pool.count]
          + [choice / pool.count / pool.count]
        for rowids in [[5, 6, 7], [7, 6, 5], [-7, -6, 5]] as [[Int64]] {
          let keys = zip(chosen, rowids).map { ($0, $1) }
          let isAscending = zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }
          let records = keys.map { [pool[$0.0], .integer($0.1)] }
          if isAscending {
            try writeIndex(records, columns: 2)
          } else {
            expectError(.database, .software) { try writeIndex(records, columns: 2) }
          }
        }
      }
    }
  }

  @Test("parts of an index are refused out of order, and with less than two records")
  func parts() throws {
    let records = (0..<4).map { [Value.integer($0)] }
    try writeIndex(records, columns: 1, parts: 2)
    expectError(.database, .software) { try writeIndex(records, columns: 1, parts: 4) }
    expectError(.database, .software) { try writeIndex(records, columns: 1, parts: 5) }
    expectError(.database, .software) {
      try writeIndex(Array(records[2...] + records[..<2]), columns: 1, parts: 2)
    }
  }

  @Test("integers are ordered by value, equal ones by their position")
  func keyOrder() {
    var random = SeededGenerator(seed: 3)
    for range in [0...0, -3...3, .min ... .max, 5_000_000_000...5_000_100_000]
      as [ClosedRange<Int64>]
    {
      for count in [0, 1, 2, 1000] {
        let keys = (0..<count).map { _ in Int64.random(in: range, using: &random) }
        let expected = keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
        #expect(KeyOrder.ascending(keys).map { Int($0) } == expected)
        let indices = keys.map { UInt32(truncatingIfNeeded: $0) }
        let order = indices.indices.sorted { (indices[$0], $0) < (indices[$1], $1) }
        #expect(KeyOrder.ascending(indices).map { Int($0) } == order)
      }
    }
  }
}

extension String {
  fileprivate func cut(_ count: Int) -> String { String(prefix(count)) }
}
