// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnRoutingDatabase
import CairnSQLiteKit
import CairnTagRules
import CostModel
import SystemIO

/// The rules about the costs of all profiles, profile by profile.
struct CostRules {
  /// The data for the rules besides the costs.
  struct Context {
    var edges: EdgeRows
    var nodes: NodeRows
    /// What climbing costs by the metadata in each profile; nil if they are damaged.
    var climbs: [ClimbCosts]?
    /// Nil if the database has no tables of tags.
    var tags: TagSets?
    /// Nil if the database has no tables of islands.
    var islands: IslandRows?
    /// The date for which seasons and conditional access were evaluated; nil if unknown.
    var accessDate: CalendarDate?
    /// The length in metres below which a component is an island.
    var islandThreshold: Double?
  }

  private let file: DatabaseFile
  private let profiles: [ProfileRows.Profile]
  private let context: Context
  private let edges: EdgeRows
  private let ferries: FerryCrossings?

  init(_ file: DatabaseFile, _ profiles: [ProfileRows.Profile], _ context: Context) {
    self.file = file
    self.profiles = profiles
    self.context = context
    edges = context.edges
    ferries = context.tags.map { [edges] in
      FerryCrossings(
        distances: edges.distances, tagSets: $0.ofEdges, sets: $0.lists, way: { edges.ways[$0] })
    }
  }

  /// Reads `routing_cost_blocks`, several profiles at a time; finds breaches of all rules about costs.
  ///
  /// - Parameter task: What to do at the same time; it takes longer than a profile.
  func check(_ crew: Crew, beside task: @escaping @Sendable () -> Void) throws(CairnError)
    -> Findings
  {
    // Without profiles, all rows are still reported.
    let parts = max(1, profiles.count)
    let results = Collector<Result<Findings, CairnError>>(count: parts)
    crew.forEach(1 + parts) { job in
      guard job > 0 else { return task() }
      let part = job - 1
      results.set(
        part,
        Result { () throws(CairnError) in
          try file.withConnection { connection throws(CairnError) in
            try check(part: part, connection)
          }
        })
    }
    var findings = Findings()
    for result in results.values() { findings.append(try result.get()) }
    let ids = profiles.map(\.id)
    for id in context.islands?.profiles.sorted() ?? [] where !ids.contains(id) {
      findings.add(.foreignKeys, "routing_components or routing_islands refers to profile \(id)")
    }
    return findings
  }

  /// Checks the blocks of one profile; with the first one also blocks of profiles that do not
  /// exist.
  private func check(part: Int, _ connection: SQLiteConnection) throws(CairnError) -> Findings {
    var findings = Findings()
    if part == 0 { try findStrays(connection, &findings) }
    guard part < profiles.count else { return findings }
    var work = begin(part)
    if let ids = ids(ofProfile: profiles[part].id) {
      let row = try connection.prepare(
        """
        SELECT id, costs, durations, typeof(costs), typeof(durations) FROM routing_cost_blocks
        WHERE id BETWEEN \(ids.lowerBound) AND \(ids.upperBound) ORDER BY id
        """)
      while try row.step() {
        try work.check(row, block: row.integer(0) &- ids.lowerBound, &findings)
      }
    }
    finish(work, &findings)
    return findings
  }

  /// The ids of a profile's rows; nil if it can have none.
  private func ids(ofProfile profile: Int64) -> ClosedRange<Int64>? {
    CostBlock.id(profile: profile, block: 0).map { $0...($0 | 0xFFFF_FFFF) }
  }

  /// Reports rows of profiles that do not exist.
  private func findStrays(_ connection: SQLiteConnection, _ findings: inout Findings)
    throws(CairnError)
  {
    let known = profiles.compactMap { ids(ofProfile: $0.id) }.map {
      "id NOT BETWEEN \($0.lowerBound) AND \($0.upperBound)"
    }
    let condition = known.isEmpty ? "1" : known.joined(separator: " AND ")
    let row = try connection.prepare(
      "SELECT id >> 32, id FROM routing_cost_blocks WHERE \(condition) ORDER BY id")
    while try row.step() {
      findings.add(
        .foreignKeys,
        "routing_cost_blocks refers to profile \(row.integer(0)) (row \(row.integer(1)))")
    }
  }

  private func begin(_ index: Int) -> ProfileCostRules {
    let profile = profiles[index]
    var formula: EdgeCostFormula?
    if let definition = profile.definition, let tags = context.tags, let ferries {
      formula = EdgeCostFormula(definition, on: context.accessDate, tags, edges, ferries)
    }
    let islands = context.islands.map {
      IslandRules(profile.name, $0, profile: profile.id, nodeCount: context.nodes.ids.count)
    }
    return ProfileCostRules(
      index: index, name: profile.name, edges: edges, elevations: context.nodes.elevations,
      perMetre: profile.leastCostPerMetre, formula: formula, islands: islands)
  }

  private func finish(_ work: ProfileCostRules, _ findings: inout Findings) {
    let profile = profiles[work.index]
    if work.rows != edges.ids.count {
      findings.add(
        .profileCosts, "\(profile.name) has costs for \(work.rows) of \(edges.ids.count) edges")
    }
    if !isBound(profile.leastCostPerMetre, of: work.least) {
      findings.add(
        .admissible,
        "\(profile.name) states \(profile.leastCostPerMetre) per metre, an edge costs \(work.least)"
      )
    }
    let (stated, least) = (context.climbs?[work.index], work.climb)
    for (direction, stated, least) in [
      ("up", stated?.up, least.up), ("down", stated?.down, least.down),
    ] where !isBound(stated ?? .nan, of: least) {
      findings.add(
        .admissible,
        "\(profile.name) states \(stated.map { "\($0)" } ?? "no number") per metre \(direction), "
          + "an edge costs \(least)")
    }
    // Components can only be checked if all edges have costs.
    guard work.rows == edges.ids.count else { return }
    work.islands?.finish(threshold: context.islandThreshold, &findings)
  }
}

/// Whether a stated minimum cost per metre is a lower bound of the actual minimum, apart from
/// rounding.
func isBound(_ stated: Double, of least: Double) -> Bool {
  stated >= 0 && stated.isFinite && stated <= least * (1 + 1e-12)
}
