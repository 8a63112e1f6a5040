// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy

extension CairnError.Code {
  /// A line of a list of reference times cannot be read.
  static let badTimes: Self = "bad-times"
}

/// A CSV file of reference times: a header that names the columns, then a walk on each line. The
/// columns are `distance-km`, `ascent-m`, `descent-m` and `minutes`, and optionally `name` and
/// `source`, in any order.
package struct ReferenceTimeFile {
  private static let numbers = SuiteForm.timedTotals.requiredKeys
  private static let texts = ["name", "source"]
  private static let mostErrors = 10

  private var times: [TuningSuite.ReferenceTime] = []
  private let file: String

  /// Reads the text of a file. Throws 65 with line and column.
  package init(_ text: [UInt8], file: String) throws(CairnError) {
    self.file = file
    var columns: [String]?
    var errors: [CairnError] = []
    for (index, bytes) in text.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    )
    .enumerated() {
      let line = String(decoding: bytes, as: UTF8.self).filter { !"\r\u{FEFF}".contains($0) }
      guard line.contains(where: { $0 != " " }) else { continue }
      let cells = Self.cells(line)
      do throws(CairnError) {
        guard let columns else {
          columns = try header(cells, index + 1)
          continue
        }
        times.append(try time(cells, columns, index + 1))
      } catch {
        errors.append(error)
        guard columns != nil, errors.count < Self.mostErrors else { break }
      }
    }
    guard var first = errors.first else { return }
    first.further = Array(errors.dropFirst())
    throw first
  }

  /// The times, of a dataset if one is given.
  package func times(dataset: Int?) -> [TuningSuite.ReferenceTime] {
    times.map { time in
      var time = time
      time.dataset = dataset
      return time
    }
  }

  private struct Cell {
    var text: String
    var column: Int
  }

  private static func cells(_ line: String) -> [Cell] {
    var column = 1
    return line.split(separator: ",", omittingEmptySubsequences: false).map { part in
      defer { column += part.count + 1 }
      let trimmed = part.drop { $0 == " " }
      let end = trimmed.lastIndex { $0 != " " }.map { trimmed.index(after: $0) }
      return Cell(text: String(trimmed[..<(end ?? trimmed.startIndex)]), column: column)
    }
  }

  private func failure(_ message: String, _ line: Int, _ column: Int, hint: String? = nil)
    -> CairnError
  {
    CairnError(
      .badTimes, .dataError, message, at: Location(file: file, .line(line, column: column)),
      hint: hint)
  }

  private func header(_ cells: [Cell], _ line: Int) throws(CairnError) -> [String] {
    let known = Self.numbers + Self.texts
    var columns: [String] = []
    for cell in cells {
      guard known.contains(cell.text), !columns.contains(cell.text) else {
        let near = nearestWord(to: cell.text, among: known)
        throw failure(
          columns.contains(cell.text)
            ? "column “\(cell.text)” appears twice" : "unknown column “\(cell.text.prefix(40))”",
          line, cell.column,
          hint: near.flatMap { $0 == cell.text ? nil : "did you mean “\($0)”?" }
            ?? "the first line names the columns: \(known.joined(separator: ","))")
      }
      columns.append(cell.text)
    }
    if let missing = Self.numbers.first(where: { !columns.contains($0) }) {
      throw failure("column “\(missing)” is missing", line, 1)
    }
    return columns
  }

  private func time(_ cells: [Cell], _ columns: [String], _ line: Int) throws(CairnError)
    -> TuningSuite.ReferenceTime
  {
    guard cells.count == columns.count else {
      throw failure(
        "has \(cells.count) columns, not \(columns.count)", line, 1,
        hint: "names and sources must not contain commas")
    }
    var values: [String: Double] = [:]
    var texts: [String: String] = [:]
    for (cell, column) in zip(cells, columns) {
      if Self.texts.contains(column) {
        texts[column] = cell.text.isEmpty ? nil : cell.text
        continue
      }
      guard let number = decimalNumber(cell.text) else {
        throw failure("“\(cell.text.prefix(40))” is not a number", line, cell.column)
      }
      if let range = SuiteForm.timedTotals[column]?.range, !range.contains(number) {
        throw failure(
          "\(column) must be from \(range.lowerBound) to \(Int(range.upperBound)), not \(number)",
          line, cell.column)
      }
      values[column] = number
    }
    return TuningSuite.ReferenceTime(
      name: texts["name"].map { String($0.prefix(100)) }, dataset: nil, source: texts["source"],
      course: .totals(
        distanceMetres: (values["distance-km"] ?? 0) * 1000, ascentMetres: values["ascent-m"] ?? 0,
        descentMetres: values["descent-m"] ?? 0),
      seconds: (values["minutes"] ?? 0) * 60,
      location: Location(file: file, .line(line, column: 1)))
  }
}
