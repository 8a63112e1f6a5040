// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import RoutingDatabase
import SQLiteKit

/// Checks a routing database against ``ValidationRule/all``.
public struct DatabaseValidator {
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
    report = ValidationReport(database: connection.path)
    guard try checkIntegrity(), try checkSchema() else {
      skipRest()
      return report
    }
    try checkForeignKeys()
    let content = try DatabaseContent(connection)
    summarise(content)
    checkMetadata(content)
    add(.nodes, content.misplacedNodes)
    try checkEdgesAndProfiles(content)
    try checkIslands()
    checkCoverage()
    checkComponents(content)
    return report
  }

  private mutating func add(_ rule: ValidationRule, _ breaches: Breaches..., pass: String? = nil) {
    let count = breaches.reduce(0) { $0 + $1.count }
    let examples = breaches.flatMap(\.examples).prefix(Breaches.exampleLimit)
    report.checks.append(
      .init(
        rule: rule.id, status: count > 0 ? rule.severity.rawValue : "pass", count: count,
        details: count > 0 ? Array(examples) : pass.map { [$0] } ?? []))
  }

  private mutating func skipRest() {
    for rule in ValidationRule.all.dropFirst(report.checks.count) {
      report.checks.append(.init(rule: rule.id, status: "skipped", count: 0, details: []))
    }
  }

  private mutating func checkIntegrity() throws(CairnError) -> Bool {
    var problems = Breaches()
    do throws(CairnError) {
      let statement = try connection.prepare("PRAGMA integrity_check(10)")
      while try statement.step() {
        if let line = statement.text(0), line != "ok" { problems.add(line) }
      }
    } catch  where error.code == .damagedDatabase {
      problems.add(error.message)
    }
    add(.integrity, problems)
    return problems.count == 0
  }

  private mutating func checkSchema() throws(CairnError) -> Bool {
    var missing = Breaches()
    for (table, columns) in RoutingSchema.coreColumns.sorted(by: { $0.key < $1.key }) {
      if let found = try connection.columns(ofTable: table) {
        if found != columns {
          missing.add("\(table) has the columns \(found.joined(separator: ", "))")
        }
      } else {
        missing.add("no table \(table)")
      }
    }
    for index in ["idx_nodes_lat_lon", "idx_edges_from", "idx_edges_to"] {
      let statement = try connection.prepare(
        "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = ?")
      try statement.bind(1, index)
      if try !statement.step() { missing.add("no index \(index)") }
    }
    add(.schema, missing)
    return missing.count == 0
  }

  private mutating func checkForeignKeys() throws(CairnError) {
    var breaches = Breaches()
    do throws(CairnError) {
      let row = try connection.prepare("PRAGMA foreign_key_check")
      while try row.step() {
        let place = row.isNull(1) ? "a row" : "row \(row.integer(1))"
        breaches.add("\(place) of \(row.text(0) ?? "") names a row that is not there")
      }
    } catch  where error.code == .database && error.exitCode == .dataError {
      breaches.add(error.message)
    }
    add(.foreignKeys, breaches)
  }

  private mutating func summarise(_ content: DatabaseContent) {
    report.nodes = content.nodeIDs.count
    report.edges = content.edgeCount
    report.kilometres = content.totalMetres / 1000
    let known = content.elevations.count { !$0.isNaN }
    report.elevationCoverage = report.nodes > 0 ? Double(known) / Double(report.nodes) : 0
  }

  private mutating func checkMetadata(_ content: DatabaseContent) {
    var breaches = Breaches()
    let counts = [
      (RoutingMetadataKey.nodeCount, report.nodes), (RoutingMetadataKey.edgeCount, report.edges),
    ]
    for (key, count) in counts where content.metadata[key] != "\(count)" {
      breaches.add("\(key) says \(content.metadata[key] ?? "nothing"), there are \(count)")
    }
    let stored = content.metadata[RoutingMetadataKey.boundingBox] ?? ""
    if let box = content.boundingBox, !isNear(stored, box) {
      breaches.add("bounding_box says \(stored.isEmpty ? "nothing" : stored), it is \(box)")
    }
    for key in [
      RoutingMetadataKey.version, RoutingMetadataKey.createdAt, RoutingMetadataKey.osmDataDate,
      RoutingMetadataKey.elevationSource,
    ] where content.metadata[key] == nil {
      breaches.add("\(key) is missing")
    }
    add(.metadata, breaches)
  }

  private func isNear(_ text: String, _ box: BoundingBox) -> Bool {
    let stored = text.split(separator: ",").compactMap { Double($0) }
    let actual = [box.west, box.south, box.east, box.north]
    return stored.count == 4
      && zip(stored, actual).allSatisfy { abs($0 - $1) <= Self.float32Degrees }
  }

  private mutating func checkEdgesAndProfiles(_ content: DatabaseContent) throws(CairnError) {
    let profile = content.metadata[RoutingMetadataKey.profile] ?? RoutingMode.hiking.rawValue
    let edges = EdgeRules(content, isHiking: profile == RoutingMode.hiking.rawValue)
    let profiles = try ProfileRules(connection, edgeCount: report.edges)
    add(.positiveCosts, edges.positiveCosts, profiles.positiveCosts)
    add(.costCoversDistance, edges.costCoversDistance)
    add(.oneway, edges.oneway)
    add(.length, edges.length)
    add(.geometry, edges.geometry)
    add(.climb, edges.climb)
    try checkElevationProfiles()
    checkAdmissible(content, profiles)
    add(
      .profileCosts, profiles.complete,
      pass: profiles.isPresent ? nil : "there are no tables of profiles")
  }

  private mutating func checkElevationProfiles() throws(CairnError) {
    guard let columns = try connection.columns(ofTable: "routing_elevation") else {
      return add(.elevationProfiles, Breaches(), pass: "there is no table of profiles")
    }
    var breaches = Breaches()
    guard columns == ["edge", "max_slope", "profile"] else {
      breaches.add("routing_elevation has the columns \(columns.joined(separator: ", "))")
      return add(.elevationProfiles, breaches)
    }
    let row = try connection.prepare("SELECT edge, max_slope, profile FROM routing_elevation")
    while try row.step() {
      let elevations = try row.withBlob(2) { EdgeElevation.unpack($0) }
      if elevations == nil { breaches.add("edge \(row.integer(0)): has a damaged profile") }
      if !row.isNumber(1) || !row.number(1).isFinite {
        breaches.add("edge \(row.integer(0)): has a slope of \(row.text(1) ?? "nothing")")
      }
    }
    add(.elevationProfiles, breaches)
  }

  private mutating func checkAdmissible(_ content: DatabaseContent, _ profiles: ProfileRules) {
    guard let text = content.metadata[RoutingMetadataKey.minimumCostPerMetre] else {
      add(.admissible, profiles.admissible, pass: "not stated")
      return
    }
    var least = Double.infinity
    for edge in content.edges where edge.distance > 0 {
      for cost in [edge.cost, edge.reverseCost] where cost > 0 {
        least = min(least, cost / edge.distance)
      }
    }
    var breaches = Breaches()
    if !isBound(Double(text) ?? .nan, of: least) {
      breaches.add("the metadata say \(text) a metre, an edge costs \(least)")
    }
    add(.admissible, breaches, profiles.admissible, pass: "\(text) a metre")
  }

  private mutating func checkIslands() throws(CairnError) {
    let rules = try IslandRules(connection)
    add(.islands, rules.breaches, pass: rules.isPresent ? nil : "there are no tables of islands")
  }

  private mutating func checkCoverage() {
    let share = percent(report.elevationCoverage)
    var breaches = Breaches()
    if report.elevationCoverage < 0.95 { breaches.add("\(share) have one") }
    add(.coverage, breaches, pass: share)
  }

  private mutating func checkComponents(_ content: DatabaseContent) {
    var components = Components(nodeCount: content.nodeIDs.count)
    let passable = content.edges.filter { $0.isPassable && !$0.distance.isNaN }
    for edge in passable { components.join(edge.from, edge.to) }
    var metres = [Double](repeating: 0, count: content.nodeIDs.count)
    for edge in passable { metres[components.find(edge.from)] += edge.distance }
    let total = metres.reduce(0, +)
    report.components = metres.count { $0 > 0 }
    report.largestComponentShare = total > 0 ? (metres.max() ?? 0) / total : 0
    let share =
      "\(percent(report.largestComponentShare)) of the passable kilometres"
      + " in the largest of \(grouped(report.components))"
    var breaches = Breaches()
    if report.largestComponentShare < 0.8 { breaches.add(share) }
    add(.components, breaches, pass: share)
  }
}
