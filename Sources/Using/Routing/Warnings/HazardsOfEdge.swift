// SPDX-License-Identifier: Apache-2.0
import RoutingDatabase
import TagRules

/// What the tags of an edge warn of.
struct HazardsOfEdge {
  /// A stretch of the edge in the direction of its row, in metres from its start.
  struct Range {
    var start: Double
    var end: Double
    /// The object with the tags, such as `node/101`.
    var object: String
    var hazards: [Hazard]

    init(_ row: EdgeHazard, _ tags: [String: String]) {
      start = Double(row.start) / EdgeHazard.unitsPerMetre
      end = Double(row.end) / EdgeHazard.unitsPerMetre
      object = row.object
      hazards = Hazard.all(TagList(tags), of: row.type == 0 ? .node : .area)
    }
  }

  /// Those of its way, which hold for all of it; nil where the database does not have its tags.
  var way: [Hazard]?
  /// Those of nodes and areas.
  var ranges: [Range] = []

  /// Hazards that profiles may close a way for, although its tags do not.
  private static let climbs: Set<HazardKind> = [.alpineGrade, .equipment, .viaFerrata]
  /// Hazards that close a way on some days.
  private static let times: Set<HazardKind> = [.conditional, .seasonal]
  /// What access says without naming a hazard.
  private static let permissions: Set<HazardKind> = [.assumedAccess, .closed, .privateWay]

  /// Why it is closed to a profile that does not pass, as far as a hazard is the reason; of several the
  /// most severe one.
  var closing: Hazard? {
    let way = way ?? []
    let all = way + ranges.flatMap(\.hazards)
    let reasons = [
      all.filter(\.isClosing), way.filter { Self.times.contains($0.kind) },
      way.contains { Self.permissions.contains($0.kind) }
        ? [] : way.filter { Self.climbs.contains($0.kind) },
    ]
    return reasons.first { !$0.isEmpty }?.max { $0.severity < $1.severity }
  }
}

/// The hazards of a tag set of ways for travellers of one mode.
struct WayHazards: Sendable {
  let onFoot: [Hazard]
  let byBicycle: [Hazard]

  init(_ tags: [String: String], on date: CalendarDate?) {
    let tags = TagList(tags)
    let hazards = Hazard.all(tags, of: .way)
    onFoot = Self.united(hazards, Hazard.ofAccess(tags, for: .foot, on: date))
    byBicycle = Self.united(hazards, Hazard.ofAccess(tags, for: .bicycle, on: date))
  }

  var isEmpty: Bool { onFoot.isEmpty && byBicycle.isEmpty }

  func hazards(_ mode: RoutingMode) -> [Hazard] { mode == .cycling ? byBicycle : onFoot }

  /// What is closed is not said twice.
  private static func united(_ hazards: [Hazard], _ access: [Hazard]) -> [Hazard] {
    hazards + access.filter { new in !hazards.contains { $0.kind == new.kind || $0.isClosing } }
  }
}

/// What the tags of the edges of a database in memory warn of.
struct NetworkHazards: Sendable {
  /// Stands for a tag set that warns of nothing, and for one that is not known.
  private static let safe: Int32 = -1
  private static let unknown: Int32 = -2

  private var sets: [Int64: WayHazards] = [:]
  private var tagSets: [Int32] = []
  private var rows: [EdgeHazard] = []
  private var tags: [Int64: [String: String]] = [:]

  /// Reads those of all edges of a database.
  ///
  /// - Parameter edges: Their ids, ascending.
  init(_ store: RoutingStore, edges: [Int64]) throws(RoutingError) {
    let date = try store.accessDate()
    tagSets.reserveCapacity(edges.count)
    var isSafe: Set<Int64> = []
    for edge in edges {
      guard let set = try store.tagSet(ofEdge: edge) else {
        tagSets.append(Self.unknown)
        continue
      }
      if isSafe.contains(set) {
        tagSets.append(Self.safe)
        continue
      }
      if sets[set] == nil {
        let hazards = WayHazards(try store.tags(ofSet: set), on: date)
        if hazards.isEmpty { isSafe.insert(set) } else { sets[set] = hazards }
      }
      tagSets.append(sets[set] == nil ? Self.safe : Int32(truncatingIfNeeded: set))
    }
    var rows: [EdgeHazard] = []
    try store.forEachHazard { rows.append($0) }
    self.rows = rows
    for row in rows where tags[row.tagSet] == nil {
      tags[row.tagSet] = try store.tags(ofSet: row.tagSet)
    }
  }

  /// Those of an edge.
  ///
  /// - Parameters:
  ///   - index: Its index among all edges.
  ///   - id: Its id.
  func hazards(_ index: Int, id: Int64, _ mode: RoutingMode) -> HazardsOfEdge {
    let set = tagSets[index]
    var found = HazardsOfEdge()
    if set != Self.unknown { found.way = sets[Int64(set)]?.hazards(mode) ?? [] }
    var row = rows.partitioningIndex { $0.edge >= id }
    while row < rows.count, rows[row].edge == id {
      found.ranges.append(.init(rows[row], tags[rows[row].tagSet] ?? [:]))
      row += 1
    }
    return found
  }
}

/// What the tags of edges warn of, read from a database on demand. For one thread at a time.
struct PagedHazards {
  /// More tag sets than this are not kept.
  private static let mostSets = 1 << 12

  private var sets: [Int64: WayHazards] = [:]
  private var date: CalendarDate??

  /// Those of an edge.
  mutating func hazards(_ store: RoutingStore, ofEdge id: Int64, _ mode: RoutingMode)
    throws(RoutingError) -> HazardsOfEdge
  {
    var found = HazardsOfEdge()
    if let set = try store.tagSet(ofEdge: id) {
      found.way = try hazards(store, ofSet: set).hazards(mode)
    }
    for row in try store.hazards(ofEdge: id) {
      found.ranges.append(.init(row, try store.tags(ofSet: row.tagSet)))
    }
    return found
  }

  private mutating func hazards(_ store: RoutingStore, ofSet set: Int64) throws(RoutingError)
    -> WayHazards
  {
    if let known = sets[set] { return known }
    if date == nil { date = .some(try store.accessDate()) }
    let hazards = WayHazards(try store.tags(ofSet: set), on: date ?? nil)
    if sets.count >= Self.mostSets { sets.removeAll() }
    sets[set] = hazards
    return hazards
  }
}

extension RoutingStore {
  /// The day for which the database has access; nil where it is unknown.
  func accessDate() throws(RoutingError) -> CalendarDate? {
    guard let text = try metadata()[RoutingMetadataKey.accessDate],
      var date = CalendarDate(text)
    else { return nil }
    date.isSouthern = try isSouthern()
    return date
  }
}
