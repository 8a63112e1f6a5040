// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnWaypoints
import CommandLineKit

/// Waypoints as a table or as JSON.
package struct WaypointListing {
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

  private let waypoints: [Waypoint]
  private let distances: [Double]?

  /// Lists some waypoints.
  ///
  /// - Parameter distances: Metres of each from a requested point, if any.
  package init(_ waypoints: [Waypoint], distances: [Double]? = nil) {
    self.waypoints = waypoints
    self.distances = distances
  }

  /// An array of objects.
  package func json() throws(CairnError) -> String {
    String(decoding: try encodeJSON(rows), as: UTF8.self)
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

  /// A table.
  ///
  /// - Parameter columns: The width of the terminal; nil without one.
  package func text(columns: Int?) -> String {
    let rows = waypoints.enumerated().map { index, waypoint in
      [
        String(waypoint.id.uuidString.prefix(8)),
        String((timestampText(waypoint.timestamp) ?? "").prefix(10)), waypoint.category.rawValue,
        "\(decimal(waypoint.latitude, 5)),\(decimal(waypoint.longitude, 5))",
        waypoint.altitude.map { metres($0) } ?? "–", distances.map { metres($0[index]) } ?? "",
        waypoint.hasPhoto ? "photo" : "", printable(waypoint.label),
      ]
    }
    let alignments: [TextTable.Alignment] = [
      .left, .left, .left, .left, .right, .right, .left, .left,
    ]
    return TextTable(alignments, rows: rows).fitting(columns).text
  }
}
