// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import SystemIO

extension CairnError.Code {
  /// A line of a list of pairs is none.
  static let badPair: Self = "bad-pair"
}

/// A list of starts and ends: lines `LAT,LON,LAT,LON` in degrees, and before them a header if
/// there is one. Empty lines do not count.
struct RoutePairs {
  /// A line of the list.
  struct Pair {
    /// The number of the line, from 1.
    var line: Int
    var start: Coordinate
    var end: Coordinate
  }

  /// The largest list that is read, in bytes: some ten million pairs.
  static let limitBytes = 1 << 30
  /// How many bad lines are told.
  static let mostErrors = 10

  private(set) var pairs: [Pair] = []

  /// Reads a file. Throws 66 if it is not there, and 65 for lines that are no pairs, each with its
  /// line and column.
  init(_ path: String) throws(CairnError) {
    try self.init(text: try InputFile(path).readAll(limit: Self.limitBytes), file: path)
  }

  /// Reads the text of a file.
  init(text: [UInt8], file: String) throws(CairnError) {
    var errors: [CairnError] = []
    var number = 0
    var isFirst = true
    for bytes in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      var line = bytes
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      guard line.contains(where: { $0 != UInt8(ascii: " ") }) else { continue }
      do throws(CairnError) {
        pairs.append(try Self.pair(line, number, file))
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

  private static func pair(_ line: ArraySlice<UInt8>, _ number: Int, _ file: String)
    throws(CairnError) -> Pair
  {
    func failure(_ message: String, at index: Int) -> CairnError {
      CairnError(
        .badPair, .dataError, message,
        at: Location(file: file, .line(number, column: index - line.startIndex + 1)),
        hint: "a line is LAT,LON,LAT,LON in degrees")
    }
    let cells = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    var values: [Double] = []
    for (place, cell) in cells.enumerated() {
      guard place < 4 else { throw failure("has more than four columns", at: cell.startIndex) }
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
    guard values.count == 4 else {
      throw failure("has \(values.count) columns, not four", at: line.endIndex)
    }
    return Pair(
      line: number, start: Coordinate(latitude: values[0], longitude: values[1]),
      end: Coordinate(latitude: values[2], longitude: values[3]))
  }
}
