// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnBundles
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CairnTagRules

/// An audit in progress.
struct AuditReading {
  private let edges: AuditedEdges
  var summary: SafetySummary
  private var themes: [AuditFinding.Theme] = []
  private var numbers: [AuditFinding.Theme: Int32] = [:]
  /// The days of the closures among ``themes``.
  private var years: [Int32: AccessYear] = [:]
  private var pieces: [AuditPiece] = []

  init(_ edges: AuditedEdges, _ limits: AuditLimits) {
    self.edges = edges
    summary = SafetySummary(steepPercent: limits.steepPercent)
  }

  private mutating func number(_ theme: AuditFinding.Theme) -> Int32 {
    if let known = numbers[theme] { return known }
    numbers[theme] = Int32(truncatingIfNeeded: themes.count)
    themes.append(theme)
    return Int32(truncatingIfNeeded: themes.count - 1)
  }

  private func tags(_ edge: Int) -> AuditedTags { edges.tags[Int(edges.ofEdges[edge])] }

  /// Counts kilometres, and adds the findings by tags of ways.
  mutating func addWays() {
    var sums = WayMetres()
    let topics = edges.tags.map { tags in
      tags.topics.map { (theme: number($0.theme), severity: $0.severity) }
    }
    for tags in edges.tags {
      if let closure = tags.closure, let year = tags.year { years[number(closure)] = year }
    }
    let places = edges.tags.map { WayMetres.Place($0) }
    // The edge of a barrier has no length.
    for edge in edges.ids.indices where edges.metres[edge] > 0 {
      sums.add(edges.metres[edge], places[Int(edges.ofEdges[edge])])
      for topic in topics[Int(edges.ofEdges[edge])] {
        pieces.append(
          AuditPiece(
            theme: topic.theme, edge: Int32(truncatingIfNeeded: edge), severity: topic.severity))
      }
    }
    sums.enter(into: &summary)
  }

  /// Adds the hazards of nodes and areas.
  ///
  /// - Parameter date: The day for which conditions of areas are judged; nil if it is unknown.
  mutating func addHazards(_ store: RoutingStore, on date: CalendarDate?) throws(RoutingError) {
    var rows: [EdgeHazard] = []
    try store.forEachHazard { rows.append($0) }
    var known: [Int64: [String: String]] = [:]
    var seen: Set<String> = []
    for row in rows {
      guard let edge = edges.ids.binarySearch(row.edge), edges.metres[edge] > 0 else { continue }
      if known[row.tagSet] == nil { known[row.tagSet] = try store.tags(ofSet: row.tagSet) }
      let object = TagList(known[row.tagSet] ?? [:])
      let hazards =
        row.type == 0 ? Hazard.all(object, of: .node) : Hazard.ofArea(object, for: .foot, on: date)
      for hazard in hazards where tags(edge).isOnFoot || hazard.isClosing {
        let theme = number(AuditedTags.theme(hazard))
        // A node at which edges meet is in a row of each.
        if row.type == 0, !seen.insert("\(row.object) \(theme)").inserted { continue }
        pieces.append(piece(row, edge, theme, hazard.severity))
      }
    }
  }

  private func piece(
    _ row: EdgeHazard, _ edge: Int, _ theme: Int32, _ severity: HazardSeverity
  ) -> AuditPiece {
    let length = edges.metres[edge]
    func share(_ decimetres: Int64) -> Double {
      let metres = Double(decimetres) / EdgeHazard.unitsPerMetre
      // Positions are rounded, and may be forged.
      let slack = 1 / EdgeHazard.unitsPerMetre
      return metres <= slack ? 0 : metres >= length - slack ? 1 : metres / length
    }
    let start = share(row.start)
    return AuditPiece(
      theme: theme, edge: Int32(truncatingIfNeeded: edge), start: start,
      end: row.type == 0 ? start : max(start, share(row.end)), severity: severity,
      object: row.object)
  }

