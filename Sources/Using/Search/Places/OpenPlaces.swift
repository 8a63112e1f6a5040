// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnPlaceDatabase
import CairnSQLiteKit

/// An open database of places with its compiled statements. For one thread at a time.
final class OpenPlaces {
  /// The most operations of SQLite's virtual machine that one question may take: a hundred times
  /// what the slowest takes in a large region. A forged database may ask for any number.
  static let operationLimit: Int64 = 20_000_000

  let connection: SQLiteConnection
  private var statements: [String: SQLiteStatement] = [:]
  /// Kept apart: a query with a typo asks it hundreds of times.
  private var firstWord: SQLiteStatement?

  init(_ path: String) throws(CairnError) {
    connection = try SQLiteConnection(path, .readOnly)
    connection.limitWork(operations: Self.operationLimit)
    try Self.checkTables(connection)
    try connection.refuseComputedSchema(virtualTables: PlaceSchema.textIndexes)
  }

  private static func checkTables(_ connection: SQLiteConnection) throws(CairnError) {
    func failure(_ message: String) -> CairnError {
      CairnError(.database, .dataError, message, at: Location(file: connection.path))
    }
    for table in PlaceSchema.tables {
      guard let found = try connection.columns(ofTable: table.name) else {
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
    let version = try connection.integer("PRAGMA user_version") ?? 0
    guard version == PlaceSchema.version else {
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

  /// Grants the next question its operations.
  func beginQuestion() { connection.limitWork(operations: Self.operationLimit) }

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
  }

  static let placeColumns = """
    p.id, p.osm, p.kind, p.name, p.latitude, p.longitude, p.elevation, p.length, p.importance, \
    p.reach, p.settlement
    """

  /// A row with ``placeColumns``, from the first column on.
  func place(_ row: SQLiteStatement) throws(CairnError) -> Place {
    let place = Place(
      id: row.integer(0), osm: row.text(1) ?? "",
      kind: PlaceKind(rawValue: row.text(2) ?? "") ?? .other, name: row.text(3) ?? "",
      coordinate: Coordinate(latitude: row.number(4), longitude: row.number(5)),
      elevation: row.isNumber(6) ? row.number(6) : nil,
      length: row.isNumber(7) ? row.number(7) : nil,
      importance: Int(min(max(row.integer(8), 0), 1000)),
      reach: PlaceReach(rawValue: Int(truncatingIfNeeded: row.integer(9))) ?? .close,
      settlement: row.isNull(10) ? nil : row.integer(10))
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
    let query = try statement("SELECT \(Self.placeColumns) FROM places p WHERE p.id = ?")
    try query.bind(1, id)
    return try query.step() ? try place(query) : nil
  }

  /// The ref of a waymarked route, and where it leads from and to.
  func route(_ id: Int64) throws(CairnError) -> (ref: String?, from: String?, to: String?) {
    let query = try statement("SELECT ref, \"from\", \"to\" FROM place_routes WHERE place = ?")
    try query.bind(1, id)
    guard try query.step() else { return (nil, nil, nil) }
    return (query.text(0), query.text(1), query.text(2))
  }
}
