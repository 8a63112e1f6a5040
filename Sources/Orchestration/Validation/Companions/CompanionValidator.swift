// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import PlaceDatabase
import SQLiteKit
import Waypoints

/// Checks a database of waypoints or places against ``CompanionRule``.
package struct CompanionValidator {
  let path: String
  let connection: SQLiteConnection
  private let kind: CompanionKind
  private let file: DatabaseFile
  private var breaches: [CompanionRule: Breaches] = [:]

  /// Opens a database. Throws 66 if it does not exist, and 65 if it is not an SQLite database, is
  /// truncated, was not closed by its writer, or has a schema that computes.
  package init(_ path: String, _ kind: CompanionKind) throws(CairnError) {
    self.path = path
    self.kind = kind
    file = try DatabaseFile(path)
    connection = try file.connect(
      virtualTables: kind == .places ? PlaceSchema.textIndexes : [])
  }

  /// Checks every rule. What SQLite cannot read is a breach of `companion-integrity`.
  package mutating func run() throws(CairnError) -> CompanionReport {
    var report = CompanionReport(database: path, kind: kind)
    report.bytes = file.bytes
    do throws(CairnError) {
      try checkIntegrity()
      if holds(.companionIntegrity) {
        try kind == .waypoints ? checkWaypointSchema() : checkPlaceSchema()
      }
      if CompanionRule.gate.allSatisfy(holds) {
        report.rows = try kind == .waypoints ? checkWaypoints() : checkPlaces()
      }
    } catch  where error.exitCode == .dataError {
      add(.companionIntegrity, error.message)
    }
    let isReadable = CompanionRule.gate.allSatisfy(holds)
    report.checks = CompanionRule.rules(of: kind).map { rule in
      if let found = breaches[rule] {
        return .init(
          rule: rule.rawValue, status: "error", count: found.count, details: found.examples)
      }
      return .init(
        rule: rule.rawValue, status: isReadable ? "pass" : "skipped", count: 0, details: [])
    }
    return report
  }

  /// Counts a breach.
  mutating func add(_ rule: CompanionRule, _ example: @autoclosure () -> String) {
    breaches[rule, default: Breaches()].add(example())
  }

  private func holds(_ rule: CompanionRule) -> Bool { breaches[rule] == nil }

  private mutating func checkIntegrity() throws(CairnError) {
    let statement = try connection.prepare("PRAGMA integrity_check(10)")
    while try statement.step() {
      if let line = statement.text(0), line != "ok" { add(.companionIntegrity, line) }
    }
  }

  /// Checks that a table has these columns.
  mutating func checkTable(_ name: String, _ columns: [String]) throws(CairnError) {
    guard let found = try connection.columns(ofTable: name) else {
      return add(.companionSchema, "there is no table \(name)")
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
    if try !statement.step() { add(.companionSchema, "there is no index \(name)") }
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

  /// The boxes that all positions must be in: that of all rows, and the region's if it is a box.
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

  /// Checks a position; `name` says whose it is.
  mutating func checkPosition(
    _ latitude: Double, _ longitude: Double, in boxes: [BoundingBox], _ name: String
  ) {
    let position = Coordinate(latitude: latitude, longitude: longitude)
    if !position.isValid {
      add(.companionPositions, "\(name) is at \(latitude),\(longitude)")
    } else if !boxes.allSatisfy({ $0.contains(position) }) {
      add(.companionPositions, "\(name) at \(latitude),\(longitude) is outside")
    }
  }
}
