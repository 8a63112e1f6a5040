// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Glibc
import SQLiteKit
import TestSupport
import Testing

/// A value of a row.
enum Value {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  func add(to record: SQLiteRecord) {
    switch self {
    case .null: record.addNull()
    case .integer(let value): record.add(value)
    case .real(let value): record.addUnconverted(value)
    case .text(let value): record.add(value)
    case .blob(let value): value.withUnsafeBytes { record.addBlob($0) }
    }
  }

  func bind(_ statement: SQLiteStatement, _ parameter: Int32) throws(CairnError) {
    switch self {
    case .null: try statement.bindNull(parameter)
    case .integer(let value): try statement.bind(parameter, value)
    case .real(let value): try statement.bind(parameter, value)
    case .text(let value): try statement.bind(parameter, value)
    case .blob(let value):
      try value.withUnsafeBufferPointer { bytes throws(CairnError) in
        // SQLite binds a null pointer as NULL.
        let empty = UnsafeRawBufferPointer(bytes)
        try statement.bindBlob(parameter, empty)
      }
    }
  }
}

/// A file that is written at offsets.
final class TestFile {
  private let descriptor: Int32
  /// Pages of zeros are left out, so that a large file takes no space.
  private let isSparse: Bool

  init(_ path: String, isSparse: Bool = false) {
    descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
    self.isSparse = isSparse
  }

  deinit { close(descriptor) }

  func write(_ bytes: UnsafeRawBufferPointer, _ offset: Int) throws(CairnError) {
    if isSparse, let start = bytes.baseAddress, bytes.first == 0,
      memcmp(start, start + 1, bytes.count - 1) == 0
    {
      ftruncate(descriptor, offset + bytes.count)
      return
    }
    guard pwrite(descriptor, bytes.baseAddress, bytes.count, offset) == bytes.count else {
      throw CairnError(.database, .ioError, "cannot write")
    }
  }
}

/// Writes a database as pages.
func writePages(
  _ path: String, pageSize: Int = 8192, _ body: (DatabasePages) throws -> Void
) throws {
  let file = TestFile(path)
  let database = try DatabasePages(pageSize: pageSize, write: file.write)
  try body(database)
  try database.finish()
}

/// Writes rows with ascending rowids as a table without a column for them.
func writeTable(
  _ database: DatabasePages, _ name: String, sql: String, _ rows: [(rowid: Int64, values: [Value])],
  columns: Int
) throws {
  let tree = TableTree(database)
  let record = SQLiteRecord(columns: columns)
  for row in rows {
    record.clear()
    for value in row.values { value.add(to: record) }
    try tree.add(rowid: row.rowid, record)
  }
  database.addTable(name, sql: sql, root: try tree.finish())
}

/// Writes records in the order of an index.
func writeIndexTree(
  _ sink: some PageSink, _ records: [[Value]], columns: Int, keyColumns: Int
) throws -> UInt32 {
  let tree = IndexTree(sink, keyColumns: keyColumns)
  let record = SQLiteRecord(columns: columns)
  for values in records {
    record.clear()
    for value in values { value.add(to: record) }
    try tree.add(record)
  }
  return try tree.finish()
}

/// Inserts rows through SQLite.
func insert(_ connection: SQLiteConnection, _ sql: String, _ rows: [[Value]]) throws {
  let statement = try connection.prepare(sql)
  try connection.execute("BEGIN")
  for row in rows {
    for (index, value) in row.enumerated() { try value.bind(statement, Int32(index + 1)) }
    try statement.step()
    statement.reset()
  }
  try connection.execute("COMMIT")
}

/// The rows of a query in one text, in which every value has its type and all of its digits.
func content(_ connection: SQLiteConnection, _ columns: [String], _ from: String) throws -> String {
  let row = columns.map { "typeof(\($0)) || quote(\($0))" }.joined(separator: " || ',' || ")
  return try connection.text(
    "SELECT group_concat(\(row), ';') FROM (SELECT \(columns.joined(separator: ",")) \(from))")
    ?? ""
}

/// The tables and indexes of a database, each with the bytes of all its records.
func payload(_ connection: SQLiteConnection) throws -> [String: Int64] {
  let rows = try connection.prepare(
    "SELECT name, sum(payload) FROM dbstat WHERE name <> 'sqlite_schema' GROUP BY name")
  var found: [String: Int64] = [:]
  while try rows.step() { found[rows.text(0) ?? ""] = rows.integer(1) }
  return found
}

/// Expects SQLite to find nothing wrong with a database, and returns a connection to it.
@discardableResult
func expectIntact(
  _ path: String, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
) throws -> SQLiteConnection {
  let connection = try SQLiteConnection(path, .readOnly)
  let found = try connection.text("PRAGMA integrity_check(3)")
  #expect(found == "ok", comment, sourceLocation: sourceLocation)
  return connection
}
