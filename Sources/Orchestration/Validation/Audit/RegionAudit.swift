// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnDiagnostics
import CairnGeodesy
import CairnLocks
import CairnRouting
import CairnRoutingDatabase
import CairnTagRules

/// What can hurt a walker in a region: everything that the tags and the elevations of a routing
/// database tell, wherever a route leads.
package struct RegionAudit: Sendable {
  /// In figures.
  package let summary: SafetySummary
  /// The day for which access was judged, from which on closures are told; nil where it is unknown.
  package let accessDate: CalendarDate?
  /// The name of the region; nil where the database does not say it.
  package let name: String?
  /// Stretch by stretch: the worst ones first, and of equal ones the longest.
  package let findings: [AuditFinding]

  /// What is needed of an audit.
  package enum Detail {
    /// Only the summary; there are no findings.
    case figures
    /// The findings, too.
    case findings
    /// The findings with their lines.
    case lines
  }

  /// Reads an open database.
  package init(
    _ store: RoutingStore, _ limits: AuditLimits = AuditLimits(), _ detail: Detail = .lines
  ) throws(RoutingError) {
    try self.init(store, limits, detail) { date throws(RoutingError) in
      try AuditedEdges(store, on: date)
    }
  }

  /// - Parameter edges: Returns the edges, judged on a day.
  init(
    _ store: RoutingStore, _ limits: AuditLimits, _ detail: Detail,
    _ edges: (CalendarDate?) throws(RoutingError) -> AuditedEdges
  ) throws(RoutingError) {
    let metadata = try store.metadata()
    name = metadata[RoutingMetadataKey.regionName]
    accessDate = try store.accessDate()
    var audit = AuditReading(try edges(accessDate), limits)
    let box = metadata[RoutingMetadataKey.boundingBox].flatMap { BoundingBox(commandLine: $0) }
    audit.summary.treeLineMetres =
      limits.treeLineMetres
      ?? box.map { AuditLimits.usualTreeLine(latitude: ($0.south + $0.north) / 2) }
    audit.addWays()
    try audit.addHazards(store, on: accessDate)
    try audit.addElevations(store)
    audit.addBarriers(on: accessDate)
    findings = try audit.finish(detail, store)
    summary = audit.summary
  }
}

/// The audit of a database, made once, from rows that were already read.
final class DatabaseAudit: Sendable {
  private let store: RoutingStore
  private let rows: ValidatedRows
  private let found = Mutex<Result<SafetySummary, CairnError>?>(nil)

  /// - Parameter store: The database, which is opened when it is audited.
  init(_ store: RoutingStore, _ rows: ValidatedRows) {
    self.store = store
    self.rows = rows
  }

  /// The dangers in the database, by the usual limits. Throws 66 if it cannot be read and 65 if it is
  /// damaged.
  func summary() throws(CairnError) -> SafetySummary {
    try found.withLock { found in
      let result = found ?? Result { () throws(CairnError) in try audit() }
      found = result
      return result
    }.get()
  }

  private func audit() throws(CairnError) -> SafetySummary {
    do throws(RoutingError) {
      try store.open()
      return try RegionAudit(store, AuditLimits(), .figures) { date throws(RoutingError) in
        if let known = AuditedEdges(rows, on: date) { return known }
        return try AuditedEdges(store, on: date)
      }.summary
    } catch { throw error.ofCommand(at: store.path) }
  }
}

/// The rows that the rules have read, for an audit of the database.
struct ValidatedRows {
  let nodes: NodeRows
  let edges: EdgeRows
  /// Nil if the database has no tables of tags.
  let tags: TagSets?
  /// The largest slope of each edge in percent, NaN if it is not stored; nil if the database has no
  /// table of slopes.
  let slopes: [Float]?
}

extension EdgeRows {
  /// Whether a store would give everything that an audit needs of an edge as its row has it.
  fileprivate func isAsStored(_ edge: Int) -> Bool {
    let lengths = 0...Self.greatestLength
    // An unknown way is 0 here.
    return from[edge] >= 0 && to[edge] >= 0 && ways[edge] != 0
      && lengths.contains(distances[edge]) && lengths.contains(gains[edge])
      && lengths.contains(losses[edge])
      && RoutingStore.isCost(costs[edge]) && RoutingStore.isCost(reverseCosts[edge])
  }

  /// The slope that a store assumes for an edge if none is stored.
  fileprivate func meanSlopePercent(_ edge: Int) -> Double {
    distances[edge] > 0 ? max(gains[edge], losses[edge]) / distances[edge] * 100 : 0
  }
}

