// SPDX-License-Identifier: Apache-2.0

/// Reads comma-separated values by RFC 4180: quoted fields may contain commas, line breaks and
/// doubled quotation marks. Lines end with CR LF, LF or CR. Spreadsheets also separate values by
/// semicolons or tabs.
struct CSVReader {
  /// The fields between two line breaks.
  struct Record {
    /// The line that it begins on, counted from 1.
    var line: Int
    /// At least one.
    var fields: [String]

    /// Whether all fields are empty: spreadsheets write such rows as lines of separators, of whichever
    /// kind.
    var isBlank: Bool {
      fields.allSatisfy { $0.allSatisfy { $0.isWhitespace || ",;".contains($0) } }
    }
  }

  /// Far more columns than any table of waypoints has.
  private static let maximumFields = 1000

  private let bytes: [UInt8]
  private let separator: UInt8
  private var index = 0
  private var line = 1

  /// - Parameter text: UTF-8, see ``utf8(_:)``.
  init(_ text: [UInt8], separator: Unicode.Scalar) {
    bytes = text
    self.separator = UInt8(ascii: separator)
  }

  /// The next record that is not blank; nil at the end. Throws for an unclosed quotation mark.
  mutating func record() throws(WaypointImport.Failure) -> Record? {
    var record = try anyRecord()
    while record?.isBlank == true { record = try anyRecord() }
    return record
  }

  private mutating func anyRecord() throws(WaypointImport.Failure) -> Record? {
    guard index < bytes.count else { return nil }
    var record = Record(line: line, fields: [])
    while true {
      record.fields.append(try field())
      guard record.fields.count <= Self.maximumFields else {
        throw .init(line: line, reason: "has more than \(Self.maximumFields) fields")
      }
      guard index < bytes.count else { return record }
      let byte = bytes[index]
      index += 1
      guard byte != separator else { continue }
      // A line break.
      if byte == UInt8(ascii: "\r"), index < bytes.count, bytes[index] == UInt8(ascii: "\n") {
        index += 1
      }
      line += 1
      return record
    }
  }

  /// Whether a field without quotation marks ends before the current byte.
  private var isAtEnd: Bool { bytes[index] == separator || "\r\n".utf8.contains(bytes[index]) }

  /// Reads up to a separator or a line break.
  private mutating func field() throws(WaypointImport.Failure) -> String {
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
      let start = index
      while index < bytes.count, !isAtEnd { index += 1 }
      return String(decoding: bytes[start..<index], as: UTF8.self)
    }
    let first = line
    index += 1
    var content: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\"") {
        if index < bytes.count, bytes[index] == byte {
          index += 1
        } else {
          try endOfField()
          return String(decoding: content, as: UTF8.self)
        }
      }
      if byte == UInt8(ascii: "\n") { line += 1 }
      content.append(byte)
    }
    throw .init(line: first, reason: "a quotation mark is not closed")
  }

  private func endOfField() throws(WaypointImport.Failure) {
    guard index < bytes.count, !isAtEnd else { return }
    throw .init(line: line, reason: "text follows a closing quotation mark")
  }
}

extension CSVReader {
  /// The text of a file as UTF-8 without a byte order mark, from UTF-8, or from UTF-16 with such a
  /// mark. Throws for other encodings: their bytes do not tell which one it is.
  static func utf8(_ file: [UInt8]) throws(WaypointImport.Failure) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(file.count)
    var isBroken: Bool
    let isLittleEndian = file.starts(with: [0xFF, 0xFE])
    if isLittleEndian || file.starts(with: [0xFE, 0xFF]) {
      let units = stride(from: 2, to: file.count - 1, by: 2).lazy.map { index in
        let (first, second) = (UInt16(file[index]), UInt16(file[index + 1]))
        return isLittleEndian ? second << 8 | first : first << 8 | second
      }
      isBroken = transcode(
        units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true
      ) { text.append($0) }
      isBroken = isBroken || !file.count.isMultiple(of: 2)
    } else {
      let mark = file.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      isBroken = transcode(
        file[mark...].makeIterator(), from: UTF8.self, to: UTF8.self, stoppingOnError: true
      ) { text.append($0) }
    }
    let lineBreak = UInt8(ascii: "\n")
    // UTF-16 without a mark, and UTF-32, have zeros in every line.
    guard !isBroken, !text.prefix(while: { $0 != lineBreak }).contains(0) else {
      throw .init(
        line: isBroken ? 1 + text.count { $0 == lineBreak } : nil,
        reason: "is in another encoding than UTF-8: save the table as UTF-8")
    }
    return text
  }
}
