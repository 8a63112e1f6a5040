// SPDX-License-Identifier: Apache-2.0
import CairnCSQLite
import CairnDiagnostics

/// A row that SQLite hands to a scan; its columns are counted from 0.
package struct SQLiteRow {
  @usableFromInline let values: UnsafeMutablePointer<OpaquePointer?>

  @usableFromInline init(_ values: UnsafeMutablePointer<OpaquePointer?>) { self.values = values }

  /// Whether a column is NULL.
  @inlinable @inline(__always) package func isNull(_ column: Int) -> Bool {
    sqlite3_value_type(values[column]) == SQLITE_NULL
  }

  /// Whether a column is an integer.
  @inlinable @inline(__always) package func isInteger(_ column: Int) -> Bool {
    sqlite3_value_type(values[column]) == SQLITE_INTEGER
  }

  /// A column as an integer; 0 if it is not a number.
  @inlinable @inline(__always) package func integer(_ column: Int) -> Int64 {
    sqlite3_value_int64(values[column])
  }

  /// A column as a number; NaN if it is not one.
  @inlinable @inline(__always) package func number(_ column: Int) -> Double {
    let type = sqlite3_value_type(values[column])
    return type == SQLITE_FLOAT || type == SQLITE_INTEGER
      ? sqlite3_value_double(values[column]) : .nan
  }

  /// A column as text, or nil if it is NULL.
  package func text(_ column: Int) -> String? {
    guard let bytes = sqlite3_value_text(values[column]) else { return nil }
    let count = Int(sqlite3_value_bytes(values[column]))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// The bytes of a column, empty for NULL; valid until the scan continues.
  @inlinable @inline(__always) package func blob(_ column: Int) -> UnsafeRawBufferPointer {
    let start = sqlite3_value_blob(values[column])
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(values[column])))
  }
}

extension SQLiteConnection {
  /// Calls `body` with the rows of a table, ascending by a column. SQLite calls it once for each
  /// row, which takes half the time of stepping and reading each column.
  ///
  /// Columns and table must be valid in SQL. The first error of `body` ends the scan.
  package func scan(
    _ columns: [String], from table: String, orderedBy key: String,
    _ body: (SQLiteRow) throws(CairnError) -> Void
  ) throws(CairnError) {
    // An aggregate sees the rows in the order of the table, or of the inner query.
    let rows =
      try isRowID(key, of: table)
      ? "\(table) NOT INDEXED"
      : "(SELECT \(columns.joined(separator: ", ")) FROM \(table) ORDER BY \(key))"
    try scan(columns, of: rows, body)
  }

  /// Calls `body` in the same way with the entries of an index, in order: the values of its
  /// columns, then the id of the row.
  ///
  /// The names must be valid in SQL, and the columns must be those of the index, in order, followed
  /// by the id by which the table is stored, so that only the index is read.
  package func scan(
    _ columns: [String], fromIndex index: String, of table: String,
    _ body: (SQLiteRow) throws(CairnError) -> Void
  ) throws(CairnError) {
    let list = columns.joined(separator: ", ")
    try scan(
      columns, of: "(SELECT \(list) FROM \(table) INDEXED BY \(index) ORDER BY \(list))", body)
  }

  private func scan(
    _ columns: [String], of rows: String, _ body: (SQLiteRow) throws(CairnError) -> Void
  ) throws(CairnError) {
    let name = "cairn_scan_\(columns.count)"
    try withoutActuallyEscaping(body) { body throws(CairnError) in
      let scan = Scan(body)
      let status = sqlite3_create_function_v2(
        handle, name, Int32(columns.count), SQLITE_UTF8 | SQLITE_DIRECTONLY,
        Unmanaged.passUnretained(scan).toOpaque(), nil,
        { context, _, values in
          guard let values, let data = sqlite3_user_data(context) else { return }
          let scan = Unmanaged<Scan>.fromOpaque(data).takeUnretainedValue()
          do throws(CairnError) { try scan.body(SQLiteRow(values)) } catch {
            scan.failure = error
            sqlite3_result_error(context, "stopped", -1)
          }
        }, { _ in }, nil)
      guard status == SQLITE_OK else { throw error(status, statement: nil) }
      // Nothing else may call it, and the closure ends with this function.
      defer {
        sqlite3_create_function_v2(
          handle, name, Int32(columns.count), SQLITE_UTF8, nil, nil, nil, nil, nil)
      }
      do throws(CairnError) {
        try execute("SELECT \(name)(\(columns.joined(separator: ", "))) FROM \(rows)")
      } catch { throw scan.failure ?? error }
    }
  }

  /// Whether a column is an alias of the id by which a table is stored.
  private func isRowID(_ column: String, of table: String) throws(CairnError) -> Bool {
    let statement = try prepare(
      """
      SELECT (SELECT count(*) FROM pragma_table_info(?1) WHERE pk > 0) = 1
        AND EXISTS (
          SELECT 1 FROM pragma_table_info(?1)
          WHERE pk = 1 AND name = ?2 AND type = 'INTEGER' COLLATE NOCASE)
        AND NOT EXISTS (SELECT 1 FROM pragma_index_list(?1) WHERE origin = 'pk')
      """)
    try statement.bind(1, table)
    try statement.bind(2, column)
    return try statement.step() && statement.integer(0) == 1
  }

  private final class Scan {
    let body: (SQLiteRow) throws(CairnError) -> Void
    var failure: CairnError?

    init(_ body: @escaping (SQLiteRow) throws(CairnError) -> Void) { self.body = body }
  }
}
