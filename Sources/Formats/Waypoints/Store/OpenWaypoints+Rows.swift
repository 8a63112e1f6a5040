// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnSQLiteKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Reading and writing rows.
extension OpenWaypoints {
  private static let selection = """
    SELECT id, latitude, longitude, altitude, timestamp, label, category, note, \(photoIsThere),
      hike_id
    FROM waypoints
    """

  /// The column `has_photo` is for other readers; the photo itself counts here.
  private static let photoIsThere = "(photo_data IS NOT NULL OR photo_thumbnail IS NOT NULL)"

  func all() throws(CairnError) -> [Waypoint] {
    try sorted(rows(try connection.prepare(Self.selection)), newestFirst: true)
  }

  func waypoint(_ id: UUID) throws(CairnError) -> Waypoint? {
    let statement = try connection.prepare(Self.selection + " WHERE id = ?")
    try statement.bind(1, id.uuidString)
    return try rows(statement).first
  }

  func waypoints(ofHike hikeId: UUID) throws(CairnError) -> [Waypoint] {
    let statement = try connection.prepare(Self.selection + " WHERE hike_id = ?")
    try statement.bind(1, hikeId.uuidString)
    return sorted(try rows(statement), newestFirst: false)
  }

  /// Nearest first, then by id.
  func waypoints(within radius: Double, of centre: Coordinate) throws(CairnError) -> [Waypoint] {
    let statement = try connection.prepare(
      Self.selection + " WHERE latitude BETWEEN ? AND ? AND longitude BETWEEN ? AND ?")
    var found: [(distance: Double, waypoint: Waypoint)] = []
    // A little more than the radius, as the corners of the box are rounded.
    for box in BoundingBox.around(centre, radiusMetres: radius * 1.000_001 + 0.01) {
      statement.reset()
      try statement.bind(1, box.south)
      try statement.bind(2, box.north)
      try statement.bind(3, box.west)
      try statement.bind(4, box.east)
      for waypoint in try rows(statement) {
        let distance = haversineDistance(centre, waypoint.coordinate)
        if distance <= radius { found.append((distance, waypoint)) }
      }
    }
    found.sort {
      $0.distance == $1.distance
        ? $0.waypoint.id.uuidString < $1.waypoint.id.uuidString : $0.distance < $1.distance
    }
    return found.map(\.waypoint)
  }