  /// Adds the findings by elevations: steep stretches, and paths without a grade that are high or
  /// steep.
  mutating func addElevations(_ store: RoutingStore) throws(RoutingError) {
    let steep = number(
      .init(category: .hazard, kind: HazardKind.steep.rawValue, text: "steep stretch", tag: nil))
    let unknownSteep = number(
      .init(
        category: .unknownGrade, kind: AuditFinding.steepKind,
        text: "no grade on steep ground", tag: nil))
    let unknownHigh = number(
      .init(
        category: .unknownGrade, kind: AuditFinding.highKind,
        text: "no grade above the tree line", tag: nil))
    let treeLine = summary.treeLineMetres ?? .infinity
    let aims = edges.tags.map { SlopeAims($0) }
    var isKnown = [Bool](repeating: false, count: edges.ids.count)
    var next = 0
    var climb = Climb()
    var failure: RoutingError?
    try store.forEachElevation { id, blob throws(RoutingError) in
      while next < edges.ids.count, edges.ids[next] < id { next += 1 }
      guard next < edges.ids.count, edges.ids[next] == id, edges.metres[next] > 0 else { return }
      isKnown[next] = true
      let aims = aims[Int(edges.ofEdges[next])]
      let isSteep = aims.isSlope && Double(edges.slopes[next]) > SteepSlope.noticePercent
      guard isSteep || aims.lacksGrade else { return }
      guard climb.read(blob, metres: edges.metres[next]) else {
        failure = .databaseCorrupted("edge \(id) has an invalid elevation profile")
        return
      }
      if isSteep {
        add(steep, next, climb) {
          $0.slope <= SteepSlope.noticePercent
            ? nil : $0.slope > SteepSlope.cautionPercent ? .caution : .notice
        }
      }
      guard aims.lacksGrade else { return }
      add(unknownHigh, next, climb) { $0.height > treeLine ? .caution : nil }
      guard aims.isSlope else { return }
      let limit = summary.steepPercent
      add(unknownSteep, next, climb) { $0.slope > limit ? .caution : nil }
    }
    if let failure { throw failure }
    countUnknown(isKnown)
  }

  private mutating func countUnknown(_ isKnown: [Bool]) {
    var metres = 0.0
    for edge in edges.ids.indices where !isKnown[edge] && tags(edge).lacksGrade {
      metres += edges.metres[edge]
    }
    summary.unknownGrade.withoutElevation = SafetySummary.rounded(metres: metres)
    guard isKnown.contains(true) else { return }
    summary.unknownGrade.steep = 0
    if summary.treeLineMetres != nil { summary.unknownGrade.aboveTreeLine = 0 }
  }

  /// Adds the relevant stretches of an edge between neighbouring elevations, joined.
  private mutating func add(
    _ theme: Int32, _ edge: Int, _ climb: Climb, _ severity: (Climb.Interval) -> HazardSeverity?
  ) {
    var isOpen = false
    for index in climb.intervals {
      let interval = climb[index]
      guard let severity = severity(interval) else {
        isOpen = false
        continue
      }
      if isOpen {
        pieces[pieces.count - 1].end = climb.share(index)
        pieces[pieces.count - 1].severity = max(pieces[pieces.count - 1].severity, severity)
      } else {
        pieces.append(
          AuditPiece(
            theme: theme, edge: Int32(truncatingIfNeeded: edge), start: climb.share(index - 1),
            end: climb.share(index), severity: severity))
      }
      isOpen = true
    }
  }

  /// Adds the barriers that are closed at times.
  mutating func addBarriers(on date: CalendarDate?) {
    var seen: Set<Int64> = []
    for barrier in edges.barriers {
      let tags = TagList(barrier.tags)
      guard let rule = AccessRule(tags, isBarrier: true), rule.canClose(for: .foot),
        seen.insert(edges.from[barrier.edge]).inserted
      else { continue }
      let theme = number(AuditedTags.theme(rule, of: tags, "barrier"))
      if let date, years[theme] == nil { years[theme] = rule.year(for: .foot, from: date) }
      pieces.append(
        AuditPiece(
          theme: theme, edge: Int32(truncatingIfNeeded: barrier.edge), start: 0, end: 0,
          severity: .caution, object: "node/\(edges.from[barrier.edge])"))
    }
  }

