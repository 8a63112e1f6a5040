// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnDiagnostics
import Foundation
import Testing

@testable import CairnSQLiteKit

@Suite("Rows read from pages")
struct PageReaderTests {
  private static let table =
    "CREATE TABLE t (id INTEGER PRIMARY KEY, key, a REAL, b REAL, text, blob)"
  private static let keys = "CREATE INDEX by_key ON t(key)"
  private static let places = "CREATE INDEX by_place ON t(a, b)"
  private static let statements = [table, keys, places]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A table of many rows of all sizes, some of which were removed again.
  private func database(pageSize: Int, rows: Int = 3000, seed: UInt64 = 1) throws -> String {
    var random = SeededGenerator(seed: seed)
    let path = folder.file("\(pageSize).\(seed).db")
    let connection = try SQLiteConnection(path, .build)
    defer { connection.close() }
    try connection.execute("PRAGMA page_size=\(pageSize)")
    for statement in Self.statements { try connection.execute(statement) }
    try connection.execute("BEGIN")
    let insert = try connection.prepare(
      "INSERT OR IGNORE INTO t VALUES (?, ?, ?, ?, ?, zeroblob(?))")
    for index in 0..<rows {
      insert.reset()
      let id = Int64.random(in: -50...1 << (index % 2 == 0 ? 12 : 40), using: &random)
      try insert.bind(1, id)
      try insert.bind(2, Int64.random(in: -3...200, using: &random) << Int64(index % 41))
      try insert.bind(3, Double(Int.random(in: 0...400, using: &random)) / 4)
      try insert.bind(4, Double.random(in: -180...180, using: &random))
      try insert.bind(5, String(repeating: "ä", count: Int.random(in: 0...20, using: &random)))
      let isLong = index % 50 == 0
      try insert.bind(
        6, Int64.random(in: isLong ? 0...3 * Int64(pageSize) : 0...90, using: &random))
      try insert.step()
    }
    try connection.execute("DELETE FROM t WHERE id % 7 = 3")
    try connection.execute("UPDATE t SET text = NULL WHERE id % 5 = 0")
    try connection.execute("COMMIT")
    return path
  }

  /// A row as text by either reader.
  private func text(
    _ key: Int64, _ a: Double, _ b: Double, _ text: String?, _ blob: Int
  ) -> String { "\(key) \(a) \(b) \(text ?? "NULL") \(blob)" }

  private func text(_ record: StoredRecord) -> String? {
    var record = record
    record.skip(1)
    let (key, a, b) = (record.integer(), record.number(), record.number())
    let words = record.optionalText()
    let blob = record.startOfBlob()
    guard record.isSound else { return nil }
    return text(key, a, b, words, blob.isWhole ? blob.bytes.count : -1)
  }

  private func roots(_ reader: PageReader) throws -> [UInt32] {
    let roots = try #require(reader.roots(createdBy: Self.statements)).compactMap { $0 }
    try #require(roots.count == Self.statements.count)
    return roots
  }

  private func ids(_ connection: SQLiteConnection, _ condition: String) throws -> [Int64] {
    let statement = try connection.prepare("SELECT id FROM t \(condition)")
    var ids: [Int64] = []
    while try statement.step() { ids.append(statement.integer(0)) }
    return ids
  }

