// SPDX-License-Identifier: Apache-2.0
import CairnCSQLite
import CairnDiagnostics

/// A compiled statement. Parameters are counted from 1, columns from 0, as in SQLite.
package final class SQLiteStatement {
  private let handle: OpaquePointer
  private let connection: SQLiteConnection

  init(_ handle: OpaquePointer, _ connection: SQLiteConnection) {
    self.handle = handle
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  /// Moves to the next row; false when there is none. Throws 65 for a damaged database, 74 for an
  /// I/O error.
  @discardableResult
  package func step() throws(CairnError) -> Bool {
    let status = sqlite3_step(handle)
    switch status {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      throw connection.error(status, statement: String(cString: sqlite3_sql(handle)))
    }
  }

  /// Resets the statement so that it can run again; parameters keep their values.
  package func reset() {
    sqlite3_reset(handle)
    connection.work?.renew()
  }

  /// Binds an integer.
  package func bind(_ parameter: Int32, _ value: Int64) throws(CairnError) {
    try check(sqlite3_bind_int64(handle, parameter, value))
  }

  /// Binds a number; infinities are kept, NaN becomes NULL.
  package func bind(_ parameter: Int32, _ value: Double) throws(CairnError) {
    try check(sqlite3_bind_double(handle, parameter, value))
  }

  /// Binds a copy of a text up to its first NUL.
  package func bind(_ parameter: Int32, _ value: String) throws(CairnError) {
    try check(sqlite3_bind_text(handle, parameter, value, -1, transient))
  }

  /// Binds a copy of a text of UTF-8.
  package func bindText(_ parameter: Int32, _ utf8: UnsafeRawBufferPointer) throws(CairnError) {
    try check(
      sqlite3_bind_text64(
        handle, parameter, utf8.baseAddress, UInt64(utf8.count), transient, UInt8(SQLITE_UTF8)))
  }

  /// Binds a copy of a text of UTF-8.
  package func bindText(_ parameter: Int32, _ utf8: [UInt8]) throws(CairnError) {
    let status = utf8.withUnsafeBytes {
      sqlite3_bind_text64(
        handle, parameter, $0.baseAddress, UInt64($0.count), transient, UInt8(SQLITE_UTF8))
    }
    try check(status)
  }

  /// Binds NULL.
  package func bindNull(_ parameter: Int32) throws(CairnError) {
    try check(sqlite3_bind_null(handle, parameter))
  }

  /// Binds a copy of a blob.
  package func bindBlob(_ parameter: Int32, _ bytes: UnsafeRawBufferPointer) throws(CairnError) {
    try check(
      sqlite3_bind_blob64(
        handle, parameter, bytes.baseAddress, UInt64(bytes.count), transient))
  }

  private func check(_ status: Int32) throws(CairnError) {
    guard status == SQLITE_OK else {
      throw connection.error(status, statement: String(cString: sqlite3_sql(handle)))
    }
  }

  /// The number of columns of a row.
  package var columnCount: Int32 { sqlite3_column_count(handle) }

  /// Whether a column of the current row is NULL.
  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// Whether a column of the current row is a number.
  package func isNumber(_ column: Int32) -> Bool {
    let type = sqlite3_column_type(handle, column)
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT
  }

  /// Whether a column of the current row is an integer.
  package func isInteger(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_INTEGER
  }

  /// Whether a column of the current row is a text.
  package func isText(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_TEXT
  }

  /// A column of the current row as an integer; 0 if it is not a number.
  package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// A column of the current row as a number; 0 if it is not one.
  package func number(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// A column of the current row as text, or nil if it is NULL.
  package func text(_ column: Int32) -> String? {
    guard let bytes = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// Calls `body` with the UTF-8 of a column of the current row, nil for NULL; the bytes are valid
  /// until the next step.
  package func withText<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer?) -> Result)
    -> Result
  {
    guard let bytes = sqlite3_column_text(handle, column) else { return body(nil) }
    let count = Int(sqlite3_column_bytes(handle, column))
    return body(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Calls `body` with the bytes of a column of the current row, empty for NULL; they are valid until
  /// the next step.
  package func withBlob<Result>(
    _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(CairnError) -> Result
  ) throws(CairnError) -> Result {
    let start = sqlite3_column_blob(handle, column)
    return try body(
      UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
  }
}

/// SQLITE_TRANSIENT: SQLite copies the bytes before it returns.
private nonisolated(unsafe) let transient = unsafeBitCast(
  -1, to: sqlite3_destructor_type.self)
