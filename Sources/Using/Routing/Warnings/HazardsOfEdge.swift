// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnRoutingDatabase
import CairnTagRules

/// The hazards in the tags of an edge.
struct HazardsOfEdge {
  /// A stretch of the edge in the direction of its row, in metres from its start.
  struct Range {
    var start: Double
    var end: Double
    /// The object with the tags, such as `node/101`.
    var object: String
    var hazards: [Hazard]

    init(_ row: EdgeHazard, _ hazards: [Hazard]) {
      start = Double(row.start) / EdgeHazard.unitsPerMetre
      end = Double(row.end) / EdgeHazard.unitsPerMetre
      object = row.object
      self.hazards = hazards
    }
  }

  /// The hazards of its way, or of its barrier, which apply to all of it; nil if the database does
  /// not have its tags.
  var way: [Hazard]?
  /// The hazards of nodes and areas.
  var ranges: [Range] = []
  /// An upper bound of the slope of its steepest stretch in percent, up or down; 0 if unknown.
  var slopePercent = 0.0

  /// Whether it has no warnings.
  var isQuiet: Bool {
    way?.isEmpty == true && ranges.isEmpty && slopePercent <= SteepSlope.noticePercent
  }

  /// Hazards for which profiles may close a way, although its tags do not.
  private static let climbs: Set<HazardKind> = [.alpineGrade, .equipment, .viaFerrata]
  /// Whether a hazard closes a way on some days.
  static func isTimed(_ hazard: Hazard) -> Bool {
    switch hazard.kind {
    case .conditional, .seasonal: true
    case .ferry: hazard.severity > .notice
    default: false
    }
  }
  /// Access restrictions without a hazard.
  private static let permissions: Set<HazardKind> = [.assumedAccess, .closed, .privateWay]

  /// The hazard that closes it to a profile, if any; of several the most severe one.
  var closing: Hazard? {
    let way = way ?? []
    let all = way + ranges.flatMap(\.hazards)
    let reasons = [
      all.filter(\.isClosing), way.filter(Self.isTimed),
      way.contains { Self.permissions.contains($0.kind) }
        ? [] : way.filter { Self.climbs.contains($0.kind) },
    ]
    return reasons.first { !$0.isEmpty }?.max { $0.severity < $1.severity }
  }
}

/// The hazards of a tag set for travellers of each mode.
package struct WayHazards: Sendable {
  let onFoot: [Hazard]
  let byBicycle: [Hazard]

  /// - Parameters:
  ///   - date: The day for which seasons and conditions are judged, at noon; nil if it is unknown.
  ///   - isAnyHour: Whether the way may be reached at another hour, when it is open: then what noon
  ///     closes is only said to be open at times.
  init(_ tags: [String: String], on date: CalendarDate?, isAnyHour: Bool = false) {
    let tags = TagList(tags)
    let hazards = Hazard.all(tags, of: .way)
    onFoot = Self.united(hazards, Hazard.ofAccess(tags, for: .foot, on: date), isAnyHour)
    byBicycle = Self.united(hazards, Hazard.ofAccess(tags, for: .bicycle, on: date), isAnyHour)
  }

  /// Those for walkers alone.
  package static func onFoot(_ tags: TagList, on date: CalendarDate?, isAnyHour: Bool)
    -> [Hazard]
  {
    united(
      Hazard.all(tags, of: .way), Hazard.ofAccess(tags, for: .foot, on: date), isAnyHour)
  }

  /// Those of the tag set of a barrier that is passed: the times at which it is open.
  init(ofBarrier tags: [String: String]) {
    let tags = TagList(tags)
    let seasons = Hazard.all(tags, of: .way).filter { $0.kind == .seasonal }
    onFoot = seasons + Hazard.ofTimes(tags, for: .foot)
    byBicycle = seasons + Hazard.ofTimes(tags, for: .bicycle)
  }

  /// Those of the tag set of a node or an area.
  ///
  /// - Parameter date: The day for which conditions of areas are judged, at noon; nil if it is unknown.
  init(ofNode isNode: Bool, _ tags: [String: String], on date: CalendarDate?) {
    let tags = TagList(tags)
    onFoot = isNode ? Hazard.all(tags, of: .node) : Hazard.ofArea(tags, for: .foot, on: date)
    byBicycle = isNode ? onFoot : Hazard.ofArea(tags, for: .bicycle, on: date)
  }

  /// Whether what is said depends on the day.
  var dependsOnDay: Bool {
    (onFoot + byBicycle).contains(where: HazardsOfEdge.isTimed)
  }

  var isEmpty: Bool { onFoot.isEmpty && byBicycle.isEmpty }

  func hazards(_ mode: RoutingMode) -> [Hazard] { mode == .cycling ? byBicycle : onFoot }

  /// What is closed is not said twice.
  private static func united(_ hazards: [Hazard], _ access: [Hazard], _ isAnyHour: Bool)
    -> [Hazard]
  {
    let isTimed = (hazards + access).contains(where: HazardsOfEdge.isTimed)
    return hazards
      + access.filter { new in
        if isAnyHour, isTimed, new.kind == .closed { return false }
        return !hazards.contains { $0.kind == new.kind || $0.isClosing }
      }
  }
}

