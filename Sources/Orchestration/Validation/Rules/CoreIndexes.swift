// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit

/// Compares the indexes of the core tables with the rows, entry by entry in the order of the index.
///
/// SQLite's own check looks each row up in each index, which takes four times as long. The same is
/// proved if each entry stands for a row with its values, the entries ascend, so no two are equal,
/// and there are as many entries as rows.
enum CoreIndexes {
  /// The tables with these indexes.
  static let tables = ["routing_edges", "routing_nodes"]

  /// An index.
  enum Index: CaseIterable {
    case nodes, from, to

    var name: String {
      switch self {
      case .nodes: "idx_nodes_lat_lon"
      case .from: "idx_edges_from"
      case .to: "idx_edges_to"
      }
    }

    var table: String { self == .nodes ? "routing_nodes" : "routing_edges" }

    var columns: [String] {
      switch self {
      case .nodes: ["latitude", "longitude"]
      case .from: ["from_node"]
      case .to: ["to_node"]
      }
    }
  }

  /// Whether a table's indexes are exactly those above: of plain columns, ascending and of all
  /// rows. SQLite has to check others.
  static func coverAll(of table: String, _ connection: SQLiteConnection) throws(CairnError) -> Bool
  {
    let indexes = Index.allCases.filter { $0.table == table }
    let list = try connection.prepare(
      "SELECT name FROM pragma_index_list(?) WHERE origin = 'c' AND NOT \"unique\" AND NOT partial")
    try list.bind(1, table)
    var plain: Set<String> = []
    while try list.step() { plain.insert(list.text(0) ?? "") }
    let all = try connection.prepare("SELECT count(*) FROM pragma_index_list(?)")
    try all.bind(1, table)
    guard try all.step(), all.integer(0) == indexes.count, plain == Set(indexes.map(\.name)) else {
      return false
    }
    for index in indexes {
      let columns = try connection.prepare(
        """
        SELECT name FROM pragma_index_xinfo(?)
        WHERE NOT desc AND coll = 'BINARY' AND (key OR cid = -1) ORDER BY seqno
        """)
      try columns.bind(1, index.name)
      var names: [String?] = []
      while try columns.step() { names.append(columns.text(0)) }
      guard names.dropLast() == index.columns[...].map(Optional.some)[...] else { return false }
    }
    return true
  }

  /// Compares the indexes with the rows and finds breaches of `integrity`; none for indexes that
  /// SQLite has to check.
  static func compare(_ file: DatabaseFile, _ core: CoreRows) throws(CairnError) -> Findings {
    try file.withConnection { connection throws(CairnError) in
      try compare(connection, core)
    }
  }

  private static func compare(_ connection: SQLiteConnection, _ core: CoreRows)
    throws(CairnError) -> Findings
  {
    var findings = Findings()
    for table in tables where try coverAll(of: table, connection) {
      for index in Index.allCases where index.table == table {
        var comparison = Comparison(index, core.nodes, core.edges)
        try connection.scan(index.columns + ["id"], fromIndex: index.name, of: table) {
          row throws(CairnError) in comparison.take(row)
        }
        comparison.finish()
        findings.append(comparison.findings)
      }
    }
    return findings
  }

  private struct Comparison {
    let index: Index
    let nodes: NodeRows
    let edges: EdgeRows
    var findings = Findings()
    var count = 0
    var lastID = Int64.min
    var lastNode = Int64.min
    var lastPosition = (-Double.infinity, -Double.infinity)

    init(_ index: Index, _ nodes: NodeRows, _ edges: EdgeRows) {
      self.index = index
      self.nodes = nodes
      self.edges = edges
    }

    mutating func take(_ row: SQLiteRow) {
      count += 1
      let isRight =
        switch index {
        case .nodes: takePosition(row)
        case .from: takeEnd(row, isStart: true)
        case .to: takeEnd(row, isStart: false)
        }
      if !isRight {
        findings.add(
          .integrity, "entry \(count) of index \(index.name) does not match the rows")
      }
    }

    private mutating func takePosition(_ row: SQLiteRow) -> Bool {
      let (id, position) = (row.integer(2), (row.number(0), row.number(1)))
      defer { (lastID, lastPosition) = (id, position) }
      guard row.isInteger(2), let node = nodes.index(of: id) else { return false }
      let stored = nodes.positions[node]
      // An invalid coordinate breaks another rule.
      guard stored.isValid else { return true }
      return (stored.latitude, stored.longitude) == position
        && !(position < lastPosition || (position == lastPosition && id <= lastID))
    }

    private mutating func takeEnd(_ row: SQLiteRow, isStart: Bool) -> Bool {
      let (node, id) = (row.integer(0), row.integer(1))
      defer { (lastNode, lastID) = (node, id) }
      guard row.isInteger(1), let edge = edges.index(of: id) else { return false }
      let end = isStart ? edges.from[edge] : edges.to[edge]
      // A missing end breaks another rule.
      guard end >= 0 else { return true }
      return row.isInteger(0) && nodes.ids[Int(end)] == node
        && (node, id) > (lastNode, lastID)
    }

    mutating func finish() {
      let rows = index == .nodes ? nodes.ids.count : edges.ids.count
      if count != rows {
        findings.add(
          .integrity, "index \(index.name) has \(count) entries for \(rows) rows")
      }
    }
  }
}
