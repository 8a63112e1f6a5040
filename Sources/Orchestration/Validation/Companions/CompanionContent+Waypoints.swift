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

  private static let columns = [
    "rowid", "id", "latitude", "longitude", "altitude", "timestamp", "label", "category",
    "has_photo", "photo_data", "photo_thumbnail",
  ]

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
    var kinds = try WaypointKinds(connection)
    // All have the same time.
    var exactTime: [UInt8] = []
    try connection.scan(Self.columns, from: "waypoints", orderedBy: "rowid") {
      row throws(CairnError) in
      let (kind, object) = try kinds.next(row)
      func id() -> String { row.text(1) ?? "" }
      checkIdentity(row, object: object, id())
      checkPosition(row.number(2), row.number(3), in: boxes, id())
      checkKind(kind, category: row.text(7) ?? "", id())
      let isPlain = row.integer(8) == 0 && row.isNull(9) && row.isNull(10)
      if row.blob(6).isEmpty { add(.waypointTexts, "\(id()) has no label") }
      if !isPlain { add(.waypointTexts, "\(id()) has a photo") }
      if !row.isNull(4), !Self.plausibleMetres.contains(row.number(4)) {
        add(.waypointTexts, "\(id()) has an elevation of \(row.number(4)) m")
      }
      let isKnown = exactTime.withUnsafeBytes { row.isText(5, $0) }
      if !isKnown, isExact(row.text(5) ?? "", id()) { exactTime = Array(row.blob(5)) }
    }
    let listed = Int(clamping: try connection.integer("SELECT count(*) FROM waypoint_kinds") ?? 0)
    if listed != count {
      add(.waypointKinds, "\(grouped(listed)) kinds for \(grouped(count)) waypoints")
    }
    return count
  }

  private mutating func checkIdentity(
    _ row: SQLiteRow, object: String?, _ id: @autoclosure () -> String
  ) {
    guard let object, let letter = object.utf8.first,
      let type = OSMObjectType.allCases.first(where: { $0.asciiLetter == letter }),
      let number = Int64(Substring(object.utf8.dropFirst()))
    else { return add(.waypointIDs, "\(id()) has no object") }
    var uuid = WaypointID.uuid(type, number)
    if !uuid.withUTF8({ row.isText(1, UnsafeRawBufferPointer($0)) }) {
      add(.waypointIDs, "\(id()) is not the id of \(object)")
    }
  }

  private mutating func checkKind(
    _ name: String?, category: String, _ id: @autoclosure () -> String
  ) {
    guard let name, let kind = PointKind(rawValue: name) else {
      return add(.waypointKinds, "\(id()) has the kind “\((name ?? "").prefix(40))”")
    }
    if kind.category.rawValue != category {
      add(.waypointKinds, "\(id()), a \(name), has the category “\(category.prefix(40))”")
    }
  }

  /// Checks a time; whether it is right.
  private mutating func isExact(_ text: String, _ id: @autoclosure () -> String) -> Bool {
    let isExact = parsedTimestamp(text).flatMap(timestampText) == text
    if !isExact { add(.waypointTexts, "\(id()) has the time “\(text.prefix(40))”") }
    return isExact
  }
}

/// The kinds and objects of one waypoint after another.
private struct WaypointKinds {
  /// All, by id, as Cairn writes the waypoints, too.
  private let all: SQLiteStatement
  /// Those of one row.
  private let ofRow: SQLiteStatement
  private var isAtEnd = false

  init(_ connection: SQLiteConnection) throws(CairnError) {
    all = try connection.prepare("SELECT id, kind, osm FROM waypoint_kinds ORDER BY id")
    ofRow = try connection.prepare(
      """
      SELECT k.id, kind, osm FROM waypoints w JOIN waypoint_kinds k ON k.id = w.id
      WHERE w.rowid = ?
      """)
  }

  /// The kind and the object of a row that begins with its row id and the id of the waypoint; nil if
  /// there are none.
  mutating func next(_ row: SQLiteRow) throws(CairnError) -> (kind: String?, object: String?) {
    if !isAtEnd { isAtEnd = try !all.step() }
    if !isAtEnd, all.isText(0), all.withText(0, { $0.map { row.isText(1, $0) } ?? false }) {
      return (all.text(1), all.text(2))
    }
    ofRow.reset()
    try ofRow.bind(1, row.integer(0))
    let isThere = try ofRow.step()
    return isThere ? (ofRow.text(1), ofRow.text(2)) : (nil, nil)
  }
}
