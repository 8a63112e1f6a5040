// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import RoutingDatabase
import SQLiteKit

/// Checks a routing database against ``ValidationRule/all``.
public struct DatabaseValidator {
  /// How many breaches of a rule are named.
  public static let exampleLimit = 3
  /// What Float32 may move a point, in degrees: half a unit in the last place at 180°.
  static let float32Degrees = 1e-5

  private let connection: SQLiteConnection
  private var report: ValidationReport

  /// Opens a database. Throws 66 if it cannot be opened.
  public init(_ path: String) throws(CairnError) {
    connection = try SQLiteConnection(path, .readOnly)
    report = ValidationReport(database: path)
  }

  /// Checks every rule. Throws 65 if the file is no database at all; whatever else is wrong is in
  /// the report.
  public mutating func run() throws(CairnError) -> ValidationReport {
    guard try checkIntegrity(), try checkSchema() else {
      skipRest()
      return report
    }
    try checkForeignKeys()
    let content = try DatabaseContent(connection)
    summarise(content)
    checkMetadata(content)
    checkEdges(content)
    checkAdmissible(content)
    try checkProfileCosts()
    checkCoverage()
    checkComponents(content)
    return report
  }

  private mutating func add(_ rule: ValidationRule, breaches: [String], pass: String = "") {
    let isBroken = !breaches.isEmpty
    report.checks.append(
      .init(
        rule: rule.id, status: isBroken ? rule.severity.rawValue : "pass",
        count: breaches.count,
        details: isBroken ? Array(breaches.prefix(Self.exampleLimit)) : pass.isEmpty ? [] : [pass]))
  }

  private mutating func skipRest() {
    for rule in ValidationRule.all.dropFirst(report.checks.count) {
      report.checks.append(.init(rule: rule.id, status: "skipped", count: 0, details: []))
    }
  }

  private mutating func checkIntegrity() throws(CairnError) -> Bool {
    var problems: [String] = []
    do throws(CairnError) {
      let statement = try connection.prepare("PRAGMA integrity_check(10)")
      while try statement.step() {
        if let line = statement.text(0), line != "ok" { problems.append(line) }
      }
    } catch  where error.code == .damagedDatabase {
      problems.append(error.message)
    }
    add(.integrity, breaches: problems)
    return problems.isEmpty
  }

  private mutating func checkSchema() throws(CairnError) -> Bool {
    var missing: [String] = []
    for (table, columns) in RoutingSchema.coreColumns.sorted(by: { $0.key < $1.key }) {
      let statement = try connection.prepare("SELECT name FROM pragma_table_info(?) ORDER BY cid")
      try statement.bind(1, table)
      var found: [String] = []
      while try statement.step() { found.append(statement.text(0) ?? "") }
      if found.isEmpty {
        missing.append("no table \(table)")
      } else if found != columns {
        missing.append("\(table) has the columns \(found.joined(separator: ", "))")
      }
    }
    for index in ["idx_nodes_lat_lon", "idx_edges_from", "idx_edges_to"] {
      let statement = try connection.prepare(
        "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = ?")
      try statement.bind(1, index)
      if try !statement.step() { missing.append("no index \(index)") }
    }
    add(.schema, breaches: missing)
    return missing.isEmpty
  }

  private mutating func checkForeignKeys() throws(CairnError) {
    let statement = try connection.prepare("PRAGMA foreign_key_check")
    var breaches: [String] = []
    while try statement.step() {
      breaches.append("row \(statement.integer(1)) of \(statement.text(0) ?? "")")
    }
    add(.foreignKeys, breaches: breaches)
  }

  private mutating func summarise(_ content: DatabaseContent) {
    report.nodes = content.nodeIDs.count
    report.edges = content.edges.count
    report.kilometres = content.edges.reduce(0) { $0 + $1.distance } / 1000
    let known = content.elevations.count { !$0.isNaN }
    report.elevationCoverage = report.nodes > 0 ? Double(known) / Double(report.nodes) : 0
  }

