// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnRoutingDatabase
import CairnTagRules
import CostModel
import Synchronization
import SystemIO

/// The rules about what is in a database: all but SQLite's own check of the file and the comparison
/// with another database.
struct ContentRules: Sendable {
  /// How far rounding to Float32 may move a point, in degrees: half a unit in the last place at 180°.
  static let float32Degrees = 1e-5
  /// The size in bytes per kilometre above which a note is made.
  static let usualBytesPerKilometre = 20_000.0

  private let file: DatabaseFile
  private let crew: Crew
  /// See ``DatabaseValidator/isWithoutElevation``.
  private let isWithoutElevation: Bool
  private(set) var findings = Findings()
  private(set) var report: ValidationReport
  /// Whether the core tables could be read.
  private(set) var isReadable = false
  /// What comparing the indexes of the core tables with the rows found; nil if they were not compared.
  private(set) var indexFindings: Findings?

  /// - Parameter report: The report to be completed.
  init(
    _ file: DatabaseFile, _ crew: Crew, _ report: ValidationReport, isWithoutElevation: Bool
  ) {
    self.file = file
    self.isWithoutElevation = isWithoutElevation
    self.crew = crew
    self.report = report
  }

  /// Checks the rules. The integrity of the file need not be known.
  mutating func check() throws(CairnError) {
    let rows = try file.withConnection { connection throws(CairnError) in
      try CoreRows(file, connection, &findings)
    }
    guard let core = rows else { return }
    isReadable = true
    let store = RoutingStore(path: file.path)
    defer { store.close() }
    let audit = try check(core, store)
    // What can hurt is told only of a valid database.
    guard Self.areValid(findings) else { return }
    do throws(CairnError) { report.safety = try audit.summary() } catch {
      findings.add(.hazards, "cannot be audited: \(error.message)")
    }
  }

  private static func areValid(_ findings: Findings) -> Bool {
    !findings.checks(isStrict: false).contains { $0.status == "error" }
  }

  /// Checks the rows that were read and reads the others. Returns an audit, which has not begun if a
  /// rule about what it reads is broken.
  ///
  /// - Parameter store: The database as apps read it; not open yet.
  private mutating func check(_ core: CoreRows, _ store: RoutingStore) throws(CairnError)
    -> DatabaseAudit
  {
    let (nodes, edges) = (core.nodes, core.edges)
    report.nodes = nodes.ids.count
    report.edges = edges.ids.count
    report.kilometres = edges.totalMetres / 1000
    report.elevationCoverage = core.elevationCoverage.share
    let parts = try readParts(core)
    indexFindings = parts.indexes
    DuplicateEdges.report(parts.duplicates, edges, &findings)
    core.metadata.check(nodes, edges, &findings)
    findings.append(parts.tags.findings)
    let audit = DatabaseAudit(
      store,
      ValidatedRows(nodes: nodes, edges: edges, tags: parts.tags.sets, slopes: parts.slopes))
    var read = findings
    read.append(parts.elevations)
    let profiles = try checkCosts(
      core, parts.tags, store, beside: Self.areValid(read) ? audit : nil)
    checkBound(core.metadata, edges, isHiking: core.isHiking)
    findings.append(parts.elevations)
    findings.append(parts.unusedNodes)
    checkNetwork(parts.network)
    VocabularyRules.check(edges, profiles, &findings)
    checkSize()
    return audit
  }

  /// What can be found out at the same time, once the core tables are read.
  private struct Parts: Sendable {
    var tags: TagTables
    var elevations: Findings
    /// See ``ValidatedRows/slopes``.
    var slopes: [Float]?
    var indexes: Findings
    var network: NetworkRules
    var unusedNodes: Findings
    var duplicates: [DuplicateEdges.Pair]
  }

  private static var unfinished: CairnError {
    CairnError("unexpected", .software, "a task was not run")
  }

  private func readParts(_ core: CoreRows) throws(CairnError) -> Parts {
    let tags = Mutex<Result<TagTables, CairnError>?>(nil)
    let elevations = Mutex<Result<(Findings, slopes: [Float]?), CairnError>?>(nil)
    let network = Mutex<(rules: NetworkRules, findings: Findings)?>(nil)
    let indexes = Mutex<Result<Findings, CairnError>?>(nil)
    let duplicates = Collector<[DuplicateEdges.Pair]>(count: DuplicateEdges.parts)
    crew.forEach(4 + DuplicateEdges.parts) { [file, isWithoutElevation] job in
      // The longest ones first, so that all threads have work until the end.
      switch job {
      case 0:
        let result = Result { () throws(CairnError) in try CoreIndexes.compare(file, core) }
        indexes.withLock { $0 = result }
      case 1:
        let result = Result { () throws(CairnError) in
          try Self.checkElevations(file, core, areExpected: !isWithoutElevation)
        }
        elevations.withLock { $0 = result }
      case 2:
        let result = Result { () throws(CairnError) in
          try file.withConnection { connection throws(CairnError) in
            try TagTables(file, connection, core)
          }
        }
        tags.withLock { $0 = result }
      case 3:
        var findings = Findings()
        let rules = NetworkRules(core.nodes, core.edges, &findings)
        network.withLock { [findings] in $0 = (rules, findings) }
      default:
        let part = job - 4
        duplicates.set(part, DuplicateEdges.pairs(core.edges.lines, part: part))
      }
    }
    guard let tags = tags.withLock({ $0 }), let elevations = elevations.withLock({ $0 }),
      let network = network.withLock({ $0 }), let indexes = indexes.withLock({ $0 })
    else { throw Self.unfinished }
    let (heights, slopes) = try elevations.get()
    return Parts(
      tags: try tags.get(), elevations: heights, slopes: slopes, indexes: try indexes.get(),
      network: network.rules,
      unusedNodes: network.findings, duplicates: duplicates.values().flatMap { $0 })
  }

