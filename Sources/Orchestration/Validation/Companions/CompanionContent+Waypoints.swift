// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnSQLiteKit
import CairnTagRules
import CairnWaypoints
import TrailData
import WaypointCollection

extension CompanionContent {
  /// The plausible elevations on land, in metres.
  private static let plausibleMetres = -1000.0...9000.0

  mutating func checkWaypointSchema() throws(CairnError) {
    try checkTable(WaypointSchema.tableName, WaypointSchema.columns)
    try checkTable(PublishedWaypoints.kindsName, ["id", "kind", "osm"])
    try checkTable(PublishedWaypoints.metadataName, ["key", "value"])
    try checkIndex("idx_waypoints_hike")
    try checkIndex("idx_waypoints_location")
    try checkVersion(WaypointSchema.version)
  }

  /// Checks all waypoints; returns their number.
  mutating func checkWaypoints() throws(CairnError) -> Int {
    typealias Key = PublishedWaypoints.Key
    let metadata = try metadata(
      PublishedWaypoints.metadataName,
      required: [
        Key.version, Key.attribution, Key.licence, Key.osmDataDate,
        PublishedWaypoints.waypointCount,
      ])
    let count = Int(clamping: try connection.integer("SELECT count(*) FROM waypoints") ?? 0)
    checkCount(
      PublishedWaypoints.waypointCount, metadata[PublishedWaypoints.waypointCount], is: count)
    let boxes = boxes(
      metadata[Key.boundingBox], region: metadata[Key.region], isEmpty: count == 0)
    let rows = try connection.prepare(
      """
      SELECT w.id, latitude, longitude, altitude, timestamp, label, category, has_photo,
        photo_data IS NULL AND photo_thumbnail IS NULL, kind, osm
      FROM waypoints w LEFT JOIN waypoint_kinds k ON k.id = w.id
      """)
    // All have the same time.
    var exactTime = ""
    while try rows.step() {
      let id = rows.text(0) ?? ""
      checkIdentity(id, object: rows.text(10))
      checkPosition(rows.number(1), rows.number(2), in: boxes, id)
      checkKind(id, rows.text(9), category: rows.text(6) ?? "")
      let isPlain = rows.integer(7) == 0 && rows.integer(8) == 1
      let metres = rows.number(3)
      if rows.withText(5, { $0?.isEmpty ?? true }) { add(.waypointTexts, "\(id) has no label") }
      if !isPlain { add(.waypointTexts, "\(id) has a photo") }
      if !rows.isNull(3), !Self.plausibleMetres.contains(metres) {
        add(.waypointTexts, "\(id) has an elevation of \(metres) m")
      }
      let time = rows.text(4) ?? ""
      if time != exactTime, isExact(id, time) { exactTime = time }
    }
    let kinds = Int(clamping: try connection.integer("SELECT count(*) FROM waypoint_kinds") ?? 0)
    if kinds != count {
      add(.waypointKinds, "\(grouped(kinds)) kinds for \(grouped(count)) waypoints")
    }
    return count
  }

  private mutating func checkIdentity(_ id: String, object: String?) {
    guard let object, let letter = object.first, let number = Int64(object.dropFirst()),
      let type = OSMObjectType.allCases.first(where: { $0.letter == letter })
    else { return add(.waypointIDs, "\(id) has no object") }
    if WaypointID.uuid(type, number) != id { add(.waypointIDs, "\(id) is not the id of \(object)") }
  }

  private mutating func checkKind(_ id: String, _ name: String?, category: String) {
    guard let name, let kind = PointKind(rawValue: name) else {
      return add(.waypointKinds, "\(id) has the kind “\((name ?? "").prefix(40))”")
    }
    if kind.category.rawValue != category {
      add(.waypointKinds, "\(id), a \(name), has the category “\(category.prefix(40))”")
    }
  }

  /// Checks a time; whether it is right.
  private mutating func isExact(_ id: String, _ text: String) -> Bool {
    let isExact = parsedTimestamp(text).flatMap(timestampText) == text
    if !isExact { add(.waypointTexts, "\(id) has the time “\(text.prefix(40))”") }
    return isExact
  }
}
