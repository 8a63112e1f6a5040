// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnRoutingDatabase
import CairnSQLiteKit

/// The table `routing_way_blocks`.
struct WayBlockRules {
  private let edges: EdgeRows
  /// The edges that were listed, by their indices.
  private var isListed: [Bool]
  private var breach: String?

  /// Compares the table with the edges; adds a breach of `ways` for the first difference.
  static func check(
    _ connection: SQLiteConnection, _ edges: EdgeRows, _ budget: inout ReadBudget,
    _ findings: inout Findings
  ) throws(CairnError) {
    // Edges of other writers may have no way.
    var rules = WayBlockRules(edges: edges, isListed: edges.ways.map { $0 == 0 })
    var (row, last) = (Int64(0), Int64.min)
    try connection.scan(["way", "edges"], from: "routing_way_blocks", orderedBy: "way") {
      found throws(CairnError) in
      let bytes = found.blob(1)
      try budget.spend(bytes.count)
      row = found.integer(0)
      let isSound = WayBlock.forEach(bytes, first: row) { way, edge in
        if way < last { rules.breach = rules.breach ?? "way \(way) is listed after way \(last)" }
        last = way
        rules.list(edge, ofWay: way)
      }
      if !isSound { rules.breach = rules.breach ?? "the block of ways from \(row) is damaged" }
    }
    let missing = rules.isListed.firstIndex(of: false).map { edges.ids[$0] }
    if let breach = rules.breach ?? missing.map({ "edge \($0) is not listed at its way" }) {
      findings.add(.ways, breach)
    }
  }

  private mutating func list(_ edge: Int64, ofWay way: Int64) {
    if breach != nil { return }
    guard let index = edges.index(of: edge), edges.ways[index] == way else {
      return breach = "edge \(edge) is listed at way \(way)"
    }
    if isListed[index] { breach = "edge \(edge) is listed twice" }
    isListed[index] = true
  }
}