/// The edges of a database with what an audit needs of them.
struct AuditedEdges {
  /// Their ids, ascending.
  private(set) var ids: [Int64] = []
  /// The nodes at their ends, by their ids in OpenStreetMap, so that the copies at a barrier are one.
  private(set) var from: [Int64] = []
  private(set) var to: [Int64] = []
  private(set) var metres: [Double] = []
  /// The ids of their ways; nil if the database does not say.
  private(set) var ways: [Int64?] = []
  /// The slope of the steepest stretch of each in percent, or more.
  private(set) var slopes: [Float] = []
  /// The index in ``tags`` of each.
  private(set) var ofEdges: [Int32] = []
  /// The meaning of each tag set.
  private(set) var tags: [AuditedTags] = []
  /// The tag sets of barriers with the edges that stand for them.
  private(set) var barriers: [(tags: WayTags, edge: Int)] = []
  /// Whether the database has the tags of ways, and not only some of them as columns.
  private(set) var hasTags = false

  /// The rows of a database without errors, as a store gives them; nil if it might give others.
  init?(_ rows: ValidatedRows, on date: CalendarDate?) {
    let edges = rows.edges
    guard let sets = rows.tags, let slopes = rows.slopes, !sets.ofEdges.contains(TagSets.none),
      edges.ids.indices.allSatisfy({ edges.isAsStored($0) })
    else { return nil }
    ids = edges.ids
    metres = edges.distances
    from = edges.from.map { RoutingNode.openStreetMapID(rows.nodes.ids[Int($0)]) }
    to = edges.to.map { RoutingNode.openStreetMapID(rows.nodes.ids[Int($0)]) }
    ways = edges.ways.map { $0 }
    self.slopes = slopes.enumerated().map { edge, slope in
      slope.isNaN ? Float(edges.meanSlopePercent(edge)) : slope.magnitude
    }
    let access =
      sets.access(for: .foot, on: date) ?? sets.lists.map { Access($0, for: .foot, on: date) }
    (ofEdges, tags, hasTags) = (
      sets.ofEdges, zip(sets.lists, access).map { AuditedTags($0, $1, on: date) }, true
    )
    for (edge, set) in sets.ofBarriers.enumerated() where set != TagSets.none && metres[edge] == 0 {
      barriers.append((sets.sets[Int(set)], edge))
    }
  }

  init(_ store: RoutingStore, on date: CalendarDate?) throws(RoutingError) {
    try store.forEachEdge { row throws(RoutingError) in
      ids.append(row.id)
      from.append(RoutingNode.openStreetMapID(row.fromNode))
      to.append(RoutingNode.openStreetMapID(row.toNode))
      metres.append(row.distance)
      ways.append(row.osmWayID)
      slopes.append(Float(row.course.slopePercent.magnitude))
    }
    let found = try store.tagSets(
      ofEdges: zip(ids, metres).map { (id: $0.0, mayBeBarrier: $0.1 == 0) })
    guard let found else {
      var columns = TagColumns()
      try store.forEachEdge { columns.add($0) }
      (ofEdges, tags) = (columns.ofEdges, columns.sets.map { AuditedTags($0, on: date) })
      return
    }
    hasTags = true
    (ofEdges, tags) = (found.ofEdges, found.sets.map { AuditedTags($0, on: date) })
    for (edge, set) in found.ofBarriers.enumerated() where set != EdgeTagSets.none {
      barriers.append((found.sets[Int(set)], edge))
    }
  }
}

/// The tags that are columns of edges, for a database that has no others: each distinct set once.
private struct TagColumns {
  private(set) var sets: [WayTags] = []
  private(set) var ofEdges: [Int32] = []
  private var known: [WayTags: Int32] = [:]
  private static let keys: [(EdgeRow.Text, String)] = [
    (.highwayType, "highway"), (.sacScale, "sac_scale"), (.trailVisibility, "trail_visibility"),
    (.surface, "surface"),
  ]

  mutating func add(_ row: borrowing EdgeRow) {
    var tags: WayTags = [:]
    for (column, key) in Self.keys {
      _ = row.indexText(column) { bytes in
        if let bytes { tags[key] = String(decoding: bytes, as: UTF8.self) }
        return 0
      }
    }
    if known[tags] == nil {
      known[tags] = Int32(truncatingIfNeeded: sets.count)
      sets.append(tags)
    }
    ofEdges.append(known[tags] ?? 0)
  }
}
