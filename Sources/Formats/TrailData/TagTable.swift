// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// The tags of a list of objects, as numbers of the file's ``StringTable``.
///
/// The tags of an object are sorted by key.
package struct TagTable: Sendable {
  @usableFromInline let offsets: Column<UInt32>
  @usableFromInline let keys: Column<UInt32>
  @usableFromInline let values: Column<UInt32>

  init(
    _ container: ContainerReader, prefix: String, objects: Int, strings: Int
  ) throws(CairnError) {
    offsets = try container.column("\(prefix).offset", count: objects + 1)
    keys = try container.column("\(prefix).key")
    values = try container.column("\(prefix).value", count: keys.count)
    try checkOffsets(offsets, end: keys.count, "\(prefix).offset", container)
    try checkIndices(keys, below: strings, "\(prefix).key", container)
    try checkIndices(values, below: strings, "\(prefix).value", container)
  }

  /// How many objects there are.
  package var count: Int { offsets.count - 1 }

  /// The places of an object's tags, for ``key(_:)`` and ``value(_:)``.
  @inlinable package func tags(of object: Int) -> Range<Int> {
    Int(offsets[object])..<Int(offsets[object + 1])
  }

  /// The key at a place.
  @inlinable package func key(_ place: Int) -> UInt32 { keys[place] }

  /// The value at a place.
  @inlinable package func value(_ place: Int) -> UInt32 { values[place] }

  /// The value of a key, or nil if the object does not have it.
  @inlinable package func value(of key: UInt32, on object: Int) -> UInt32? {
    for place in tags(of: object) where keys[place] == key { return values[place] }
    return nil
  }

  /// The tags of an object by name.
  package func texts(of object: Int, in strings: StringTable) -> [String: String] {
    var texts: [String: String] = [:]
    for place in tags(of: object) { texts[strings[Int(keys[place])]] = strings[Int(values[place])] }
    return texts
  }

  func copy(prefix: String, to writer: ContainerWriter) throws(CairnError) {
    try writer.add("\(prefix).offset", offsets)
    try writer.add("\(prefix).key", keys)
    try writer.add("\(prefix).value", values)
  }
}

/// The tags of a list of objects while they are collected; written, it is a ``TagTable``.
package struct TagLists: Equatable, Sendable {
  /// Where the tags of each object begin, and at last the end.
  package var offsets: [UInt32] = [0]
  /// The keys as numbers of the string table.
  package var keys: [UInt32] = []
  /// The values as numbers of the string table.
  package var values: [UInt32] = []

  /// Makes an empty list.
  package init() {}

  /// Adds a tag to the object that is being collected.
  package mutating func add(key: UInt32, value: UInt32) {
    keys.append(key)
    values.append(value)
  }

  /// Ends the object that is being collected.
  package mutating func endObject() { offsets.append(UInt32(clamping: keys.count)) }

  func write(prefix: String, to writer: ContainerWriter) throws(CairnError) {
    guard keys.count <= Int(UInt32.max) else {
      throw CairnError("too-large", .dataError, "there are more than 4 294 967 295 tags")
    }
    try writer.add("\(prefix).offset", offsets)
    try writer.add("\(prefix).key", keys)
    try writer.add("\(prefix).value", values)
  }
}
