// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import TrailData

/// The use of a relation.
enum RelationUse: UInt8, Sendable {
  /// It is not used, for example because it was deleted.
  case none
  /// It is a waymarked route.
  case route
  /// It is an area that is a point of interest.
  case point
  /// It is an area that may be a hazard, and perhaps a point of interest, too.
  case area
  /// It is a river or another line.
  case line
  /// It is an area whose tags are inherited by outer ways that are not routable by themselves.
  case tagSource
  /// It is a ferry line, from which its ways take the tags that they lack.
  case ferryLine
}

extension RelationUse {
  /// The class of the keys that are kept for this use.
  var tagKeys: WordClass {
    switch self {
    case .none: []
    case .route: .routeKey
    case .point, .area, .line: .pointKey
    case .tagSource, .ferryLine: .wayKey
    }
  }

  /// Whether roles and order of the members are kept.
  var keepsMembers: Bool { self == .route || self == .ferryLine }

  /// Whether member ways with a role of these classes count; for routes and ferry lines, whose members
  /// are kept with their roles, all do.
  func takesWays(role: WordClass) -> Bool {
    switch self {
    case .none: false
    // Holes are a part of an area's outline.
    case .route, .ferryLine, .area, .line: true
    case .point: role.contains(.outerRole)
    case .tagSource: role.contains(.ringRole)
    }
  }
}

/// Routes and areas from one piece of the input, in its order.
struct RelationBatch: ObjectBatch, Sendable {
  fileprivate(set) var ids: [Int64] = []
  fileprivate(set) var uses: [RelationUse] = []
  fileprivate(set) var tags: [PooledTag] = []
  fileprivate(set) var tagEnds: [Int] = []
  fileprivate(set) var ways: [Int64] = []
  fileprivate(set) var wayEnds: [Int] = []
  fileprivate(set) var relations: [Int64] = []
  fileprivate(set) var relationEnds: [Int] = []
  /// Type and role of each member of a route or line, whose ids are in ``ways`` and ``relations``; of a
  /// tag source, 1 for each of ``ways`` that bounds a hole and 0 for the others.
  fileprivate(set) var kinds: [UInt8] = []
  fileprivate(set) var kindEnds: [Int] = []
  private var lastUsed: Int64?

  // A relation is added in parts: first its tags and members, then its id.

  mutating func add(tag: PooledTag) { tags.append(tag) }

  mutating func add(way: Int64) { ways.append(way) }

  /// Adds a member of a route or line.
  mutating func add(_ member: RouteMember) {
    if member.isRelation { relations.append(member.id) } else { ways.append(member.id) }
    kinds.append(member.kind)
  }

  /// Adds a way of a tag source.
  mutating func add(way: Int64, boundsHole: Bool) {
    ways.append(way)
    kinds.append(boundsHole ? 1 : 0)
  }

  mutating func add(_ tags: [PooledTag], ways: [Int64], members: [RouteMember]) {
    self.tags += tags
    self.ways += ways
    for member in members { add(member) }
  }

  /// Ends a relation with the parts added since the previous one. A version that is not used revokes
  /// an earlier one; `isGone` says that it does so even if no earlier version was seen here.
  mutating func endRelation(id: Int64, _ use: RelationUse, isGone: Bool) {
    guard use != .none || isGone || id == lastUsed else { return }
    if use != .none { lastUsed = id }
    ids.append(id)
    uses.append(use)
    tagEnds.append(tags.count)
    wayEnds.append(ways.count)
    relationEnds.append(relations.count)
    kindEnds.append(kinds.count)
  }

  var size: Int { ids.count + tags.count + ways.count + relations.count }

  mutating func keep(_ indices: [Int]) {
    keepRuns(indices, of: &tags, &tagEnds)
    keepRuns(indices, of: &ways, &wayEnds)
    keepRuns(indices, of: &relations, &relationEnds)
    keepRuns(indices, of: &kinds, &kindEnds)
    (ids, uses) = (indices.map { ids[$0] }, indices.map { uses[$0] })
  }

  mutating func replaceTags(_ new: (PooledTag) -> PooledTag) { tags = tags.map(new) }
}

/// All routes and areas, in the order of the file.
struct CandidateRelations: Sendable {
  /// OpenStreetMap ids, including those of deleted relations.
  private(set) var ids: [Int64] = []
  /// The use of each.
  private(set) var uses: [RelationUse] = []
  private var tags: [PooledTag] = []
  private var tagEnds: [Int] = []
  private var ways: [Int64] = []
  private var wayEnds: [Int] = []
  private var relations: [Int64] = []
  private var relationEnds: [Int] = []
  private var kinds: [UInt8] = []
  private var kindEnds: [Int] = []

  /// The tags of a relation, in the order of the file.
  func tags(of relation: Int) -> ArraySlice<PooledTag> { tags[range(relation, tagEnds)] }

  /// The member ways of a route, or the outer ways of an area.
  func ways(of relation: Int) -> ArraySlice<Int64> { ways[range(relation, wayEnds)] }