  // MARK: - Findings

  /// Counts all findings in the summary, and returns them in their order.
  ///
  /// - Parameters:
  ///   - detail: What is needed of them.
  ///   - store: The source of their lines.
  mutating func finish(_ detail: RegionAudit.Detail, _ store: RoutingStore) throws(RoutingError)
    -> [AuditFinding]
  {
    let joints = AuditJoints(pieces, way: { edges.ways[Int($0.edge)] }) { piece, isEnd in
      let edge = Int(piece.edge)
      if isEnd { return piece.end == 1 ? edges.to[edge] : nil }
      return piece.start == 0 ? edges.from[edge] : nil
    }
    let ranks = themeRanks()
    let areSteep = themes.map {
      [HazardKind.steep.rawValue, AuditFinding.steepKind].contains($0.kind)
    }
    var outlines: [Outline] = []
    for chain in joints.chains() {
      let outline = outline(chain, ranks)
      if areSteep[outline.theme], outline.metres < SteepSlope.leastMetres { continue }
      outlines.append(outline)
    }
    // The sort is stable: equal findings stay in the order of their edges. It moves numbers, since
    // outlines have lists.
    var order = outlines.indices.map { outlines[$0].order($0) }
    order.sort { $0.isBefore($1) }
    count(outlines, order)
    if detail == .figures { return [] }
    var findings: [AuditFinding] = []
    for outline in order.lazy.map({ outlines[$0.index] }) {
      var finding = finding(outline)
      if detail == .lines { finding.line = try line(outline.chain, store) }
      findings.append(finding)
    }
    return findings
  }

  /// What orders and counts a finding.
  private struct Outline {
    var chain: AuditChain
    var theme: Int
    var severity: HazardSeverity
    /// The position of category and kind in their order.
    var kind: Int
    var metres: Double

    func order(_ index: Int) -> Order {
      Order(index: index, severity: severity, kind: kind, metres: metres)
    }
  }

  /// What decides where an outline stands.
  private struct Order {
    var index: Int
    var severity: HazardSeverity
    var kind: Int
    var metres: Double

    func isBefore(_ other: Order) -> Bool {
      if severity != other.severity { return severity > other.severity }
      return kind != other.kind ? kind < other.kind : metres > other.metres
    }
  }

  private func outline(_ chain: AuditChain, _ ranks: [Int]) -> Outline {
    let theme = Int(pieces[chain.pieces[0].index].theme)
    var severity = pieces[chain.pieces[0].index].severity
    var metres = 0.0
    for (index, _) in chain.pieces {
      severity = max(severity, pieces[index].severity)
      metres += (pieces[index].end - pieces[index].start) * edges.metres[Int(pieces[index].edge)]
    }
    return Outline(
      chain: chain, theme: theme, severity: severity, kind: ranks[theme], metres: metres)
  }

  /// The position of each theme in the order of categories and kinds, the same for those of one kind.
  private func themeRanks() -> [Int] {
    let kinds = Set(themes.map { [$0.category.rawValue, $0.kind] })
      .sorted { $0.lexicographicallyPrecedes($1) }
    return themes.map { kinds.firstIndex(of: [$0.category.rawValue, $0.kind]) ?? 0 }
  }

