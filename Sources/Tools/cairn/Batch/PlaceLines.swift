// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import SystemIO

extension CairnError.Code {
  /// A line of a list of places is none.
  static let badPlaces: Self = "bad-places"
}

/// A list of places, so many a line: `LAT,LON` or `LAT,LON,LAT,LON` in degrees, and before them a
/// header if there is one. Empty lines do not count.
struct PlaceLines {
  /// A line of the list.
  struct Line {
    /// The number of the line, from 1.
    var number: Int
    var places: [Coordinate]
  }

  /// The largest list that is read, in bytes: some ten million pairs.
  static let limitBytes = 1 << 30
  /// How many bad lines are told.
  static let mostErrors = 10

  private(set) var lines: [Line] = []
  private let columns: Int
  private let file: String

  /// Reads a file. Throws 66 if it is not there, and 65 for lines that are not so many places,
  /// each with its line and column.
  init(_ path: String, placesPerLine: Int) throws(CairnError) {
    try self.init(
      text: try InputFile(path).readAll(limit: Self.limitBytes), file: path,
      placesPerLine: placesPerLine)
  }

  /// Reads the text of a file.
  init(text: [UInt8], file: String, placesPerLine: Int) throws(CairnError) {
    columns = 2 * placesPerLine
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
        lines.append(Line(number: number, places: try places(line, number)))
      } catch {
        // A header has no number in any column.
        if !isFirst || !Self.isHeader(line) { errors.append(error) }
        guard errors.count < Self.mostErrors else { break }
      }
      isFirst = false
    }
    guard var first = errors.first else { return }
    first.further = Array(errors.dropFirst())
    throw first
  }

  private static func isHeader(_ line: ArraySlice<UInt8>) -> Bool {
    line.split(separator: UInt8(ascii: ",")).allSatisfy { number($0) == nil }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Double? {
    let text = String(decoding: bytes, as: UTF8.self).filter { $0 != " " && $0 != "\u{FEFF}" }
    // Swift would read `inf` and `0x1p3` as numbers as well.
    guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
    return Double(text)
  }

  private func places(_ line: ArraySlice<UInt8>, _ number: Int) throws(CairnError)
    -> [Coordinate]
  {
    let names = Array(repeating: "LAT,LON", count: columns / 2).joined(separator: ",")
    func failure(_ message: String, at index: Int) -> CairnError {
      CairnError(
        .badPlaces, .dataError, message,
        at: Location(file: file, .line(number, column: index - line.startIndex + 1)),
        hint: "a line is \(names) in degrees")
    }
    let cells = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    var values: [Double] = []
    for (place, cell) in cells.enumerated() {
      let count = columns == 4 ? "four" : "two"
      guard place < columns else {
        throw failure("has more than \(count) columns", at: cell.startIndex)
      }
      guard let value = Self.number(cell) else {
        throw failure(
          "“\(String(decoding: cell.prefix(40), as: UTF8.self))” is no number", at: cell.startIndex)
      }
      let limit = place % 2 == 0 ? 90.0 : 180.0
      guard abs(value) <= limit else {
        let name = place % 2 == 0 ? "latitude" : "longitude"
        throw failure("\(value) is no \(name)", at: cell.startIndex)
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
