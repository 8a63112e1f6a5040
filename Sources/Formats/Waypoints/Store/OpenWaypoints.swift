// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit

extension CairnError.Code {
  /// A waypoint that cannot be kept.
  static let invalidWaypoint: Self = "invalid-waypoint"
}

/// An open database of waypoints. Not thread-safe.
struct OpenWaypoints {
  let connection: SQLiteConnection
  /// Whether the table has the time of the last change of each waypoint, as in the databases of
  /// some apps. Other additional columns are left alone.
  let hasModificationTimes: Bool
  private let sizeBytes: Int

  /// The columns that identify a table of waypoints; other missing ones are added.
  private static let requiredColumns = ["id", "latitude", "longitude", "timestamp"]

  /// Opens a database. Creates or migrates it unless it is read-only.
  init(
    _ path: String, isReadOnly: Bool, patienceMilliseconds: Int32
  ) throws(WaypointStoreError) {
    let version: Int64
    do throws(CairnError) {
      connection = try SQLiteConnection(
        path, isReadOnly ? .readOnly : .shared(patienceMilliseconds: patienceMilliseconds))
      try connection.refuseComputedSchema()
      let pages = try connection.integer("PRAGMA page_count") ?? 0
      let pageSize = try connection.integer("PRAGMA page_size") ?? 0
      sizeBytes = Int(clamping: pages.multipliedReportingOverflow(by: pageSize).partialValue)
      version = try connection.integer("PRAGMA user_version") ?? 0
      hasModificationTimes =
        try connection.columns(ofTable: WaypointSchema.tableName)?
        .contains(WaypointSchema.modificationTime) ?? false
      limitWork()
    } catch { throw WaypointStoreError(error, isWriting: !isReadOnly) }
    guard 0...WaypointSchema.version ~= version else {
      throw .tooNew(version: Int(clamping: version))
    }
    do throws(CairnError) {
      let columns = try connection.columns(ofTable: WaypointSchema.tableName)
      try check(columns, isReadOnly: isReadOnly)
      guard !isReadOnly else { return }
      // Only now, so that a file of another kind stays unchanged. An existing store keeps its
      // owner's journal mode.
      if columns == nil { try connection.keepJournal() } else { try connection.flushCommits() }
      if version < WaypointSchema.version || columns == nil { try migrate() }
    } catch {
      if error.code == .notAStore { throw .notAStore(error.message) }
      if error.code == .published { throw .readOnly(error.message) }
      throw WaypointStoreError(error, isWriting: !isReadOnly)
    }
  }

  private func check(_ columns: [String]?, isReadOnly: Bool) throws(CairnError) {
    let isPublished =
      try connection.integer("PRAGMA application_id") == WaypointSchema.applicationID
    if isPublished, !isReadOnly {
      throw CairnError(.published, .cannotCreate, "it was published and is part of a bundle")
    }
    guard let columns else {
      let tables = try connection.integer("SELECT count(*) FROM sqlite_master") ?? 0
      guard isReadOnly || tables > 0 else { return }
      throw CairnError(
        .notAStore, .dataError, "it has no table “\(WaypointSchema.tableName)”")
    }
    let needed = isReadOnly ? WaypointSchema.columns : Self.requiredColumns
    if let missing = needed.first(where: { !columns.contains($0) }) {
      throw CairnError(.notAStore, .dataError, "its table has no column “\(missing)”")
    }
  }

  /// Brings the schema up to date, wholly or not at all.
  private func migrate() throws(CairnError) {
    try transaction { database throws(CairnError) in
      let connection = database.connection
      for statement in WaypointSchema.creation.prefix(1) { try connection.execute(statement) }
      let present = try connection.columns(ofTable: WaypointSchema.tableName) ?? []
      for (name, declaration) in WaypointSchema.addedColumns where !present.contains(name) {
        try connection.execute(
          "ALTER TABLE \(WaypointSchema.tableName) ADD COLUMN \(name) \(declaration)")
      }
      for statement in WaypointSchema.creation.dropFirst() { try connection.execute(statement) }
      try connection.execute("PRAGMA user_version=\(WaypointSchema.version)")
    }
  }

  /// Limits the work of one call by the size of the database.
  func limitWork() {
    connection.limitWork(operations: SQLiteConnection.operations(forBytes: sizeBytes))
  }

  /// Runs `body` in a transaction, which is rolled back if it throws.
  func transaction<Result>(
    _ body: (borrowing OpenWaypoints) throws(CairnError) -> Result
  ) throws(CairnError) -> Result {
    try connection.execute("BEGIN IMMEDIATE")
    do throws(CairnError) {
      let result = try body(self)
      try connection.execute("COMMIT")
      return result
    } catch {
      // After some errors SQLite has rolled back already.
      try? connection.execute("ROLLBACK")
      throw error
    }
  }
}

extension CairnError.Code {
  /// The file is a database of another kind.
  fileprivate static let notAStore: Self = "not-a-waypoint-store"
  /// A database that was published.
  fileprivate static let published: Self = "published-waypoints"
}
