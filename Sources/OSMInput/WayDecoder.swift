// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// The first pass over the blobs: collects candidate ways, counts ways and relations.
struct WayDecoder: BlobDecoder, ~Copyable {
  /// What one worker found.
  struct Outcome: Sendable {
    /// The ways of each blob, their tags as numbers of ``pool``.
    var batches: [(blob: Int, ways: WayBatch)] = []
    /// The texts of their tags.
    var pool = TextPool()
    /// What was seen, but for nodes, which ``NodeDecoder`` counts.
    var counts = OSMCounts()
    /// The last blob that held nodes.
    var lastBlobWithNodes: Int?
  }

  private var found = Outcome()
  private var ways = WayBatch()
  private let isHistory: Bool
  private var block = PrimitiveBlock()
  private var keys = PackedField()
  private var values = PackedField()
  private var refs = PackedField()
  private var latitudes = PackedField()
  private var longitudes = PackedField()
  private var lastCandidate: Int64?

  init(isHistory: Bool) { self.isHistory = isHistory }

  mutating func decode(_ content: UnsafeRawBufferPointer, blob: Int) throws(CairnError) {
    ways = WayBatch()
    lastCandidate = nil
    try block.read(content)
    for place in block.groups.indices { try decodeGroup(block.groups[place], blob) }
    found.batches.append((blob, ways))
  }

  consuming func finish() -> Outcome { found }

  private mutating func decodeGroup(_ group: UnsafeRawBufferPointer, _ blob: Int)
    throws(CairnError)
  {
    var reader = ProtobufReader(group)
    while let field = try reader.nextField() {
      switch field.number {
      case 1, 2:
        found.lastBlobWithNodes = blob
        try reader.skip(field)
      case 3:
        try block.readTexts()
        try decodeWay(try reader.readBytes(field))
      case 4:
        found.counts.relations += 1
        try reader.skip(field)
      default: try reader.skip(field)
      }
    }
  }

  private mutating func decodeWay(_ message: UnsafeRawBufferPointer) throws(CairnError) {
    var id: Int64?
    var info = UnsafeRawBufferPointer(start: nil, count: 0)
    keys.reset()
    values.reset()
    refs.reset()
    latitudes.reset()
    longitudes.reset()
    var reader = ProtobufReader(message)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: id = Int64(bitPattern: try reader.readVarint(field))
      case 2: try keys.read(&reader, field)
      case 3: try values.read(&reader, field)
      case 4: info = try reader.readBytes(field)
      case 8: try refs.read(&reader, field)
      case 9: try latitudes.read(&reader, field)
      case 10: try longitudes.read(&reader, field)
      default: try reader.skip(field)
      }
    }
    guard let id else { throw .badData(.missingField, "a way without an id") }
    found.counts.ways += 1
    do throws(CairnError) {
      let isRoutable = try decodeTags()
      if isRoutable, try isVisible(info) {
        try decodeRefs()
        ways.endWay(id: id)
        lastCandidate = id
      } else {
        ways.abandonWay()
        if isHistory || id == lastCandidate { ways.endWay(id: id) }
      }
    } catch {
      throw CairnError(error.code, error.exitCode, "way \(id): \(error.message)", hint: error.hint)
    }
  }

  /// Adds the tags to keep, and tells whether they make a routable way.
  private mutating func decodeTags() throws(CairnError) -> Bool {
    var keyCursor = VarintCursor(keys.bytes)
    var valueCursor = VarintCursor(values.bytes)
    var isHighway = false
    var isRoutable = false
    var hasSACScale = false
    while !keyCursor.isAtEnd, !valueCursor.isAtEnd {
      guard let key = keyCursor.next() else { throw keyCursor.failure }
      guard let value = valueCursor.next() else { throw valueCursor.failure }
      let classes = try block.classes(of: key)
      if classes.isEmpty { continue }
      if classes.contains(.highwayKey) {
        isHighway = true
        isRoutable = try block.classes(of: value).contains(.routableHighway)
      }
      if classes.contains(.sacScaleKey) { hasSACScale = true }
      if classes.contains(.wayKey) {
        ways.add(
          tag: PooledTag(
            key: try block.number(of: key, in: &found.pool),
            value: try block.number(of: value, in: &found.pool)))
      }
    }
    guard keyCursor.isAtEnd, valueCursor.isAtEnd else {
      throw .badData(
        .arrayLengthsDisagree,
        "\(VarintCursor.count(keys.bytes)) keys, but \(VarintCursor.count(values.bytes)) values")
    }
    if isHighway { found.counts.highways += 1 }
    if hasSACScale { found.counts.sacScales += 1 }
    return isRoutable
  }

  private mutating func decodeRefs() throws(CairnError) {
    let count = VarintCursor.count(refs.bytes)
    let hasLocations = !latitudes.bytes.isEmpty || !longitudes.bytes.isEmpty
    if hasLocations {
      guard VarintCursor.count(latitudes.bytes) == count,
        VarintCursor.count(longitudes.bytes) == count
      else { throw .badData(.arrayLengthsDisagree, "its refs and locations differ in number") }
    }
    var cursor = VarintCursor(refs.bytes)
    var latitudeCursor = VarintCursor(latitudes.bytes)
    var longitudeCursor = VarintCursor(longitudes.bytes)
    var ref: Int64 = 0
    var latitude: Int64 = 0
    var longitude: Int64 = 0
    for _ in 0..<count {
      guard let delta = cursor.next() else { throw cursor.failure }
      ref &+= zigzagDecoded(delta)
      ways.add(ref: ref)
      guard hasLocations else { continue }
      guard let north = latitudeCursor.next() else { throw latitudeCursor.failure }
      guard let east = longitudeCursor.next() else { throw longitudeCursor.failure }
      latitude &+= zigzagDecoded(north)
      longitude &+= zigzagDecoded(east)
      let position = block.scale.position(latitude, longitude)
      if position.isKnown {
        ways.add(implicitNode: ImplicitNode(id: ref, position: position))
      }
    }
    guard cursor.isAtEnd else { throw cursor.failure }
  }
}

/// Whether the metadata of an object do not say that it was deleted.
func isVisible(_ info: UnsafeRawBufferPointer) throws(CairnError) -> Bool {
  var visible = true
  var reader = ProtobufReader(info)
  while let field = try reader.nextField() {
    if field.number == 6 {
      visible = try reader.readVarint(field) != 0
    } else {
      try reader.skip(field)
    }
  }
  return visible
}
