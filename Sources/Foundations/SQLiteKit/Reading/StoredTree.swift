// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// The place of a column's value, and its type as in records.
@usableFromInline
struct StoredValue {
  @usableFromInline let bytes: UnsafeRawPointer
  @usableFromInline let type: Int

  @usableFromInline
  init(bytes: UnsafeRawPointer, type: Int) { (self.bytes, self.type) = (bytes, type) }

  /// Whether it is a text or a blob.
  @inlinable var isBytes: Bool { type >= 12 }
}

/// A table stored by ids, or an index, whose rows can be read from its pages.
struct StoredTree {
  /// The declared type of a column. SQLite reads rows with values of other types.
  enum Kind { case integer, real, text, blob }

  /// A column of the records.
  struct Column {
    let kind: Kind
    /// Its index among the requested columns; nil if it is not requested.
    let index: Int?
  }

  let root: UInt32
  let isTable: Bool
  /// The columns up to the last requested one.
  private(set) var columns: [Column] = []
  /// The index of the row's id, which records leave out, among the requested columns; nil if it is
  /// not requested.
  private(set) var idIndex: Int?

  /// Some columns of a table; nil if SQLite has to read it.
  ///
  /// - Parameter key: The column that is an alias of the row id, or `rowid`.
  init?(_ connection: SQLiteConnection, _ wanted: [String], of table: String, key: String)
    throws(CairnError)
  {
    guard let root = try Self.root("table", table, connection) else { return nil }
    (self.root, isTable) = (root, true)
    idIndex = wanted.firstIndex(of: key)
    let rows = try connection.prepare(
      "SELECT name, type, hidden FROM pragma_table_xinfo(?) ORDER BY cid")
    try rows.bind(1, table)
    var isUsual = true
    while try rows.step() {
      let name = rows.text(0) ?? ""
      let index = name == key ? nil : wanted.firstIndex(of: name)
      let kind = Self.kind(rows.text(1))
      // Computed columns are not stored.
      if rows.integer(2) != 0 || index != nil && kind == nil { isUsual = false }
      columns.append(Column(kind: kind ?? .blob, index: index))
    }
    guard isUsual, has(wanted) else { return nil }
  }

  /// The columns of an index and the ids of its rows; nil if SQLite has to read it.
  ///
  /// - Parameters:
  ///   - wanted: The columns in order, then the key of the table.
  ///   - storesRows: Whether the index is the key by which the table itself is stored, whose entries
  ///     have no other id.
  init?(
    _ connection: SQLiteConnection, _ wanted: [String], ofIndex index: String, of table: String,
    storesRows: Bool = false
  ) throws(CairnError) {
    let root =
      try storesRows
      ? Self.root("table", table, connection) : Self.root("index", index, connection)
    guard let root else { return nil }
    (self.root, isTable) = (root, false)
    let rows = try connection.prepare(
      """
      SELECT t.name, t.type, i.cid, NOT i.desc AND i.coll = 'BINARY' AND NOT l.partial
      FROM pragma_index_list(?2) l JOIN pragma_index_xinfo(?1) i
        LEFT JOIN pragma_table_xinfo(?2) t ON t.cid = i.cid
      WHERE l.name = ?1 AND (i.key OR i.cid = -1) ORDER BY i.seqno
      """)
    try rows.bind(1, index)
    try rows.bind(2, table)
    var isUsual = true
    while try rows.step() {
      // The id of the row is the last one.
      let isID = rows.integer(2) == -1 && columns.count == wanted.count - 1
      let kind = isID ? .integer : Self.kind(rows.text(1))
      guard let kind, rows.integer(3) == 1, columns.count < wanted.count,
        isID || rows.text(0) == wanted[columns.count]
      else {
        isUsual = false
        continue
      }
      columns.append(Column(kind: kind, index: columns.count))
    }
    guard isUsual, columns.count == wanted.count else { return nil }
  }

  private static func root(_ type: String, _ name: String, _ connection: SQLiteConnection)
    throws(CairnError) -> UInt32?
  {
    let row = try connection.prepare(
      "SELECT rootpage FROM sqlite_master WHERE type = ? AND name = ? AND rootpage > 1")
    try row.bind(1, type)
    try row.bind(2, name)
    return try row.step() ? UInt32(exactly: row.integer(0)) : nil
  }

  /// The meaning of a type in a schema; nil for other types, which may convert values.
  private static func kind(_ type: String?) -> Kind? {
    switch type {
    case "INTEGER": .integer
    case "REAL": .real
    case "TEXT": .text
    case "BLOB": .blob
    default: nil
    }
  }

  /// Whether each requested column exists once; forgets the columns after the last of them.
  private mutating func has(_ wanted: [String]) -> Bool {
    while let last = columns.last, last.index == nil { columns.removeLast() }
    let found = (columns.map { $0.index } + [idIndex]).compactMap { $0 }.sorted()
    return found.elementsEqual(wanted.indices)
  }
}

/// The values of one row after another.
struct StoredValues: ~Copyable {
  private let columns: UnsafeMutableBufferPointer<StoredTree.Column>
  private let idIndex: Int?
  private let values: UnsafeMutablePointer<StoredValue>
  /// Numbers that the record stores in another form.
  private let numbers: UnsafeMutablePointer<UInt64>

  init(_ tree: StoredTree) {
    columns = .allocate(capacity: tree.columns.count)
    _ = columns.initialize(from: tree.columns)
    idIndex = tree.idIndex
    let most = tree.columns.count + 1
    values = .allocate(capacity: most)
    numbers = .allocate(capacity: most)
    for index in 0..<most {
      numbers[index] = 0
      (values + index).initialize(to: StoredValue(bytes: UnsafeRawPointer(numbers), type: 0))
    }
  }

  deinit {
    columns.deallocate()
    values.deallocate()
    numbers.deallocate()
  }

  /// The values of a record; valid until the next call. Nil if SQLite has to read the row.
  @inline(__always)
  func read(_ record: inout StoredRecord, _ id: Int64) -> UnsafePointer<StoredValue>? {
    if let idIndex { set(idIndex, UInt64(bitPattern: id), type: 6) }
    for column in columns {
      guard let index = column.index else {
        record.skip(1)
        continue
      }
      guard let value = record.value() else { return nil }
      let type = value.type
      switch column.kind {
      case .integer:
        guard type != 7, !value.isBytes else { return nil }
        values[index] = value
      case .real:
        guard !value.isBytes else { return nil }
        values[index] = value
        // Whole numbers may be written as integers.
        if type == 7 {
          // SQLite reads it as NULL.
          if PageBytes.number(value.bytes, type: 7).isNaN { return nil }
        } else if type != 0 {
          set(index, PageBytes.number(value.bytes, type: type).bitPattern, type: 7)
        }
      case .text, .blob:
        guard type == 0 || value.isBytes && (type % 2 == 1) == (column.kind == .text) else {
          return nil
        }
        values[index] = value
      }
    }
    return record.isSound && record.fits ? UnsafePointer(values) : nil
  }

  private func set(_ index: Int, _ bits: UInt64, type: Int) {
    numbers[index] = bits.bigEndian
    values[index] = StoredValue(bytes: UnsafeRawPointer(numbers + index), type: type)
  }
}
