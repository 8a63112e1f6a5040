// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnPlaceDatabase
import CairnSQLiteKit
import CairnWaypoints

/// A place in one of the databases of a bundle.
struct PlaceEntry: Sendable {
  /// Its object of OpenStreetMap, such as `n4711`.
  var osm: String
  var kind: String
  var name: String
  var coordinate: Coordinate
  /// Whether it is from the database for search, whose kinds differ from those of waypoints.
  var isOfSearch: Bool
}

/// A waymarked route in the database for search.
struct RouteEntry: Sendable {
  var osm: String
  var name: String
  var ref: String?
  var network: String?
  var symbol: String?
  /// The length within the region, if known.
  var metres: Double?
  var coordinate: Coordinate
}

/// The places and waymarked routes of a bundle, each by its object.
struct PlaceEntries: Sendable {
  private(set) var places: [String: PlaceEntry] = [:]
  private(set) var routes: [String: RouteEntry] = [:]

  /// Reads the databases of waypoints and for search, if given. Throws 66 or 65 if one cannot be
  /// read.
  init(waypoints: String?, search: String?) throws(CairnError) {
    // Places in both are taken from the second one.
    if let waypoints { try readWaypoints(waypoints) }
    if let search { try readPlaces(search) }
  }

  /// Settlements, peaks and the like, for describing locations.
  var landmarks: [PlaceEntry] {
    let kinds = ["settlement", "locality", "peak", "saddle", "hut"]
    return places.values.filter { $0.isOfSearch && kinds.contains($0.kind) }
      .sorted { $0.osm < $1.osm }
  }

  private mutating func readWaypoints(_ path: String) throws(CairnError) {
    let connection = try Self.open(
      path,
      [
        ("waypoints", ["id", "label", "latitude", "longitude"]),
        (PublishedWaypoints.kindsName, ["id", "kind", "osm"]),
      ])
    let row = try connection.prepare(
      """
      SELECT k.osm, k.kind, w.label, w.latitude, w.longitude
      FROM waypoint_kinds k JOIN waypoints w ON w.id = k.id
      """)
    while try row.step() {
      guard let osm = row.text(0) else { continue }
      places[osm] = PlaceEntry(
        osm: osm, kind: row.text(1) ?? "", name: row.text(2) ?? "",
        coordinate: try Self.coordinate(row, 3, path), isOfSearch: false)
    }
  }

  private mutating func readPlaces(_ path: String) throws(CairnError) {
    let connection = try Self.open(
      path,
      [
        ("places", ["id", "osm", "kind", "name", "latitude", "longitude", "length"]),
        ("place_routes", ["place", "ref", "network", "symbol"]),
      ])
    let row = try connection.prepare(
      """
      SELECT p.osm, p.kind, p.name, p.latitude, p.longitude, p.length, r.ref, r.network, r.symbol
      FROM places p LEFT JOIN place_routes r ON r.place = p.id
      """)
    while try row.step() {
      guard let osm = row.text(0), let kind = row.text(1) else { continue }
      let coordinate = try Self.coordinate(row, 3, path)
      let name = row.text(2) ?? ""
      if kind == PlaceKind.route.rawValue {
        routes[osm] = RouteEntry(
          osm: osm, name: name, ref: row.text(6), network: row.text(7), symbol: row.text(8),
          metres: row.isNumber(5) ? row.number(5) : nil, coordinate: coordinate)
      } else if PlaceKind(rawValue: kind)?.isLine != true {
        places[osm] = PlaceEntry(
          osm: osm, kind: kind, name: name, coordinate: coordinate, isOfSearch: true)
      }
    }
  }

  private static func open(_ path: String, _ tables: [(String, [String])]) throws(CairnError)
    -> SQLiteConnection
  {
    let connection = try SQLiteConnection(path, .readOnly)
    for (table, columns) in tables {
      let found = try connection.columns(ofTable: table) ?? []
      guard columns.allSatisfy(found.contains) else {
        throw CairnError(
          .database, .dataError, "has no table \(table) as Cairn writes it",
          at: Location(file: path))
      }
    }
    return connection
  }

  private static func coordinate(_ row: SQLiteStatement, _ column: Int32, _ path: String)
    throws(CairnError) -> Coordinate
  {
    let coordinate = Coordinate(
      latitude: row.number(column), longitude: row.number(column + 1))
    guard row.isNumber(column), row.isNumber(column + 1), coordinate.isValid else {
      throw CairnError(
        .damagedDatabase, .dataError, "has a place with an invalid coordinate",
        at: Location(file: path), hint: "rebuild it from its inputs")
    }
    return coordinate
  }
}
