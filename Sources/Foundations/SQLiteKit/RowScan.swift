// SPDX-License-Identifier: Apache-2.0
import CairnCSQLite
import CairnDiagnostics

/// A row of a scan; its columns count from 0.
@usableFromInline
package struct SQLiteRow {
  /// The source of its values.
  @usableFromInline enum Source {
    /// SQLite passes them.
    case sqlite(UnsafeMutablePointer<OpaquePointer?>)
    /// They are in a page of an open database.
    case page(UnsafePointer<StoredValue>, OpaquePointer)
  }

  @usableFromInline let source: Source

  @usableFromInline init(_ source: Source) { self.source = source }

  /// Whether a column is NULL.
  @inlinable @inline(__always) package func isNull(_ column: Int) -> Bool {
    switch source {
    case .sqlite(let values): sqlite3_value_type(values[column]) == SQLITE_NULL
    case .page(let values, _): values[column].type == 0
    }
  }

  /// Whether a column is an integer.
  @inlinable @inline(__always) package func isInteger(_ column: Int) -> Bool {
    switch source {
    case .sqlite(let values): return sqlite3_value_type(values[column]) == SQLITE_INTEGER
    case .page(let values, _):
      let type = values[column].type
      return 1...6 ~= type || 8...9 ~= type
    }
  }

  /// A column as an integer; 0 if it is not a number.
  @inlinable @inline(__always) package func integer(_ column: Int) -> Int64 {
    switch source {
    case .sqlite(let values): return sqlite3_value_int64(values[column])
    case .page(let values, _):
      let value = values[column]
      if value.type == 7 {
        let number = PageBytes.number(value.bytes, type: 7)
        return Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
      }
      return value.type == 0 || value.isBytes
        ? 0 : PageBytes.integer(value.bytes, type: value.type)
    }
  }

  /// A column as a number; NaN if it is not one.
  @inlinable @inline(__always) package func number(_ column: Int) -> Double {
    switch source {
    case .sqlite(let values):
      let type = sqlite3_value_type(values[column])
      return type == SQLITE_FLOAT || type == SQLITE_INTEGER
        ? sqlite3_value_double(values[column]) : .nan
    case .page(let values, _):
      let value = values[column]
      return value.type == 0 || value.isBytes
        ? .nan : PageBytes.number(value.bytes, type: value.type)
    }
  }

  /// A column as text, or nil if it is NULL.
  package func text(_ column: Int) -> String? {
    switch source {
    case .sqlite(let values): return Self.text(values[column])
    case .page(let values, let handle):
      if isNull(column) { return nil }
      if values[column].isBytes { return String(decoding: blob(column), as: UTF8.self) }
      return isInteger(column) ? "\(integer(column))" : Self.text(number(column), handle)
    }
  }

  private static func text(_ value: OpaquePointer?) -> String? {
    guard let bytes = sqlite3_value_text(value) else { return nil }
    let count = Int(sqlite3_value_bytes(value))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// A number as text, with SQLite's digits.
  private static func text(_ number: Double, _ handle: OpaquePointer) -> String? {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, "SELECT ?", -1, &statement, nil) == SQLITE_OK,
      sqlite3_bind_double(statement, 1, number) == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW
    else { return nil }
    return text(sqlite3_column_value(statement, 0))
  }

  /// The bytes of a text or a blob, empty for NULL; valid until the scan continues.
  @inlinable @inline(__always) package func blob(_ column: Int) -> UnsafeRawBufferPointer {
    switch source {
    case .sqlite(let values):
      let start = sqlite3_value_blob(values[column])
      return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(values[column])))
    case .page(let values, _):
      let value = values[column]
      return UnsafeRawBufferPointer(
        start: value.bytes, count: value.isBytes ? PageBytes.size(ofType: value.type) : 0)
    }
  }
}

extension SQLiteRow {
  /// Whether a column is a text of these bytes.
  package func isText(_ column: Int, _ utf8: UnsafeRawBufferPointer) -> Bool {
    let isText =
      switch source {
      case .sqlite(let values): sqlite3_value_type(values[column]) == SQLITE_TEXT
      case .page(let values, _): values[column].isBytes && values[column].type % 2 == 1
      }
    let bytes = blob(column)
    guard isText, bytes.count == utf8.count else { return false }
    guard let one = bytes.baseAddress, let other = utf8.baseAddress else { return true }
    return RecordOrder.compareShort(one, other, bytes.count) == 0
  }
}

extension SQLiteConnection {
  /// Calls `body` with the rows of a table, ascending by a column, or by `rowid`.
  ///
  /// The rows are read from the pages of a database that is open read-only, which nobody may
  /// change. If tables or rows are unusual, SQLite reads them and calls `body` for each row, which
  /// still takes half the time of stepping and reading each column.
  ///
  /// Columns and table must be valid in SQL. The first error of `body` ends the scan.
  package func scan(
    _ columns: [String], from table: String, orderedBy key: String,
    _ body: (SQLiteRow) throws(CairnError) -> Void
  ) throws(CairnError) {
    guard try isRowID(key, of: table) else {
      let list = columns.joined(separator: ", ")
      // An aggregate sees the rows in the order of the inner query.
      return try scan(columns, of: "(SELECT \(list) FROM \(table) ORDER BY \(key))", nil, body)
    }
    let tree = isReadOnly ? try StoredTree(self, columns, of: table, key: key) : nil
    try scan(
      columns, of: "\(table) NOT INDEXED", tree, row: "\(table) NOT INDEXED WHERE \(key) = ?", body)
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
    var tree: StoredTree?
    if isReadOnly, let key = columns.last, try isRowID(key, of: table) {
      tree = try StoredTree(self, columns, ofIndex: index, of: table)
    }
    let list = columns.joined(separator: ", ")
    try scan(
      columns, of: "(SELECT \(list) FROM \(table) INDEXED BY \(index) ORDER BY \(list))", tree, body
    )
  }

