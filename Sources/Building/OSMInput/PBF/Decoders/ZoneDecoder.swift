// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting

/// The first pass over the nodes where small regions are cut out of a large file: on which side of
/// the regions each lies.
struct ZoneDecoder: BlobDecoder, ~Copyable {
  /// The nodes of a blob.
  struct Nodes: Sendable {
    var blob: Int
    var zones = NodeZones()
    var count = 0
    /// How many lie inside.
    var inside = 0
    var firstID = Int64.max
    var lastID = Int64.min
    /// Whether the ids ascend and the blob holds nothing but nodes.
    var isOrdered = true
  }

  private var found: [Nodes] = []
  private let regions: RegionZones
  private var nodes = Nodes(blob: 0)
  private var block = PrimitiveBlock()
  private var ids = PackedField()
  private var latitudes = PackedField()
  private var longitudes = PackedField()

  init(_ regions: RegionZones) { self.regions = regions }

  mutating func decode(_ content: UnsafeRawBufferPointer, blob: Int) throws(CairnError) {
    nodes = Nodes(blob: blob)
    try block.read(content)
    for group in block.groups {
      var reader = ProtobufReader(group)
      while let field = try reader.nextField() {
        switch field.number {
        case 1: try decodeNode(try reader.readBytes(field))
        case 2: try decodeDense(try reader.readBytes(field))
        default:
          if !ObjectKinds(groupField: field.number).isEmpty { nodes.isOrdered = false }
          try reader.skip(field)
        }
      }
    }
    found.append(nodes)
  }

  consuming func finish() -> [Nodes] { found }

  private mutating func decodeNode(_ message: UnsafeRawBufferPointer) throws(CairnError) {
    var id: Int64?
    var latitude: Int64 = 0
    var longitude: Int64 = 0
    var reader = ProtobufReader(message)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: id = try reader.readZigzag(field)
      case 8: latitude = try reader.readZigzag(field)
      case 9: longitude = try reader.readZigzag(field)
      default: try reader.skip(field)
      }
    }
    guard let id else { throw .badData(.missingField, "a node without an id") }
    add(id, block.scale.position(latitude, longitude))
  }

  private mutating func decodeDense(_ message: UnsafeRawBufferPointer) throws(CairnError) {
    ids.reset()
    latitudes.reset()
    longitudes.reset()
    var reader = ProtobufReader(message)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: try ids.read(&reader, field)
      case 8: try latitudes.read(&reader, field)
      case 9: try longitudes.read(&reader, field)
      default: try reader.skip(field)
      }
    }
    let count = VarintCursor.count(ids.bytes)
    try checkDense(latitudes, "latitudes", nodes: count)
    try checkDense(longitudes, "longitudes", nodes: count)
    let scale = block.scale
    var idCursor = VarintCursor(ids.bytes)
    var latitudeCursor = VarintCursor(latitudes.bytes)
    var longitudeCursor = VarintCursor(longitudes.bytes)
    var (id, latitude, longitude) = (0 as Int64, 0 as Int64, 0 as Int64)
    for _ in 0..<count {
      guard let idDelta = idCursor.next() else { throw idCursor.failure }
      guard let northward = latitudeCursor.next() else { throw latitudeCursor.failure }
      guard let eastward = longitudeCursor.next() else { throw longitudeCursor.failure }
      id &+= zigzagDecoded(idDelta)
      latitude &+= zigzagDecoded(northward)
      longitude &+= zigzagDecoded(eastward)
      add(id, scale.position(latitude, longitude))
    }
    guard idCursor.isAtEnd else { throw idCursor.failure }
  }

  @inline(__always)
  private mutating func add(_ id: Int64, _ position: NodePosition) {
    if nodes.count == 0 {
      nodes.firstID = id
    } else if id <= nodes.lastID {
      nodes.isOrdered = false
    }
    nodes.lastID = id
    nodes.count &+= 1
    // A node without a place on Earth touches nothing; as if inside, it makes no way seem far.
    let zone = position.isKnown ? regions.zone(position) : RegionZones.inside
    if zone == RegionZones.inside { nodes.inside &+= 1 }
    nodes.zones.add(id, zone)
  }
}

/// Checks that dense nodes have as many numbers of a kind as ids.
func checkDense(_ field: borrowing PackedField, _ what: String, nodes: Int) throws(CairnError) {
  let count = VarintCursor.count(field.bytes)
  guard count == nodes else {
    throw .badData(
      .arrayLengthsDisagree,
      "dense nodes have \(grouped(nodes)) ids, but \(grouped(count)) \(what)")
  }
}
