// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit

/// Collects the content of a `.routing.db`, table by table in the order of its schema, as
/// ``DatabaseContent``, which ``DatabasePages`` writes.
///
/// Rows are requested by ranges of their indices, on any thread: the closures add them to the part
/// of the tree, in order (`part.addNode(…)`, …).
package struct RoutingDatabaseWriter {
  /// Adds the rows with some indices.
  package typealias Rows =
    @Sendable (_ rows: Range<Int>, _ part: inout TreePart) throws(CairnError) -> Void

  /// The content so far.
  package private(set) var content: DatabaseContent

  private let partSizes: PartSizes

  /// Begins a database.
  ///
  /// - Parameter partSizes: How many rows are laid out at a time; the bytes depend on it where pages
  ///   end.
  package init(partSizes: PartSizes = .standard) {
    self.partSizes = partSizes
    content = DatabaseContent(
      applicationID: RoutingSchema.applicationID, userVersion: RoutingSchema.version)
  }

  /// The number of rows in a part of a table or an index.
  package struct PartSizes: Sendable {
    let nodes: Int
    let edges: Int
    let blocks: Int
    let indexEntries: Int

    /// Those of databases: some hundred kilobytes.
    package static let standard = PartSizes(
      nodes: 16_384, edges: 4096, blocks: 32, indexEntries: 32_768)

    /// A 32nd of ``standard``, so that a small map has many parts.
    package static let small = PartSizes(nodes: 512, edges: 128, blocks: 1, indexEntries: 1024)
  }

  /// The number of parts of a table, and its rows by their part: about the same number in each, and
  /// two or more.
  private static func divided(_ count: Int, by size: Int, _ rows: @escaping Rows)
    -> (parts: Int, rows: DatabaseContent.Rows)
  {
    let parts = max(1, (count + size - 1) / size)
    return (
      parts,
      { part, tree throws(CairnError) in
        try rows(count * part / parts..<count * (part + 1) / parts, &tree)
      }
    )
  }

  /// - Parameter size: How many rows a part has; nil if all are in one.
  private mutating func addTable(
    _ name: String, _ count: Int, by size: Int? = nil, columns: Int, keyColumns: Int? = nil,
    _ rows: @escaping Rows
  ) {
    let (parts, rows) = Self.divided(count, by: size ?? max(1, count), rows)
    let sql = RoutingSchema.declaration(of: name)
    if let keyColumns {
      content.addTable(
        name, sql: sql, columns: columns, keyColumns: keyColumns, parts: parts, rows: rows)
    } else {
      content.addTable(name, sql: sql, columns: columns, parts: parts, rows: rows)
    }
  }

  /// Adds the nodes; in ascending order of ids.
  package mutating func addNodes(count: Int, _ rows: @escaping Rows) {
    addTable("routing_nodes", count, by: partSizes.nodes, columns: 4, rows)
  }

  /// Adds the edges, whose ids count from 1, and with them the table in which SQLite keeps the
  /// greatest id of tables with AUTOINCREMENT.
  package mutating func addEdges(count: Int, _ rows: @escaping Rows) {
    addTable("routing_edges", count, by: partSizes.edges, columns: 16, rows)
    let sequence = "CREATE TABLE sqlite_sequence(name,seq)"
    content.addTable("sqlite_sequence", sql: sequence, columns: 2) { _, part throws(CairnError) in
      guard count > 0 else { return }
      part.record.add("routing_edges")
      part.record.add(Int64(count))
      try part.endRow(1)
    }
  }

  /// Adds the metadata; no key twice.
  package mutating func addMetadata(_ entries: [(key: String, value: String)]) {
    addTable("routing_metadata", entries.count, columns: 2) { rows, part throws(CairnError) in
      for row in rows {
        part.record.add(entries[row].key)
        part.record.add(entries[row].value)
        try part.endRow(Int64(row + 1))
      }
    }
    addKeyIndex(of: "routing_metadata", entries.map(\.key))
  }

  /// Adds the profiles, whose ids count from 1; no name twice.
  package mutating func addProfiles(_ profiles: [Profile]) {
    addTable("routing_profiles", profiles.count, columns: 5) { rows, part throws(CairnError) in
      for row in rows {
        part.record.addNull()
        part.record.add(profiles[row].name)
        part.record.add(profiles[row].fingerprint)
        part.record.add(profiles[row].definition)
        part.record.add(profiles[row].minimumCostPerMetre)
        try part.endRow(Int64(row + 1))
      }
    }
    addKeyIndex(of: "routing_profiles", profiles.map(\.name))
  }

  /// Adds the index of a column of texts that is unique.
  private mutating func addKeyIndex(of table: String, _ keys: [String]) {
    let order = keys.indices.sorted { keys[$0].utf8.lexicographicallyPrecedes(keys[$1].utf8) }
    content.add(
      .init("sqlite_autoindex_\(table)_1", of: table, sql: nil, columns: 2, isUnique: true)
    ) { _, part throws(CairnError) in
      for row in order {
        part.record.add(keys[row])
        part.record.add(Int64(row + 1))
        try part.endRow()
      }
    }
  }

  /// Adds the costs of all edges for all profiles: rows are asked for by profiles, counted from 0, and
  /// the edges of a block (``CostBlock``).
  package mutating func addCosts(
    profileCount: Int, edgeCount: Int,
    _ rows:
      @escaping @Sendable (
        _ profile: Int, _ edges: Range<Int>, _ part: inout TreePart
      ) throws(CairnError) -> Void
  ) {
    let blocks = Self.blockCount(edgeCount, by: RoutingSchema.edgesPerBlock)
    addTable(
      "routing_cost_blocks", profileCount * blocks, by: partSizes.blocks, columns: 3
    ) { all, part throws(CairnError) in
      for row in all {
        let (profile, block) = row.quotientAndRemainder(dividingBy: blocks)
        try rows(
          profile, Self.edges(ofBlock: block, by: RoutingSchema.edgesPerBlock, edgeCount), &part)
      }
    }
  }

  /// Adds the elevation profiles of edges: rows are asked for by the edges of a block
  /// (``ElevationBlock``), and may be left out.
  package mutating func addElevations(edgeCount: Int, _ rows: @escaping Rows) {
    addBlocks("routing_elevation_blocks", of: ElevationBlock.edges, edgeCount, columns: 4, rows)
  }

  /// Adds a table of blocks of edges; `rows` adds that of some edges.
  private mutating func addBlocks(
    _ name: String, of size: Int, _ edgeCount: Int, columns: Int, _ rows: @escaping Rows
  ) {
    let partSize = partSizes.blocks * RoutingSchema.edgesPerBlock / size
    addTable(
      name, Self.blockCount(edgeCount, by: size), by: partSize, columns: columns
    ) { blocks, part throws(CairnError) in
      for block in blocks { try rows(Self.edges(ofBlock: block, by: size, edgeCount), &part) }
    }
  }

  private static func blockCount(_ edges: Int, by size: Int) -> Int { (edges + size - 1) / size }

  private static func edges(ofBlock block: Int, by size: Int, _ count: Int) -> Range<Int> {
    block * size..<min((block + 1) * size, count)
  }

  /// Adds the components of each profile in the order of their ids, which count from 1.
  package mutating func addComponents(_ profiles: [[Component]]) {
    addTable(
      "routing_components", profiles.count, columns: 6, keyColumns: 2
    ) { rows, part throws(CairnError) in
      for profile in rows {
        for (index, component) in profiles[profile].enumerated() {
          part.record.add(Int64(profile + 1))
          part.record.add(Int64(index + 1))
          part.record.add(Int64(component.nodes))
          part.record.add(Int64(component.edges))
          part.record.add(component.distance)
          part.record.add(Int64(component.isIsland ? 1 : 0))
          try part.endRow()
        }
      }
    }
  }

  /// Adds the nodes of each profile's islands with the ids of their components: rows are asked for
  /// by profiles; in ascending order of nodes.
  package mutating func addIslands(profileCount: Int, _ rows: @escaping Rows) {
    addTable("routing_islands", profileCount, columns: 3, keyColumns: 2, rows)
  }

  /// Adds the distinct tag sets, whose ids count from 1: rows are asked for by sets.
  package mutating func addTags(setCount: Int, _ rows: @escaping Rows) {
    addTable("routing_tags", setCount, columns: 3, keyColumns: 2, rows)
  }

  /// Adds the tag sets of all edges: rows are asked for by the edges of a block.
  package mutating func addEdgeTags(edgeCount: Int, _ rows: @escaping Rows) {
    addBlocks(
      "routing_tagset_blocks", of: RoutingSchema.edgesPerBlock, edgeCount, columns: 3, rows)
  }

  /// Adds the hazards of edges: rows are asked for by their indices; in ascending order.
  package mutating func addHazards(count: Int, _ rows: @escaping Rows) {
    addTable(
      "routing_hazards", count, by: partSizes.edges, columns: EdgeHazard.columns.count,
      keyColumns: 5, rows)
  }

  /// Adds the rules, in ascending order of ids.
  package mutating func addRules(_ rules: [StoredRule.Row]) {
    addTable("routing_rules", rules.count, columns: 4) { rows, part throws(CairnError) in
      for row in rows { try part.addRule(rules[row]) }
    }
  }

  /// Adds the network by place.
  package mutating func addGraph(_ graph: GraphBlockRows) {
    addTable("routing_graph_blocks", graph.count, by: partSizes.blocks, columns: 2) {
      rows, part throws(CairnError) in
      for row in rows {
        part.record.addNull()
        graph.bytes(ofRow: row).withUnsafeBytes { part.record.addBlob($0) }
        try part.endRow(GraphDirectory.row + Int64(row))
      }
    }
  }

  /// Adds the edges of each way.
  package mutating func addWays(_ ways: WayBlockRows) {
    addTable("routing_way_blocks", ways.rows.count, by: partSizes.blocks, columns: 2) {
      rows, part throws(CairnError) in
      for (way, edges) in ways.rows[rows] {
        part.record.addNull()
        edges.withUnsafeBytes { part.record.addBlob($0) }
        try part.endRow(way)
      }
    }
  }

  /// Adds the views that unpack blocks.
  package mutating func addViews() {
    for view in RoutingSchema.extensionViews { content.addView(view.name, sql: view.sql) }
  }

  /// Adds the index of the nodes; in ascending order of latitudes, longitudes and ids.
  package mutating func addNodeIndex(count: Int, _ rows: @escaping Rows) {
    let (parts, rows) = Self.divided(count, by: partSizes.indexEntries, rows)
    content.add(
      .init("idx_nodes_lat_lon", of: "routing_nodes", sql: RoutingSchema.nodeIndex, columns: 3),
      parts: parts, rows: rows)
  }

  /// Adds the indexes of the edges: by the nodes that they lead from, and by those that they lead
  /// to; in ascending order of nodes, then edges.
  package mutating func addEdgeIndexes(count: Int, from: @escaping Rows, to: @escaping Rows) {
    let indexes = zip(["idx_edges_from", "idx_edges_to"], RoutingSchema.edgeIndexes)
    for ((name, sql), rows) in zip(indexes, [from, to]) {
      let (parts, rows) = Self.divided(count, by: partSizes.indexEntries, rows)
      content.add(.init(name, of: "routing_edges", sql: sql, columns: 2), parts: parts, rows: rows)
    }
  }
}
