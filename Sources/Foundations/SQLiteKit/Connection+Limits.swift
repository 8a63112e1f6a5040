// SPDX-License-Identifier: Apache-2.0
import CairnCSQLite
import CairnDiagnostics

extension SQLiteConnection {
  /// Limits all statements together to this many operations of SQLite's virtual machine. A
  /// statement that exceeds it throws 65.
  package func limitWork(operations: Int64) { limitWork(operations: operations, isRenewed: false) }

  /// The operations that the size of a file explains: a check of all rules takes a few operations
  /// per byte.
  package static func operations(forBytes bytes: Int) -> Int64 {
    100_000_000 + 200 * Int64(bytes)
  }

  /// - Parameter isRenewed: Whether each statement has the whole limit, from when it is compiled or
  ///   reset.
  func limitWork(operations: Int64, isRenewed: Bool) {
    let limit = WorkLimit(operations, isRenewed: isRenewed)
    work = limit
    sqlite3_progress_handler(
      handle, WorkLimit.stride,
      { context in
        guard let context else { return 1 }
        return Unmanaged<WorkLimit>.fromOpaque(context).takeUnretainedValue().spend() ? 0 : 1
      }, Unmanaged.passUnretained(limit).toOpaque())
  }

  /// The statements and names of the whole schema. What is in it depends on nothing else.
  package func schemaText() throws(CairnError) -> String {
    let rows = try prepare(
      "SELECT quote(type), quote(name), quote(tbl_name), rootpage, quote(sql) FROM sqlite_master")
    var text = ""
    while try rows.step() {
      for column in Int32(0)..<5 { text += (rows.text(column) ?? "") + " " }
    }
    return text
  }

  /// Throws 65 if the schema has anything that SQLite would evaluate when it reads or checks the
  /// database: views, triggers, virtual tables, generated columns, and indexes with an expression
  /// or a condition. Such an expression may take forever.
  ///
  /// - Parameters:
  ///   - known: The statements of allowed views, verbatim. They must be harmless, and nothing may
  ///     evaluate them.
  ///   - tables: The statements of allowed virtual tables, verbatim.
  package func refuseComputedSchema(
    exceptViews known: [String] = [], virtualTables tables: [String] = []
  ) throws(CairnError) {
    let rows = try prepare(
      """
      SELECT type, name, tbl_name, rootpage > 0, sql FROM sqlite_master
      WHERE type <> 'index' OR sql IS NOT NULL ORDER BY rowid
      """)
    let expressions = try prepare("SELECT 1 FROM pragma_index_xinfo(?) WHERE cid = -2")
    let conditions = try prepare(
      "SELECT 1 FROM pragma_index_list(?) WHERE name = ? AND partial <> 0")
    let generated = try prepare("SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden <> 0")
    while try rows.step() {
      let (type, name) = (rows.text(0) ?? "", rows.text(1) ?? "")
      var problem: String?
      switch type {
      case "index":
        expressions.reset()
        try expressions.bind(1, name)
        conditions.reset()
        try conditions.bind(1, rows.text(2) ?? "")
        try conditions.bind(2, name)
        if try expressions.step() { problem = "index \(name) has an expression" }
        if try conditions.step() { problem = "index \(name) has a condition" }
      case "table" where rows.integer(3) != 0:
        generated.reset()
        try generated.bind(1, name)
        if try generated.step() { problem = "table \(name) has a generated column" }
      case "table" where tables.contains(rows.text(4) ?? ""): break
      case "table": problem = "table \(name) is virtual"
      case "view" where known.contains(rows.text(4) ?? ""): break
      default: problem = "has a \(type) \(name)"
      }
      guard let problem else { continue }
      throw CairnError(
        .computedSchema, .dataError, "\(problem), which is not evaluated", at: Location(file: path),
        hint: "rebuild the database, or drop what is not part of the schema")
    }
  }
}

/// The operations of SQLite's virtual machine left.
final class WorkLimit {
  /// The number of operations counted at once.
  static let stride: Int32 = 10_000

  private let operations: Int64
  private let isRenewed: Bool
  private var remaining: Int64

  init(_ operations: Int64, isRenewed: Bool) {
    (self.operations, self.isRenewed, remaining) = (operations, isRenewed, operations)
  }

  /// Begins another statement.
  func renew() { if isRenewed { remaining = operations } }

  /// Counts some operations; false once there were too many, or when the process is to stop.
  func spend() -> Bool {
    remaining -= Int64(Self.stride)
    return remaining > 0 && !StopRequest.isMade
  }
}
