// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Waypoints as a table: comma-separated values by RFC 4180 in UTF-8, with a header. Tables of
/// spreadsheets are read, too: in UTF-16, separated by semicolons or tabs, with decimal commas.
public enum WaypointCSV {
  /// Larger files are not read.
  public static let maximumBytes = 64 << 20

  /// The header of the tables that are written.
  package static let header =
    "id,latitude,longitude,altitude,timestamp,label,category,note,hike_id\r\n"

  /// Waypoints as text: a header, then a line each.
  public static func text(_ waypoints: [Waypoint]) -> String {
    var text = header
    for waypoint in waypoints {
      let fields = [
        waypoint.id.uuidString, exactDecimal(waypoint.latitude), exactDecimal(waypoint.longitude),
        waypoint.altitude.map(exactDecimal) ?? "", timestampText(waypoint.timestamp) ?? "",
        waypoint.label, waypoint.category.rawValue, waypoint.note,
        waypoint.hikeId?.uuidString ?? "",
      ]
      text += fields.map(quoted).joined(separator: ",") + "\r\n"
    }
    return text
  }

  /// A field, quoted if necessary.
  package static func quoted(_ field: String) -> String {
    guard field.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return field }
    return "\"" + field.replacing(scalar: "\"", with: "\"\"") + "\""
  }

  /// The names under which columns are found.
  private static let names: [(column: String, others: [String])] = [
    ("id", ["uuid"]), ("latitude", ["lat", "y"]), ("longitude", ["lon", "lng", "long", "x"]),
    ("altitude", ["ele", "elevation"]), ("timestamp", ["time", "date"]),
    ("label", ["name", "title"]), ("category", ["type", "sym", "symbol"]),
    ("note", ["description", "desc", "comment"]), ("hike_id", ["hikeid", "hike"]),
  ]

  /// Reads a table whose header names at least latitude and longitude, also as `lat` and `lon`.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file.
  ///   - fallback: The time of waypoints without one.
  ///
  /// Throws ``WaypointImport/Failure`` with the line.
  public static func read(_ bytes: [UInt8], fallback: Date) throws(WaypointImport.Failure)
    -> WaypointImport
  {
    guard bytes.count <= maximumBytes else {
      throw .init(line: nil, reason: "has more than \(grouped(maximumBytes)) bytes")
    }
    let text = try CSVReader.utf8(bytes)
    var (reader, header, columns) = try beginning(text)
    var result = WaypointImport()
    while let record = try reader.record() {
      guard record.fields.count <= header.fields.count else {
        throw .init(
          line: record.line,
          reason: "has \(record.fields.count) fields, the header \(header.fields.count)")
      }
      try result.add(Row(record: record, columns: columns), fallback)
    }
    return result
  }

  /// Commas come last: the error of a table with none of them is theirs.
  private static let separators: [Unicode.Scalar] = ["\t", ";", ","]

  /// Reads the header, with the first separator that gives the columns that are needed.
  private static func beginning(_ text: [UInt8]) throws(WaypointImport.Failure)
    -> (reader: CSVReader, header: CSVReader.Record, columns: [String: Int])
  {
    var failure = WaypointImport.Failure(line: nil, reason: "is empty")
    for separator in separators {
      do throws(WaypointImport.Failure) {
        var reader = CSVReader(text, separator: separator)
        guard let header = try reader.record() else { continue }
        let columns = columns(header)
        if columns["latitude"] != nil, columns["longitude"] != nil {
          return (reader, header, columns)
        }
        failure = .init(
          line: header.line,
          reason: "the header must name the columns latitude and longitude, separated by commas, "
            + "semicolons or tabs")
      } catch { failure = error }
    }
    throw failure
  }

  private static func columns(_ header: CSVReader.Record) -> [String: Int] {
    var columns: [String: Int] = [:]
    for (index, field) in header.fields.enumerated() {
      let word = field.lowercased().filter { !$0.isWhitespace }
      let name = names.first { $0.column == word || $0.others.contains(word) }?.column
      if let name, columns[name] == nil { columns[name] = index }
    }
    return columns
  }

  /// A line of the table.
  fileprivate struct Row {
    let record: CSVReader.Record
    let columns: [String: Int]

    subscript(_ name: String) -> String {
      guard let index = columns[name], index < record.fields.count else { return "" }
      return record.fields[index]
    }

    /// Whether the row has decimal commas, which nothing but its coordinates can tell.
    var hasDecimalCommas: Bool {
      [self["latitude"], self["longitude"]].contains { $0.contains(",") }
    }

    /// A number; nil if it is none.
    func number(_ name: String) -> Double? {
      let text = self[name]
      guard hasDecimalCommas else { return decimalNumber(text) }
      // A point may separate thousands there.
      guard !text.contains(".") else { return nil }
      return decimalNumber(text.replacing(scalar: ",", with: "."))
    }
  }
}

extension WaypointImport {
  fileprivate mutating func add(_ row: WaypointCSV.Row, _ fallback: Date) throws(Failure) {
    guard let latitude = row.number("latitude"), let longitude = row.number("longitude"),
      case let coordinate = Coordinate(latitude: latitude, longitude: longitude),
      coordinate.isValid
    else {
      throw Failure(
        line: row.record.line,
        reason: "latitude (-90 to 90) and longitude (-180 to 180) must be numbers of degrees")
    }
    let altitude = row.number("altitude").flatMap { $0.isFinite ? $0 : nil }
    if altitude == nil, !row["altitude"].isEmpty { remark("altitudes that are not numbers") }
    add(
      Entry(
        id: UUID(uuidString: row["id"]), coordinate: coordinate, altitude: altitude,
        timestamp: parsedTimestamp(row["timestamp"]), label: row["label"],
        category: WaypointCategory(word: row["category"]), note: row["note"],
        hikeId: UUID(uuidString: row["hike_id"])), fallback: fallback)
  }
}
