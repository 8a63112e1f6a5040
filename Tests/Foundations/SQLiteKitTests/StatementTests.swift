// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnDiagnostics
import CairnSQLiteKit
import Testing

@Suite("Statements")
struct StatementTests {
  private let folder: TemporaryFolder
  private let connection: SQLiteConnection

  init() throws {
    folder = try TemporaryFolder()
    connection = try SQLiteConnection(folder.file("test.db"), .build)
    try connection.execute("CREATE TABLE t(value)")
  }

  /// A query for the row with the value that `bind` binds.
  private func stored(_ bind: (SQLiteStatement) throws(CairnError) -> Void) throws
    -> SQLiteStatement
  {
    let insert = try connection.prepare("INSERT INTO t VALUES (?)")
    try bind(insert)
    try insert.step()
    let query = try connection.prepare("SELECT value FROM t")
    #expect(try query.step())
    return query
  }

  @Test("integers keep all 64 bits", arguments: [0, -1, .max, .min] as [Int64])
  func integers(number: Int64) throws {
    let row = try stored { statement throws(CairnError) in try statement.bind(1, number) }
    #expect(row.integer(0) == number)
    #expect(row.isNumber(0))
  }

  @Test(
    "floating-point numbers keep all bits, infinities included",
    arguments: [0.1, -0.0, 1e300, .infinity, -.infinity])
  func numbers(number: Double) throws {
    let row = try stored { statement throws(CairnError) in try statement.bind(1, number) }
    #expect(row.number(0) == number)
  }

  @Test("NaN becomes NULL")
  func nan() throws {
    let row = try stored { statement throws(CairnError) in try statement.bind(1, Double.nan) }
    #expect(row.isNull(0))
    #expect(!row.isNumber(0))
  }

  @Test("texts keep all of UTF-8", arguments: ["", "Höhenweg", "山道"])
  func texts(text: String) throws {
    let row = try stored { statement throws(CairnError) in try statement.bind(1, text) }
    #expect(row.text(0) == text)
  }

  @Test("a text is not a number and reads as 0")
  func textAsNumber() throws {
    let row = try stored { statement throws(CairnError) in try statement.bind(1, "abc") }
    #expect(!row.isNumber(0))
    #expect(row.number(0) == 0)
    #expect(row.integer(0) == 0)
  }

  @Test("bytes that are not UTF-8 are replaced when they are read as text")
  func malformedText() throws {
    let bytes: [UInt8] = [0x61, 0xFF, 0x62]
    let row = try stored { statement throws(CairnError) in
      try bytes.withUnsafeBufferPointer { bytes throws(CairnError) in
        try statement.bindBlob(1, UnsafeRawBufferPointer(bytes))
      }
    }
    #expect(row.text(0) == "a\u{FFFD}b")
  }

  @Test("a blob is read back unchanged, and NULL as an empty one")
  func blobs() throws {
    let bytes: [UInt8] = [0, 1, 254, 255]
    let row = try stored { statement throws(CairnError) in
      try bytes.withUnsafeBufferPointer { bytes throws(CairnError) in
        try statement.bindBlob(1, UnsafeRawBufferPointer(bytes))
      }
    }
    #expect(try row.withBlob(0) { Array($0) } == bytes)
    let empty = try connection.prepare("SELECT NULL")
    #expect(try empty.step())
    #expect(try empty.withBlob(0) { $0.count } == 0)
  }

  @Test("a parameter that the statement does not have is an error")
  func unknownParameter() throws {
    let statement = try connection.prepare("SELECT ?")
    expectError(.database) { try statement.bind(2, Int64(1)) }
  }

  @Test("a row that violates a constraint of its table is bad data")
  func constraint() throws {
    try connection.execute("CREATE TABLE u(id INTEGER PRIMARY KEY)")
    try connection.execute("INSERT INTO u VALUES (1)")
    expectError(.database, .dataError) { try connection.execute("INSERT INTO u VALUES (1)") }
  }
}
