// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Diagnostics
import RoutingDatabase
import SQLiteKit
import TagRules

/// The rules about the costs of all profiles, checked in one pass over `routing_costs`.
struct CostRules {
  /// What the rules need besides the costs themselves.
  struct Context {
    var edges: EdgeRows
    var nodeCount: Int
    /// Nil if the database has no tables of tags.
    var tags: TagSets?
    /// Nil if the database has no tables of islands.
    var islands: IslandRows?
    /// The date for which seasons and conditional access were evaluated; nil if it is unknown.
    var accessDate: CalendarDate?
    /// The length in metres below which a component is an island.
    var islandThreshold: Double?
  }

  private let profiles: [ProfileRows.Profile]
  private let context: Context
  private let edges: EdgeRows
  private let ferries: FerryCrossings?
  private var finished: Set<Int> = []

  /// Reads the table; adds breaches of all rules about costs.
  init(
    _ connection: SQLiteConnection, _ profiles: [ProfileRows.Profile], _ context: Context,
    _ findings: inout Findings
  ) throws(CairnError) {
    self.profiles = profiles
    self.context = context
    edges = context.edges
    ferries = context.tags.map { [edges] in FerryCrossings(edges, $0) }
    let row = try connection.prepare(
      """
      SELECT profile, edge, cost, reverse_cost, duration, reverse_duration FROM routing_costs
      ORDER BY profile, edge
      """)
    let ids = profiles.map(\.id)
    var work: ProfileCostRules?
    while try row.step() {
      let id = row.integer(0)
      if work.map({ ids[$0.index] != id }) ?? true {
        if let done = work { finish(done, &findings) }
        work = ids.binarySearch(id).map(begin)
      }
      guard work != nil else {
        findings.add(.foreignKeys, "routing_costs refers to profile \(id)")
        continue
      }
      work?.check(row, &findings)
    }
    if let work { finish(work, &findings) }
    for index in profiles.indices where !finished.contains(index) {
      finish(begin(index), &findings)
    }
    for id in context.islands?.profiles.sorted() ?? [] where !ids.contains(id) {
      findings.add(.foreignKeys, "routing_components or routing_islands refers to profile \(id)")
    }
  }

  private func begin(_ index: Int) -> ProfileCostRules {
    let profile = profiles[index]
    var formula: EdgeCostFormula?
    if let definition = profile.definition, let tags = context.tags, let ferries {
      formula = EdgeCostFormula(definition, on: context.accessDate, tags, edges, ferries)
    }
    let islands = context.islands.map {
      IslandRules(profile.name, $0, profile: profile.id, nodeCount: context.nodeCount)
    }
    return ProfileCostRules(
      index: index, name: profile.name, edges: edges, formula: formula, islands: islands)
  }

  private mutating func finish(_ work: ProfileCostRules, _ findings: inout Findings) {
    finished.insert(work.index)
    let profile = profiles[work.index]
    if work.rows != edges.ids.count {
      findings.add(
        .profileCosts, "\(profile.name) has costs for \(work.rows) of \(edges.ids.count) edges")
    }
    if work.differing > 0 {
      findings.add(
        .profileCosts, "\(profile.name) differs from routing_edges in \(work.differing) edges")
    }
    if !isBound(profile.leastCostPerMetre, of: work.least) {
      findings.add(
        .admissible,
        "\(profile.name) states \(profile.leastCostPerMetre) per metre, an edge costs \(work.least)"
      )
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
