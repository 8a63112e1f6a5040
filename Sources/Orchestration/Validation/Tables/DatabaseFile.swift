// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnLocks
import CairnRoutingDatabase
import CairnSQLiteKit
import SystemIO

extension CairnError.Code {
  /// The database was not closed: changes are in another file beside it.
  static let unfinishedDatabase: Self = "unfinished-database"
}

/// Checks of a database file before SQLite opens it: its header, its size and the files beside it.
struct DatabaseFile: Sendable {
  let path: String
  /// The size of the file.
  let bytes: Int
  /// The schema that was found to compute nothing.
  private let checkedSchema = Mutex<String?>(nil)
  /// Connections whose jobs are done.
  private let idle = Mutex<[Mutex<SQLiteConnection>]>([])

  /// Checks a file. Throws 66 if it does not exist, and 65 if it is not an SQLite database, is
  /// truncated, or was not closed by its writer.
  init(_ path: String) throws(CairnError) {
    self.path = path
    let file = try InputFile(path)
    bytes = file.size
    let location = Location(file: path)
    guard bytes > 0 else {
      throw CairnError(.notADatabase, .dataError, "is empty", at: location)
    }
    var head = [UInt8](repeating: 0, count: 100)
    let count = try head.withUnsafeMutableBufferPointer { buffer throws(CairnError) in
      try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
    }
    guard head.starts(with: "SQLite format 3\0".utf8.prefix(count)) else {
      throw CairnError(
        .notADatabase, .dataError, "is not an SQLite database", at: location,
        hint: "was it written by cairn-compute-costs?")
    }
    guard count == head.count else { throw Self.cutOff(location, bytes, promised: head.count) }
    try Self.checkSize(head, bytes, location)
    try Self.checkNeighbours(path)
    // 2 stands for WAL mode, in which the latest changes may be in another file.
    guard head[18] != 2, head[19] != 2 else {
      throw CairnError(
        .unfinishedDatabase, .dataError, "is in WAL mode and needs a second file",
        at: location, hint: "close it with PRAGMA journal_mode=DELETE, or rebuild it")
    }
  }

  /// Runs a job with a connection that no other job has at the same time: one whose job is done, or
  /// else a new one, for which SQLite has to read the schema again. Each job may do as much work as
  /// with a new connection.
  ///
  /// - Parameter tables: The statements of permitted virtual tables, the same for each job.
  func withConnection<Found: Sendable>(
    virtualTables tables: [String] = [],
    _ job: (inout sending SQLiteConnection) throws(CairnError) -> sending Found
  ) throws(CairnError) -> Found {
    let connection: Mutex<SQLiteConnection>
    if let known = idle.withLock({ $0.popLast() }) {
      connection = known
      known.withLock { $0.limitWork(operations: SQLiteConnection.operations(forBytes: bytes)) }
    } else {
      connection = Mutex(try connect(virtualTables: tables))
    }
    let found = try connection.withLock(job)
    idle.withLock { $0.append(connection) }
    return found
  }

  /// Closes the connections whose jobs are done, which lock the file for reading.
  func closeConnections() { idle.withLock { $0.removeAll() } }

  /// Opens the database for one job, since threads must not share a connection.
  ///
  /// No statement takes much more time than the size of the file explains. Throws 65 with the code
  /// `computed-schema` if the schema has anything for SQLite to evaluate.
  ///
  /// - Parameter tables: The statements of permitted virtual tables, word for word.
  func connect(virtualTables tables: [String] = []) throws(CairnError) -> SQLiteConnection {
    let connection = try SQLiteConnection(path, .readOnly)
    connection.limitWork(operations: SQLiteConnection.operations(forBytes: bytes))
    // All statements read the same state. Without a transaction each asks anew whether the file has
    // changed, with half a dozen system calls.
    try connection.execute("BEGIN")
    let schema = try connection.schemaText()
    if checkedSchema.withLock({ $0 == schema }) { return connection }
    try connection.refuseComputedSchema(
      exceptViews: RoutingSchema.extensionViews.map(\.sql), virtualTables: tables)
    checkedSchema.withLock { $0 = schema }
    return connection
  }

  private static func checkSize(_ head: [UInt8], _ bytes: Int, _ location: Location)
    throws(CairnError)
  {
    let stored = Int(head[16]) << 8 | Int(head[17])
    let pageBytes = stored == 1 ? 65_536 : stored
    let pages = head[28..<32].reduce(0) { $0 << 8 | Int($1) }
    // The page count is only valid if the same version of SQLite wrote it.
    guard head[24..<28].elementsEqual(head[92..<96]), pages > 0, pageBytes >= 512,
      bytes < pages * pageBytes
    else { return }
    throw cutOff(location, bytes, promised: pages * pageBytes)
  }

  private static func cutOff(_ location: Location, _ bytes: Int, promised: Int) -> CairnError {
    CairnError(
      .damagedDatabase, .dataError,
      "is truncated: it has \(grouped(bytes)) of \(grouped(promised)) bytes", at: location,
      hint: "copy it again, or rebuild it")
  }

  private static func checkNeighbours(_ path: String) throws(CairnError) {
    for ending in ["-wal", "-journal"] where pathExists(path + ending) {
      // A file that cannot be read may contain changes.
      let size = (try? InputFile(path + ending))?.size ?? 1
      guard size > 0 else { continue }
      throw CairnError(
        .unfinishedDatabase, .dataError,
        "was not closed: \(splitPath(path + ending).name) beside it contains changes",
        at: Location(file: path),
        hint: "close it with the program that wrote it, or rebuild it")
    }
  }
}
