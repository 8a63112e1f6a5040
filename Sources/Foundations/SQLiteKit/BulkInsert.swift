// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// Inserts a known number of rows into a table, many per statement, which takes about two thirds of
/// the time of one row per statement. ``finish()`` checks that none is missing.
package final class BulkInsert {
  /// How many rows one statement inserts; more have no measurable benefit.
  package static let rowsPerStatement = 64

  private let columnCount: Int32
  private let many: SQLiteStatement
  private let single: SQLiteStatement
  private var remaining: Int
  private var pending: Int32 = 0

  /// Prepares to insert `total` rows.
  package init(_ connection: SQLiteConnection, table: String, columns: [String], total: Int)
    throws(CairnError)
  {
    columnCount = Int32(columns.count)
    remaining = total
    let row = "(" + repeatElement("?", count: columns.count).joined(separator: ",") + ")"
    let start = "INSERT INTO \(table)(\(columns.joined(separator: ","))) VALUES "
    let rows = repeatElement(row, count: Self.rowsPerStatement).joined(separator: ",")
    many = try connection.prepare(start + rows)
    single = try connection.prepare(start + row)
  }

  /// Whether all added rows are in the table, so that memory bound for them may be released.
  package var isBetweenStatements: Bool { pending == 0 }

  /// Adds a row: `bind` binds its values to the parameters 1, 2, … after `offset`. Memory bound in
  /// place must stay valid until ``isBetweenStatements``.
  package func add(
    _ bind: (_ statement: SQLiteStatement, _ offset: Int32) throws(CairnError) -> Void
  ) throws(CairnError) {
    if pending == 0, remaining < Self.rowsPerStatement {
      try bind(single, 0)
      try single.step()
      single.reset()
      remaining -= 1
      return
    }
    try bind(many, pending * columnCount)
    pending += 1
    if pending == Int32(Self.rowsPerStatement) {
      try many.step()
      many.reset()
      remaining -= Self.rowsPerStatement
      pending = 0
    }
  }

  /// Throws 70 if fewer rows were added than announced, since the last ones would be missing.
  package func finish() throws(CairnError) {
    guard remaining <= 0, pending == 0 else {
      throw CairnError(
        .database, .software, "\(remaining - Int(pending)) fewer rows than announced were added")
    }
  }
}
