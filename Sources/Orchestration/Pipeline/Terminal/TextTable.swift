// SPDX-License-Identifier: Apache-2.0

/// Rows as lines of columns, two spaces apart; the columns in `right` have their cells to the
/// right.
func textTable(_ rows: [[String]], right: Set<Int> = []) -> String {
  let columns = rows.map(\.count).max() ?? 0
  let widths = (0..<columns).map { column in
    rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
  }
  return rows.map { row in
    var line = ""
    for (column, cell) in row.enumerated() {
      let padding = String(repeating: " ", count: widths[column] - cell.count)
      line += (column > 0 ? "  " : "") + (right.contains(column) ? padding + cell : cell + padding)
    }
    while line.last == " " { line.removeLast() }
    return line + "\n"
  }.joined()
}