  func origins() throws(CairnError) -> [UUID: PublishedWaypoints.Origin] {
    let tables = try connection.prepare(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
    try tables.bind(1, PublishedWaypoints.kindsName)
    guard try tables.step() else { return [:] }
    let rows = try connection.prepare(
      "SELECT id, kind, osm FROM \(PublishedWaypoints.kindsName)")
    var origins: [UUID: PublishedWaypoints.Origin] = [:]
    while try rows.step() {
      guard let id = rows.text(0).flatMap({ UUID(uuidString: $0) }), let kind = rows.text(1),
        let object = rows.text(2)
      else {
        throw CairnError(
          .damagedDatabase, .dataError, "a row of \(PublishedWaypoints.kindsName) is damaged")
      }
      origins[id] = .init(kind: kind, object: object)
    }
    return origins
  }

  func blob(_ column: String, of id: UUID) throws(CairnError) -> Data? {
    let statement = try connection.prepare("SELECT \(column) FROM waypoints WHERE id = ?")
    try statement.bind(1, id.uuidString)
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return try statement.withBlob(0) { Data($0) }
  }

  /// Times are parsed for comparison, since databases from elsewhere have several formats.
  private func sorted(_ waypoints: [Waypoint], newestFirst: Bool) -> [Waypoint] {
    waypoints.sorted {
      if $0.timestamp == $1.timestamp { return $0.id.uuidString < $1.id.uuidString }
      return ($0.timestamp > $1.timestamp) == newestFirst
    }
  }

  private func rows(_ statement: SQLiteStatement) throws(CairnError) -> [Waypoint] {
    var waypoints: [Waypoint] = []
    while try statement.step() { waypoints.append(try waypoint(statement)) }
    return waypoints
  }

  private func waypoint(_ row: SQLiteStatement) throws(CairnError) -> Waypoint {
    let name = row.text(0) ?? ""
    func damage(_ column: String) -> CairnError {
      CairnError(
        .damagedDatabase, .dataError, "waypoint “\(printable(name))” has a bad \(column)")
    }
    guard let id = UUID(uuidString: name) else { throw damage("id") }
    let coordinate = Coordinate(latitude: row.number(1), longitude: row.number(2))
    guard row.isNumber(1), row.isNumber(2), coordinate.isValid else { throw damage("coordinate") }
    guard row.isNull(3) || (row.isNumber(3) && row.number(3).isFinite) else {
      throw damage("altitude")
    }
    guard let timestamp = row.text(4).flatMap({ parsedTimestamp($0) }) else {
      throw damage("timestamp")
    }
    let hike = row.text(9).map { UUID(uuidString: $0) }
    if case .some(.none) = hike { throw damage("hike_id") }
    return Waypoint(
      id: id, latitude: coordinate.latitude, longitude: coordinate.longitude,
      altitude: row.isNull(3) ? nil : row.number(3), timestamp: timestamp,
      label: row.text(5) ?? "", category: WaypointCategory(named: row.text(6) ?? ""),
      note: row.text(7) ?? "", hasPhoto: row.integer(8) != 0, hikeId: hike ?? nil)
  }

  func insert(_ waypoint: Waypoint, photo: Data?, thumbnail: Data?, at now: Date)
    throws(CairnError)
  {
    let timestamp = try Self.checked(waypoint)
    // An existing photo stays.
    let statement = try connection.prepare(
      """
      INSERT INTO waypoints (id, latitude, longitude, altitude, timestamp, label, category, note,
        has_photo, hike_id, photo_data, photo_thumbnail)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT(id) DO UPDATE SET latitude = excluded.latitude, longitude = excluded.longitude,
        altitude = excluded.altitude, timestamp = excluded.timestamp, label = excluded.label,
        category = excluded.category, note = excluded.note, hike_id = excluded.hike_id,
        has_photo = max(excluded.has_photo, \(Self.photoIsThere)),
        photo_data = coalesce(excluded.photo_data, photo_data),
        photo_thumbnail = coalesce(excluded.photo_thumbnail, photo_thumbnail)
      """)
    try statement.bind(1, waypoint.id.uuidString)
    try statement.bind(2, waypoint.latitude)
    try statement.bind(3, waypoint.longitude)
    if let altitude = waypoint.altitude { try statement.bind(4, altitude) }
    try statement.bind(5, timestamp)
    try statement.bind(6, waypoint.label)
    try statement.bind(7, waypoint.category.rawValue)
    try statement.bind(8, waypoint.note)
    try statement.bind(9, photo != nil || thumbnail != nil ? Int64(1) : 0)
    if let hike = waypoint.hikeId { try statement.bind(10, hike.uuidString) }
    try bind(photo, to: 11, of: statement)
    try bind(thumbnail, to: 12, of: statement)
    try statement.step()
    try note(waypoint.id, changedAt: now)
  }

  /// Records the time of a change if the table has a column for it.
  private func note(_ id: UUID, changedAt now: Date) throws(CairnError) {
    guard hasModificationTimes, let time = timestampText(now) else { return }
    let statement = try connection.prepare(
      "UPDATE waypoints SET \(WaypointSchema.modificationTime) = ? WHERE id = ?")
    try statement.bind(1, time)
    try statement.bind(2, id.uuidString)
    try statement.step()
  }

  private func bind(_ data: Data?, to parameter: Int32, of statement: SQLiteStatement)
    throws(CairnError)
  {
    guard let data else { return }
    let bytes = [UInt8](data)
    try bytes.withUnsafeBufferPointer { bytes throws(CairnError) in
      try statement.bindBlob(parameter, UnsafeRawBufferPointer(bytes))
    }
  }

  /// Throws `invalidWaypoint` for values that no reader would accept; returns the time as text.
  private static func checked(_ waypoint: Waypoint) throws(CairnError) -> String {
    func invalid(_ reason: String) -> CairnError {
      CairnError(.invalidWaypoint, .dataError, reason)
    }
    guard waypoint.coordinate.isValid else {
      throw invalid("\(waypoint.latitude),\(waypoint.longitude) is not a coordinate")
    }
    if let altitude = waypoint.altitude, !altitude.isFinite {
      throw invalid("its altitude is not a number of metres")
    }
    guard let timestamp = timestampText(waypoint.timestamp) else {
      throw invalid("its time is outside of the years 0001 to 9999")
    }
    return timestamp
  }

  func update(_ waypoint: Waypoint, at now: Date) throws(CairnError) -> Bool {
    let statement = try connection.prepare(
      """
      UPDATE waypoints SET label = ?1, category = ?2, note = ?3, hike_id = ?5,
        has_photo = ?4 AND \(Self.photoIsThere), photo_data = CASE WHEN ?4 THEN photo_data END,
        photo_thumbnail = CASE WHEN ?4 THEN photo_thumbnail END
      WHERE id = ?6 RETURNING 1
      """)
    try statement.bind(1, waypoint.label)
    try statement.bind(2, waypoint.category.rawValue)
    try statement.bind(3, waypoint.note)
    try statement.bind(4, waypoint.hasPhoto ? Int64(1) : 0)
    if let hike = waypoint.hikeId { try statement.bind(5, hike.uuidString) }
    try statement.bind(6, waypoint.id.uuidString)
    guard try finish(statement) else { return false }
    try note(waypoint.id, changedAt: now)
    return true
  }

  func delete(_ id: UUID) throws(CairnError) -> Bool {
    let statement = try connection.prepare("DELETE FROM waypoints WHERE id = ? RETURNING 1")
    try statement.bind(1, id.uuidString)
    return try finish(statement)
  }

  /// Whether a statement changed a row.
  private func finish(_ statement: SQLiteStatement) throws(CairnError) -> Bool {
    var isChanged = false
    while try statement.step() { isChanged = true }
    return isChanged
  }
}
