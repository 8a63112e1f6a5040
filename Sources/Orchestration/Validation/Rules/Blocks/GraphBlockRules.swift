// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnRoutingDatabase
import CairnSQLiteKit

/// The table `routing_graph_blocks`: it must say what the rows of nodes and edges say.
struct GraphBlockRules {
  private let nodes: NodeRows
  /// Nil if it is damaged.
  private let directory: GraphDirectory?
  /// The first difference.
  private var breach: String?

  /// Reads the directory.
  init(_ connection: SQLiteConnection, _ nodes: NodeRows) throws(CairnError) {
    self.nodes = nodes
    let row = try connection.prepare("SELECT graph FROM routing_graph_blocks WHERE block = ?")
    try row.bind(1, GraphDirectory.row)
    directory =
      try row.step()
      ? row.withBlob(0) { bytes throws(CairnError) in GraphDirectory(bytes) } : nil
    if directory == nil { breach = "the directory is missing or damaged" }
  }

  /// Checks that the block of an edge reaches as far as the edge's line.
  mutating func check(_ edge: EdgeRows.Edge, within box: BoundingBox) {
    guard breach == nil, let directory else { return }
    guard edge.id > 0, edge.id <= directory.edgeCount else {
      return breach = "edge \(edge.id) is in no block"
    }
    let block = directory.block(ofEdge: Int(edge.id) - 1)
    if !directory.blocks[block].contains(box) {
      breach = "edge \(edge.id) leaves the box of block \(block)"
    }
  }

  /// Compares the blocks with the rows; adds a breach of `graph` for the first difference.
  consuming func compare(
    _ connection: SQLiteConnection, _ edges: EdgeRows, _ budget: inout ReadBudget,
    _ findings: inout Findings
  ) throws(CairnError) {
    guard findings.holds(.nodes) else {
      return findings.skip(.graph, because: "a node is invalid")
    }
    guard !edges.from.contains(EdgeRows.nowhere), !edges.to.contains(EdgeRows.nowhere) else {
      return findings.skip(.graph, because: "an edge has no node")
    }
    if breach == nil, let directory {
      breach = try difference(connection, directory, edges, &budget)
    }
    if let breach { findings.add(.graph, breach) }
  }

  private func difference(
    _ connection: SQLiteConnection, _ directory: GraphDirectory, _ edges: EdgeRows,
    _ budget: inout ReadBudget
  ) throws(CairnError) -> String? {
    guard directory.nodeCount == nodes.ids.count, directory.edgeCount == edges.ids.count,
      edges.ids.first ?? 1 == 1, edges.ids.last ?? 0 == edges.ids.count
    else {
      return "the directory has \(directory.nodeCount) nodes and \(directory.edgeCount) edges, the "
        + "tables have \(nodes.ids.count) and \(edges.ids.count)"
    }
    // The row of each node of the graph, and the graph's nodes at the ends of each edge.
    var rows: [Int32] = []
    var ends: [(from: Int32, to: Int32)] = []
    var incoming: [GraphBlock.Incoming] = []
    let row = try connection.prepare(
      "SELECT block, graph FROM routing_graph_blocks WHERE block >= 0 ORDER BY block")
    var number = 0
    while try row.step() {
      guard row.integer(0) == number else { break }
      let block = try row.withBlob(1) { bytes throws(CairnError) in
        try budget.spend(bytes.count)
        return GraphBlock(bytes, number: number, directory)
      }
      guard let block else { return "block \(number) is damaged" }
      for index in block.ids.indices {
        guard let found = nodes.index(of: block.ids[index]) else {
          return "block \(number) has node \(block.ids[index])"
        }
        if let problem = difference(block, index, found) {
          return "block \(number), node \(block.ids[index]): \(problem)"
        }
        rows.append(Int32(truncatingIfNeeded: found))
      }
      for (index, edge) in zip(block.indices, block.edges) {
        let metres = edges.distances[index]
        if metres.isFinite, Double(edge.metres) != metres.rounded(.up) {
          return "block \(number), edge \(index + 1): it has \(edge.metres) m"
        }
        ends.append((edge.from, edge.to))
      }
      incoming += block.incoming
      number += 1
    }
    guard number == directory.blocks.count else { return "block \(number) is missing" }
    return difference(edges, rows, ends, incoming)
  }

  /// How a node differs from its row, if it does.
  private func difference(_ block: GraphBlock, _ index: Int, _ row: Int) -> String? {
    let (position, elevation) = (nodes.positions[row], nodes.elevations[row])
    // Other rules report invalid values.
    if position.isValid, block.positions[index] != FixedCoordinate(position) {
      return "it lies elsewhere"
    }
    let known = block.elevations[index]
    return known == Float(elevation) || known.isNaN && elevation.isNaN
      ? nil : "its elevation is another"
  }

  private func difference(
    _ edges: EdgeRows, _ rows: [Int32], _ ends: [(from: Int32, to: Int32)],
    _ incoming: [GraphBlock.Incoming]
  ) -> String? {
    var crossing = 0
    for (index, end) in ends.enumerated() {
      let (from, to) = (rows[Int(end.from)], rows[Int(end.to)])
      if from != edges.from[index] || to != edges.to[index] {
        return "edge \(index + 1) has other ends in its block"
      }
      if Int(end.from) / PlaceOrder.nodesPerBlock != Int(end.to) / PlaceOrder.nodesPerBlock {
        crossing += 1
      }
    }
    for edge in incoming {
      let end = ends[Int(edge.edge)]
      if end != (edge.from, edge.to) {
        return "edge \(edge.edge + 1) has other ends where it leads to"
      }
    }
    return incoming.count == crossing ? nil : "an edge is missing in the block that it leads to"
  }
}
