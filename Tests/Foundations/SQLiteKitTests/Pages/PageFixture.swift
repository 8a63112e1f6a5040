// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnDiagnostics
import CairnSQLiteKit
import Glibc
import Testing

/// A value of a row.
enum Value: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  func add(to record: inout SQLiteRecord) {
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
  /// Stretches of zeros are left out, so that a large file takes little space.
  private let isSparse: Bool
  private var end = 0

  init(_ path: String, isSparse: Bool = false) {
    descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
    self.isSparse = isSparse
  }

  deinit { close(descriptor) }

  func write(_ bytes: UnsafeRawBufferPointer, _ offset: Int) throws(CairnError) {
    let step = isSparse ? 4096 : bytes.count
    if isSparse {
      end = max(end, offset + bytes.count)
      ftruncate(descriptor, end)
    }
    for start in stride(from: 0, to: bytes.count, by: step) {
      let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<min(bytes.count, start + step)])
      if isSparse, let first = piece.baseAddress, piece.first == 0,
        memcmp(first, first + 1, piece.count - 1) == 0
      {
        continue
      }
      guard pwrite(descriptor, piece.baseAddress, piece.count, offset + start) == piece.count
      else { throw CairnError(.database, .ioError, "cannot write") }
    }
  }
}

/// Writes a database as pages, and returns its size.
@discardableResult
func writePages(
  _ path: String, pageSize: Int = 8192, _ body: (inout DatabaseContent) throws -> Void
) throws -> Int {
  var content = DatabaseContent(pageSize: pageSize)
  try body(&content)
  return try DatabasePages(content).writeAll(TestFile(path).write)
}

extension DatabaseContent {
  /// Adds a table of rows with ascending rowids, divided evenly into parts.
  mutating func addTable(
    _ name: String, sql: String, _ rows: [(rowid: Int64, values: [Value])], columns: Int,
    parts: Int = 1
  ) {
    addTable(name, sql: sql, columns: columns, parts: parts) { part, tree throws(CairnError) in
      for row in rows[rows.count * part / parts..<rows.count * (part + 1) / parts] {
        for value in row.values { value.add(to: &tree.record) }
        try tree.endRow(row.rowid)
      }
    }
  }

  /// Adds an index of records, divided evenly into parts.
  mutating func addIndex(
    _ name: String, of table: String, sql: String?, _ records: [[Value]], columns: Int,
    isUnique: Bool = false, parts: Int = 1
  ) {
    add(
      .init(name, of: table, sql: sql, columns: columns, isUnique: isUnique), parts: parts,
      rows: Self.divided(records, parts))
  }

  /// Adds a WITHOUT ROWID table of records, divided evenly into parts.
  mutating func addTable(
    _ name: String, sql: String, _ records: [[Value]], columns: Int, keyColumns: Int,
    parts: Int = 1
  ) {
    addTable(
      name, sql: sql, columns: columns, keyColumns: keyColumns, parts: parts,
      rows: Self.divided(records, parts))
  }

  private static func divided(_ records: [[Value]], _ parts: Int) -> Rows {
    { part, tree throws(CairnError) in
      for record in records[records.count * part / parts..<records.count * (part + 1) / parts] {
        for value in record { value.add(to: &tree.record) }
        try tree.endRow()
      }
    }
  }
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
