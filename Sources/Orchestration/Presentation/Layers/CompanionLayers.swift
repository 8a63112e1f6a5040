// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnPlaceDatabase
import CairnSQLiteKit
import CairnWaypoints

/// The layers of the databases next to a routing database.
package enum CompanionLayers {
  /// One point for each waypoint of a `.waypoints.db`.
  package static func pois(_ path: String) throws(CairnError) -> FeatureLayer {
    let connection = try SQLiteConnection(path, .readOnly)
    guard try connection.columns(ofTable: WaypointSchema.tableName) != nil else {
      throw CairnError(
        "waypoints", .dataError, "is not a database of waypoints", at: Location(file: path))
    }
    let hasKinds = try connection.columns(ofTable: PublishedWaypoints.kindsName) != nil
    return FeatureLayer(
      name: "pois", summary: "Waypoints of the region", shape: .point,
      columns: ["id", "name", "category", "kind", "note", "osm"].map { .init($0, .text) }
        + [.init("elevation_m", .real)]
    ) { body throws(CairnError) in
      let row = try connection.prepare(
        """
        SELECT w.id, w.label, w.category, \(hasKinds ? "k.kind" : "NULL"), w.note, \
        \(hasKinds ? "k.osm" : "NULL"), w.altitude, w.latitude, w.longitude FROM waypoints w \
        \(hasKinds ? "LEFT JOIN \(PublishedWaypoints.kindsName) k ON k.id = w.id" : "") \
        ORDER BY w.id
        """)
      var id: Int64 = 0
      while try row.step() {
        id += 1
        let place = Coordinate(latitude: row.number(7), longitude: row.number(8))
        guard row.isNumber(7), row.isNumber(8), place.isValid else {
          throw damage(path, "waypoint \(printable(row.text(0) ?? "")) is nowhere")
        }
        let texts = (0..<6).map { row.text($0).flatMap { $0.isEmpty ? nil : $0 } }
        try body(
          .init(
            id: id, lines: [[place]],
            values: texts.map { .text(orNull: $0) }
              + [row.isNumber(6) ? .finite(row.number(6)) : .null]))
      }
    }
  }

  /// The lines of each waymarked route of a `.places.db`.
  package static func routes(_ path: String) throws(CairnError) -> FeatureLayer {
    let connection = try SQLiteConnection(path, .readOnly)
    let columns = try connection.columns(ofTable: PlaceSchema.Table.routes.name)
    guard let columns else {
      throw CairnError(
        "places", .dataError, "is not a database of places", at: Location(file: path))
    }
    return FeatureLayer(
      name: "routes", summary: "Waymarked routes of the region", shape: .lines,
      columns: ["osm", "kind", "name", "ref", "network", "from", "to"].map { .init($0, .text) }
        + [.init("length_m", .real), .init("tagged_m", .real)]
    ) { body throws(CairnError) in
      let lines = try routeLines(connection, path)
      let row = try connection.prepare(
        """
        SELECT p.id, p.osm, p.kind, p.name, r.ref, r.network, r."from", r."to", p.length, \
        \(columns.contains("tagged") ? "r.tagged" : "NULL") FROM places p \
        JOIN place_routes r ON r.place = p.id ORDER BY p.id
        """)
      while try row.step() {
        let numbers = [Int32(8), 9].map { column -> FeatureLayer.Value in
          row.isNumber(column) ? .finite(row.number(column)) : .null
        }
        try body(
          .init(
            id: row.integer(0), lines: lines[row.integer(0)] ?? [],
            values: (1..<8).map { .text(orNull: row.text($0)) } + numbers))
      }
    }
  }

  /// The pieces of the lines of all routes, as stored.
  private static func routeLines(_ connection: SQLiteConnection, _ path: String)
    throws(CairnError) -> [Int64: [[Coordinate]]]
  {
    var routes: Set<Int64> = []
    let route = try connection.prepare("SELECT place FROM place_routes")
    while try route.step() { routes.insert(route.integer(0)) }
    var lines: [Int64: [[Coordinate]]] = [:]
    let row = try connection.prepare(
      "SELECT cell, places, points FROM place_lines ORDER BY cell, part")
    while try row.step() {
      let cell = Int(clamping: row.integer(0))
      let places = try row.withBlob(1) { bytes throws(CairnError) in
        AscendingNumbers.unpacked(bytes)
      }
      let points = try row.withBlob(2) { bytes throws(CairnError) in
        PackedLine.unpacked(bytes, cell: cell)
      }
      guard let places, let points else { throw damage(path, "a line in cell \(cell)") }
      guard points.count > 1 else { continue }
      for place in places.map({ Int64($0) }) where routes.contains(place) {
        lines[place, default: []].append(points)
      }
    }
    return lines
  }

  private static func damage(_ path: String, _ what: String) -> CairnError {
    CairnError(.damagedDatabase, .dataError, "is damaged: \(what)", at: Location(file: path))
  }
}
