// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// The first pass over the blobs: collects waymarked routes and areas, counts relations.
struct RelationDecoder: BlobDecoder, ~Copyable {
  /// What one worker found.
  struct Outcome: Sendable {
    /// The relations of each blob, their tags as numbers of ``pool``.
    var batches: [(blob: Int, relations: RelationBatch)] = []
    /// The texts of their tags.
    var pool = TextPool()
    /// How many relations there were.
    var count = 0
    /// What the blobs held.
    var contents: [(blob: Int, kinds: ObjectKinds)] = []
  }

  private var found = Outcome()
  private var relations = RelationBatch()
  private let isHistory: Bool
  private var block = PrimitiveBlock()
  private var keys = PackedField()
  private var values = PackedField()
  private var roles = PackedField()
  private var members = PackedField()
  private var types = PackedField()
  private var lastCandidate: Int64?

  init(isHistory: Bool) { self.isHistory = isHistory }

  mutating func decode(_ content: UnsafeRawBufferPointer, blob: Int) throws(CairnError) {
    relations = RelationBatch()
    lastCandidate = nil
    var kinds: ObjectKinds = []
    try block.read(content)
    for place in block.groups.indices { try decodeGroup(block.groups[place], &kinds) }
    found.batches.append((blob, relations))
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
    let (id, info) = try readObject(
      message, called: "relation", keys: &keys, values: &values, list8: &roles, list9: &members,
      list10: &types)
    found.count += 1
    do throws(CairnError) {
      var use = try findUse()
      if use != .none, try !isVisible(info) { use = .none }
      if use != .none {
        try decodeTags(of: use)
        try decodeMembers(of: use)
      }
      guard use != .none || isHistory || id == lastCandidate else { return }
      relations.endRelation(id: id, use)
      if use != .none { lastCandidate = id }
    } catch {
      throw CairnError(
        error.code, error.exitCode, "relation \(id): \(error.message)", hint: error.hint)
    }
  }

  private mutating func findUse() throws(CairnError) -> RelationUse {
    var finder = RelationUseFinder()
    var keyCursor = VarintCursor(keys.bytes)
    var valueCursor = VarintCursor(values.bytes)
    while !keyCursor.isAtEnd, !valueCursor.isAtEnd {
      guard let key = keyCursor.next() else { throw keyCursor.failure }
      guard let value = valueCursor.next() else { throw valueCursor.failure }
      finder.add(
        key: try block.classes(of: key), value: try block.classes(of: value),
        try block.text(value))
    }
    guard keyCursor.isAtEnd, valueCursor.isAtEnd else {
      throw .badData(
        .arrayLengthsDisagree,
        "\(VarintCursor.count(keys.bytes)) keys, but \(VarintCursor.count(values.bytes)) values")
    }
    return finder.use
  }

  /// Adds the tags to keep; ``findUse()`` has seen that they are whole.
  private mutating func decodeTags(of use: RelationUse) throws(CairnError) {
    let wanted: WordClass = use == .route ? .routeKey : .pointKey
    var keyCursor = VarintCursor(keys.bytes)
    var valueCursor = VarintCursor(values.bytes)
    while let key = keyCursor.next(), let value = valueCursor.next() {
      guard try block.classes(of: key).contains(wanted) else { continue }
      relations.add(
        tag: PooledTag(
          key: try block.number(of: key, in: &found.pool),
          value: try block.number(of: value, in: &found.pool)))
    }
  }

  private mutating func decodeMembers(of use: RelationUse) throws(CairnError) {
    let count = VarintCursor.count(members.bytes)
    guard VarintCursor.count(types.bytes) == count, VarintCursor.count(roles.bytes) == count
    else {
      throw .badData(.arrayLengthsDisagree, "its members, their kinds and roles differ in number")
    }
    var memberCursor = VarintCursor(members.bytes)
    var typeCursor = VarintCursor(types.bytes)
    var roleCursor = VarintCursor(roles.bytes)
    var member: Int64 = 0
    for _ in 0..<count {
      guard let delta = memberCursor.next() else { throw memberCursor.failure }
      guard let type = typeCursor.next() else { throw typeCursor.failure }
      guard let role = roleCursor.next() else { throw roleCursor.failure }
      member &+= zigzagDecoded(delta)
      switch type {
      case 1 where use == .route: relations.add(way: member)
      case 1 where try block.classes(of: role).contains(.outerRole): relations.add(way: member)
      case 2 where use == .route: relations.add(relation: member)
      default: break
      }
    }
  }
}