  /// The ways of a tag source, and whether each bounds a hole.
  func rings(of relation: Int) -> some Sequence<(way: Int64, boundsHole: Bool)> {
    zip(ways(of: relation), kinds[range(relation, kindEnds)]).lazy.map { ($0, $1 == 1) }
  }

  /// The member relations of a route.
  func relations(of relation: Int) -> ArraySlice<Int64> {
    relations[range(relation, relationEnds)]
  }

  /// The members of a route or line, in the order of the file.
  func members(of relation: Int) -> [RouteMember] {
    var (ways, relations) = (ways(of: relation), relations(of: relation))
    return kinds[range(relation, kindEnds)].compactMap { kind in
      let id = kind & 1 == 1 ? relations.popFirst() : ways.popFirst()
      return id.flatMap { RouteMember(kind: kind, id: $0) }
    }
  }

  private func range(_ relation: Int, _ ends: [Int]) -> Range<Int> {
    (relation == 0 ? 0 : ends[relation - 1])..<ends[relation]
  }

  /// Adds the next batch; `textIndices` are the indices of its texts in the common pool.
  mutating func append(_ batch: RelationBatch, textIndices: [UInt32]) {
    let (firstTag, firstWay, firstRelation) = (tags.count, ways.count, relations.count)
    let firstKind = kinds.count
    ids += batch.ids
    uses += batch.uses
    ways += batch.ways
    relations += batch.relations
    kinds += batch.kinds
    for tag in batch.tags {
      tags.append(PooledTag(key: textIndices[Int(tag.key)], value: textIndices[Int(tag.value)]))
    }
    for end in batch.tagEnds { tagEnds.append(firstTag + end) }
    for end in batch.wayEnds { wayEnds.append(firstWay + end) }
    for end in batch.relationEnds { relationEnds.append(firstRelation + end) }
    for end in batch.kindEnds { kindEnds.append(firstKind + end) }
  }

  /// The ids of all ways that are outlines of areas or inherit the tags of a relation.
  var outlines: [Int64] {
    var found: [Int64] = []
    for relation in ids.indices where ![.none, .route].contains(uses[relation]) {
      found += ways(of: relation)
    }
    return found
  }

  /// The ids of all ways that belong to ferry lines.
  var lineWays: [Int64] {
    ids.indices.filter { uses[$0] == .ferryLine }.flatMap { ways(of: $0) }
  }
}

/// Determines the use of a relation from the classes of its tags.
struct RelationUseFinder {
  private var isRoute = false
  private var isWaymarked = false
  private var isArea = false
  private var isBoundary = false
  private var isWaterway = false
  private var isPoint = false
  private var area = HazardAreaFinder()
  private var isWalkable = false
  private var isFerry = false
  private var walkway = WalkwayFinder()
  private var lifecycle = RouteLifecycle()

  /// Adds a tag with the classes of its key and value, and their texts.
  mutating func add(
    key: WordClass, value: WordClass, _ keyText: UnsafeRawBufferPointer,
    _ text: UnsafeRawBufferPointer
  ) {
    lifecycle.add(key, key: keyText, text)
    if key.contains(.typeKey) {
      isRoute = value.contains(.routeType)
      isArea = value.contains(.multipolygon)
      isBoundary = text.elementsEqual(TagSelection.boundaryRelationType.utf8)
      isWaterway = text.elementsEqual(TagSelection.waterwayRelationType.utf8)
    }
    if key.contains(.routeKindKey) {
      isWaymarked = value.contains(.routeKind) || Self.containsRouteKind(text)
      isFerry = value.contains(.ferryRoute)
    }
    if key.contains(.highwayKey) { isWalkable = value.contains(.routableHighway) }
    walkway.add(key: key, value: value)
    area.add(key: key, value: value)
    if WordClass.makesPoint(key: key, value: value) { isPoint = true }
  }

  /// The use of a relation with the tags so far.
  var use: RelationUse {
    if isRoute, isWaymarked, lifecycle.exists { return .route }
    if isArea || isBoundary, area.mayBeHazard { return .area }
    if isWaterway { return .line }
    return isArea && isPoint ? .point : .none
  }

  /// The use of a relation from which ways take tags: ``RelationUse/tagSource`` or
  /// ``RelationUse/ferryLine``; otherwise ``RelationUse/none``.
  var sourceUse: RelationUse {
    if isArea, isWalkable || walkway.highway != nil { return .tagSource }
    return isRoute && isFerry && lifecycle.exists ? .ferryLine : .none
  }

  /// The tags that its ways get besides its own.
  var givenTags: [(key: String, value: String)] {
    guard isArea else { return [] }
    return [WalkedArea.memberTag] + (walkway.highway.map { [("highway", $0)] } ?? [])
  }

  /// Whether one of several values, separated by semicolons, is that of a waymarked route.
  private static func containsRouteKind(_ text: UnsafeRawBufferPointer) -> Bool {
    text.split(separator: UInt8(ascii: ";")).contains { part in
      let start = part.firstIndex { $0 != UInt8(ascii: " ") } ?? part.endIndex
      return WordClasses.shared.classes(of: UnsafeRawBufferPointer(rebasing: part[start...]))
        .contains(.routeKind)
    }
  }
}
