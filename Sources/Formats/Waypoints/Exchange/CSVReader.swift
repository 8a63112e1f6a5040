// SPDX-License-Identifier: Apache-2.0

/// Reads comma-separated values by RFC 4180: quoted fields may contain commas, line breaks and
/// doubled quotation marks. Lines end with CR LF, LF or CR; a byte order mark is skipped.
struct CSVReader {
  /// The fields between two line breaks.
  struct Record {
    /// The line that it begins on, counted from 1.
    var line: Int
    /// At least one.
    var fields: [String]
  }

  /// Far more columns than any table of waypoints has.
  private static let maximumFields = 1000

  private let bytes: [UInt8]
  private var index = 0
  private var line = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  /// The next record; nil at the end. Throws for an unclosed quotation mark.
  mutating func record() throws(WaypointImport.Failure) -> Record? {
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
      guard byte != UInt8(ascii: ",") else { continue }
      // A line break.
      if byte == UInt8(ascii: "\r"), index < bytes.count, bytes[index] == UInt8(ascii: "\n") {
        index += 1
      }
      line += 1
      return record
    }
  }

  /// Reads up to a comma or a line break.
  private mutating func field() throws(WaypointImport.Failure) -> String {
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
      let start = index
      while index < bytes.count, !",\r\n".utf8.contains(bytes[index]) { index += 1 }
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
    guard index < bytes.count, !",\r\n".utf8.contains(bytes[index]) else { return }
    throw .init(line: line, reason: "text follows a closing quotation mark")
  }
}
