// SPDX-License-Identifier: Apache-2.0
import CairnCSQLite
import CairnDiagnostics
import CairnFormatting

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

extension CairnError.Code {
  /// The file is not an SQLite database.
  package static let notADatabase: Self = "not-a-database"
  /// SQLite found the database damaged.
  package static let damagedDatabase: Self = "damaged-database"
  /// Another program has the database open, or did not close it: some of it is in a file beside it.
  package static let unclosedDatabase: Self = "unclosed-database"
  /// Another program is writing the database.
  package static let lockedDatabase: Self = "locked-database"
  /// The schema has something that SQLite would evaluate.
  package static let computedSchema: Self = "computed-schema"
  /// Any other error of SQLite.
  package static let database: Self = "database"
}

/// An open SQLite database. Not thread-safe.
package final class SQLiteConnection {
  /// How a database is opened.
  package enum Mode: Sendable {
    /// For writing a new database in memory, which is gone when it is closed; the path only names it
    /// in messages.
    case inMemory
    /// For reading; the file must exist.
    case readOnly
    /// For writing a new database into an empty file that no other process uses: no journal and no
    /// flushing, because the owner of the file flushes and renames it when it is complete.
    case build
    /// For reading and writing a database that other programs may use, too; it is created where it
    /// is missing. A lock of another program is waited for. See ``keepJournal()``.
    case shared(patienceMilliseconds: Int32)
  }

  /// The path as it was given.
  package let path: String
  private(set) var handle: OpaquePointer?
  /// Whether it was opened read-only.
  let isReadOnly: Bool
  var work: WorkLimit?

  /// The largest row, in bytes, that is read from a database: far larger than the geometry of any
  /// edge, and small enough that a forged length cannot exhaust memory.
  package static let rowLimitBytes: Int32 = 1 << 26

  /// Opens a database.
  ///
  /// One that is only read may be anybody's: no statement takes much more time than the size of the
  /// file explains, see ``limitWork(operations:)``, and none goes on after a ``StopRequest``.
  ///
  /// Throws 66 if it is missing, unreadable or not a regular file, and 65 if it is not a database.
  /// Damage further inside is found by the statements that read it.
  package init(_ path: String, _ mode: Mode) throws(CairnError) {
    self.path = path
    isReadOnly = if case .readOnly = mode { true } else { false }
    var bytes = 0
    switch mode {
    case .inMemory, .build: break
    case .readOnly, .shared: bytes = try Self.checkFile(path, mustExist: isReadOnly)
    }
    let flags: Int32 =
      switch mode {
      case .readOnly: SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
      case .inMemory: SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
      case .build, .shared: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
      }
    var name = path
    var uri: Int32 = 0
    if isReadOnly, isInWALMode(path) {
      name = try Self.immutableName(path)
      uri = SQLITE_OPEN_URI
    }
    var opened: OpaquePointer?
    let status = sqlite3_open_v2(name, &opened, flags | uri, nil)
    handle = opened
    guard status == SQLITE_OK else {
      let error = error(status, statement: nil)
      close()
      throw error
    }
    switch mode {
    case .readOnly, .shared:
      if case .shared(let patience) = mode { sqlite3_busy_timeout(handle, patience) }
      sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.rowLimitBytes)
      // The schema of an untrusted database must not call functions with side effects, and its pages
      // are validated before they are used.
      try execute("PRAGMA trusted_schema=OFF")
      try execute("PRAGMA cell_size_check=ON")
      // An integrity check would evaluate them, however long they take.
      try execute("PRAGMA ignore_check_constraints=ON")
      if isReadOnly { limitWork(operations: Self.operations(forBytes: bytes), isRenewed: true) }
    case .inMemory: try execute("PRAGMA journal_mode=OFF")
    case .build:
      // An eighth faster to write than pages of 4096 bytes, and as fast for random reads.
      try execute("PRAGMA page_size=8192")
      try execute("PRAGMA journal_mode=OFF")
      try execute("PRAGMA synchronous=OFF")
      try execute("PRAGMA locking_mode=EXCLUSIVE")
      try execute("PRAGMA cache_size=-4096")
      try execute("PRAGMA temp_store=MEMORY")
    }
  }

  deinit { close() }

  /// Refuses what SQLite would block on (a pipe), report as a disk error (a folder) or accept as a
  /// database without tables (an empty file). Returns the size of the file.
  private static func checkFile(_ path: String, mustExist: Bool) throws(CairnError) -> Int {
    let location = Location(file: path)
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT, !mustExist { return 0 }
      let reason = errno == ENOENT ? "no such file" : String(cString: strerror(errno))
      throw CairnError(.database, .noInput, reason, at: location)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      throw CairnError(
        .database, .noInput, isFolder ? "is a folder, not a file" : "is not a regular file",
        at: location)
    }
    guard status.st_size > 0 || !mustExist else {
      throw CairnError(.notADatabase, .dataError, "is empty", at: location)
    }
    return Int(clamping: status.st_size)
  }

  /// The name by which a database in WAL mode is opened without writing files beside it. Throws 65 if
  /// such a file has changes that are not in the database.
  private static func immutableName(_ path: String) throws(CairnError) -> String {
    var status = stat()
    guard stat(path + "-wal", &status) != 0 || status.st_size == 0 else {
      throw CairnError(
        .unclosedDatabase, .dataError,
        "is open in another program, or was not closed: its -wal file contains changes",
        at: Location(file: path),
        hint: "close it there, or with PRAGMA journal_mode=DELETE")
    }
    var name = "file:"
    // Two slashes would begin a host.
    let bytes = Array((path.hasPrefix("/") ? "/" + String(path.drop { $0 == "/" }) : path).utf8)
    for byte in bytes {
      let isPlain = byte > 0x20 && byte < 0x7F && !"%?#".utf8.contains(byte)
      let hex = String(byte, radix: 16)
      name += isPlain ? String(UnicodeScalar(byte)) : "%" + (hex.utf8.count < 2 ? "0" : "") + hex
    }
    return name + "?immutable=1"
  }

  /// Keeps a journal beside the database (WAL), so that others can read while this program writes,
  /// and flushes what is committed: it is there after a crash and a loss of power.
  package func keepJournal() throws(CairnError) {
    try execute("PRAGMA journal_mode=WAL")
    try flushCommits()
  }

  /// Flushes what is committed, with whatever journal the database has.
  package func flushCommits() throws(CairnError) { try execute("PRAGMA synchronous=FULL") }

  /// Lets SQLite keep no statistics of its memory in this process, for which it would take a lock for
  /// each piece. For programs, before their first connection: they belong to the process, not to a library.
  package static func keepNoStatistics() { _ = cairn_sqlite3_keep_no_statistics() }

  /// SQLITE_READONLY_ROLLBACK.
  private static let readOnlyRollback = SQLITE_READONLY | 3 << 8

  /// Closes the database; existing statements keep it open until they are released.
  package func close() {
    sqlite3_close_v2(handle)
    handle = nil
  }

  /// Runs one statement and ignores its rows.
  package func execute(_ sql: String) throws(CairnError) {
    let statement = try prepare(sql)
    while try statement.step() {}
  }

  /// Begins a transaction for statements that only read: outside of one, SQLite locks the file, looks
  /// for a journal and unlocks the file for each of them, which can take longer than the statement.
  package func beginReading() throws(CairnError) { try execute("BEGIN") }

  /// Ends the transaction; there is nothing to commit that could get lost.
  package func endReading() { sqlite3_exec(handle, "COMMIT", nil, nil, nil) }

  /// Compiles one statement.
  package func prepare(_ sql: String) throws(CairnError) -> SQLiteStatement {
    guard let handle else { throw closedError() }
    var statement: OpaquePointer?
    let status = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard status == SQLITE_OK, let statement else { throw error(status, statement: sql) }
    work?.renew()
    return SQLiteStatement(statement, self)
  }

  /// The first column of the first row of a query as an integer, or nil if there is no row or
  /// it is NULL.
  package func integer(_ sql: String) throws(CairnError) -> Int64? {
    let statement = try prepare(sql)
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.integer(0)
  }

  /// The first column of the first row of a query as text, or nil if there is no row or it is
  /// NULL.
  package func text(_ sql: String) throws(CairnError) -> String? {
    let statement = try prepare(sql)
    guard try statement.step() else { return nil }
    return statement.text(0)
  }

  /// The columns of a stored table, in order; nil if there is no such table. A view, a virtual table
  /// or one that computes a column does not count, since evaluating it could take forever.
  package func columns(ofTable table: String) throws(CairnError) -> [String]? {
    try columns(ofTables: [table])[table]
  }

  /// The same for several tables, which takes little longer than for one; those that do not count are
  /// left out.
  package func columns(ofTables tables: [String]) throws(CairnError) -> [String: [String]] {
    let list = try prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
    var stored: [String] = []
    while try list.step() {
      if let name = list.text(0), tables.contains(name) { stored.append(name) }
    }
    var columns: [String: [String]] = [:]
    for table in stored {
      // One query of all tables, with the pragma as a table, takes three times as long.
      let name = table.replacing(scalar: "\"", with: "\"\"")
      let row = try prepare("PRAGMA table_xinfo(\"\(name)\")")
      var names: [String] = []
      var isComputed = false
      while try row.step() {
        names.append(row.text(1) ?? "")
        if row.integer(6) != 0 { isComputed = true }
      }
      if !isComputed { columns[table] = names }
    }
    return columns
  }

  /// An SQLite status as an error with a suitable exit code.
  func error(_ status: Int32, statement: String?) -> CairnError {
    let message =
      handle.map { String(cString: sqlite3_errmsg($0)) }
      ?? String(cString: sqlite3_errstr(status))
    let location = Location(file: path)
    switch status & 0xFF {
    case SQLITE_NOTADB:
      return CairnError(.notADatabase, .dataError, "is not an SQLite database", at: location)
    case SQLITE_CORRUPT:
      return CairnError(
        .damagedDatabase, .dataError, message, at: location,
        hint: "rebuild it from its inputs")
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
      return CairnError(.database, .noInput, message, at: location)
    case SQLITE_FULL, SQLITE_IOERR:
      return CairnError(.database, .ioError, message, at: location)
    case SQLITE_BUSY, SQLITE_LOCKED:
      // Of a virtual table, SQLite's message would not say why.
      return CairnError(
        .lockedDatabase, .temporaryFailure, String(cString: sqlite3_errstr(status & 0xFF)),
        at: location)
    case SQLITE_READONLY where sqlite3_extended_errcode(handle) == Self.readOnlyRollback:
      // What was begun would have to be undone first.
      return CairnError(
        .unclosedDatabase, .dataError, "was not closed: its -journal file contains changes",
        at: location, hint: "close it with the program that wrote it, or rebuild it")
    case SQLITE_READONLY:
      return CairnError(.database, .cannotCreate, message, at: location)
    case SQLITE_TOOBIG:
      return CairnError(
        .damagedDatabase, .dataError, "a value has an implausible length", at: location,
        hint: "rebuild it from its inputs")
    case SQLITE_INTERRUPT where StopRequest.isMade: return StopRequest.error(path)
    case SQLITE_INTERRUPT:
      return CairnError(
        .damagedDatabase, .dataError, "takes more work to read than its size allows",
        at: location, hint: "rebuild it from its inputs")
    case SQLITE_CONSTRAINT:
      return CairnError(.database, .dataError, message, at: location)
    case SQLITE_NOMEM where isReadOnly:
      // A forged length or a forged schema can ask for any amount.
      return CairnError(
        .damagedDatabase, .dataError, "is damaged, or takes more memory to read than there is",
        at: location, hint: "rebuild it from its inputs, or read it with more memory")
    case SQLITE_NOMEM:
      return CairnError(.database, .temporaryFailure, "out of memory", at: location)
    case SQLITE_ERROR where statement != nil:
      let words = (statement ?? "").split { $0.isWhitespace }
      return CairnError(
        .database, .dataError, "\(message), in: \(words.joined(separator: " "))", at: location)
    default:
      return CairnError(.database, .software, "\(message) (SQLite \(status))", at: location)
    }
  }

  private func closedError() -> CairnError {
    CairnError(.database, .software, "is already closed", at: Location(file: path))
  }
}

/// Whether the header of a file says that it is an SQLite database in WAL mode.
private func isInWALMode(_ path: String) -> Bool {
  guard let file = fopen(path, "rb") else { return false }
  defer { fclose(file) }
  var head = [UInt8](repeating: 0, count: 20)
  guard fread(&head, 1, head.count, file) == head.count else { return false }
  return head[18] == 2 || head[19] == 2
}