/// What the tags of the edges of a database in memory warn of.
struct NetworkHazards: Sendable {
  /// Stands for a tag set that warns of nothing, and for one that is not known.
  private static let safe: Int32 = -1
  private static let unknown: Int32 = -2

  private var sets: [WayHazards] = []
  /// The index in ``sets`` of each edge's way.
  private var ofEdges: [Int32] = []
  /// Whether each edge has any of ``rows``.
  private var hasRows: [Bool]
  private var rows: [EdgeHazard] = []
  /// What the tag sets of nodes and areas say on the day of the database.
  private var objects: [HazardSet: WayHazards] = [:]
  /// The tags of sets of areas that say something else on other days.
  private var timedAreas: [Int64: [String: String]] = [:]
  /// The tags of the sets of ways that say something else on other days, by their index in ``sets``.
  private var timedTags: [Int: [String: String]] = [:]
  /// The day for which the database has access; nil if it is unknown.
  private let date: CalendarDate?
  /// The kind of each edge's way.
  private var kinds: [WayKind] = []

  /// Reads those of all edges of a database.
  ///
  /// - Parameters:
  ///   - all: The edges, by ascending id.
  ///   - texts: Their texts.
  init(_ store: RoutingStore, _ all: [RoadNetwork.Edge], texts: [String]) throws(RoutingError) {
    let edges = all.map { (id: $0.id, isBarrier: $0.distance == 0 && $0.from != $0.to) }
    hasRows = [Bool](repeating: false, count: edges.count)
    let date = try store.accessDate()
    self.date = date
    if let found = try store.tagSets(ofEdges: edges.map { ($0.id, $0.isBarrier) }) {
      let numbers = found.sets.map { tags -> Int32 in
        let hazards = WayHazards(tags, on: date)
        if hazards.isEmpty { return Self.safe }
        if hazards.dependsOnDay { timedTags[sets.count] = tags }
        sets.append(hazards)
        return Int32(truncatingIfNeeded: sets.count - 1)
      }
      ofEdges = found.ofEdges.map { numbers[Int($0)] }
      let kindsOfSets = found.sets.map { WayKind(ofPlace: TagList($0)) }
      kinds = found.ofEdges.map { kindsOfSets[Int($0)] }
      addBarriers(found, edges)
    } else {
      ofEdges = [Int32](repeating: Self.unknown, count: edges.count)
      kinds = all.map { edge in
        WayKind(highwayType: edge.texts.1 < 0 ? nil : texts[Int(edge.texts.1)])
      }
    }
    var rows: [EdgeHazard] = []
    try store.forEachHazard { rows.append($0) }
    let ids = rows.isEmpty ? [] : edges.map(\.id)
    for row in rows {
      if let index = ids.binarySearch(row.edge) { hasRows[index] = true }
      let set = HazardSet(row)
      if objects[set] != nil { continue }
      let tags = try store.tags(ofSet: row.tagSet)
      objects[set] = WayHazards(ofNode: set.holder == .node, tags, on: date)
      if set.holder == .area, tags.keys.contains(where: { $0.hasSuffix(":conditional") }) {
        timedAreas[row.tagSet] = tags
      }
    }
    self.rows = rows
  }

  /// Gives the edges that stand for barriers the hazards of these.
  private mutating func addBarriers(_ found: EdgeTagSets, _ edges: [(id: Int64, isBarrier: Bool)]) {
    var numbers: [Int32: Int32] = [:]
    for index in edges.indices where edges[index].isBarrier {
      let set = found.ofBarriers[index]
      if numbers[set] == nil {
        let hazards = WayHazards(ofBarrier: set < 0 ? [:] : found.sets[Int(set)])
        numbers[set] = hazards.isEmpty ? Self.safe : Int32(truncatingIfNeeded: sets.count)
        if !hazards.isEmpty { sets.append(hazards) }
      }
      ofEdges[index] = numbers[set] ?? Self.safe
    }
  }

  /// The kind of an edge's way, by the edge's index.
  func kind(_ index: Int) -> WayKind { kinds[index] }

  /// Whether the tags of an edge, by its index, say nothing.
  @inline(__always)
  func isQuiet(_ index: Int) -> Bool { ofEdges[index] == Self.safe && !hasRows[index] }

  /// Those of an edge, by its index.
  ///
  /// - Parameter day: The day of the walk; nil for that of the build.
  func hazards(_ index: Int, id: Int64, _ mode: RoutingMode, on day: TravelDay?) -> HazardsOfEdge {
    var found = HazardsOfEdge()
    let set = ofEdges[index]
    if set != Self.unknown { found.way = set < 0 ? [] : ofWay(Int(set), on: day).hazards(mode) }
    var row = rows.partitioningIndex { $0.edge >= id }
    while row < rows.count, rows[row].edge == id {
      found.ranges.append(.init(rows[row], ofObject(rows[row], on: day).hazards(mode)))
      row += 1
    }
    return found
  }

