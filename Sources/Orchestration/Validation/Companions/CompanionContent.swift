// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnPlaceDatabase
import CairnSQLiteKit
import CairnWaypoints

/// Checks the tables of a database of waypoints or places against ``CompanionRule``.
struct CompanionContent {
  let connection: SQLiteConnection
  private(set) var breaches: [CompanionRule: Breaches] = [:]

  init(_ connection: SQLiteConnection) { self.connection = connection }

  /// Checks everything; returns the number of waypoints or places. Content that SQLite cannot read
  /// is a breach of `companion-integrity`.
  mutating func check(_ kind: CompanionKind) throws(CairnError) -> Int {
    do throws(CairnError) {
      try kind == .waypoints ? checkWaypointSchema() : checkPlaceSchema()
      guard breaches.isEmpty else { return 0 }
      return try kind == .waypoints ? checkWaypoints() : checkPlaces()
    } catch  where error.exitCode == .dataError {
      add(.companionIntegrity, error.message)
      return 0
    }
  }

  /// Checks pages, records and indexes as SQLite does, with a large cache, since it looks entries of
  /// indexes up in another order than the rows.
  mutating func checkIntegrity() throws(CairnError) {
    do throws(CairnError) {
      try connection.execute("PRAGMA cache_size=-32768")
      let statement = try connection.prepare("PRAGMA integrity_check(10)")
      while try statement.step() {
        if let line = statement.text(0), line != "ok" { add(.companionIntegrity, line) }
      }
    } catch  where error.exitCode == .dataError {
      add(.companionIntegrity, error.message)
    }
  }

  /// Counts a breach.
  mutating func add(_ rule: CompanionRule, _ example: @autoclosure () -> String) {
    breaches[rule, default: Breaches()].add(example())
  }

  /// Checks that a table has these columns.
  mutating func checkTable(_ name: String, _ columns: [String]) throws(CairnError) {
    guard let found = try connection.columns(ofTable: name) else {
      return add(.companionSchema, "table \(name) is missing")
    }
    if found != columns {
      add(.companionSchema, "table \(name) has the columns \(found.joined(separator: ", "))")
    }
  }

  /// Checks that there is an index.
  mutating func checkIndex(_ name: String) throws(CairnError) {
    let statement = try connection.prepare(
      "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = ?")
    try statement.bind(1, name)
    if try !statement.step() { add(.companionSchema, "index \(name) is missing") }
  }

  /// Checks the version in the header.
  mutating func checkVersion(_ version: Int64) throws(CairnError) {
    let found = try connection.integer("PRAGMA user_version") ?? 0
    if found != version {
      add(.companionSchema, "user_version is \(found), this build reads \(version)")
    }
  }

  /// The metadata of a table, by key.
  mutating func metadata(_ table: String, required: [String]) throws(CairnError)
    -> [String: String]
  {
    var values: [String: String] = [:]
    let statement = try connection.prepare("SELECT key, value FROM \(table) LIMIT 1000")
    while try statement.step() { values[statement.text(0) ?? ""] = statement.text(1) }
    for key in required where values[key]?.isEmpty ?? true {
      add(.companionMetadata, "\(key) is missing")
    }
    return values
  }

  /// Checks that a count in the metadata is right.
  mutating func checkCount(_ key: String, _ value: String?, is count: Int) {
    if value != "\(count)" {
      add(.companionMetadata, "\(key) is \(value ?? "missing"), there are \(count)")
    }
  }

  /// The boxes that must contain all positions: the box of all rows, and the region's if it is a
  /// box.
  mutating func boxes(_ box: String?, region: String?, isEmpty: Bool) -> [BoundingBox] {
    if box == nil, !isEmpty { add(.companionMetadata, "bounding_box is missing") }
    return [box, region].compactMap { text in
      let numbers = text?.split(separator: ",", omittingEmptySubsequences: false)
        .compactMap { decimalNumber($0) }
      guard let numbers, numbers.count == 4 else { return nil }
      return BoundingBox(
        west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
    }
  }

  /// Checks a position; `name` is its owner.
  mutating func checkPosition(
    _ latitude: Double, _ longitude: Double, in boxes: [BoundingBox],
    _ name: @autoclosure () -> String
  ) {
    let position = Coordinate(latitude: latitude, longitude: longitude)
    if !position.isValid {
      add(.companionPositions, "\(name()) is at \(latitude),\(longitude)")
    } else if !boxes.allSatisfy({ $0.contains(position) }) {
      add(.companionPositions, "\(name()) at \(latitude),\(longitude) is outside")
    }
  }
}
