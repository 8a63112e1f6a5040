// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnRoutingDatabase
import CairnSQLiteKit
import CairnTagRules

/// The rows of the core tables, and the list of other tables.
struct CoreRows {
  let tables: DatabaseTables
  let metadata: MetadataRows
  let nodes: NodeRows
  let edges: EdgeRows
  let elevationCoverage: ElevationCoverage
  /// Whether the edges have the costs of the hiking profile.
  let isHiking: Bool
  /// The date for which seasons and conditional access were evaluated, in the hemisphere of most
  /// nodes; nil if unknown.
  let accessDate: CalendarDate?

  /// Reads the tables of a file whose integrity need not be known; nil if `schema` is broken.
  init?(_ file: DatabaseFile, _ connection: SQLiteConnection, _ findings: inout Findings)
    throws(CairnError)
  {
    tables = try DatabaseTables(connection, &findings)
    guard findings.holds(.schema) else { return nil }
    var budget = ReadBudget(file)
    metadata = try MetadataRows(connection, &budget)
    isHiking = (metadata[RoutingMetadataKey.profile] ?? "hiking") == RoutingMode.hiking.rawValue
    nodes = try NodeRows(connection, &budget, &findings)
    let isSouthern = nodes.positions.count { $0.latitude < 0 } > nodes.positions.count / 2
    accessDate = metadata[RoutingMetadataKey.accessDate].flatMap { text in
      CalendarDate(text).map { date in
        var date = date
        date.isSouthern = isSouthern
        return date
      }
    }
    var graph =
      try tables.has("routing_graph_blocks") ? GraphBlockRules(connection, nodes) : nil
    edges = try EdgeRows(
      connection, nodes, isHiking: isHiking, graph: &graph, &budget,
      &findings)
    elevationCoverage = ElevationCoverage(nodes, edges)
    if let graph {
      try graph.compare(connection, edges, &budget, &findings)
    } else {
      findings.skip(.graph, because: "no table of blocks")
    }
    if tables.has("routing_way_blocks") {
      try WayBlockRules.check(connection, edges, &budget, &findings)
    } else {
      findings.skip(.ways, because: "no table of ways")
    }
  }
}
