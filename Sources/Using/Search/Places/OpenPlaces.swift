// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnPlaceDatabase
import CairnSQLiteKit

/// An open database of places with its compiled statements. Not thread-safe.
final class OpenPlaces {
  /// The most operations of SQLite's virtual machine for one query: a hundred times what the
  /// slowest needs in a large region. It bounds the work that a forged database can cause.
  static let operationLimit: Int64 = 20_000_000

  let connection: SQLiteConnection
  private var statements: [String: SQLiteStatement] = [:]
  /// Kept apart: a query with a typo asks it hundreds of times.
  private var firstWord: SQLiteStatement?
  /// The version of its tables.
  private let version: Int64
  /// Whether kinds and house numbers are indexed, and places have flags.
  var hasKinds: Bool { version > 1 }
  /// Whether the relations of waymarked routes are there.
  var hasRelations: Bool { version > 2 }

  init(_ path: String) throws(CairnError) {
    let connection = try SQLiteConnection(path, .readOnly)
    self.connection = connection
    connection.limitWork(operations: Self.operationLimit)
    try connection.beginReading()
    defer { connection.endReading() }
    version = try connection.integer("PRAGMA user_version") ?? 0
    try Self.checkTables(connection, version)
    try connection.refuseComputedSchema(virtualTables: PlaceSchema.textIndexes)
  }

  private static func checkTables(_ connection: SQLiteConnection, _ version: Int64)
    throws(CairnError)
  {
    func failure(_ message: String) -> CairnError {
      CairnError(.database, .dataError, message, at: Location(file: connection.path))
    }
    let tables = PlaceSchema.tables(ofVersion: version)
    let stored = try connection.columns(ofTables: tables.map(\.name))
    for table in tables {
      guard let found = stored[table.name] else {
        throw failure("has no table \(table.name)")
      }
      guard let missing = table.columns.first(where: { !found.contains($0) }) else { continue }
      throw failure("has no column \(table.name).\(missing)")
    }
    for sql in PlaceSchema.textIndexes {
      let statement = try connection.prepare("SELECT 1 FROM sqlite_master WHERE sql = ?")
      try statement.bind(1, sql)
      guard try statement.step() else { throw failure("has no full-text index of places") }
    }
    guard PlaceSchema.readableVersions.contains(version) else {
      throw failure("has version \(version) of the tables, this reads \(PlaceSchema.version)")
    }
  }

  /// A statement, compiled the first time.
  func statement(_ sql: String) throws(CairnError) -> SQLiteStatement {
    if let known = statements[sql] {
      known.reset()
      return known
    }
    let made = try connection.prepare(sql)
    statements[sql] = made
    return made
  }

  /// The statement that finds the first word from a text on.
  func firstWordStatement() throws(CairnError) -> SQLiteStatement {
    if let firstWord {
      firstWord.reset()
      return firstWord
    }
    let made = try connection.prepare(
      "SELECT word FROM place_words WHERE word >= ? ORDER BY word LIMIT 1")
    firstWord = made
    return made
  }

  /// Begins a question with its operations; ``endQuestion()`` must follow.
  func beginQuestion() throws(CairnError) {
    connection.limitWork(operations: Self.operationLimit)
    try connection.beginReading()
  }

  /// Ends a question.
  func endQuestion() { connection.endReading() }

  func damage(_ message: String) -> CairnError {
    CairnError(.damagedDatabase, .dataError, message, at: Location(file: connection.path))
  }

  func metadata() throws(CairnError) -> [String: String] {
    let query = try statement("SELECT key, value FROM place_metadata")
    var values: [String: String] = [:]
    while try query.step() {
      if let key = query.text(0), let value = query.text(1) { values[key] = value }
    }
    return values
  }

  /// A row of `places`.
  struct Place {
    var id: Int64
    var osm: String
    var kind: PlaceKind
    var name: String
    var coordinate: Coordinate
    var elevation: Double?
    var length: Double?
    var importance: Int
    var reach: PlaceReach
    var settlement: Int64?
    var flags: PlaceFlags
    var detail: PlaceDetail?
  }

  /// The columns of a ``Place``.
  var placeColumns: String {
    """
    p.id, p.osm, p.kind, p.name, p.latitude, p.longitude, p.elevation, p.length, p.importance, \
    p.reach, p.settlement, \(hasKinds ? "p.flags" : "NULL")
    """
  }

  /// A row with ``placeColumns``, from the first column on.
  func place(_ row: SQLiteStatement) throws(CairnError) -> Place {
    let (flags, detail) = PlaceFlags.parts(ofBits: UInt8(clamping: row.integer(11)))
    let place = Place(
      id: row.integer(0), osm: row.text(1) ?? "",
      kind: PlaceKind(rawValue: row.text(2) ?? "") ?? .other, name: row.text(3) ?? "",
      coordinate: Coordinate(latitude: row.number(4), longitude: row.number(5)),
      elevation: row.isNumber(6) ? row.number(6) : nil,
      length: row.isNumber(7) ? row.number(7) : nil,
      importance: Int(min(max(row.integer(8), 0), 1000)),
      reach: PlaceReach(rawValue: Int(truncatingIfNeeded: row.integer(9))) ?? .close,
      settlement: row.isNull(10) ? nil : row.integer(10),
      flags: flags, detail: detail)
    guard row.isNumber(4), row.isNumber(5), place.coordinate.isValid else {
      throw damage("place \(place.id) has an invalid coordinate")
    }
    guard abs(place.elevation ?? 0) <= 20_000, (place.length ?? 0).isFinite else {
      throw damage("place \(place.id) has an implausible elevation or length")
    }
    return place
  }

  /// The place with an id; nil if there is none.
  func place(_ id: Int64) throws(CairnError) -> Place? {
    let query = try statement("SELECT \(placeColumns) FROM places p WHERE p.id = ?")
    try query.bind(1, id)
    return try query.step() ? try place(query) : nil
  }

  /// The details of a waymarked route beyond its place.
  struct Route {
    var ref: String?
    var from: String?
    var to: String?
    /// Metres by its tags.
    var tagged: Double?
  }

  /// The ref of a waymarked route, and its start and destination.
  func route(_ id: Int64) throws(CairnError) -> Route {
    let query = try statement(
      "SELECT ref, \"from\", \"to\", \(hasKinds ? "tagged" : "NULL") FROM place_routes "
        + "WHERE place = ?")
    try query.bind(1, id)
    guard try query.step() else { return Route() }
    let tagged = query.isNumber(3) ? query.number(3) : 0
    return Route(
      ref: query.text(0), from: query.text(1), to: query.text(2),
      tagged: tagged > 0 && tagged.isFinite ? tagged : nil)
  }
}
