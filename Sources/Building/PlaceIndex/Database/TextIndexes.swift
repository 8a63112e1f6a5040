// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnPlaceDatabase
import CairnSQLiteKit

/// The full-text indexes of a `.places.db`, which SQLite makes in memory: on another thread than the
/// other tables are made on. What it keeps them in are ordinary tables.
struct TextIndexes: Sendable {
  /// A value of a row.
  private enum Value: Sendable {
    case null
    case integer(Int64)
    case text([UInt8])
    case blob([UInt8])
  }

  /// A table of an index.
  private struct Table: Sendable {
    var name: String
    var sql: String
    var columns: Int
    /// 0 for one that is stored by rowid, which is its first column.
    var keyColumns: Int
    var rows: [[Value]]
  }

  private var tables: [Table] = []

  /// Makes the indexes. `addNames` and `addWords` add the texts of each by ascending rowid.
  init(
    names: (_ add: (_ id: Int, _ text: ArraySlice<UInt8>) throws(CairnError) -> Void)
      throws(CairnError) -> Void,
    words: (_ add: (_ id: Int, _ text: ArraySlice<UInt8>) throws(CairnError) -> Void)
      throws(CairnError) -> Void
  ) throws(CairnError) {
    let connection = try SQLiteConnection("the text indexes", .inMemory)
    try connection.execute("BEGIN")
    for statement in PlaceSchema.textIndexes { try connection.execute(statement) }
    try Self.fill(connection, "place_text", "name", names)
    try Self.fill(connection, "place_trigrams", "word", words)
    try connection.execute("COMMIT")
    try read(connection)
  }

  /// How much an index gathers in memory before it writes a piece of itself, in bytes.
  private static let gatheredBytes = 32 << 20

  private static func fill(
    _ connection: SQLiteConnection, _ table: String, _ column: String,
    _ texts: (_ add: (_ id: Int, _ text: ArraySlice<UInt8>) throws(CairnError) -> Void)
      throws(CairnError) -> Void
  ) throws(CairnError) {
    try connection.execute(
      "INSERT INTO \(table)(\(table), rank) VALUES ('hashsize', \(gatheredBytes))")
    let row = try connection.prepare("INSERT INTO \(table)(rowid, \(column)) VALUES (?, ?)")
    try texts { id, text throws(CairnError) in
      row.reset()
      try row.bind(1, Int64(id))
      try text.withUnsafeBufferPointer { text throws(CairnError) in
        try row.bindText(2, UnsafeRawBufferPointer(text))
      }
      try row.step()
    }
    // All pieces become one, which is searched fastest.
    try connection.execute("INSERT INTO \(table)(\(table)) VALUES ('optimize')")
    // Other programs that open the database may not have that memory.
    try connection.execute("DELETE FROM \(table)_config WHERE k = 'hashsize'")
  }

  private mutating func read(_ connection: SQLiteConnection) throws(CairnError) {
    let schema = try connection.prepare(
      "SELECT name, sql, rootpage = 0, sql LIKE '%WITHOUT ROWID' FROM sqlite_master ORDER BY rowid")
    while try schema.step() {
      let name = schema.text(0) ?? ""
      var table = Table(
        name: name, sql: schema.text(1) ?? "", columns: 0, keyColumns: 0, rows: [])
      if schema.integer(2) == 0 {
        let keys = try connection.prepare("SELECT max(pk), count(*) FROM pragma_table_info(?)")
        try keys.bind(1, name)
        try keys.step()
        table.columns = Int(keys.integer(1))
        if schema.integer(3) == 1 { table.keyColumns = Int(keys.integer(0)) }
        let rows = try connection.prepare(
          "SELECT * FROM \(name) ORDER BY "
            + (1...max(1, table.keyColumns)).map { "\($0)" }.joined(separator: ", "))
        while try rows.step() {
          var row: [Value] = []
          for column in 0..<Int32(table.columns) { row.append(try Self.value(rows, column)) }
          table.rows.append(row)
        }
      }
      tables.append(table)
    }
  }

  private static func value(_ row: SQLiteStatement, _ column: Int32) throws(CairnError) -> Value {
    if row.isNull(column) { return .null }
    if row.isInteger(column) { return .integer(row.integer(column)) }
    if row.isText(column) { return .text(row.withText(column) { $0.map { Array($0) } ?? [] }) }
    return try row.withBlob(column) { bytes throws(CairnError) in .blob(Array(bytes)) }
  }

  /// Adds the indexes to a database.
  func add(to content: inout DatabaseContent) {
    for table in tables {
      if table.columns == 0 {
        content.addVirtualTable(table.name, sql: table.sql)
      } else if table.keyColumns == 0 {
        content.addTable(table.name, sql: table.sql, columns: table.columns) {
          _, part throws(CairnError) in
          for row in table.rows {
            guard case .integer(let rowid) = row[0] else { continue }
            part.record.addNull()
            Self.add(row.dropFirst(), to: &part)
            try part.endRow(rowid)
          }
        }
      } else {
        content.addTable(
          table.name, sql: table.sql, columns: table.columns, keyColumns: table.keyColumns
        ) { _, part throws(CairnError) in
          for row in table.rows {
            Self.add(row[...], to: &part)
            try part.endRow()
          }
        }
      }
    }
  }

  private static func add(_ values: ArraySlice<Value>, to part: inout TreePart) {
    for value in values {
      switch value {
      case .null: part.record.addNull()
      case .integer(let number): part.record.add(number)
      case .text(let bytes): bytes.withUnsafeBytes { part.record.addText($0) }
      case .blob(let bytes): bytes.withUnsafeBytes { part.record.addBlob($0) }
      }
    }
  }
}
