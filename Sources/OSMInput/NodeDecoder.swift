// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// The second pass over the blobs: picks the needed nodes, counts all.
struct NodeDecoder: BlobDecoder, ~Copyable {
  /// What one worker found.
  struct Outcome: Sendable {
    /// The needed nodes of each blob, their tags as numbers of ``pool``.
    var batches: [(blob: Int, nodes: NodeBatch)] = []
    /// The texts of their tags.
    var pool = TextPool()
    /// How many nodes there were.
    var count = 0
    /// The first blob that held something else than nodes.
    var firstBlobWithOthers: Int?
  }

  private var found = Outcome()
  private var batch = NodeBatch()

  /// A needed one among the dense nodes at hand.
  private struct Hit {
    /// Its place in the group.
    var place: Int
    var rank: Int
  }

  private let needed: NeededNodes
  private var cursor: NeededNodes.Cursor
  private var block = PrimitiveBlock()
  private var hits: [Hit] = []
  private var ids = PackedField()
  private var latitudes = PackedField()
  private var longitudes = PackedField()
  private var keys = PackedField()
  private var values = PackedField()
  private var visibilities = PackedField()

  init(_ needed: NeededNodes) {
    self.needed = needed
    cursor = NeededNodes.Cursor(needed)
  }

  mutating func decode(_ content: UnsafeRawBufferPointer, blob: Int) throws(CairnError) {
    batch = NodeBatch()
    try block.read(content)
    for place in block.groups.indices { try decodeGroup(block.groups[place], blob) }
    found.batches.append((blob, batch))
  }

  consuming func finish() -> Outcome { found }

  private mutating func decodeGroup(_ group: UnsafeRawBufferPointer, _ blob: Int)
    throws(CairnError)
  {
    var reader = ProtobufReader(group)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: try decodeNode(try reader.readBytes(field))
      case 2: try decodeDense(try reader.readBytes(field))
      case 3, 4:
        if found.firstBlobWithOthers == nil { found.firstBlobWithOthers = blob }
        try reader.skip(field)
      default: try reader.skip(field)
      }
    }
  }
}

