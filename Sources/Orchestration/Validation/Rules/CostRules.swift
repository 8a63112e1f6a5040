// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Diagnostics
import RoutingDatabase
import SQLiteKit
import SystemIO
import TagRules

/// The rules about the costs of all profiles, profile by profile.
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
    ferries = context.tags.map { [edges] in FerryCrossings(edges, $0) }
  }

  /// Reads the table, several profiles at a time; finds breaches of all rules about costs.
  func check(threads: Int) throws(CairnError) -> Findings {
    // Without profiles, all rows still have to be reported.
    let jobs = WorkQueue(count: max(1, profiles.count))
    let results = Collector<Result<Findings, CairnError>>(count: jobs.count)
    runWorkers(min(threads, jobs.count)) { _ in
      while let job = jobs.next() {
        results.set(job, Result { () throws(CairnError) in try check(part: job) })
      }
    }
    var findings = Findings()
    for result in results.values() { findings.append(try result.get()) }
    let ids = profiles.map(\.id)
    for id in context.islands?.profiles.sorted() ?? [] where !ids.contains(id) {
      findings.add(.foreignKeys, "routing_components or routing_islands refers to profile \(id)")
    }
    return findings
  }

  /// Checks the rows of one profile, and those between it and the previous profile, which refer to
  /// none.
  private func check(part: Int) throws(CairnError) -> Findings {
    var findings = Findings()
    let id = part < profiles.count ? profiles[part].id : nil
    var work = id.map { _ in begin(part) }
    let connection = try file.connect()
    for condition in conditions(part: part) {
      let row = try connection.prepare(
        """
        SELECT profile, edge, cost, reverse_cost, duration, reverse_duration FROM routing_costs
        WHERE \(condition) ORDER BY profile, edge
        """)
      while try row.step() {
        guard row.integer(0) == id else {
          findings.add(.foreignKeys, "routing_costs refers to profile \(row.integer(0))")
          continue
        }
        work?.check(row, &findings)
      }
    }
    if let work { finish(work, &findings) }
    return findings
  }

  /// The rows of a part in SQL, such that each row is in one part.
  private func conditions(part: Int) -> [String] {
    var bounds: [String] = []
    if part > 0 { bounds.append("profile > \(profiles[part - 1].id)") }
    if part < profiles.count - 1 { bounds.append("profile <= \(profiles[part].id)") }
    if bounds.isEmpty { return ["1"] }
    // NULL, which a table of another writer may allow, is neither greater nor less.
    return (part == 0 ? ["profile IS NULL"] : []) + [bounds.joined(separator: " AND ")]
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

  private func finish(_ work: ProfileCostRules, _ findings: inout Findings) {
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