  /// - Parameter audit: An audit to make at the same time.
  private mutating func checkCosts(
    _ core: CoreRows, _ tags: TagTables, _ store: RoutingStore, beside audit: DatabaseAudit?
  ) throws(CairnError) -> [CostProfile] {
    guard core.tables.has("routing_profiles", "routing_cost_blocks") else {
      findings.skip(
        .profileCosts, .profileDefinitions, .recomputedCosts, .islands,
        because: "no tables of profiles")
      return []
    }
    let profiles = try file.withConnection { connection throws(CairnError) in
      try ProfileRows(connection, metadata: core.metadata.values, &findings).all
    }
    let context = CostRules.Context(
      edges: core.edges, nodes: core.nodes,
      climbs: ClimbCosts.all(core.metadata.values, profileCount: profiles.count),
      tags: tags.sets, islands: tags.islands,
      accessDate: core.accessDate,
      islandThreshold: core.metadata[RoutingMetadataKey.islandThreshold].flatMap { Double($0) })
    let rules = CostRules(file, profiles, context)
    let hasTimeRules = core.tables.has("routing_rules")
    let ofTimes = Mutex<Findings?>(nil)
    let ofCosts = try rules.check(crew) {
      // Its result is kept for those who ask for it.
      _ = Result { () throws(CairnError) in try audit?.summary() }
      guard hasTimeRules else { return }
      let found = TimeRules.check(store, core.edges, tags.sets)
      ofTimes.withLock { $0 = found }
    }
    findings.append(ofCosts)
    if hasTimeRules {
      guard let found = ofTimes.withLock({ $0 }) else { throw Self.unfinished }
      findings.append(found)
    }
    findings.note(.profileCosts, profiles.map(\.name).joined(separator: ", "))
    return profiles.compactMap(\.definition)
  }

  /// Checks the minimum cost per metre of `routing_edges`.
  private mutating func checkBound(
    _ metadata: MetadataRows, _ edges: EdgeRows, isHiking: Bool
  ) {
    var (least, cheapest) = (Double.infinity, 0)
    for edge in edges.ids.indices where edges.distances[edge] > 0 {
      for cost in [edges.costs[edge], edges.reverseCosts[edge]] where cost > 0 {
        if cost / edges.distances[edge] < least {
          (least, cheapest) = (cost / edges.distances[edge], edge)
        }
      }
    }
    // In the hiking profile that is an error, which another rule reports.
    if !isHiking, least < 1 - 1e-6 {
      let name = metadata[RoutingMetadataKey.profile] ?? "the first profile"
      findings.add(
        .straightLineBound,
        "\(name) costs as little as \(decimal(least, 3)) per metre, on way \(edges.ways[cheapest])")
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

  private static func checkElevations(
    _ file: DatabaseFile, _ core: CoreRows, areExpected: Bool
  ) throws(CairnError) -> (Findings, slopes: [Float]?) {
    var findings = Findings()
    let least = 0.95
    let coverage = core.elevationCoverage
    let share = percent(coverage.share, comparedWith: least)
    if !areExpected {
      findings.skip(.elevationCoverage, because: "no elevations are expected")
    } else if coverage.share < least {
      let example = coverage.firstUnknown.map { "; node \(core.nodes.ids[$0]) has none" } ?? ""
      findings.add(.elevationCoverage, "\(share) have one\(example)")
    } else {
      findings.note(.elevationCoverage, share)
    }
    guard core.tables.has("routing_elevation_blocks") else {
      findings.skip(
        .elevationProfiles, .elevationAgreement, because: "no table of elevation profiles")
      return (findings, nil)
    }
    let rules = try file.withConnection { connection throws(CairnError) in
      try ElevationRules(connection, core.nodes, core.edges, &findings)
    }
    let edges = core.edges.ids.count
    let covered = edges == 0 ? 0 : Double(rules.count) / Double(edges)
    findings.note(.elevationProfiles, "\(percent(covered)) of the edges have one")
    return (findings, rules.slopes)
  }

  private mutating func checkNetwork(_ network: NetworkRules) {
    report.components = network.components
    report.largestComponentShare = network.largestShare
    let least = 0.8
    let share =
      "\(percent(network.largestShare, comparedWith: least)) of the passable kilometres "
      + "in the largest of \(grouped(network.components))"
    if network.largestShare < least {
      let other = network.secondNode.map { "; node \($0) is in the next one" } ?? ""
      findings.add(.components, share + other)
    } else {
      findings.note(.components, share)
    }
  }

  private mutating func checkSize() {
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
