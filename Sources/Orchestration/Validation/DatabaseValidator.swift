// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting
import Geodesy
import RoutingDatabase
import SQLiteKit
import SystemIO
import TagRules

/// Checks a routing database against ``ValidationRule/all``.
///
/// Each table is read once, in the order of its key; rules that span tables are checked by reading
/// both in parallel. The work is divided into jobs, each with its own connection and findings, which
/// are put together in a fixed order: the report does not depend on the number of threads.
package struct DatabaseValidator {
  /// How far rounding to Float32 may move a point, in degrees: half a unit in the last place at 180°.
  static let float32Degrees = 1e-5
  /// The size in bytes per kilometre above which a note is made.
  static let usualBytesPerKilometre = 20_000.0

  private let path: String
  private let file: DatabaseFile
  private let threads: Int
  private var findings = Findings()

  /// Whether warnings count as errors.
  package var isStrict = false
  /// The earlier database to compare with.
  package var baseline: DriftBaseline?

  /// Opens a database. Throws 66 if it does not exist, and 65 if it is not an SQLite database, is
  /// truncated, or was not closed by its writer.
  package init(_ path: String, threads: Int = 1) throws(CairnError) {
    self.path = path
    self.threads = threads
    file = try DatabaseFile(path)
    _ = try SQLiteConnection(path, .readOnly)
  }

  /// Checks every rule. Throws 65 if damage makes it impossible to go on; all other findings are in
  /// the report.
  package mutating func run() throws(CairnError) -> ValidationReport {
    findings = Findings()
    var report = ValidationReport(database: path)
    report.bytes = file.bytes
    let core = try readCore()
    if let core { try checkContent(core, &report) }
    if core != nil, let baseline {
      let drift = try DriftReport(baseline: baseline, database: path)
      for row in drift.excesses { findings.add(.drift, row.summary(limit: drift.limit)) }
      report.drift = drift
    } else {
      findings.skip(.drift, because: "no --baseline given")
    }
    report.checks = findings.checks(isStrict: isStrict)
    return report
  }

  /// Checks the rules that all others depend on, and reads the core tables on the way; nil if one of
  /// the rules is broken.
  private mutating func readCore() throws(CairnError) -> CoreRows? {
    do throws(CairnError) { _ = try file.connect() } catch  where error.code == .computedSchema {
      findings.add(.schema, error.message)
      findings.skip(.integrity, because: "the schema could compute forever")
      return nil
    }
    // What was read or thrown counts only if the database is intact.
    let (integrity, core) = try concurrently(
      threads: threads, { [file] () throws(CairnError) in try Self.checkIntegrity(file) },
      { [file] in
        Result { () throws(CairnError) in
          var findings = Findings()
          let rows = try CoreRows(file, &findings)
          return (rows: rows, findings: findings)
        }
      })
    findings.append(integrity)
    guard findings.holds(.integrity) else { return nil }
    let found = try core.get()
    findings.append(found.findings)
    return found.rows
  }

  private static func checkIntegrity(_ file: DatabaseFile) throws(CairnError) -> Findings {
    var findings = Findings()
    do throws(CairnError) {
      let statement = try file.connect().prepare("PRAGMA integrity_check(10)")
      while try statement.step() {
        if let line = statement.text(0), line != "ok" { findings.add(.integrity, line) }
      }
    } catch  where error.code == .damagedDatabase {
      findings.add(.integrity, error.message)
    }
    return findings
  }

  private mutating func checkContent(_ core: CoreRows, _ report: inout ValidationReport)
    throws(CairnError)
  {
    let (nodes, edges) = (core.nodes, core.edges)
    report.nodes = nodes.ids.count
    report.edges = edges.ids.count
    report.kilometres = edges.totalMetres / 1000
    report.elevationCoverage = nodes.elevationCoverage
    let (tags, elevations) = try concurrently(
      threads: threads, { [file] () throws(CairnError) in try TagTables(file, core) },
      { [file] () throws(CairnError) in try Self.checkElevations(file, core) })
    findings.append(tags.findings)
    try checkCosts(core, tags)
    checkBound(core.metadata, edges, isHiking: core.isHiking)
    findings.append(elevations)
    checkNetwork(nodes, edges, &report)
    VocabularyRules.check(edges, &findings)
    checkSize(report)
  }

  private mutating func checkCosts(_ core: CoreRows, _ tags: TagTables) throws(CairnError) {
    guard core.tables.has("routing_profiles", "routing_cost_blocks") else {
      findings.skip(
        .profileCosts, .profileDefinitions, .recomputedCosts, .islands,
        because: "no tables of profiles")
      return
    }
    let profiles = try ProfileRows(
      try file.connect(), metadata: core.metadata.values, &findings
    ).all
    let context = CostRules.Context(
      edges: core.edges, nodeCount: core.nodes.ids.count, tags: tags.sets, islands: tags.islands,
      accessDate: accessDate(core.metadata, core.nodes),
      islandThreshold: core.metadata[RoutingMetadataKey.islandThreshold].flatMap { Double($0) })
    let rules = CostRules(file, profiles, context)
    findings.append(try rules.check(threads: threads))
    findings.note(.profileCosts, profiles.map(\.name).joined(separator: ", "))
  }

  /// The date for which seasons were evaluated, in the hemisphere of most nodes.
  private func accessDate(_ metadata: MetadataRows, _ nodes: NodeRows) -> CalendarDate? {
    var date = metadata[RoutingMetadataKey.accessDate].flatMap { CalendarDate($0) }
    date?.isSouthern = nodes.positions.count { $0.latitude < 0 } > nodes.positions.count / 2
    return date
  }

  /// Checks the minimum cost per metre of `routing_edges`.
  private mutating func checkBound(
    _ metadata: MetadataRows, _ edges: EdgeRows, isHiking: Bool
  ) {
    var least = Double.infinity
    for edge in edges.ids.indices where edges.distances[edge] > 0 {
      for cost in [edges.costs[edge], edges.reverseCosts[edge]] where cost > 0 {
        least = min(least, cost / edges.distances[edge])
      }
    }
    // In the hiking profile that is an error, which another rule reports.
    if !isHiking, least < 1 - 1e-6 {
      let name = metadata[RoutingMetadataKey.profile] ?? "the first profile"
      findings.add(.straightLineBound, "\(name) costs as little as \(decimal(least, 3)) per metre")
    }
    guard let text = metadata[RoutingMetadataKey.minimumCostPerMetre] else {
      findings.note(.admissible, "not stated")
      return
    }
    if isBound(Double(text) ?? .nan, of: least) {
      findings.note(.admissible, "\(text) per metre")
    } else {
      findings.add(.admissible, "the metadata state \(text) per metre, an edge costs \(least)")
    }
  }

  private static func checkElevations(_ file: DatabaseFile, _ core: CoreRows) throws(CairnError)
    -> Findings
  {
    var findings = Findings()
    let least = 0.95
    let share = percent(core.nodes.elevationCoverage, comparedWith: least)
    if core.nodes.elevationCoverage < least {
      findings.add(.elevationCoverage, "\(share) have one")
    } else {
      findings.note(.elevationCoverage, share)
    }
    guard core.tables.has("routing_elevation_blocks") else {
      findings.skip(
        .elevationProfiles, .elevationAgreement, because: "no table of elevation profiles")
      return findings
    }
    let rules = try ElevationRules(try file.connect(), core.nodes, core.edges, &findings)
    let edges = core.edges.ids.count
    let covered = edges == 0 ? 0 : Double(rules.count) / Double(edges)
    findings.note(.elevationProfiles, "\(percent(covered)) of the edges have one")
    return findings
  }

  private mutating func checkNetwork(
    _ nodes: NodeRows, _ edges: EdgeRows, _ report: inout ValidationReport
  ) {
    let network = NetworkRules(nodes, edges, &findings)
    report.components = network.components
    report.largestComponentShare = network.largestShare
    let least = 0.8
    let share =
      "\(percent(network.largestShare, comparedWith: least)) of the passable kilometres "
      + "in the largest of \(grouped(network.components))"
    if network.largestShare < least {
      findings.add(.components, share)
    } else {
      findings.note(.components, share)
    }
  }

  private mutating func checkSize(_ report: ValidationReport) {
    guard let perKilometre = report.bytesPerKilometre else { return }
    let text = "\(byteSize(report.bytes)), \(byteSize(perKilometre)) a kilometre"
    // Even an empty database has some pages.
    if perKilometre > Self.usualBytesPerKilometre, report.bytes > 1 << 20 {
      findings.add(.size, text)
    } else {
      findings.note(.size, text)
    }
  }
}
