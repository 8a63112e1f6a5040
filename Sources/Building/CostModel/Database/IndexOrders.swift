// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnRoutingDatabase
import CairnSQLiteKit
import SystemIO
import TrailData

/// The orders of the indexes of nodes and edges. Since ids of nodes ascend, they are sorted by the
/// indices of the nodes in the graph.
struct IndexOrders: Sendable {
  private let rows: DatabaseRows
  /// The nodes of the graph by latitude, longitude and id.
  private let nodes: [UInt32]
  private let from: EndOrder
  private let to: EndOrder

  /// The rows of the edges by the node at one of their ends.
  private struct EndOrder: Sendable {
    /// The node of each row, as an index in the graph.
    var nodes: [UInt32]
    /// The rows in the order of their nodes.
    var order: [UInt32]

    init(_ rows: DatabaseRows, _ ends: Column<UInt32>) {
      nodes = []
      nodes.reserveCapacity(rows.edges.count)
      for edge in rows.edges { nodes.append(rows.folding.node(ends[Int(edge)])) }
      order = KeyOrder.ascending(nodes)
    }
  }

  /// Sorts, with up to two threads.
  init(_ rows: DatabaseRows, threads: Int) {
    self.rows = rows
    (nodes, (from, to)) = concurrently(threads: threads) {
      Self.nodes(rows)
    } _: {
      (EndOrder(rows, rows.graph.from), EndOrder(rows, rows.graph.to))
    }
  }

  private static func nodes(_ rows: DatabaseRows) -> [UInt32] {
    // Degrees ascend as their units do.
    let keys = rows.nodes.map { node in
      Int64(rows.graph.latitudes[Int(node)]) << 32 + Int64(rows.graph.longitudes[Int(node)])
    }
    return KeyOrder.ascending(keys).map { rows.nodes[Int($0)] }
  }

  func addNodes(_ entries: Range<Int>, _ part: inout TreePart) throws(CairnError) {
    for entry in entries {
      let node = Int(nodes[entry])
      try part.addNodeEntry(rows.coordinate(node), id: rows.graph.nodeIDs[node])
    }
  }

  func addFrom(_ entries: Range<Int>, _ part: inout TreePart) throws(CairnError) {
    try add(from, entries, &part)
  }

  func addTo(_ entries: Range<Int>, _ part: inout TreePart) throws(CairnError) {
    try add(to, entries, &part)
  }

  private func add(_ end: EndOrder, _ entries: Range<Int>, _ part: inout TreePart)
    throws(CairnError)
  {
    for entry in entries {
      let row = Int(end.order[entry])
      try part.addEdgeEntry(node: rows.graph.nodeIDs[Int(end.nodes[row])], edge: row + 1)
    }
  }
}