extension NodeDecoder {
  private mutating func decodeDense(_ message: UnsafeRawBufferPointer) throws(CairnError) {
    ids.reset()
    latitudes.reset()
    longitudes.reset()
    keys.reset()
    visibilities.reset()
    var reader = ProtobufReader(message)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: try ids.read(&reader, field)
      case 5: try readVisibilities(try reader.readBytes(field))
      case 8: try latitudes.read(&reader, field)
      case 9: try longitudes.read(&reader, field)
      case 10: try keys.read(&reader, field)
      default: try reader.skip(field)
      }
    }
    let nodes = VarintCursor.count(ids.bytes)
    try check(VarintCursor.count(latitudes.bytes), "latitudes", nodes)
    try check(VarintCursor.count(longitudes.bytes), "longitudes", nodes)
    found.count += nodes
    let firstFound = batch.count
    try findHits(nodes)
    if hits.isEmpty { return }
    try locateHits()
    if !visibilities.bytes.isEmpty { try dropDeleted(nodes, firstFound: firstFound) }
    if !keys.bytes.isEmpty { try decodeDenseTags(nodes, firstFound: firstFound) }
  }

  private func check(_ count: Int, _ what: String, _ nodes: Int) throws(CairnError) {
    guard count == nodes else {
      throw .badData(
        .arrayLengthsDisagree,
        "dense nodes have \(grouped(nodes)) ids, but \(grouped(count)) \(what)")
    }
  }

  private mutating func readVisibilities(_ info: UnsafeRawBufferPointer) throws(CairnError) {
    var reader = ProtobufReader(info)
    while let field = try reader.nextField() {
      if field.number == 6 {
        try visibilities.read(&reader, field)
      } else {
        try reader.skip(field)
      }
    }
  }

  private mutating func findHits(_ nodes: Int) throws(CairnError) {
    hits.removeAll(keepingCapacity: true)
    var idCursor = VarintCursor(ids.bytes)
    var neededCursor = cursor
    var id: Int64 = 0
    for place in 0..<nodes {
      guard let delta = idCursor.next() else { throw idCursor.failure }
      id &+= zigzagDecoded(delta)
      if let rank = neededCursor.rank(of: id) {
        hits.append(Hit(place: place, rank: rank))
        batch.add(rank: rank)
      }
    }
    guard idCursor.isAtEnd else { throw idCursor.failure }
    cursor = neededCursor
  }

  /// Sums up the deltas of the coordinates as far as the last hit.
  private mutating func locateHits() throws(CairnError) {
    batch.positions.reserveCapacity(batch.positions.count + hits.count)
    let scale = block.scale
    var latitudeCursor = VarintCursor(latitudes.bytes)
    var longitudeCursor = VarintCursor(longitudes.bytes)
    var place = 0
    var latitude: Int64 = 0
    var longitude: Int64 = 0
    for hit in hits {
      while place <= hit.place {
        guard let north = latitudeCursor.next() else { throw latitudeCursor.failure }
        guard let east = longitudeCursor.next() else { throw longitudeCursor.failure }
        latitude &+= zigzagDecoded(north)
        longitude &+= zigzagDecoded(east)
        place &+= 1
      }
      batch.positions.append(scale.position(latitude, longitude))
    }
  }

  private mutating func dropDeleted(_ nodes: Int, firstFound: Int) throws(CairnError) {
    try check(VarintCursor.count(visibilities.bytes), "visibilities", nodes)
    var visibilityCursor = VarintCursor(visibilities.bytes)
    var place = 0
    for (index, hit) in hits.enumerated() {
      var isVisible: UInt64 = 1
      while place <= hit.place {
        guard let next = visibilityCursor.next() else { throw visibilityCursor.failure }
        isVisible = next
        place += 1
      }
      if isVisible == 0 { batch.positions[firstFound + index] = .deleted }
    }
  }

  /// Reads the keys and values of all nodes, where 0 ends the ones of a node.
  private mutating func decodeDenseTags(_ nodes: Int, firstFound: Int) throws(CairnError) {
    var tagCursor = VarintCursor(keys.bytes)
    var place = 0
    var hit = 0
    while true {
      place += tagCursor.skipZeros()
      if tagCursor.isAtEnd { break }
      while hit < hits.count, hits[hit].place < place { hit += 1 }
      let isHit = hit < hits.count && hits[hit].place == place
      if isHit { try block.readTexts() }
      while true {
        guard let key = tagCursor.next() else { throw tagCursor.failure }
        if key == 0 { break }
        guard let value = tagCursor.next() else { throw tagCursor.failure }
        if isHit { try add(tag: key, value, to: firstFound + hit, rank: hits[hit].rank) }
      }
      place += 1
    }
    guard place == nodes else {
      throw .badData(
        .arrayLengthsDisagree,
        "dense nodes have \(grouped(nodes)) ids, but the tags of \(grouped(place)) nodes")
    }
  }

  private mutating func add(tag key: UInt64, _ value: UInt64, to place: Int, rank: Int)
    throws(CairnError)
  {
    guard try block.classes(of: key).contains(.nodeKey) else { return }
    let tag = PooledTag(
      key: try block.number(of: key, in: &found.pool),
      value: try block.number(of: value, in: &found.pool))
    batch.tags.append(
      NodeBatch.Tag(rank: UInt32(truncatingIfNeeded: rank), place: place, tag: tag))
  }
}

extension NodeDecoder {
  private mutating func decodeNode(_ message: UnsafeRawBufferPointer) throws(CairnError) {
    var id: Int64?
    var latitude: Int64?
    var longitude: Int64?
    var info = UnsafeRawBufferPointer(start: nil, count: 0)
    keys.reset()
    values.reset()
    var reader = ProtobufReader(message)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: id = try reader.readZigzag(field)
      case 2: try keys.read(&reader, field)
      case 3: try values.read(&reader, field)
      case 4: info = try reader.readBytes(field)
      case 8: latitude = try reader.readZigzag(field)
      case 9: longitude = try reader.readZigzag(field)
      default: try reader.skip(field)
      }
    }
    guard let id else { throw .badData(.missingField, "a node without an id") }
    found.count += 1
    guard let rank = cursor.rank(of: id) else { return }
    batch.add(rank: rank)
    if try isVisible(info) {
      guard let latitude, let longitude else {
        throw .badData(.missingField, "node \(id) has no position")
      }
      batch.positions.append(block.scale.position(latitude, longitude))
      try decodePlainTags(batch.count - 1, rank: rank)
    } else {
      batch.positions.append(.deleted)
    }
  }

  private mutating func decodePlainTags(_ place: Int, rank: Int) throws(CairnError) {
    guard !keys.bytes.isEmpty || !values.bytes.isEmpty else { return }
    try block.readTexts()
    var keyCursor = VarintCursor(keys.bytes)
    var valueCursor = VarintCursor(values.bytes)
    while !keyCursor.isAtEnd, !valueCursor.isAtEnd {
      guard let key = keyCursor.next() else { throw keyCursor.failure }
      guard let value = valueCursor.next() else { throw valueCursor.failure }
      try add(tag: key, value, to: place, rank: rank)
    }
    guard keyCursor.isAtEnd, valueCursor.isAtEnd else {
      throw .badData(.arrayLengthsDisagree, "the keys and values of a node differ in number")
    }
  }
}