  private mutating func checkMetadata(_ content: DatabaseContent) {
    var breaches: [String] = []
    let counts = [
      (RoutingMetadataKey.nodeCount, report.nodes), (RoutingMetadataKey.edgeCount, report.edges),
    ]
    for (key, count) in counts where content.metadata[key] != "\(count)" {
      breaches.append("\(key) says \(content.metadata[key] ?? "nothing"), there are \(count)")
    }
    let stored = content.metadata[RoutingMetadataKey.boundingBox] ?? ""
    if let box = content.boundingBox, !isNear(stored, box) {
      breaches.append("bounding_box says \(stored.isEmpty ? "nothing" : stored), it is \(box)")
    }
    for key in [
      RoutingMetadataKey.version, RoutingMetadataKey.createdAt, RoutingMetadataKey.osmDataDate,
      RoutingMetadataKey.elevationSource,
    ] where content.metadata[key] == nil {
      breaches.append("\(key) is missing")
    }
    add(.metadata, breaches: breaches)
  }

  private func isNear(_ text: String, _ box: BoundingBox) -> Bool {
    let stored = text.split(separator: ",").compactMap { Double($0) }
    let actual = [box.west, box.south, box.east, box.north]
    return stored.count == 4
      && zip(stored, actual).allSatisfy { abs($0 - $1) <= Self.float32Degrees }
  }

  private mutating func checkEdges(_ content: DatabaseContent) {
    let isHiking = content.metadata[RoutingMetadataKey.profile] ?? "hiking" == "hiking"
    var breaches: [String: [String]] = [:]
    for edge in content.edges {
      for (rule, breach) in EdgeRules(content, isHiking: isHiking).breaches(of: edge) {
        breaches[rule.id, default: []].append("edge \(edge.id): \(breach)")
      }
    }
    for rule in EdgeRules.rules { add(rule, breaches: breaches[rule.id] ?? []) }
  }

  private mutating func checkAdmissible(_ content: DatabaseContent) {
    let stored = Double(content.metadata[RoutingMetadataKey.minimumCostPerMetre] ?? "")
    var least = Double.infinity
    for edge in content.edges where edge.distance > 0 {
      least = min(least, edge.cost / edge.distance, edge.reverseCost / edge.distance)
    }
    if let stored {
      let isBound = stored >= 0 && stored <= least * (1 + 1e-12)
      add(
        .admissible,
        breaches: isBound ? [] : ["the metadata say \(stored), an edge has \(least)"],
        pass: "\(stored) a metre")
    } else {
      add(.admissible, breaches: ["min_cost_per_metre is missing or no number"])
    }
  }

  private mutating func checkProfileCosts() throws(CairnError) {
    let tables = try connection.integer(
      "SELECT count(*) FROM sqlite_master WHERE name IN ('routing_profiles', 'routing_costs')")
    guard tables == 2 else {
      add(.profileCosts, breaches: [], pass: "no extension tables")
      return
    }
    var breaches: [String] = []
    let counts = try connection.prepare(
      """
      SELECT p.name, (SELECT count(*) FROM routing_costs c WHERE c.profile = p.id)
      FROM routing_profiles p ORDER BY p.id
      """)
    while try counts.step() {
      if counts.integer(1) == Int64(report.edges) { continue }
      breaches.append("\(counts.text(0) ?? "") has \(counts.integer(1)) rows")
    }
    let different =
      try connection.integer(
        """
        SELECT count(*) FROM routing_edges e JOIN routing_costs c ON c.edge = e.id
        WHERE c.profile = (SELECT min(id) FROM routing_profiles)
          AND (c.cost IS NOT e.cost OR c.reverse_cost IS NOT e.reverse_cost)
        """) ?? 0
    if different > 0 { breaches.append("\(different) edges differ from the first profile") }
    add(.profileCosts, breaches: breaches)
  }

  private mutating func checkCoverage() {
    let share = percent(report.elevationCoverage)
    add(
      .coverage, breaches: report.elevationCoverage < 0.95 ? ["\(share) have one"] : [],
      pass: share)
  }

  private mutating func checkComponents(_ content: DatabaseContent) {
    var components = Components(nodeCount: content.nodeIDs.count)
    let passable = content.edges.filter { min($0.cost, $0.reverseCost).isFinite }
    for edge in passable { components.join(edge.from, edge.to) }
    var metres = [Double](repeating: 0, count: content.nodeIDs.count)
    for edge in passable { metres[components.find(edge.from)] += edge.distance }
    let total = metres.reduce(0, +)
    report.components = metres.count { $0 > 0 }
    report.largestComponentShare = total > 0 ? (metres.max() ?? 0) / total : 0
    let share =
      "\(percent(report.largestComponentShare)) of the passable kilometres"
      + " in the largest of \(grouped(report.components))"
    add(.components, breaches: report.largestComponentShare < 0.8 ? [share] : [], pass: share)
  }
}