  private func ofObject(_ row: EdgeHazard, on day: TravelDay?) -> WayHazards {
    let set = HazardSet(row)
    if day == nil || set.holder == .node || timedAreas[row.tagSet] == nil, let known = objects[set]
    {
      return known
    }
    return WayHazards(ofNode: false, timedAreas[row.tagSet] ?? [:], on: date(on: day))
  }

  /// A day in the hemisphere of the database; its own without one.
  private func date(on day: TravelDay?) -> CalendarDate? {
    guard var date = day?.date else { return date }
    date.isSouthern = self.date?.isSouthern ?? false
    return date
  }
}

extension NetworkHazards {
  private func ofWay(_ set: Int, on day: TravelDay?) -> WayHazards {
    guard let day, let tags = timedTags[set] else { return sets[set] }
    return WayHazards(tags, on: date(on: day), isAnyHour: day.departureMinute != nil)
  }
}

/// What the tags of edges warn of, read from a database on demand. For one thread at a time.
struct PagedHazards {
  /// More tag sets than this are not kept.
  private static let mostSets = 1 << 12

  private var known: [HazardSet: WayHazards] = [:]
  private var date: CalendarDate??
  /// The day of the walk; nil for that of the build.
  private let day: TravelDay?

  init(on day: TravelDay?) { self.day = day }

  /// See ``RoutingView/hazards(ofEdges:mode:)``.
  mutating func hazards(_ store: RoutingStore, ofEdges edges: [RoutingEdge], _ mode: RoutingMode)
    throws(RoutingError) -> [(edge: Int, hazards: HazardsOfEdge)]
  {
    let sources = try store.warningSources(ofEdges: edges.map { ($0.id, $0.isBarrier) })
    var rows: [Int64: [EdgeHazard]] = [:]
    for row in sources.hazards { rows[row.edge, default: []].append(row) }
    var found: [(edge: Int, hazards: HazardsOfEdge)] = []
    var last: (key: HazardSet, hazards: [Hazard])?
    for index in edges.indices {
      var hazards = HazardsOfEdge()
      hazards.slopePercent = sources.slopes[index].magnitude
      if let set = sources.tagSets[index] {
        // Neighbours often have the tags of one way.
        let key = HazardSet(set: set, holder: edges[index].isBarrier ? .barrier : .way)
        if last?.key != key { last = (key, try self.hazards(store, of: key).hazards(mode)) }
        hazards.way = last?.hazards
      }
      if !rows.isEmpty, let ranges = rows[edges[index].id] {
        // The order does not depend on how SQLite finds them.
        for row in ranges.sorted(by: {
          ($0.start, $0.end, $0.type, $0.id) < ($1.start, $1.end, $1.type, $1.id)
        }) {
          hazards.ranges.append(
            .init(row, try self.hazards(store, of: HazardSet(row)).hazards(mode)))
        }
      }
      if !hazards.isQuiet { found.append((index, hazards)) }
    }
    return found
  }

  private mutating func hazards(_ store: RoutingStore, of set: HazardSet) throws(RoutingError)
    -> WayHazards
  {
    if let hazards = known[set] { return hazards }
    if date == nil { date = .some(try store.accessDate(on: day)) }
    let date = date ?? nil
    let tags = try store.tags(ofSet: set.set)
    if known.count >= Self.mostSets { known = [:] }
    let hazards =
      switch set.holder {
      case .way: WayHazards(tags, on: date, isAnyHour: day?.departureMinute != nil)
      case .barrier: WayHazards(ofBarrier: tags)
      case .node, .area: WayHazards(ofNode: set.holder == .node, tags, on: date)
      }
    known[set] = hazards
    return hazards
  }
}

/// A tag set, by its number, and what has the tags, which decides what they say.
private struct HazardSet: Hashable {
  enum Holder { case way, barrier, node, area }

  var set: Int64
  var holder: Holder

  init(set: Int64, holder: Holder) { (self.set, self.holder) = (set, holder) }

  init(_ row: EdgeHazard) { self.init(set: row.tagSet, holder: row.type == 0 ? .node : .area) }
}

extension RoutingStore {
  /// The day of a walk or, without one, that for which the database has access, in the hemisphere of the
  /// middle of its box; nil where it is unknown.
  package func accessDate(on day: TravelDay? = nil) throws(RoutingError) -> CalendarDate? {
    let metadata = try metadata()
    let built = metadata[RoutingMetadataKey.accessDate].flatMap { CalendarDate($0) }
    guard var date = day?.date ?? built else { return nil }
    // To count the nodes of a large database would take longer than the search for a route.
    let box = metadata[RoutingMetadataKey.boundingBox].flatMap { BoundingBox(commandLine: $0) }
    date.isSouthern = box.map { $0.south + $0.north < 0 } ?? false
    return date
  }
}
