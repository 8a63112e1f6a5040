// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnSQLiteKit

/// Indexes the distinct texts of some columns, without making a String of a known one.
struct WordIndex {
  /// The index of NULL.
  static let none: Int32 = -1
  /// The index of a text that is not in the pool.
  static let unknown: Int32 = -2

  private var pool = TextPool()

  /// The number of distinct texts.
  var count: Int { pool.count }

  /// The text of an index.
  subscript(_ index: Int) -> String { String(decoding: pool.text(index), as: UTF8.self) }

  /// The index of the text in a column of the current row, new for an unknown text.
  ///
  /// - Parameter last: The most likely index, from the row before.
  @inline(__always)
  mutating func number(
    _ row: SQLiteRow, _ column: Int, last: Int32?, _ budget: inout ReadBudget
  ) throws(CairnError) -> Int32 {
    if row.isNull(column) { return Self.none }
    let text = row.blob(column)
    if let last, last >= 0, pool.isText(Int(last), text) { return last }
    let known = pool.count
    let index = pool.index(of: text)
    if pool.count > known { try budget.spend(text.count) }
    return Int32(truncatingIfNeeded: index)
  }

  /// The index of a text, or ``unknown``; ``none`` for nil.
  func find(_ text: String?) -> Int32 {
    guard let text else { return Self.none }
    return Array(text.utf8).withUnsafeBytes { text in
      pool.find(text).map { Int32(truncatingIfNeeded: $0) } ?? Self.unknown
    }
  }
}
