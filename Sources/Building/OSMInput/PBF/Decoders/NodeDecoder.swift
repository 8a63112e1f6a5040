// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Diagnostics

/// The last pass over the blobs: extracts the needed nodes and the points of interest, counts all.
struct NodeDecoder: BlobDecoder, ~Copyable {
  /// What one worker found.
  struct Outcome: Sendable {
    /// The needed nodes and the points of interest of each blob, their tags as indices into
    /// ``pool``.
    var batches: [(blob: Int, nodes: NodeBatch, points: PointBatch)] = []
    /// The texts of their tags.
    var pool = TextPool()
    /// The number of all nodes.
    var count = 0
    /// The contents of the blobs.
    var contents: [(blob: Int, kinds: ObjectKinds)] = []
  }

  var found = Outcome()
  var batch = NodeBatch()
  var points = PointBatch()

  /// A node to keep among the current dense nodes.
  struct Hit {
    /// Its index in the group.
    var index: Int
    /// Its index among the needed nodes, or −1 if it is only a point of interest.
    var neededIndex: Int
  }

  /// A node with tags among the current dense nodes.
  struct TaggedNode {
    /// Its index in the group.
    var index: Int
    /// Where its tags begin.
    var tags: VarintCursor
    var isPoint: Bool
  }

  /// A node among the current dense nodes that is, or is no longer, a point of interest.
  struct PointHit {
    /// Its index in the group.
    var index: Int
    var id: Int64
    var coordinate = NodeCoordinate.deleted
    /// Where its tags begin; nil if it is no longer a point of interest.
    var tags: VarintCursor?
  }

  let needed: NeededNodes
  let isHistory: Bool
  var cursor: NeededNodes.Cursor
  var block = PrimitiveBlock()
  var hits: [Hit] = []
  var taggedNodes: [TaggedNode] = []
  var pointHits: [PointHit] = []
  /// The last node in the blob that later versions of it may revoke.
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
    for index in block.groups.indices { try decodeGroup(block.groups[index], &kinds) }
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
    let neededIndex = cursor.index(of: id)
    let isVisible = try isVisible(info)
    let isPoint = try decodePlainTags(node: isVisible ? neededIndex : nil)
    guard neededIndex != nil || isPoint else { return notePlainNode(id) }
    var coordinate = NodeCoordinate.deleted
    if isVisible {
      guard let latitude, let longitude else {
        throw .badData(.missingField, "node \(id) has no position")
      }
      coordinate = block.scale.coordinate(latitude, longitude)
    }
    if let neededIndex {
      batch.add(node: neededIndex)
      batch.coordinates.append(coordinate)
    }
    if isPoint { addPoint(id, coordinate, tagEnd: points.tags.count) } else { notePlainNode(id) }
  }

  /// Reads the tags of a node and adds those to keep; `node` is its index among the needed nodes,
  /// if it is one. Returns whether the tags make a point of interest.
  private mutating func decodePlainTags(node: Int?) throws(CairnError) -> Bool {
    guard !keys.bytes.isEmpty || !values.bytes.isEmpty else { return false }
    try block.readTexts()
    guard node != nil || block.mayHoldPoints else { return false }
    var cursor = TagCursor(keys, values)
    var isPoint = false
    while let (key, value) = try cursor.next() {
      if let node { try add(tag: key, value, to: batch.count, node: node) }
      if try makesPoint(key, value) { isPoint = true }
    }
    if isPoint {
      cursor = TagCursor(keys, values)
      while let (key, value) = try cursor.next() { try addPointTag(key, value) }
    }
    return isPoint
  }
}
