// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// The content of a database: its tables, indexes and views in the order of its schema, and the
/// sources of their rows. ``DatabasePages`` writes it.
///
/// The rows are not compared with the declarations: the caller is responsible for columns,
/// constraints, the autoindexes of PRIMARY KEY and UNIQUE (`sqlite_autoindex_TABLE_1`, … without
/// `sql`) and `sqlite_sequence`.
package struct DatabaseContent: Sendable {
  /// Adds the rows of a part of a tree. Parts are laid out in any order, also concurrently; the
  /// output depends only on the rows and the division into parts. Each part of an index or of a
  /// WITHOUT ROWID table, except the first, has at least two rows.
  package typealias Rows =
    @Sendable (_ part: Int, _ tree: inout TreePart) throws(CairnError) -> Void

  struct Tree: Sendable {
    var kind: TreeKind
    var columns: Int
    var parts: Int
    var rows: Rows
  }

  struct SchemaEntry: Sendable {
    var type: String
    var name: String
    var table: String
    var sql: String?
    /// The index of its tree; nil for views and virtual tables.
    var tree: Int?
  }

  let pageSize: Int
  let applicationID: UInt32
  let userVersion: UInt32
  private(set) var trees: [Tree] = []
  private(set) var schema: [SchemaEntry] = []

  /// Makes an empty database.
  ///
  /// - Parameters:
  ///   - pageSize: The size of its pages in bytes, a power of two from 512 to 65536.
  ///   - applicationID: The value of `PRAGMA application_id`.
  ///   - userVersion: The value of `PRAGMA user_version`.
  package init(
    pageSize: Int = PageLayout.standardPageSize, applicationID: Int64 = 0, userVersion: Int64 = 0
  ) {
    self.pageSize = pageSize
    self.applicationID = UInt32(truncatingIfNeeded: applicationID)
    self.userVersion = UInt32(truncatingIfNeeded: userVersion)
  }

  private mutating func add(
    _ entry: SchemaEntry, _ kind: TreeKind, _ columns: Int, _ parts: Int, _ rows: @escaping Rows
  ) {
    var entry = entry
    entry.tree = trees.count
    schema.append(entry)
    trees.append(Tree(kind: kind, columns: columns, parts: max(1, parts), rows: rows))
  }

  /// Adds a table with rowids.
  ///
  /// - Parameters:
  ///   - sql: Its declaration, `CREATE TABLE name(…)`.
  ///   - columns: The number of its columns.
  ///   - parts: How many parts it is laid out in.
  ///   - rows: Adds the rows of a part, in ascending order of rowids over all parts.
  package mutating func addTable(
    _ name: String, sql: String, columns: Int, parts: Int = 1, rows: @escaping Rows
  ) {
    add(SchemaEntry(type: "table", name: name, table: name, sql: sql), .table, columns, parts, rows)
  }

  /// Adds a WITHOUT ROWID table, whose columns begin with those of its primary key.
  ///
  /// - Parameters:
  ///   - keyColumns: The number of columns of the primary key.
  ///   - rows: Adds the rows of a part, in ascending order of the primary key over all parts.
  package mutating func addTable(
    _ name: String, sql: String, columns: Int, keyColumns: Int, parts: Int = 1,
    rows: @escaping Rows
  ) {
    add(
      SchemaEntry(type: "table", name: name, table: name, sql: sql),
      .index(keyColumns: keyColumns), columns, parts, rows)
  }

  /// An index, whose records end with the rowid.
  package struct Index: Sendable {
    let name: String
    let table: String
    let sql: String?
    let columns: Int
    let isUnique: Bool

    /// Describes an index.
    ///
    /// - Parameters:
    ///   - sql: Its declaration; nil if a constraint of its table implies it.
    ///   - columns: The number of columns with the rowid.
    ///   - isUnique: Whether the columns without the rowid identify a record.
    package init(
      _ name: String, of table: String, sql: String?, columns: Int, isUnique: Bool = false
    ) {
      (self.name, self.table, self.sql) = (name, table, sql)
      (self.columns, self.isUnique) = (columns, isUnique)
    }
  }

  /// Adds an index.
  ///
  /// - Parameter rows: Adds the records of a part, in ascending order over all parts.
  package mutating func add(_ index: Index, parts: Int = 1, rows: @escaping Rows) {
    let columns = index.columns
    add(
      SchemaEntry(type: "index", name: index.name, table: index.table, sql: index.sql),
      .index(keyColumns: index.isUnique ? columns - 1 : columns), columns, parts, rows)
  }

  /// Adds a virtual table, whose rows are in tables of their own to be added separately. `sql` is
  /// its declaration, `CREATE VIRTUAL TABLE name USING …`.
  package mutating func addVirtualTable(_ name: String, sql: String) {
    schema.append(SchemaEntry(type: "table", name: name, table: name, sql: sql))
  }

  /// Adds a view. `sql` is its declaration, `CREATE VIEW name AS …`.
  package mutating func addView(_ name: String, sql: String) {
    schema.append(SchemaEntry(type: "view", name: name, table: name, sql: sql))
  }
}
