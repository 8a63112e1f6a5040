// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics

/// The last pass over the blobs: extracts the needed nodes and the points of interest, and counts
/// all nodes.
///
/// The coordinates of needed nodes go straight to their final place. The result is the same for any
/// number of workers as long as no node appears twice, which ``Outcome/ids`` and
/// ``Outcome/areAscending`` show. Otherwise one worker must decode all blobs, in the order of the
/// file.
struct NodeDecoder: BlobDecoder, ~Copyable {
  /// The results of one worker.
  struct Outcome: Sendable {
    /// The tags of the needed nodes and the points of interest of each blob, their tags as indices
    /// into ``pool``.
    var batches: [(blob: Int, tags: [NodeTag], points: PointBatch)] = []
    /// The texts of their tags.
    var pool = TextPool()
    /// The number of all nodes.
    var count = 0
    /// The contents of the blobs.
    var contents: [(blob: Int, kinds: ObjectKinds)] = []
    /// The range of ids of each blob with nodes, if they ascend.
    var ids: [(blob: Int, range: ClosedRange<Int64>)] = []
    /// Whether the ids of each blob ascend.
    var areAscending = true
    /// Which needed nodes were found several times, if the worker looked for that.
    var duplicates = NodeDuplicates()
    /// The nodes that are newer than their changes.
    var newer: NewerObjects
  }

  var found: Outcome
  var tags: [NodeTag] = []
  var points = PointBatch()

  /// A node with tags among the current dense nodes.
  struct TaggedNode {
    /// Its index in the group.
    var index: Int
    /// The start of its tags.
    var tags: VarintCursor
    var isPoint: Bool
  }

  let coordinates: NodeCoordinates
  let isHistory: Bool
  /// The class of the keys that are kept on needed nodes.
  let keptKeys: WordClass
  /// Whether nodes may appear several times, which only a single worker can sort out.
  let findsDuplicates: Bool
  var cursor: NeededNodes.Cursor
  var block = PrimitiveBlock()
  var taggedNodes: [TaggedNode] = []
  /// The last node in the blob that later versions of it may revoke.
  var lastPoint: Int64?
  var firstID: Int64?
  var lastID = Int64.min
  var dense = DenseNodes()
  private var keys = PackedField()
  private var values = PackedField()

  /// The needed nodes must outlive the decoder.
  init(
    _ needed: NeededNodes, _ coordinates: NodeCoordinates, isHistory: Bool, findsDuplicates: Bool,
    keeping keptKeys: WordClass = .nodeKey, changed: NewerObjects = NewerObjects()
  ) {
    found = Outcome(newer: changed)
    self.coordinates = coordinates
    self.isHistory = isHistory
    self.keptKeys = keptKeys
    self.findsDuplicates = findsDuplicates
    cursor = NeededNodes.Cursor(needed)
  }

  mutating func decode(_ content: UnsafeRawBufferPointer, blob: Int) throws(CairnError) {
    tags = []
    points = PointBatch()
    lastPoint = nil
    firstID = nil
    lastID = .min
    var kinds: ObjectKinds = []
    try block.read(content)
    for index in block.groups.indices { try decodeGroup(block.groups[index], &kinds) }
    if !tags.isEmpty || !points.ids.isEmpty { found.batches.append((blob, tags, points)) }
    found.contents.append((blob, kinds))
    if let firstID, firstID <= lastID { found.ids.append((blob, firstID...lastID)) }
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

  /// Sets the coordinate of a needed node; returns the occurrence that its tags belong to.
  mutating func set(_ node: Int, _ coordinate: NodeCoordinate) -> Int {
    defer { coordinates.set(node, coordinate) }
    if !findsDuplicates { return 0 }
    return found.duplicates.record(node, isKnown: coordinates[node] != .missing)
  }
}

extension NodeDecoder {
  private mutating func decodeNode(_ message: UnsafeRawBufferPointer) throws(CairnError) {
    let (id, latitude, longitude, info) = try readNode(message, keys: &keys, values: &values)
    found.count += 1
    if firstID == nil { firstID = id } else if id <= lastID { found.areAscending = false }
    lastID = id
    if found.newer.mayFind(id) { found.newer.take(id, try version(info)) }
    let neededIndex = cursor.index(of: id)
    let isVisible = try isVisible(info)
    let isPoint = try makesPoint(isNeeded: isVisible && neededIndex != nil)
    guard neededIndex != nil || isPoint else { return notePlainNode(id) }
    var coordinate = NodeCoordinate.deleted
    if isVisible {
      guard let latitude, let longitude else {
        throw .badData(.missingField, "node \(id) has no position")
      }
      coordinate = block.scale.coordinate(latitude, longitude)
    }
    if let neededIndex {
      let occurrence = set(neededIndex, coordinate)
      if isVisible {
        var cursor = TagCursor(keys, values)
        while let (key, value) = try cursor.next() {
          try add(tag: key, value, node: neededIndex, occurrence)
        }
      }
    }
    guard isPoint else { return notePlainNode(id) }
    var cursor = TagCursor(keys, values)
    while let (key, value) = try cursor.next() { try addPointTag(key, value) }
    addPoint(id, coordinate, tagEnd: points.tags.count)
  }

  /// Whether the tags of the current node make a point of interest; also makes its texts known if
  /// it is needed.
  private mutating func makesPoint(isNeeded: Bool) throws(CairnError) -> Bool {
    guard !keys.bytes.isEmpty || !values.bytes.isEmpty else { return false }
    try block.readTexts()
    guard isNeeded || block.mayHoldPoints else { return false }
    var cursor = TagCursor(keys, values)
    var isPoint = false
    while let (key, value) = try cursor.next() {
      if try makesPoint(key, value) { isPoint = true }
    }
    return isPoint
  }
}

extension NodeDecoder {
  @inline(__always)
  func makesPoint(_ key: UInt64, _ value: UInt64) throws(CairnError) -> Bool {
    let classes = try block.classes(of: key)
    if classes.isEmpty { return false }
    return WordClass.makesPoint(key: classes, value: try block.classes(of: value))
  }

  mutating func addPointTag(_ key: UInt64, _ value: UInt64) throws(CairnError) {
    guard try block.classes(of: key).contains(.pointKey) else { return }
    points.tags.append(try block.pooledTag(key, value, in: &found.pool))
  }

  mutating func addPoint(_ id: Int64, _ coordinate: NodeCoordinate, tagEnd: Int) {
    points.add(id: id, coordinate, tagEnd: tagEnd)
    lastPoint = id
  }

  /// Revokes an earlier version of a node that is not a point of interest. In history files, that
  /// version may be at the end of the previous blob.
  mutating func notePlainNode(_ id: Int64) {
    if isHistory, lastPoint == nil { lastPoint = id }
    if id == lastPoint { points.addGone(id: id) }
  }
}
