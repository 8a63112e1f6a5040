// SPDX-License-Identifier: Apache-2.0

/// Rows of cells whose columns are aligned with spaces, two between columns.
///
/// ```swift
/// var table = TextTable([.left, .right])
/// table.add(["edges", "88"])
/// print(table.text)
/// ```
package struct TextTable {
  /// The alignment of a column.
  package enum Alignment: Sendable {
    case left, right
  }

  private let columns: [Alignment]
  private let indent: Int
  private var rows: [[String]] = []
  private var widths: [Int]

  /// Makes an empty table.
  ///
  /// - Parameters:
  ///   - columns: The alignment of each column.
  ///   - indent: The number of spaces before the first column.
  package init(_ columns: [Alignment], indent: Int = 0) {
    self.columns = columns
    self.indent = indent
    widths = Array(repeating: 0, count: columns.count)
  }

  /// Makes a table of rows.
  package init(_ columns: [Alignment], indent: Int = 0, rows: [[String]]) {
    self.init(columns, indent: indent)
    for row in rows { add(row) }
  }

  /// Adds a row; it may have fewer cells than there are columns; further ones are left out.
  package mutating func add(_ cells: [String]) {
    let row = Array(cells.prefix(columns.count))
    for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.count) }
    rows.append(row)
  }

  /// The column of the line at which a column begins, from 0.
  package func start(of column: Int) -> Int {
    indent + widths.prefix(column).reduce(0) { $0 + $1 + 2 }
  }

  /// The rows as lines without spaces at their ends.
  package var lines: [String] {
    rows.map { row in
      let cells = row.enumerated().map { column, cell in
        switch columns[column] {
        case .left: cell.padded(to: widths[column])
        case .right: cell.leftPadded(to: widths[column])
        }
      }
      let line = String(repeating: " ", count: indent) + cells.joined(separator: "  ")
      guard let last = line.lastIndex(where: { $0 != " " }) else { return "" }
      return String(line[...last])
    }
  }

  /// The lines, each with a line break.
  package var text: String { lines.map { $0 + "\n" }.joined() }
}

extension String {
  /// The text with spaces after it up to a width.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// The text with spaces before it up to a width.
  package func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
