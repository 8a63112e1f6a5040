// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding
import CairnGeodesy

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
    var blob = ByteWriter()
    if isCompressed {
      blob.addField(2, UInt64(content.count))
      blob.addField(3, Deflate.zlibStream(content))
    } else {
      blob.addField(1, content)
    }
    var header = ByteWriter()
    header.addField(1, type.utf8)
    header.addField(3, UInt64(blob.bytes.count))
    return bigEndianBytes(UInt32(truncatingIfNeeded: header.bytes.count)) + header.bytes
      + blob.bytes
  }

  private static func header(_ world: SampleWorld) -> [UInt8] {
    let corners = world.corners
    var box = ByteWriter()
    let borders = [
      corners.southWest.longitude, corners.northEast.longitude, corners.northEast.latitude,
      corners.southWest.latitude,
    ]
    for (field, border) in zip(UInt64(1)..., borders) {
      box.addField(field, zigzag(Int64(border) * 100))
    }
    var header = ByteWriter()
    header.addField(1, box.bytes)
    header.addField(4, "OsmSchema-V0.6".utf8)
    header.addField(4, "DenseNodes".utf8)
    header.addField(5, "Sort.Type_then_ID".utf8)
    header.addField(16, programName.utf8)
    header.addField(32, UInt64(SampleWorld.timestampSeconds))
    return header.bytes
  }

  private static func denseBlock(_ nodes: ArraySlice<SampleWorld.Node>) -> [UInt8] {
    var strings = BlockStrings()
    var tags: [UInt64] = []
    for node in nodes {
      for tag in node.tags { tags += [strings.index(of: tag.key), strings.index(of: tag.value)] }
      tags.append(0)
    }
    var dense = ByteWriter()
    dense.addField(1, packed: deltas(nodes.map(\.id)))
    dense.addField(8, packed: deltas(nodes.map { Int64($0.coordinate.latitude) }))
    dense.addField(9, packed: deltas(nodes.map { Int64($0.coordinate.longitude) }))
    dense.addField(10, packed: tags)
    var group = ByteWriter()
    group.addField(2, dense.bytes)
    return block(strings, group)
  }

  private static func wayBlock(_ ways: ArraySlice<SampleWorld.Way>) -> [UInt8] {
    var strings = BlockStrings()
    var group = ByteWriter()
    for way in ways {
      var message = ByteWriter()
      message.addField(1, UInt64(bitPattern: way.id))
      add(way.tags, to: &message, &strings)
      message.addField(8, packed: deltas(way.nodes))
      group.addField(3, message.bytes)
    }
    return block(strings, group)
  }

  private static func relationBlock(_ relations: ArraySlice<SampleWorld.Relation>) -> [UInt8] {
    var strings = BlockStrings()
    var group = ByteWriter()
    for relation in relations {
      var message = ByteWriter()
      message.addField(1, UInt64(bitPattern: relation.id))
      add(relation.tags, to: &message, &strings)
      message.addField(8, packed: relation.members.map { strings.index(of: $0.role) })
      message.addField(9, packed: deltas(relation.members.map(\.way)))
      let wayType: UInt64 = 1
      message.addField(10, packed: relation.members.map { _ in wayType })
      group.addField(4, message.bytes)
    }
    return block(strings, group)
  }

  private static func add(
    _ tags: [SampleWorld.Tag], to message: inout ByteWriter, _ strings: inout BlockStrings
  ) {
    guard !tags.isEmpty else { return }
    message.addField(2, packed: tags.map { strings.index(of: $0.key) })
    message.addField(3, packed: tags.map { strings.index(of: $0.value) })
  }

  private static func block(_ strings: BlockStrings, _ group: ByteWriter) -> [UInt8] {
    var table = ByteWriter()
    for string in strings.all { table.addField(1, string.utf8) }
    var block = ByteWriter()
    block.addField(1, table.bytes)
    block.addField(2, group.bytes)
    return block.bytes
  }

  private static func deltas(_ numbers: [Int64]) -> [UInt64] {
    zip(numbers, [0] + numbers).map { zigzag($0 - $1) }
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

extension ByteWriter {
  fileprivate mutating func addField(_ field: UInt64, packed values: [UInt64]) {
    var content = ByteWriter()
    for value in values { content.add(value) }
    addField(field, content.bytes)
  }
}
