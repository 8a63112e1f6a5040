// SPDX-License-Identifier: Apache-2.0
import Geodesy

/// Writes a world as OSM PBF: dense nodes, sorted by type and id, zlib blobs.
///
/// Field numbers are from osmformat.proto and fileformat.proto.
struct PBFWriter {
  /// Small, so that even the sample has several blobs.
  private static let objectsPerBlock = 1000
  static let programName = "cairn sample"

  /// The bytes of the file.
  static func file(_ world: SampleWorld) -> [UInt8] {
    // The header is not compressed, so that the name of the writer is in the first bytes.
    var bytes = blob("OSMHeader", header(world), isCompressed: false)
    for group in chunks(world.nodes) { bytes += blob("OSMData", denseBlock(group)) }
    for group in chunks(world.ways) { bytes += blob("OSMData", wayBlock(group)) }
    for group in chunks(world.relations) { bytes += blob("OSMData", relationBlock(group)) }
    return bytes
  }

  private static func chunks<Object>(_ objects: [Object]) -> [ArraySlice<Object>] {
    stride(from: 0, to: objects.count, by: objectsPerBlock).map {
      objects[$0..<min($0 + objectsPerBlock, objects.count)]
    }
  }

  private static func blob(_ type: String, _ content: [UInt8], isCompressed: Bool = true)
    -> [UInt8]
  {
    var blob = ProtobufMessage()
    if isCompressed {
      blob.add(2, varint: UInt64(content.count))
      blob.add(3, bytes: Deflate.zlibStream(content))
    } else {
      blob.add(1, bytes: content)
    }
    var header = ProtobufMessage()
    header.add(1, bytes: Array(type.utf8))
    header.add(3, varint: UInt64(blob.bytes.count))
    return bigEndianBytes(UInt32(truncatingIfNeeded: header.bytes.count)) + header.bytes
      + blob.bytes
  }

  private static func header(_ world: SampleWorld) -> [UInt8] {
    let corners = world.corners
    var box = ProtobufMessage()
    let borders = [
      corners.southWest.longitude, corners.northEast.longitude, corners.northEast.latitude,
      corners.southWest.latitude,
    ]
    for (field, border) in zip(1..., borders) {
      box.add(field, varint: zigzag(Int64(border) * 100))
    }
    var header = ProtobufMessage()
    header.add(1, bytes: box.bytes)
    header.add(4, bytes: Array("OsmSchema-V0.6".utf8))
    header.add(4, bytes: Array("DenseNodes".utf8))
    header.add(5, bytes: Array("Sort.Type_then_ID".utf8))
    header.add(16, bytes: Array(programName.utf8))
    header.add(32, varint: UInt64(SampleWorld.timestampSeconds))
    return header.bytes
  }

  private static func denseBlock(_ nodes: ArraySlice<SampleWorld.Node>) -> [UInt8] {
    var strings = BlockStrings()
    var tags: [UInt64] = []
    for node in nodes {
      for tag in node.tags { tags += [strings.index(of: tag.key), strings.index(of: tag.value)] }
      tags.append(0)
    }
    var dense = ProtobufMessage()
    dense.add(1, packed: deltas(nodes.map(\.id)))
    dense.add(8, packed: deltas(nodes.map { Int64($0.coordinate.latitude) }))
    dense.add(9, packed: deltas(nodes.map { Int64($0.coordinate.longitude) }))
    dense.add(10, packed: tags)
    var group = ProtobufMessage()
    group.add(2, bytes: dense.bytes)
    return block(strings, group)
  }

  private static func wayBlock(_ ways: ArraySlice<SampleWorld.Way>) -> [UInt8] {
    var strings = BlockStrings()
    var group = ProtobufMessage()
    for way in ways {
      var message = ProtobufMessage()
      message.add(1, varint: UInt64(bitPattern: way.id))
      add(way.tags, to: &message, &strings)
      message.add(8, packed: deltas(way.nodes))
      group.add(3, bytes: message.bytes)
    }
    return block(strings, group)
  }

  private static func relationBlock(_ relations: ArraySlice<SampleWorld.Relation>) -> [UInt8] {
    var strings = BlockStrings()
    var group = ProtobufMessage()
    for relation in relations {
      var message = ProtobufMessage()
      message.add(1, varint: UInt64(bitPattern: relation.id))
      add(relation.tags, to: &message, &strings)
      message.add(8, packed: relation.members.map { strings.index(of: $0.role) })
      message.add(9, packed: deltas(relation.members.map(\.way)))
      let wayType: UInt64 = 1
      message.add(10, packed: relation.members.map { _ in wayType })
      group.add(4, bytes: message.bytes)
    }
    return block(strings, group)
  }

  private static func add(
    _ tags: [SampleWorld.Tag], to message: inout ProtobufMessage, _ strings: inout BlockStrings
  ) {
    guard !tags.isEmpty else { return }
    message.add(2, packed: tags.map { strings.index(of: $0.key) })
    message.add(3, packed: tags.map { strings.index(of: $0.value) })
  }

  private static func block(_ strings: BlockStrings, _ group: ProtobufMessage) -> [UInt8] {
    var table = ProtobufMessage()
    for string in strings.all { table.add(1, bytes: Array(string.utf8)) }
    var block = ProtobufMessage()
    block.add(1, bytes: table.bytes)
    block.add(2, bytes: group.bytes)
    return block.bytes
  }

  private static func deltas(_ numbers: [Int64]) -> [UInt64] {
    zip(numbers, [0] + numbers).map { zigzag($0 - $1) }
  }

  private static func zigzag(_ number: Int64) -> UInt64 {
    UInt64(bitPattern: number << 1 ^ number >> 63)
  }
}

/// The string table of one block; string 0 is empty, as the format requires.
private struct BlockStrings {
  private(set) var all = [""]
  private var indices: [String: UInt64] = ["": 0]

  mutating func index(of string: String) -> UInt64 {
    if let known = indices[string] { return known }
    let index = UInt64(all.count)
    all.append(string)
    indices[string] = index
    return index
  }
}

/// A Protocol Buffers message, built field by field.
private struct ProtobufMessage {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ field: Int, varint value: UInt64) {
    append(UInt64(field) << 3)
    append(value)
  }

  mutating func add(_ field: Int, bytes value: [UInt8]) {
    append(UInt64(field) << 3 | 2)
    append(UInt64(value.count))
    bytes += value
  }

  mutating func add(_ field: Int, packed values: [UInt64]) {
    var content = ProtobufMessage()
    for value in values { content.append(value) }
    add(field, bytes: content.bytes)
  }

  private mutating func append(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
