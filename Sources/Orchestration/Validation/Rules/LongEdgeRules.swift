// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnRoutingDatabase
import CairnSQLiteKit

/// The table `routing_long_edges`, and the rows that it should have.
struct LongEdgeRules {
  private let nodes: NodeRows
  /// What is kept at most; a table with more rows does not fit into the file.
  private let most: Int
  private var expected = LongEdgeRows()
  /// Whether the lines of all edges are valid; if not, another rule is broken.
  var isComplete = true
  /// An edge whose id no row can have.
  private var unlistable: Int64?

  init(_ file: DatabaseFile, _ nodes: NodeRows) {
    self.nodes = nodes
    most = file.bytes / ReadBudget.longEdgeBytes
  }

  /// Adds an edge whose line was checked, if it is a long one.
  ///
  /// - Parameters:
  ///   - metres: The length in its row.
  ///   - box: The box around its line.
  mutating func add(
    _ edge: EdgeRows.Edge, metres: Double, geometry: UnsafeRawBufferPointer, within box: BoundingBox
  ) {
    guard metres > LongEdges.metres, expected.count <= most else { return }
    guard let id = UInt32(exactly: edge.id) else { return unlistable = edge.id }
    let (start, end) = (nodes.positions[Int(edge.from)], nodes.positions[Int(edge.to)])
    // Following a line from cell to cell takes much longer.
    if start.isValid, end.isValid, expected.add(edge: id, within: box) { return }
    if !expected.add(edge: id, from: start, to: end, geometry: geometry) { isComplete = false }
  }

  /// Compares the rows, unless some are unknown; adds a breach of `long-edges` for the first one that differs.
  consuming func compare(
    _ connection: SQLiteConnection, _ budget: inout ReadBudget, _ findings: inout Findings
  ) throws(CairnError) {
    if let unlistable {
      return findings.add(.longEdges, "edge \(unlistable) cannot be listed: ids end at 2³² − 1")
    }
    guard isComplete else {
      return findings.skip(.longEdges, because: "an edge has an invalid line")
    }
    let expected = expected.sorted()
    let row = try connection.prepare(
      "SELECT cell, edge FROM routing_long_edges ORDER BY cell, edge")
    var next = 0
    while try row.step() {
      try budget.spend(ReadBudget.longEdgeBytes)
      let found = (cell: row.integer(0), edge: row.integer(1))
      guard next < expected.count, expected[next] <= found else {
        findings.add(.longEdges, "edge \(found.edge) is listed in cell \(found.cell)")
        return
      }
      guard expected[next] == found else { break }
      next += 1
    }
    if next < expected.count {
      let (cell, edge) = expected[next]
      findings.add(.longEdges, "edge \(edge) is not listed in cell \(cell)")
    }
  }
}
