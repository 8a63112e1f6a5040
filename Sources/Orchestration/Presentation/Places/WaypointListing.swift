// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnWaypoints
import CommandLineKit
import FoundationEssentials

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
    var kind: Nullable<String>
    var osm: Nullable<String>
    var note: String
    var hasPhoto: Bool
    var hikeId: Nullable<String>
    var distanceMetres: Double?
  }

  private let waypoints: [Waypoint]
  private let distances: [Double]?
  private let origins: [UUID: PublishedWaypoints.Origin]

  /// Lists some waypoints.
  ///
  /// - Parameters:
  ///   - origins: What those of a published database are.
  ///   - distances: Metres of each from a requested point, if any.
  package init(
    _ waypoints: [Waypoint], origins: [UUID: PublishedWaypoints.Origin] = [:],
    distances: [Double]? = nil
  ) {
    self.waypoints = waypoints
    self.origins = origins
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
        category: waypoint.category.rawValue, kind: Nullable(origins[waypoint.id]?.kind),
        osm: Nullable(origins[waypoint.id]?.object), note: waypoint.note,
        hasPhoto: waypoint.hasPhoto,
        hikeId: Nullable(waypoint.hikeId?.uuidString),
        distanceMetres: distances.map { tenths($0[index]) })
    }
  }

  /// A table.
  ///
  /// - Parameter columns: The width of the terminal; nil without one.
  package func text(columns: Int?) -> String {
    let ids = shortIDs
    let rows = waypoints.enumerated().map { index, waypoint in
      [
        origins[waypoint.id]?.object ?? ids[index],
        String((timestampText(waypoint.timestamp) ?? "").prefix(10)),
        origins[waypoint.id]?.kind ?? waypoint.category.rawValue,
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

  /// The beginnings of the ids, as long as it takes to tell them apart, and of 8 characters or more.
  private var shortIDs: [String] {
    let whole = waypoints.map(\.id.uuidString)
    let length = (8...36).first { length in
      Set(whole.map { $0.prefix(length) }).count == Set(whole).count
    }
    return whole.map { String($0.prefix(length ?? 36)) }
  }
}
