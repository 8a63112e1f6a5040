// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// The fields of a way or a relation. Their messages have a common layout: id 1, keys 2, values 3, info
/// 4, and three lists 8, 9 and 10.
struct ObjectFields: ~Copyable {
  var keys = PackedField()
  var values = PackedField()
  private var list8 = PackedField()
  private var list9 = PackedField()
  private var list10 = PackedField()

  init() {}

  // Of a way.
  var refs: UnsafeRawBufferPointer { list8.bytes }
  var latitudes: UnsafeRawBufferPointer { list9.bytes }
  var longitudes: UnsafeRawBufferPointer { list10.bytes }

  // Of the members of a relation.
  var roles: UnsafeRawBufferPointer { list8.bytes }
  var members: UnsafeRawBufferPointer { list9.bytes }
  var types: UnsafeRawBufferPointer { list10.bytes }

  /// Decodes a message and drops the previous contents of the fields. `info` is empty if the object has
  /// none.
  @inline(__always)
  mutating func read(_ message: UnsafeRawBufferPointer, called kind: StaticString)
    throws(CairnError) -> (id: Int64, info: UnsafeRawBufferPointer)
  {
    var id: Int64?
    var info = UnsafeRawBufferPointer(start: nil, count: 0)
    keys.reset()
    values.reset()
    list8.reset()
    list9.reset()
    list10.reset()
    var reader = ProtobufReader(message)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: id = Int64(bitPattern: try reader.readVarint(field))
      case 2: try keys.read(&reader, field)
      case 3: try values.read(&reader, field)
      case 4: info = try reader.readBytes(field)
      case 8: try list8.read(&reader, field)
      case 9: try list9.read(&reader, field)
      case 10: try list10.read(&reader, field)
      default: try reader.skip(field)
      }
    }
    guard let id else { throw .badData(.missingField, "a \(kind) without an id") }
    return (id, info)
  }
}