  /// Counts findings in the summary, in an order.
  private mutating func count(_ outlines: [Outline], _ order: [Order]) {
    var (high, steep) = (0.0, 0.0)
    var kinds: [HazardKind: (severity: HazardSeverity, count: Int, metres: Double)] = [:]
    var (closures, suspicious) = (0, 0)
    var closed: [AccessYear] = []
    let hazards = themes.map { HazardKind(rawValue: $0.kind) }
    let areHigh = themes.map { $0.kind == AuditFinding.highKind }
    let areSteep = themes.map { $0.kind == AuditFinding.steepKind }
    for (index, severity, metres) in order.lazy.map({ ($0.index, $0.severity, $0.metres) }) {
      let theme = outlines[index].theme
      if areHigh[theme] { high += metres }
      if areSteep[theme] { steep += metres }
      switch themes[theme].category {
      case .closure:
        closures += 1
        if let year = years[Int32(theme)] { closed.append(year) }
      case .suspicious: suspicious += 1
      case .hazard:
        guard let kind = hazards[theme] else { continue }
        let known = kinds[kind] ?? (severity, 0, 0)
        kinds[kind] = (max(known.severity, severity), known.count + 1, known.metres + metres)
      case .unknownGrade: break
      }
    }
    if summary.unknownGrade.aboveTreeLine != nil {
      summary.unknownGrade.aboveTreeLine = SafetySummary.rounded(metres: high)
    }
    if summary.unknownGrade.steep != nil {
      summary.unknownGrade.steep = SafetySummary.rounded(metres: steep)
    }
    summary.hazards = HazardKind.allCases.compactMap { kind in
      kinds[kind].map {
        SafetySummary.Hazards(
          kind: kind.rawValue, severity: $0.severity, count: $0.count,
          kilometres: SafetySummary.rounded(metres: $0.metres))
      }
    }.sorted { $0.severity > $1.severity }
    guard edges.hasTags else { return }
    summary.closures = closures
    let isSeasonal = closed.contains { !$0.closed.isEmpty || !$0.unknown.isEmpty }
    summary.hasSeasonalClosures =
      isSeasonal || closed.count == closures ? isSeasonal : nil
    summary.suspicious = suspicious
  }

  private func finding(_ outline: Outline) -> AuditFinding {
    let theme = themes[outline.theme]
    var finding = AuditFinding(
      category: theme.category, kind: theme.kind, severity: outline.severity, text: theme.text,
      tag: theme.tag, osm: [], metres: outline.metres, year: years[Int32(outline.theme)])
    for (index, _) in outline.chain.pieces {
      let piece = pieces[index]
      let edge = edges.ids[Int(piece.edge)]
      if finding.edges.last != edge { finding.edges.append(edge) }
      let object = piece.object ?? edges.ways[Int(piece.edge)].map { "way/\($0)" }
      if let object, finding.osm.last != object { finding.osm.append(object) }
    }
    return finding
  }

  private func line(_ chain: AuditChain, _ store: RoutingStore) throws(RoutingError)
    -> [Coordinate]
  {
    var line: [Coordinate] = []
    for (index, isReversed) in chain.pieces {
      let piece = pieces[index]
      guard let whole = try store.line(ofEdge: edges.ids[Int(piece.edge)]) else { continue }
      var part = whole.part(from: piece.start, to: piece.end)
      if piece.isPlace { part = Array(part.prefix(1)) }
      if isReversed { part.reverse() }
      line += line.last == part.first ? Array(part.dropFirst()) : part
    }
    return line
  }
}

/// What an audit looks for in the elevations of edges with a tag set.
private struct SlopeAims {
  /// Whether walkers notice how steep they are.
  let isSlope: Bool
  /// See ``AuditedTags/lacksGrade``.
  let lacksGrade: Bool

  init(_ tags: AuditedTags) {
    let isWalk = tags.isOnFoot && !tags.isFerry
    (isSlope, lacksGrade) = (isWalk && !tags.isSteps, isWalk && tags.lacksGrade)
  }
}

/// The elevations of an edge as stretches of even slope.
private struct Climb {
  struct Interval {
    /// Percent, up or down.
    var slope: Double
    /// Metres above sea level, in the middle.
    var height: Double
  }

  private var heights: [Float] = []
  private var intervalMetres = 0.0

