// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit

/// The source of the tiles in an MBTiles file from any tool: a table `tiles`, or one or two tables
/// joined by a view of this name. SQLite could take forever to evaluate anything else.
package struct MBTilesSource {
  /// The columns required for a row of tiles.
  package static let columns = ["zoom_level", "tile_column", "tile_row", "tile_data"]

  /// The tables, which are stored.
  let tables: [String]

  /// Examines a schema; nil if there are no tiles. Throws 65 with the code `computed-schema` for a
  /// view of any other kind.
  package init?(_ connection: SQLiteConnection) throws(CairnError) {
    let view = try connection.text(
      "SELECT sql FROM sqlite_master WHERE type = 'view' AND name = 'tiles'")
    let joined = view.map { ViewOfTables($0)?.tables ?? [] }
    tables = joined ?? ["tiles"]
    var isJoin = joined != []
    for table in joined ?? [] where try connection.columns(ofTable: table) == nil { isJoin = false }
    guard isJoin else {
      throw CairnError(
        .computedSchema, .dataError,
        "has a view tiles that is more than a join of two tables, and is not evaluated",
        at: Location(file: connection.path),
        hint: "put its rows into a table: CREATE TABLE … AS SELECT * FROM tiles")
    }
    if view == nil, try connection.columns(ofTable: "tiles") == nil { return nil }
    // Only now: SQLite evaluates a view to list its columns.
    let column = try connection.prepare("SELECT name FROM pragma_table_info('tiles')")
    var found: [String] = []
    while try column.step() { found.append(column.text(0) ?? "") }
    guard Self.columns.allSatisfy(found.contains) else { return nil }
  }

  /// The most tiles if none has two contents: the rows of the larger table.
  package func mostTiles(_ connection: SQLiteConnection) throws(CairnError) -> Int {
    var most: Int64 = 0
    for table in tables {
      most = max(most, try connection.integer("SELECT count(*) FROM \"\(table)\"") ?? 0)
    }
    return Int(most)
  }

  /// The error of a file with more tiles than that.
  package static func ambiguous(_ path: String) -> CairnError {
    CairnError(
      .notATileArchive, .dataError, "has several contents for one tile", at: Location(file: path),
      hint: "make it again with the tool that made it")
  }
}

/// The tables of a view that only selects columns from one table, or from two joined by equal
/// columns.
private struct ViewOfTables {
  private(set) var tables: [String] = []
  /// The qualifiers of each table's columns.
  private var qualifiers: [String] = []
  private var words: ArraySlice<String>

  private static let longest = 4096
  private static let keywords: Set = [
    "as", "cross", "from", "full", "inner", "join", "left", "natural", "on", "outer", "right",
    "select", "using", "where",
  ]

  /// Reads the statement of a view; nil if it may be anything else.
  init?(_ sql: String) {
    guard let words = Self.words(sql) else { return nil }
    self.words = words[...]
    guard take("create", "view"), name() != nil, take("as", "select") else { return nil }
    repeat {
      guard column() != nil else { return nil }
      if take("as"), name() == nil { return nil }
    } while take(",")
    guard take("from"), table() else { return nil }
    _ = take("inner") || take("left", "outer") || take("left")
    if take("join") || take(",") {
      guard table(), condition() else { return nil }
    }
    _ = take(";")
    guard self.words.isEmpty else { return nil }
  }

  /// Names and keywords in lowercase, and single signs.
  private static func words(_ sql: String) -> [String]? {
    guard sql.utf8.count <= longest else { return nil }
    var words: [String] = []
    var rest = sql.lowercased()[...]
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if ".,=();".contains(first) {
        words.append(String(rest.removeFirst()))
      } else {
        let closing: Character? = ["\"": "\"", "`": "`", "[": "]"][first]
        if closing != nil { rest.removeFirst() }
        let name = rest.prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
        rest.removeFirst(name.count)
        guard name.first?.isNumber == false else { return nil }
        if let closing {
          guard rest.first == closing, !keywords.contains(String(name)) else { return nil }
          rest.removeFirst()
        }
        words.append(String(name))
      }
    }
    return words
  }

  private mutating func take(_ expected: String...) -> Bool {
    guard words.starts(with: expected) else { return false }
    words.removeFirst(expected.count)
    return true
  }

  private mutating func name() -> String? {
    guard let word = words.first, let first = word.first, first == "_" || first.isLetter,
      !Self.keywords.contains(word)
    else { return nil }
    words.removeFirst()
    return word
  }

  /// A column; its qualifier is empty if it has none.
  private mutating func column() -> (qualifier: String, name: String)? {
    guard let first = name() else { return nil }
    guard take(".") else { return ("", first) }
    return name().map { (first, $0) }
  }

  private mutating func table() -> Bool {
    guard let table = name() else { return false }
    tables.append(table)
    if take("as") {
      guard let alias = name() else { return false }
      qualifiers.append(alias)
    } else {
      qualifiers.append(name() ?? table)
    }
    return true
  }

  /// The join condition of the two tables.
  private mutating func condition() -> Bool {
    if take("using", "(") {
      return name() != nil && take(")")
    }
    guard take("on") || take("where") else { return false }
    let isInParentheses = take("(")
    repeat {
      guard let left = column(), take("="), let right = column(),
        Set([left.qualifier, right.qualifier]) == Set(qualifiers), qualifiers[0] != qualifiers[1]
      else { return false }
    } while take("and")
    return !isInParentheses || take(")")
  }
}
