// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

/// The columns of a dense group of nodes.
struct DenseNodes: ~Copyable {
  var ids = PackedField()
  var latitudes = PackedField()
  var longitudes = PackedField()
  /// The keys and values of all nodes in turn; 0 ends those of a node.
  var tags = PackedField()
  var visibilities = PackedField()
  var timestamps = PackedField()
  var versions = PackedField()

  init() {}

  /// Reads a group; returns how many nodes it has. Throws 65 where ids and coordinates differ in
  /// number.
  mutating func read(_ message: UnsafeRawBufferPointer) throws(CairnError) -> Int {
    ids.reset()
    latitudes.reset()
    longitudes.reset()
    tags.reset()
    visibilities.reset()
    timestamps.reset()
    versions.reset()
    var reader = ProtobufReader(message)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: try ids.read(&reader, field)
      case 5: try readInfo(try reader.readBytes(field))
      case 8: try latitudes.read(&reader, field)
      case 9: try longitudes.read(&reader, field)
      case 10: try tags.read(&reader, field)
      default: try reader.skip(field)
      }
    }
    let nodes = VarintCursor.count(ids.bytes)
    try checkDense(latitudes, "latitudes", nodes: nodes)
    try checkDense(longitudes, "longitudes", nodes: nodes)
    return nodes
  }

  private mutating func readInfo(_ info: UnsafeRawBufferPointer) throws(CairnError) {
    var reader = ProtobufReader(info)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: try versions.read(&reader, field)
      case 2: try timestamps.read(&reader, field)
      case 6: try visibilities.read(&reader, field)
      default: try reader.skip(field)
      }
    }
  }
}

/// Checks that dense nodes have as many values of a kind as ids.
func checkDense(_ field: borrowing PackedField, _ what: String, nodes: Int) throws(CairnError) {
  let count = VarintCursor.count(field.bytes)
  guard count == nodes else {
    throw .badData(
      .arrayLengthsDisagree,
      "dense nodes have \(grouped(nodes)) ids, but \(grouped(count)) \(what)")
  }
}

/// Reads a node that is a message of its own: its tags into two fields, and the rest as it is.
/// Throws 65 for one without an id.
func readNode(
  _ message: UnsafeRawBufferPointer, keys: inout PackedField, values: inout PackedField
) throws(CairnError) -> (
  id: Int64, latitude: Int64?, longitude: Int64?, info: UnsafeRawBufferPointer
) {
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
  return (id, latitude, longitude, info)
}
