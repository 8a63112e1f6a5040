// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Formatting
import Waypoints

/// Waypoints as a table or as JSON.
struct WaypointListing {
  private struct Row: Encodable {
    var id: String
    var latitude: Double
    var longitude: Double
    var altitude: Nullable<Double>
    var timestamp: Nullable<String>
    var label: String
    var category: String
    var note: String
    var hasPhoto: Bool
    var hikeId: Nullable<String>
    var distanceMetres: Double?
  }

  let waypoints: [Waypoint]
  /// Metres from a point that was asked for, if one was.
  var distances: [Double]?

  func text(asJSON: Bool) throws(CairnError) -> String {
    asJSON ? String(decoding: try encodeJSON(rows), as: UTF8.self) : table
  }

  private var rows: [Row] {
    waypoints.enumerated().map { index, waypoint in
      Row(
        id: waypoint.id.uuidString, latitude: waypoint.latitude, longitude: waypoint.longitude,
        altitude: Nullable(waypoint.altitude),
        timestamp: Nullable(timestampText(waypoint.timestamp)), label: waypoint.label,
        category: waypoint.category.rawValue, note: waypoint.note, hasPhoto: waypoint.hasPhoto,
        hikeId: Nullable(waypoint.hikeId?.uuidString),
        distanceMetres: distances.map { tenths($0[index]) })
    }
  }

  private var table: String {
    let rows = waypoints.enumerated().map { index, waypoint in
      [
        String(waypoint.id.uuidString.prefix(8)),
        String((timestampText(waypoint.timestamp) ?? "").prefix(10)), waypoint.category.rawValue,
        "\(decimal(waypoint.latitude, 5)),\(decimal(waypoint.longitude, 5))",
        waypoint.altitude.map { metres($0) } ?? "–", distances.map { metres($0[index]) } ?? "",
        waypoint.hasPhoto ? "photo" : "", printable(waypoint.label),
      ]
    }
    let columns: [TextTable.Alignment] = [
      .left, .left, .left, .left, .right, .right, .left, .left,
    ]
    return TextTable(columns, rows: rows).fitting(Console.columns).text
  }
}
