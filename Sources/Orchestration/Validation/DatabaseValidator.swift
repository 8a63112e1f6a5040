// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting
import Geodesy
import RoutingDatabase
import SQLiteKit
import TagRules

/// Checks a routing database against ``ValidationRule/all``.
///
/// Each table is read once, in the order of its key; rules that span tables are checked by reading
/// both in parallel.
package struct DatabaseValidator {
  /// How far rounding to Float32 may move a point, in degrees: half a unit in the last place at 180°.
  static let float32Degrees = 1e-5
  /// The size in bytes per kilometre above which a note is made.
  static let usualBytesPerKilometre = 20_000.0

  private let path: String
  private let file: DatabaseFile
  private let connection: SQLiteConnection
  private var findings = Findings()

  /// Whether warnings count as errors.
  package var isStrict = false
  /// The earlier database to compare with.
  package var baseline: DriftBaseline?

  /// Opens a database. Throws 66 if it does not exist, and 65 if it is not an SQLite database, is
  /// truncated, or was not closed by its writer.
  package init(_ path: String) throws(CairnError) {
    self.path = path
    file = try DatabaseFile(path)
    connection = try SQLiteConnection(path, .readOnly)
  }

  /// Checks every rule. Throws 65 if damage makes it impossible to go on; all other findings are in
  /// the report.
  package mutating func run() throws(CairnError) -> ValidationReport {
    findings = Findings()
    var report = ValidationReport(database: path)
    report.bytes = file.bytes
    let tables = try openTables()
    if let tables { try checkContent(tables, &report) }
    if tables != nil, let baseline {
      let drift = try DriftReport(baseline: baseline, database: path)
      for row in drift.excesses { findings.add(.drift, row.summary(limit: drift.limit)) }
      report.drift = drift
    } else {
      findings.skip(.drift, because: "no --baseline given")
    }
    report.checks = findings.checks(isStrict: isStrict)
    return report
  }

  /// Checks the rules that all others depend on; nil if one of them is broken.
  private mutating func openTables() throws(CairnError) -> DatabaseTables? {
    // A check of all rules takes a few operations per byte.
    connection.limitWork(operations: 100_000_000 + 200 * file.bytes)
    do throws(CairnError) { try connection.refuseComputedSchema() } catch
      where error.code == .computedSchema
    {
      findings.add(.schema, error.message)
      findings.skip(.integrity, because: "the schema could compute forever")
      return nil
    }
    do throws(CairnError) {
      let statement = try connection.prepare("PRAGMA integrity_check(10)")
      while try statement.step() {
        if let line = statement.text(0), line != "ok" { findings.add(.integrity, line) }
      }
    } catch  where error.code == .damagedDatabase {
      findings.add(.integrity, error.message)
    }
    guard findings.holds(.integrity) else { return nil }
    let tables = try DatabaseTables(connection, &findings)
    return findings.holds(.schema) ? tables : nil
  }

  private mutating func checkContent(_ tables: DatabaseTables, _ report: inout ValidationReport)
    throws(CairnError)
  {
    let metadata = try MetadataRows(connection)
    let nodes = try NodeRows(connection, &findings)
    let isHiking = (metadata[RoutingMetadataKey.profile] ?? "hiking") == RoutingMode.hiking.rawValue
    let edges = try EdgeRows(connection, nodes, isHiking: isHiking, &findings)
    report.nodes = nodes.ids.count
    report.edges = edges.ids.count
    report.kilometres = edges.totalMetres / 1000
    report.elevationCoverage = nodes.elevationCoverage
    metadata.check(nodes, edges, &findings)
    try checkCosts(tables, metadata, nodes, edges)
    checkBound(metadata, edges, isHiking: isHiking)
    try checkElevations(tables, nodes, edges)
    checkNetwork(nodes, edges, &report)
    VocabularyRules.check(edges, &findings)
    checkSize(report)
  }

  private mutating func checkCosts(
    _ tables: DatabaseTables, _ metadata: MetadataRows, _ nodes: NodeRows, _ edges: EdgeRows
  ) throws(CairnError) {
    func has(_ names: String...) -> Bool { names.allSatisfy(tables.extensions.contains) }
    var tags: TagSets?
    if has("routing_tags", "routing_edge_tags") {
      tags = try TagSets(connection, edges, &findings)
    } else {
      findings.skip(.edgeTags, .recomputedCosts, because: "no tables of tags")
    }
    var islands: IslandRows?
    if has("routing_components", "routing_islands") {
      islands = try IslandRows(connection, nodes, &findings)
    } else {
      findings.skip(.islands, because: "no tables of islands")
    }
    guard has("routing_profiles", "routing_costs") else {
      findings.skip(
        .profileCosts, .profileDefinitions, .recomputedCosts, .islands,
        because: "no tables of profiles")
      return
    }
    let profiles = try ProfileRows(connection, metadata: metadata.values, &findings).all
    let context = CostRules.Context(
      edges: edges, nodeCount: nodes.ids.count, tags: tags, islands: islands,
      accessDate: accessDate(metadata, nodes),
      islandThreshold: metadata[RoutingMetadataKey.islandThreshold].flatMap { Double($0) })
    _ = try CostRules(connection, profiles, context, &findings)
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

  private mutating func checkElevations(
    _ tables: DatabaseTables, _ nodes: NodeRows, _ edges: EdgeRows
  ) throws(CairnError) {
    let least = 0.95
    let share = percent(nodes.elevationCoverage, comparedWith: least)
    if nodes.elevationCoverage < least {
      findings.add(.elevationCoverage, "\(share) have one")
    } else {
      findings.note(.elevationCoverage, share)
    }
    guard tables.extensions.contains("routing_elevation") else {
      findings.skip(
        .elevationProfiles, .elevationAgreement, because: "no table of elevation profiles")
      return
    }
    let rules = try ElevationRules(connection, nodes, edges, &findings)
    let covered = edges.ids.isEmpty ? 0 : Double(rules.count) / Double(edges.ids.count)
    findings.note(.elevationProfiles, "\(percent(covered)) of the edges have one")
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
