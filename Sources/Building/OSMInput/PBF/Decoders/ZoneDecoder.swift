// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

/// The first pass over the nodes when small regions are cut out of a large file: determines the
/// zone of each node.
struct ZoneDecoder: BlobDecoder, ~Copyable {
  /// The nodes of a blob.
  struct Nodes: Sendable {
    var blob: Int
    var zones = NodeZones()
    var count = 0
    /// The number of nodes inside.
    var inside = 0
    var firstID = Int64.max
    var lastID = Int64.min
    /// Whether the ids ascend and the blob contains only nodes.
    var isOrdered = true
  }

  private var found: [Nodes] = []
  private let regions: RegionZones
  private var nodes = Nodes(blob: 0)
  private var block = PrimitiveBlock()
  private var dense = DenseNodes()
  private var keys = PackedField()
  private var values = PackedField()

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
    let (id, latitude, longitude, _) = try readNode(message, keys: &keys, values: &values)
    add(id, block.scale.coordinate(latitude ?? 0, longitude ?? 0))
  }

  private mutating func decodeDense(_ message: UnsafeRawBufferPointer) throws(CairnError) {
    let count = try dense.read(message)
    let scale = block.scale
    var idCursor = VarintCursor(dense.ids.bytes)
    var latitudeCursor = VarintCursor(dense.latitudes.bytes)
    var longitudeCursor = VarintCursor(dense.longitudes.bytes)
    var (id, latitude, longitude) = (0 as Int64, 0 as Int64, 0 as Int64)
    for _ in 0..<count {
      guard let idDelta = idCursor.next() else { throw idCursor.failure }
      guard let northward = latitudeCursor.next() else { throw latitudeCursor.failure }
      guard let eastward = longitudeCursor.next() else { throw longitudeCursor.failure }
      id &+= zigzagDecoded(idDelta)
      latitude &+= zigzagDecoded(northward)
      longitude &+= zigzagDecoded(eastward)
      add(id, scale.coordinate(latitude, longitude))
    }
    guard idCursor.isAtEnd else { throw idCursor.failure }
  }

  @inline(__always)
  private mutating func add(_ id: Int64, _ coordinate: NodeCoordinate) {
    if nodes.count == 0 {
      nodes.firstID = id
    } else if id <= nodes.lastID {
      nodes.isOrdered = false
    }
    nodes.lastID = id
    nodes.count &+= 1
    // A node without a valid coordinate counts as inside, so that it does not make a way seem far.
    let zone = coordinate.isKnown ? regions.zone(coordinate) : RegionZones.inside
    if zone == RegionZones.inside { nodes.inside &+= 1 }
    nodes.zones.add(id, zone)
  }
}