  /// - Parameters:
  ///   - rows: The source from which SQLite selects all rows.
  ///   - tree: The tree to read them from without SQLite; nil if there is none.
  ///   - row: The source from which SQLite selects a row by its id; nil if it cannot.
  private func scan(
    _ columns: [String], of rows: String, _ tree: StoredTree?, row: String? = nil,
    _ body: (SQLiteRow) throws(CairnError) -> Void
  ) throws(CairnError) {
    try withFunction(columns.count, body) { call, scan throws(CairnError) in
      let select = "SELECT \(call)(\(columns.joined(separator: ", "))) FROM "
      guard let count = try readPages(tree, row: row.map { select + $0 }, body) else { return }
      // The rows that were not read from pages. With OFFSET, SQLite may still call for all rows.
      scan.skipped = count
      try execute(select + rows)
    }
  }

  /// Reads rows from pages; returns their number, or nil if these were all.
  ///
  /// - Parameter row: The statement that calls `body` with the row of an id.
  private func readPages(
    _ tree: StoredTree?, row: String?, _ body: (SQLiteRow) throws(CairnError) -> Void
  ) throws(CairnError) -> Int? {
    guard let tree, let handle, let reader = PageReader(self, for: .scans) else { return 0 }
    var (count, unusual) = (0, 0)
    var statement: SQLiteStatement?
    let isRead = try reader.scan(tree) { id, values throws(CairnError) in
      if let values {
        try body(SQLiteRow(.page(values, handle)))
      } else {
        unusual += 1
        // SQLite reads many at once faster than one by one.
        guard let row, unusual <= 16 + count / 16 else { return false }
        if statement == nil { statement = try prepare(row) }
        guard let one = statement else { return false }
        try one.bind(1, id)
        // A statement that goes on would keep the function.
        defer { one.reset() }
        guard try one.step() else { return false }
      }
      count += 1
      return true
    }
    return isRead ? nil : count
  }

  /// Calls `run` with the name of an SQL function that calls `body`.
  private func withFunction(
    _ columns: Int, _ body: (SQLiteRow) throws(CairnError) -> Void,
    _ run: (String, Scan) throws(CairnError) -> Void
  ) throws(CairnError) {
    let name = "cairn_scan_\(columns)"
    try withoutActuallyEscaping(body) { body throws(CairnError) in
      let scan = Scan(body)
      let status = sqlite3_create_function_v2(
        handle, name, Int32(columns), SQLITE_UTF8 | SQLITE_DIRECTONLY,
        Unmanaged.passUnretained(scan).toOpaque(), nil,
        { context, _, values in
          guard let values, let data = sqlite3_user_data(context) else { return }
          let scan = Unmanaged<Scan>.fromOpaque(data).takeUnretainedValue()
          if scan.skipped > 0 { return scan.skipped -= 1 }
          do throws(CairnError) { try scan.body(SQLiteRow(.sqlite(values))) } catch {
            scan.failure = error
            sqlite3_result_error(context, "stopped", -1)
          }
        }, { _ in }, nil)
      guard status == SQLITE_OK else { throw error(status, statement: nil) }
      // Nothing else may call it, and the closure ends with this function.
      defer {
        sqlite3_create_function_v2(
          handle, name, Int32(columns), SQLITE_UTF8, nil, nil, nil, nil, nil)
      }
      do throws(CairnError) { try run(name, scan) } catch { throw scan.failure ?? error }
    }
  }

  /// Whether a column is an alias of a table's row id, or `rowid` of a table without an alias.
  func isRowID(_ column: String, of table: String) throws(CairnError) -> Bool {
    let statement = try prepare(
      """
      WITH alias(name) AS (
        SELECT name FROM pragma_table_info(?1) WHERE pk = 1 AND type = 'INTEGER' COLLATE NOCASE
          AND (SELECT count(*) FROM pragma_table_info(?1) WHERE pk > 0) = 1
          AND NOT EXISTS (SELECT 1 FROM pragma_index_list(?1) WHERE origin = 'pk'))
      SELECT EXISTS (SELECT 1 FROM alias WHERE name = ?2)
        OR ?2 = 'rowid' AND NOT EXISTS (SELECT 1 FROM alias)
          AND NOT EXISTS (
            SELECT 1 FROM pragma_table_info(?1) WHERE name = 'rowid' COLLATE NOCASE)
      """)
    try statement.bind(1, table)
    try statement.bind(2, column)
    return try statement.step() && statement.integer(0) == 1
  }

  private final class Scan {
    let body: (SQLiteRow) throws(CairnError) -> Void
    var failure: CairnError?
    /// The number of rows to skip.
    var skipped = 0

    init(_ body: @escaping (SQLiteRow) throws(CairnError) -> Void) { self.body = body }
  }
}