  @Test("rows are those that SQLite reads", arguments: [512, 1024, 8192, 65536])
  func rows(pageSize: Int) throws {
    let connection = try SQLiteConnection(database(pageSize: pageSize), .readOnly)
    let reader = try #require(PageReader(connection, for: .searches))
    let roots = try roots(reader)
    let statement = try connection.prepare("SELECT * FROM t ORDER BY id")
    var expected: [(id: Int64, text: String)] = []
    var long = 0
    while try statement.step() {
      let size = try statement.withBlob(5) { $0.count }
      expected.append(
        (
          statement.integer(0),
          text(
            statement.integer(1), statement.number(2), statement.number(3), statement.text(4), size)
        ))
    }
    #expect(expected.count > 1000)
    for (id, wanted) in expected {
      let found = text(try #require(reader.row(id, in: roots[0])))
      // What does not fit into a page is left to SQLite.
      if found?.hasSuffix(" -1") ?? true { long += 1 } else { #expect(found == wanted) }
    }
    #expect(long < 60 && (long > 5 || pageSize == 65536))
    let known = Set(expected.map(\.id))
    for id in Int64(-60)...3000 where !known.contains(id) {
      #expect(reader.row(id, in: roots[0]) == nil)
    }
  }

  @Test("entries of indexes are those that SQLite finds", arguments: [512, 8192])
  func entries(pageSize: Int) throws {
    let connection = try SQLiteConnection(database(pageSize: pageSize), .readOnly)
    let reader = try #require(PageReader(connection, for: .searches))
    let roots = try roots(reader)
    for key in Int64(-4)...250 {
      var found: [Int64] = [7]
      #expect(reader.appendRows(withKey: key, in: roots[1], to: &found))
      #expect(try found == [7] + ids(connection, "WHERE key = \(key) ORDER BY id"))
    }
    for south in stride(from: -1.0, to: 101, by: 3) {
      for (height, west) in [(0.0, -180.0), (2.5, -20), (50, 100), (200, -180)] {
        var found: [Int64] = []
        let (a, b) = (south...south + height, west...west + 120)
        #expect(reader.appendRows(within: a, b, in: roots[2], to: &found))
        let condition = """
          WHERE a BETWEEN \(a.lowerBound) AND \(a.upperBound)
          AND b BETWEEN \(b.lowerBound) AND \(b.upperBound) ORDER BY a, b, id
          """
        #expect(try found == ids(connection, condition))
      }
    }
  }

  @Test("ids and keys of any size are found, more often than once", arguments: [512, 8192])
  func sizes(pageSize: Int) throws {
    let path = folder.file("sizes.\(pageSize).db")
    let connection = try SQLiteConnection(path, .build)
    try connection.execute("PRAGMA page_size=\(pageSize)")
    for statement in Self.statements { try connection.execute(statement) }
    var wanted: Set<Int64> = [.min, .max]
    for bits in 0..<63 {
      let power = Int64(1) << bits
      for near in -20...20 as ClosedRange<Int64> {
        wanted.formUnion([power &+ near, -power &- near])
      }
    }
    try connection.execute("BEGIN")
    let insert = try connection.prepare("INSERT INTO t VALUES (?1, ?1, 1, 2, 'text', NULL)")
    for id in wanted.sorted() {
      insert.reset()
      try insert.bind(1, id)
      try insert.step()
    }
    try connection.execute("COMMIT")
    let reader = try #require(PageReader(connection, for: .searches))
    let roots = try roots(reader)
    for _ in 0..<2 {
      for id in wanted {
        var row = try #require(reader.row(id, in: roots[0]))
        row.skip(1)
        #expect(row.integer() == id)
        var found: [Int64] = []
        #expect(reader.appendRows(withKey: id, in: roots[1], to: &found))
        #expect(found == [id])
        let other = id ^ 1 << 40
        #expect((reader.row(other, in: roots[0]) != nil) == wanted.contains(other))
      }
    }
  }

  @Test("values of unexpected types make a record unsound")
  func types() throws {
    let path = folder.file("types.db")
    let connection = try SQLiteConnection(path, .build)
    for statement in Self.statements { try connection.execute(statement) }
    try connection.execute(
      "INSERT INTO t VALUES (1, 'key', 2, NULL, 5, 'text'), (2, 0, 1, 9, x'00', 4)")
    let reader = try #require(PageReader(connection, for: .searches))
    let roots = try roots(reader)
    /// What is read of a row behind some columns; nil where that makes it unsound.
    func read<Value>(_ id: Int64, skipping count: Int, _ read: (inout StoredRecord) -> Value) throws
      -> Value?
    {
      var record = try #require(reader.row(id, in: roots[0]))
      record.skip(count)
      #expect(record.isSound)
      let value = read(&record)
      return record.isSound ? value : nil
    }
    #expect(try read(1, skipping: 1) { $0.integer() } == nil)
    #expect(try read(1, skipping: 2) { $0.number() } == 2)
    #expect(try read(1, skipping: 3) { $0.number() } == nil)
    #expect(try read(1, skipping: 3) { $0.optionalNumber() } == .some(nil))
    #expect(try read(1, skipping: 4) { $0.optionalText() } == nil)
    #expect(try read(1, skipping: 5) { $0.blob().count } == nil)
    #expect(try read(2, skipping: 1) { $0.optionalInteger() } == 0)
    #expect(try read(2, skipping: 2) { $0.integer() } == 1)
    #expect(try read(2, skipping: 4) { $0.textBytes().count } == nil)
    #expect(try read(2, skipping: 6) { $0.integer() } == nil)
    var found: [Int64] = []
    #expect(!reader.appendRows(withKey: 1, in: roots[1], to: &found))
  }

  @Test("statements must be there word for word, and pages be as Cairn writes them")
  func unusual() throws {
    let usual = try SQLiteConnection(database(pageSize: 512, rows: 5), .readOnly)
    let reader = try #require(PageReader(usual, for: .searches))
    let roots = try #require(reader.roots(createdBy: [Self.table, Self.keys + " "]))
    #expect(roots[0] != nil && roots[1] == nil)
    let path = folder.file("utf16.db")
    let other = try SQLiteConnection(path, .build)
    try other.execute("PRAGMA encoding='UTF-16'")
    try other.execute(Self.table)
    #expect(PageReader(other, for: .searches) == nil)
    #expect(PageReader(try SQLiteConnection("nowhere", .inMemory), for: .scans) == nil)
  }

  @Test("a database with any bytes changed gives some rows or none, and ends")
  func damage() throws {
    let whole = try bytesOfFile(try database(pageSize: 512, rows: 400))
    var missing = 0
    for seed in 0..<300 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var bytes = whole
      for _ in 0..<40 {
        bytes[Int.random(in: 512..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      if seed % 10 == 0 { bytes.removeLast(bytes.count / 3) }
      let connection = try SQLiteConnection(folder.write(bytes, to: "changed.db"), .readOnly)
      guard let reader = PageReader(connection, for: .searches),
        let roots = reader.roots(createdBy: Self.statements)?.compactMap({ $0 }),
        roots.count == Self.statements.count
      else { continue }
      var found: [Int64] = []
      for id in Int64(0)...400 {
        if reader.row(id, in: roots[0]).flatMap(text) == nil { missing += 1 }
        _ = reader.appendRows(withKey: id, in: roots[1], to: &found)
      }
      _ = reader.appendRows(within: 0...100, -180...180, in: roots[2], to: &found)
    }
    #expect(missing > 0)
  }

  @Test("an index whose pages lead to themselves is given up")
  func circles() throws {
    let path = try database(pageSize: 512)
    var bytes = try bytesOfFile(path)
    let root: UInt32
    do {
      let connection = try SQLiteConnection(path, .readOnly)
      let reader = try #require(PageReader(connection, for: .searches))
      let roots = reader.roots(createdBy: [Self.places])
      root = try #require(roots?[0])
    }
    let start = Int(root - 1) * 512
    let cells = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
    #expect(bytes[start] == 2 && cells > 2)
    for cell in 0..<cells {
      let pointer = start + 12 + 2 * cell
      let place = start + (Int(bytes[pointer]) << 8 | Int(bytes[pointer + 1]))
      bytes.replaceSubrange(place..<place + 4, with: [0, 0, UInt8(root >> 8), UInt8(root & 255)])
    }
    let connection = try SQLiteConnection(folder.write(bytes, to: "circle.db"), .readOnly)
    let reader = try #require(PageReader(connection, for: .searches))
    var found: [Int64] = []
    #expect(!reader.appendRows(within: 0...100, 500...501, in: root, to: &found))
  }

  /// The offsets of the numbers of children in the interior pages of all trees of a file.
  private func children(_ bytes: [UInt8], pageSize: Int) -> [(page: UInt32, offset: Int)] {
    stride(from: pageSize, to: bytes.count, by: pageSize).flatMap { start in
      guard bytes[start] == 2 || bytes[start] == 5 else { return [(page: UInt32, offset: Int)]() }
      let cells = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
      let offsets = (0..<cells).map { cell in
        let pointer = start + 12 + 2 * cell
        return start + (Int(bytes[pointer]) << 8 | Int(bytes[pointer + 1]))
      }
      return (offsets + [start + 8]).map { (UInt32(start / pageSize + 1), $0) }
    }
  }

  /// All that a damaged database gives, by searches and by scans.
  private func readAll(_ path: String, _ roots: [UInt32]) throws {
    let connection = try SQLiteConnection(path, .readOnly)
    let reader = try #require(PageReader(connection, for: .searches))
    var found: [Int64] = []
    for id in Int64(0)...60 {
      _ = reader.row(id, in: roots[0]).flatMap(text)
      _ = reader.row(id << 33, in: roots[0]).flatMap(text)
      _ = reader.appendRows(withKey: id << 3, in: roots[1], to: &found)
    }
    _ = reader.appendRows(within: 0...100, -180...180, in: roots[2], to: &found)
    do throws(CairnError) {
      try connection.scan(["id", "a"], from: "t", orderedBy: "id") { _ in }
    } catch { #expect(error.exitCode == .dataError, "\(error)") }
    do throws(CairnError) {
      try connection.scan(["a", "b", "id"], fromIndex: "by_place", of: "t") { _ in }
    } catch { #expect(error.exitCode == .dataError, "\(error)") }
  }

  @Test(
    "a page that leads to page 0, to itself or beyond the header's count is left to SQLite",
    arguments: [0, 1])
  func children(trailing pages: Int) throws {
    let path = try database(pageSize: 512, rows: 250)
    var whole = try bytesOfFile(path)
    let count = UInt32(whole.count / 512)
    let roots = try roots(
      #require(PageReader(SQLiteConnection(path, .readOnly), for: .searches)))
    // The pages behind those of the header are in the file and hold a leaf.
    let leaf = try #require(stride(from: 512, to: whole.count, by: 512).first { whole[$0] == 13 })
    for _ in 0..<pages { whole += whole[leaf..<leaf + 512] }
    let all = children(whole, pageSize: 512)
    #expect(all.count > 60)
    for (page, offset) in all {
      for child in [0, page, count + 1, 1 << 31, .max] {
        var bytes = whole
        withUnsafeBytes(of: child.bigEndian) {
          bytes.replaceSubrange(offset..<offset + 4, with: $0)
        }
        try readAll(folder.write(bytes, to: "child.db"), roots)
      }
    }
  }

  @Test("a child beyond the header's count is not read, though the file has its page")
  func behindTheHeader() throws {
    let path = try database(pageSize: 512, rows: 250)
    var bytes = try bytesOfFile(path)
    let count = bytes.count / 512
    let connection = try SQLiteConnection(path, .readOnly)
    let known = try #require(PageReader(connection, for: .searches))
    let root = try roots(known)[0]
    let greatest = try #require(try ids(connection, "ORDER BY id DESC LIMIT 1").first)
    #expect(known.row(greatest, in: root) != nil)
    // The rightmost leaf moves behind the last page.
    var page = Int(root)
    var pointer = 0
    while bytes[(page - 1) * 512] == 5 {
      pointer = (page - 1) * 512 + 8
      page = bytes[pointer..<pointer + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    bytes += bytes[(page - 1) * 512..<page * 512]
    withUnsafeBytes(of: UInt32(count + 1).bigEndian) {
      bytes.replaceSubrange(pointer..<pointer + 4, with: $0)
    }
    let moved = try SQLiteConnection(folder.write(bytes, to: "moved.db"), .readOnly)
    let reader = try #require(PageReader(moved, for: .searches))
    #expect(reader.row(greatest, in: root) == nil)
    // As one that knows nothing of the header's count wrote it.
    bytes[92] ^= 1
    let older = try SQLiteConnection(folder.write(bytes, to: "older.db"), .readOnly)
    let other = try #require(PageReader(older, for: .searches))
    #expect(other.row(greatest, in: root) != nil)
  }

  @Test("after a page that cannot be read, its slot has no page")
  func failedRead() throws {
    let path = try database(pageSize: 512, rows: 250)
    let connection = try SQLiteConnection(path, .readOnly)
    let reader = try #require(PageReader(connection, for: .searches))
    let roots = try roots(reader)
    let ids = try ids(connection, "ORDER BY id")
    // The file ends early, under the reader.
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.truncate(atOffset: 512 * 8)
    try file.close()
    #expect(ids.contains { reader.row($0, in: roots[0]) == nil })
    #expect(reader.row(ids[0], in: 0) == nil)
    var found: [Int64] = []
    #expect(!reader.appendRows(withKey: 1, in: 0, to: &found) && found.isEmpty)
  }
}
