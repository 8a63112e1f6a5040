// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Diagnostics
import RoutingDatabase
import SQLiteKit
import TagRules

/// The rules about the costs of all profiles, checked in one pass over `routing_costs`.
struct CostRules {
  /// What the rules look at beside the costs themselves.
  struct Surroundings {
    var edges: EdgeRows
    var nodeCount: Int
    /// Nil where the database does not tell tags.
    var tags: TagSets?
    /// Nil where the database does not tell islands.
    var islands: IslandRows?
    /// The day for which seasons and conditional access were read; nil where nobody knows one.
    var accessDate: CalendarDate?
    /// The metres below which a part is an island.
    var islandThreshold: Double?
  }

  private let profiles: [ProfileRows.Profile]
  private let around: Surroundings
  private let edges: EdgeRows
  private let ferries: FerryCrossings?
  private var finished: Set<Int> = []

  /// Reads the table; adds breaches of all rules about costs.
  init(
    _ connection: SQLiteConnection, _ profiles: [ProfileRows.Profile], _ around: Surroundings,
    _ findings: inout Findings
  ) throws(CairnError) {
    self.profiles = profiles
    self.around = around
    edges = around.edges
    ferries = around.tags.map { [edges] in FerryCrossings(edges, $0) }
    let row = try connection.prepare(
      """
      SELECT profile, edge, cost, reverse_cost, duration, reverse_duration FROM routing_costs
      ORDER BY profile, edge
      """)
    let ids = profiles.map(\.id)
    var work: ProfileCostRules?
    while try row.step() {
      let id = row.integer(0)
      if work.map({ ids[$0.place] != id }) ?? true {
        if let done = work { finish(done, &findings) }
        work = ids.binarySearch(id).map(begin)
      }
      guard work != nil else {
        findings.add(.foreignKeys, "routing_costs names profile \(id)")
        continue
      }
      work?.check(row, &findings)
    }
    if let work { finish(work, &findings) }
    for place in profiles.indices where !finished.contains(place) {
      finish(begin(place), &findings)
    }
    for id in around.islands?.profiles.sorted() ?? [] where !ids.contains(id) {
      findings.add(.foreignKeys, "routing_components or routing_islands names profile \(id)")
    }
  }

  private func begin(_ place: Int) -> ProfileCostRules {
    let profile = profiles[place]
    var formula: EdgeCostFormula?
    if let definition = profile.definition, let tags = around.tags, let ferries {
      formula = EdgeCostFormula(definition, on: around.accessDate, tags, edges, ferries)
    }
    let islands = around.islands.map {
      IslandRules(profile.name, $0, profile: profile.id, nodeCount: around.nodeCount)
    }
    return ProfileCostRules(
      place: place, name: profile.name, edges: edges, formula: formula, islands: islands)
  }

  private mutating func finish(_ work: ProfileCostRules, _ findings: inout Findings) {
    finished.insert(work.place)
    let profile = profiles[work.place]
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
        "\(profile.name) says \(profile.leastCostPerMetre) a metre, an edge costs \(work.least)")
    }
    // What is said of the parts rests on all edges.
    guard work.rows == edges.ids.count else { return }
    work.islands?.finish(threshold: around.islandThreshold, &findings)
  }
}

/// Whether a stated least cost of a metre holds for the least one that there is; what rounding adds
/// does not matter.
func isBound(_ stated: Double, of least: Double) -> Bool {
  stated >= 0 && stated.isFinite && stated <= least * (1 + 1e-12)
}