  /// Replaces the elevations with those of another edge; false if they are damaged.
  mutating func read(_ blob: UnsafeRawBufferPointer, metres: Double) -> Bool {
    guard EdgeElevation.unpack(blob, into: &heights) else { return false }
    intervalMetres = metres / Double(heights.count - 1)
    return true
  }

  /// The numbers of the stretches, from 1.
  var intervals: Range<Int> { 1..<heights.count }

  @inline(__always)
  subscript(index: Int) -> Interval {
    let (low, high) = (Double(heights[index - 1]), Double(heights[index]))
    return Interval(slope: abs(high - low) / intervalMetres * 100, height: (low + high) / 2)
  }

  /// Where a stretch ends, as a share of the edge's length.
  func share(_ index: Int) -> Double { Double(index) / Double(heights.count - 1) }
}

/// Metres of ways on foot by kind.
private struct WayMetres {
  /// Where the edges with a tag set count.
  struct Place {
    /// Nil if they do not count.
    fileprivate var way: AuditedTags.Way?
    /// Indices of ``allGrades`` and ``allVisibilities``; nil if they do not count.
    fileprivate var grade: Int?
    fileprivate var visibility: Int?

    init(_ tags: AuditedTags) {
      guard tags.isOnFoot, !tags.isFerry else { return }
      way = tags.way
      // Visibility matters only on paths.
      let unknown = tags.way == .path ? 0 : nil
      grade = tags.grade.flatMap { WayMetres.allGrades.firstIndex(of: $0) } ?? unknown
      visibility =
        tags.visibility.flatMap { WayMetres.allVisibilities.firstIndex(of: $0) } ?? unknown
    }
  }

  /// The first ones stand for an unknown grade and an unknown visibility.
  private static let allGrades: [SACScale?] = [nil] + SACScale.allCases
  private static let allVisibilities = [SafetySummary.unknown] + AuditedTags.visibilities

  private var paths = 0.0
  private var tracks = 0.0
  private var roads = 0.0
  private var grades = [Double](repeating: 0, count: allGrades.count)
  private var visibility = [Double](repeating: 0, count: allVisibilities.count)

  static func name(_ grade: SACScale) -> String {
    grade == .strolling ? grade.rawValue : "T\(grade.number)"
  }

  /// Adds an edge of some length.
  mutating func add(_ metres: Double, _ place: Place) {
    switch place.way {
    case .path: paths += metres
    case .track: tracks += metres
    case .road: roads += metres
    case nil: return
    }
    if let grade = place.grade { grades[grade] += metres }
    if let value = place.visibility { visibility[value] += metres }
  }

  func enter(into summary: inout SafetySummary) {
    summary.kilometres = SafetySummary.Ways(
      paths: SafetySummary.rounded(metres: paths), tracks: SafetySummary.rounded(metres: tracks),
      roads: SafetySummary.rounded(metres: roads))
    summary.grades = [:]
    for (grade, metres) in zip(Self.allGrades, grades) {
      summary.grades[grade.map(Self.name) ?? SafetySummary.unknown] = SafetySummary.rounded(
        metres: metres)
    }
    summary.visibility = [:]
    for (value, metres) in zip(Self.allVisibilities, visibility) {
      summary.visibility[value] = SafetySummary.rounded(metres: metres)
    }
    summary.highestGrade = zip(Self.allGrades, grades).filter { $0.1 > 0 }.compactMap { $0.0 }.max()
      .map(Self.name)
  }
}

extension RoutingStore {
  /// The whole line of an edge; nil if there is no such edge. Throws
  /// ``RoutingError/databaseCorrupted(_:)`` if a node at its end is missing.
  fileprivate func line(ofEdge id: Int64) throws(RoutingError) -> [Coordinate]? {
    guard let edge = try getEdge(id) else { return nil }
    guard let from = try getNode(edge.fromNode), let to = try getNode(edge.toNode) else {
      throw .databaseCorrupted("edge \(id) leads to a node that is missing")
    }
    return [from.coordinate] + edge.geometry + [to.coordinate]
  }
}
