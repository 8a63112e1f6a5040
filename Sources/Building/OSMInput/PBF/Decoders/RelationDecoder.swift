// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import TrailData

/// The first pass over the blobs: collects waymarked routes, areas and ferry lines, counts relations.
struct RelationDecoder: BlobDecoder, ~Copyable {
  /// The results of one worker.
  struct Outcome: Sendable {
    /// The relations of each blob, their tags as indices into ``pool``; those whose tags are
    /// inherited by their ways are listed separately.
    var batches: [(blob: Int, relations: RelationBatch, tagSources: RelationBatch)] = []
    /// The texts of their tags.
    var pool = TextPool()
    /// The number of all relations.
    var count = 0
    /// The contents of the blobs.
    var contents: [(blob: Int, kinds: ObjectKinds)] = []
    /// The relations that are newer than their changes.
    var newer: NewerObjects
  }

  private var found: Outcome
  private var relations = RelationBatch()
  private var tagSources = RelationBatch()
  private let isHistory: Bool
  private var block: PrimitiveBlock
  private var fields = ObjectFields()
  /// The parts of the current relation that are kept.
  private var tags: [PooledTag] = []
  private var ways: [Int64] = []
  private var members: [RouteMember] = []
  private var rings: [(way: Int64, boundsHole: Bool)] = []

  init(isHistory: Bool, changed: NewerObjects, highways: HighwayChoice) {
    block = PrimitiveBlock(highways)
    self.isHistory = isHistory
    found = Outcome(newer: changed)
  }

  mutating func decode(_ content: UnsafeRawBufferPointer, blob: Int) throws(CairnError) {
    relations = RelationBatch()
    tagSources = RelationBatch()
    var kinds: ObjectKinds = []
    try block.read(content)
    for index in block.groups.indices { try decodeGroup(block.groups[index], &kinds) }
    found.batches.append((blob, relations, tagSources))
    found.contents.append((blob, kinds))
  }

  consuming func finish() -> Outcome { found }

  private mutating func decodeGroup(_ group: UnsafeRawBufferPointer, _ kinds: inout ObjectKinds)
    throws(CairnError)
  {
    var reader = ProtobufReader(group)
    while let field = try reader.nextField() {
      kinds.insert(ObjectKinds(groupField: field.number))
      if field.number == 4 {
        try block.readTexts()
        try decodeRelation(try reader.readBytes(field))
      } else {
        try reader.skip(field)
      }
    }
  }

  private mutating func decodeRelation(_ message: UnsafeRawBufferPointer) throws(CairnError) {
    let (id, info) = try fields.read(message, called: "relation")
    found.count += 1
    do throws(CairnError) {
      if found.newer.mayFind(id) { found.newer.take(id, try version(info)) }
      let finder = try readTags()
      let isGone = (finder.use != .none || finder.sourceUse != .none) ? try !isVisible(info) : false
      let use = isGone ? .none : finder.use
      try decodeParts(for: use)
      relations.add(tags, ways: ways, members: members)
      relations.endRelation(id: id, use, isGone: isHistory)
      let sourceUse = isGone ? .none : finder.sourceUse
      try decodeParts(for: sourceUse)
      if sourceUse != .none {
        for (key, value) in finder.givenTags { tags.append(PooledTag(key, value, &found.pool)) }
      }
      tagSources.add(tags, ways: [], members: members)
      for ring in rings { tagSources.add(way: ring.way, boundsHole: ring.boundsHole) }
      tagSources.endRelation(id: id, sourceUse, isGone: isHistory)
    } catch { throw error.within("relation \(id)") }
  }

  /// Reads the tags and members that a use needs.
  private mutating func decodeParts(for use: RelationUse) throws(CairnError) {
    tags.removeAll(keepingCapacity: true)
    ways.removeAll(keepingCapacity: true)
    members.removeAll(keepingCapacity: true)
    rings.removeAll(keepingCapacity: true)
    if use == .none { return }
    try block.addTags(
      use.tagKeys, of: TagCursor(fields.keys, fields.values), in: &found.pool, to: &tags)
    try decodeMembers(for: use)
  }

  private mutating func readTags() throws(CairnError) -> RelationUseFinder {
    var finder = RelationUseFinder()
    var cursor = TagCursor(fields.keys, fields.values)
    while let (key, value) = try cursor.next() {
      finder.add(
        key: try block.classes(of: key), value: try block.classes(of: value),
        try block.text(key), try block.text(value))
    }
    return finder
  }

  private mutating func decodeMembers(for use: RelationUse) throws(CairnError) {
    let count = VarintCursor.count(fields.members)
    guard VarintCursor.count(fields.types) == count, VarintCursor.count(fields.roles) == count
    else {
      throw .badData(.arrayLengthsDisagree, "its numbers of members, types and roles differ")
    }
    var memberCursor = VarintCursor(fields.members)
    var typeCursor = VarintCursor(fields.types)
    var roleCursor = VarintCursor(fields.roles)
    var member: Int64 = 0
    for _ in 0..<count {
      guard let delta = memberCursor.next() else { throw memberCursor.failure }
      guard let type = typeCursor.next() else { throw typeCursor.failure }
      guard let role = roleCursor.next() else { throw roleCursor.failure }
      member &+= zigzagDecoded(delta)
      switch type {
      case 1 where use == .route, 2 where use == .route:
        let role = RouteMember.Role(try block.text(role))
        members.append(RouteMember(isRelation: type == 2, id: member, role: role))
      case 1 where use == .ferryLine:
        let text = try block.text(role)
        guard RouteMember.Role.isOfCourse(text) else { continue }
        members.append(RouteMember(isRelation: false, id: member, role: .init(text)))
      case 1:
        let role = try block.classes(of: role)
        guard use.takesWays(role: role) else { break }
        if use == .tagSource {
          rings.append((member, !role.contains(.outerRole)))
        } else {
          ways.append(member)
        }
      default: break
      }
    }
  }
}
