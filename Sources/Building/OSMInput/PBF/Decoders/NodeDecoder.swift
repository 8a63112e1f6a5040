// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Diagnostics

/// The last pass over the blobs: picks the needed nodes and the points of interest, counts all.
struct NodeDecoder: BlobDecoder, ~Copyable {
  /// What one worker found.
  struct Outcome: Sendable {
    /// The needed nodes and the points of interest of each blob, their tags as numbers of ``pool``.
    var batches: [(blob: Int, nodes: NodeBatch, points: PointBatch)] = []
    /// The texts of their tags.
    var pool = TextPool()
    /// How many nodes there were.
    var count = 0
    /// What the blobs held.
    var contents: [(blob: Int, kinds: ObjectKinds)] = []
  }

  var found = Outcome()
  var batch = NodeBatch()
  var points = PointBatch()

  /// A node to keep among the dense nodes at hand.
  struct Hit {
    /// Its place in the group.
    var place: Int
    /// Its rank among the needed nodes, or −1 if it is only a point of interest.
    var rank: Int
  }

  /// A node with tags among the dense nodes at hand.
  struct TaggedNode {
    /// Its place in the group.
    var place: Int
    /// Where its tags begin.
    var tags: VarintCursor
    var isPoint: Bool
  }

  /// A point of interest among the dense nodes at hand, or one that is none any more.
  struct PointHit {
    /// Its place in the group.
    var place: Int
    var id: Int64
    var position = NodePosition.deleted
    /// Where its tags begin; nil if it is no point of interest any more.
    var tags: VarintCursor?
  }

  let needed: NeededNodes
  let isHistory: Bool
  var cursor: NeededNodes.Cursor
  var block = PrimitiveBlock()
  var hits: [Hit] = []
  var taggedNodes: [TaggedNode] = []
  var pointHits: [PointHit] = []
  /// The node of the blob whose later versions may take back what it said.
  var lastPoint: Int64?
  var dense = DenseNodes()
  var keys = PackedField()
  var values = PackedField()

  init(_ needed: NeededNodes, isHistory: Bool) {
    self.needed = needed
    self.isHistory = isHistory
    cursor = NeededNodes.Cursor(needed)
  }

  mutating func decode(_ content: UnsafeRawBufferPointer, blob: Int) throws(CairnError) {
    batch = NodeBatch()
    points = PointBatch()
    lastPoint = nil
    var kinds: ObjectKinds = []
    try block.read(content)
    for place in block.groups.indices { try decodeGroup(block.groups[place], &kinds) }
    found.batches.append((blob, batch, points))
    found.contents.append((blob, kinds))
  }

  consuming func finish() -> Outcome { found }

  private mutating func decodeGroup(_ group: UnsafeRawBufferPointer, _ kinds: inout ObjectKinds)
    throws(CairnError)
  {
    var reader = ProtobufReader(group)
    while let field = try reader.nextField() {
      kinds.insert(ObjectKinds(groupField: field.number))
      switch field.number {
      case 1: try decodeNode(try reader.readBytes(field))
      case 2: try decodeDense(try reader.readBytes(field))
      default: try reader.skip(field)
      }
    }
  }
}

extension NodeDecoder {
  private mutating func decodeNode(_ message: UnsafeRawBufferPointer) throws(CairnError) {
    let (id, latitude, longitude, info) = try readNode(message, keys: &keys, values: &values)
    found.count += 1
    let rank = cursor.rank(of: id)
    let isVisible = try isVisible(info)
    let isPoint = try decodePlainTags(rank: isVisible ? rank : nil)
    guard rank != nil || isPoint else { return notePlainNode(id) }
    var position = NodePosition.deleted
    if isVisible {
      guard let latitude, let longitude else {
        throw .badData(.missingField, "node \(id) has no position")
      }
      position = block.scale.position(latitude, longitude)
    }
    if let rank {
      batch.add(rank: rank)
      batch.positions.append(position)
    }
    if isPoint { addPoint(id, position, tagEnd: points.tags.count) } else { notePlainNode(id) }
  }

  /// Reads the tags of a node and adds those to keep, to the needed nodes if `rank` tells its
  /// rank among them. Tells whether they make a point of interest.
  private mutating func decodePlainTags(rank: Int?) throws(CairnError) -> Bool {
    guard !keys.bytes.isEmpty || !values.bytes.isEmpty else { return false }
    try block.readTexts()
    guard rank != nil || block.mayHoldPoints else { return false }
    var cursor = TagCursor(keys, values)
    var isPoint = false
    while let (key, value) = try cursor.next() {
      if let rank { try add(tag: key, value, to: batch.count, rank: rank) }
      if try makesPoint(key, value) { isPoint = true }
    }
    if isPoint {
      cursor = TagCursor(keys, values)
      while let (key, value) = try cursor.next() { try addPointTag(key, value) }
    }
    return isPoint
  }
}
