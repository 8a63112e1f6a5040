// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import SystemIO

extension CairnError.Code {
  /// A line of a list of points cannot be read.
  package static let badPoints: Self = "bad-places"
}

/// A CSV file with one or two points per line, `LAT,LON` or `LAT,LON,LAT,LON` in degrees, after an
/// optional header. Empty lines are skipped.
package struct PointList {
  /// A line of the list.
  package struct Line {
    /// The line number in the file, from 1.
    package var number: Int
    /// Its points, the same number on each line.
    package var points: [Coordinate]
  }

  /// The largest list that is read, in bytes: about ten million pairs.
  package static let limitBytes = 1 << 30
  /// The number of bad lines reported.
  static let maximumErrors = 10

  /// The lines with points.
  package private(set) var lines: [Line] = []
  private let columns: Int
  private let file: String

  /// Reads a file. Throws 66 if it does not exist, and 65 with line and column for lines that do
  /// not have exactly this many points.
  package init(_ path: String, pointsPerLine: Int) throws(CairnError) {
    try self.init(
      text: try InputFile(path).readAll(limit: Self.limitBytes), file: path,
      pointsPerLine: pointsPerLine)
  }

  /// Reads the text of a file.
  package init(text: [UInt8], file: String, pointsPerLine: Int) throws(CairnError) {
    columns = 2 * pointsPerLine
    self.file = file
    var errors: [CairnError] = []
    var number = 0
    var isFirst = true
    for bytes in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      var line = bytes
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      guard line.contains(where: { $0 != UInt8(ascii: " ") }) else { continue }
      do throws(CairnError) {
        lines.append(Line(number: number, points: try points(line, number)))
      } catch {
        if !isFirst || !isHeader(line) { errors.append(error) }
        guard errors.count < Self.maximumErrors else { break }
      }
      isFirst = false
    }
    guard var first = errors.first else { return }
    first.further = Array(errors.dropFirst())
    throw first
  }

  /// Whether a first line names the columns: as many words as a line has numbers. A line of numbers
  /// separated by something else is an error, and so is `nan,nan`.
  private func isHeader(_ line: ArraySlice<UInt8>) -> Bool {
    let cells = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    return cells.count == columns
      && cells.allSatisfy { cell in
        let word = Self.text(cell)
        return word.first { $0 != "\"" }?.isLetter == true && Double(word) == nil
          && !word.contains { "\t;".contains($0) }
      }
  }

  private static func text(_ cell: ArraySlice<UInt8>) -> String {
    String(decoding: cell, as: UTF8.self).filter { $0 != " " && $0 != "\u{FEFF}" }
  }

  private func points(_ line: ArraySlice<UInt8>, _ number: Int) throws(CairnError)
    -> [Coordinate]
  {
    let names = Array(repeating: "LAT,LON", count: columns / 2).joined(separator: ",")
    func failure(_ message: String, at index: Int) -> CairnError {
      CairnError(
        .badPoints, .dataError, message,
        at: Location(file: file, .line(number, column: index - line.startIndex + 1)),
        hint: "each line must be \(names) in degrees, separated by commas")
    }
    let cells = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    var values: [Double] = []
    for (column, cell) in cells.enumerated() {
      let count = columns == 4 ? "four" : "two"
      guard column < columns else {
        throw failure("has more than \(count) columns", at: cell.startIndex)
      }
      guard let value = decimalNumber(Self.text(cell)) else {
        throw failure(
          "“\(String(decoding: cell.prefix(40), as: UTF8.self))” is not a number",
          at: cell.startIndex)
      }
      let limit = column % 2 == 0 ? 90.0 : 180.0
      guard abs(value) <= limit else {
        let name = column % 2 == 0 ? "latitude" : "longitude"
        throw failure("\(value) is not a \(name)", at: cell.startIndex)
      }
      values.append(value)
    }
    guard values.count == columns else {
      let count = columns == 4 ? "four" : "two"
      throw failure("has \(values.count) columns, not \(count)", at: line.endIndex)
    }
    return stride(from: 0, to: columns, by: 2).map {
      Coordinate(latitude: values[$0], longitude: values[$0 + 1])
    }
  }
}
