// SPDX-License-Identifier: Apache-2.0

/// A table with columns aligned by spaces, two between columns.
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

  /// Adds a row. It may have fewer cells than there are columns; extra cells are left out.
  package mutating func add(_ cells: [String]) {
    let row = Array(cells.prefix(columns.count))
    for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.count) }
    rows.append(row)
  }

  /// The column of the line at which a column begins, from 0.
  package func start(of column: Int) -> Int {
    indent + widths.prefix(column).reduce(0) { $0 + $1 + 2 }
  }

  /// The width of its longest line in columns of a terminal.
  package var width: Int { start(of: columns.count) - 2 }

  /// A copy that fits a number of terminal columns if shortening texts suffices: those in the
  /// widest text columns then end with “…”, but keep twelve characters. Numbers stay. With nil it
  /// is unchanged.
  package func fitting(_ terminalColumns: Int?) -> TextTable {
    guard let terminalColumns else { return self }
    var table = self
    var excess = width - terminalColumns
    while excess > 0 {
      let texts = columns.indices.filter { columns[$0] == .left && table.widths[$0] > 12 }
      guard let widest = texts.max(by: { table.widths[$0] < table.widths[$1] }) else { break }
      table.widths[widest] -= 1
      excess -= 1
    }
    for (row, cells) in rows.enumerated() {
      for (column, cell) in cells.enumerated() where cell.count > table.widths[column] {
        table.rows[row][column] = cell.prefix(table.widths[column] - 1) + "…"
      }
    }
    return table
  }

  /// The rows as lines without spaces at their ends.
  package var lines: [String] { rows.map { line($0) } }

  private func line(_ cells: [String]) -> String {
    let space = UInt8(ascii: " ")
    var line: [UInt8] = []
    line.reserveCapacity(width + indent)
    var spaces = indent
    for (column, cell) in cells.enumerated() {
      let free = max(0, widths[column] - cell.count)
      let isLeft = columns[column] == .left
      line.append(contentsOf: repeatElement(space, count: spaces + (isLeft ? 0 : free)))
      line.append(contentsOf: cell.utf8)
      spaces = 2 + (isLeft ? free : 0)
    }
    while line.last == space { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }

  /// The lines, each with a line break.
  package var text: String { lines.map { $0 + "\n" }.chained(by: "") }
}

extension String {
  /// The text with spaces after it up to a width.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// The text, padded with leading spaces to a width.
  package func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
