// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit

/// The tables of tags and islands for the rules about costs.
struct TagTables {
  /// Nil if the database has no tables of tags.
  private(set) var sets: TagSets?
  /// Nil if the database has no tables of islands.
  private(set) var islands: IslandRows?
  private(set) var findings = Findings()

  init(_ file: DatabaseFile, _ connection: SQLiteConnection, _ core: CoreRows) throws(CairnError) {
    var budget = ReadBudget(file)
    if core.tables.has("routing_tags", "routing_tagset_blocks") {
      sets = try TagSets(connection, core.edges, on: core.accessDate, &budget, &findings)
    } else {
      findings.skip(.edgeTags, .recomputedCosts, because: "no tables of tags")
    }
    if let sets, core.tables.has("routing_hazards") {
      try HazardRows.check(connection, core.edges, sets, &budget, &findings)
    } else {
      findings.skip(.hazards, because: "no table of hazards")
    }
    if core.tables.has("routing_components", "routing_islands") {
      islands = try IslandRows(connection, core.nodes, &budget, &findings)
    } else {
      findings.skip(.islands, because: "no tables of islands")
    }
  }
}
