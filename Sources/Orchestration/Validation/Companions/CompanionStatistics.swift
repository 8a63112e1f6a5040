// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnPlaceDatabase
import CairnSQLiteKit
import CairnWaypoints

/// The content of a database of waypoints or places, for a listing.
package struct CompanionStatistics: Encodable, Equatable, Sendable {
  /// The number of waypoints or places.
  package private(set) var rows = 0
  /// The number of each kind.
  package private(set) var kinds: [String: Int] = [:]
  /// The number of waypoints of each category; empty for places.
  package private(set) var categories: [String: Int] = [:]
  /// The number with an elevation.
  package private(set) var withElevation = 0
  /// The numbers of names and of distinct words in them; nil for waypoints.
  package private(set) var names: Int?
  package private(set) var words: Int?
  /// The number of pieces of lines; nil for waypoints.
  package private(set) var linePieces: Int?
  /// The metadata by key.
  package private(set) var metadata: [String: String] = [:]

  /// Reads a database. Throws 66 if it does not exist, and 65 if it is of another kind or damaged.
  package init(_ path: String, _ kind: CompanionKind) throws(CairnError) {
    let connection = try DatabaseFile(path).connect(
      virtualTables: kind == .places ? PlaceSchema.textIndexes : [])
    func number(_ sql: String) throws(CairnError) -> Int {
      Int(clamping: try connection.integer(sql) ?? 0)
    }
    func counts(_ column: String, of table: String) throws(CairnError) -> [String: Int] {
      let statement = try connection.prepare(
        "SELECT \(column), count(*) FROM \(table) GROUP BY 1 LIMIT 1000")
      var counts: [String: Int] = [:]
      while try statement.step() {
        counts[statement.text(0) ?? ""] = Int(clamping: statement.integer(1))
      }
      return counts
    }
    let metadataTable: String
    switch kind {
    case .waypoints:
      rows = try number("SELECT count(*) FROM waypoints")
      kinds = try counts("kind", of: PublishedWaypoints.kindsName)
      categories = try counts("category", of: "waypoints")
      withElevation = try number("SELECT count(altitude) FROM waypoints")
      metadataTable = PublishedWaypoints.metadataName
    case .tiles:
      throw CairnError(
        .database, .software, "tiles are not listed as rows", at: Location(file: path))
    case .places:
      rows = try number("SELECT count(*) FROM places")
      kinds = try counts("kind", of: "places")
      withElevation = try number("SELECT count(elevation) FROM places")
      names = try number("SELECT count(*) FROM place_names")
      words = try number("SELECT count(*) FROM place_words")
      linePieces = try number("SELECT count(*) FROM place_lines")
      metadataTable = PlaceSchema.Table.metadata.name
    }
    let statement = try connection.prepare("SELECT key, value FROM \(metadataTable) LIMIT 1000")
    while try statement.step() { metadata[statement.text(0) ?? ""] = statement.text(1) }
  }
}
