// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// The tags of a list of objects, as indices into the file's ``StringTable``. The tags of each object
/// are sorted by key. A class, as each of its columns keeps the file.
package final class TagTable: Sendable {
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

  /// The number of objects.
  package var count: Int { offsets.count - 1 }

  /// The number of tags of all objects.
  package var tagCount: Int { keys.count }

  /// The indices of an object's tags, for ``key(_:)`` and ``value(_:)``.
  @inlinable package func tags(of object: Int) -> Range<Int> {
    Int(offsets[object])..<Int(offsets[object + 1])
  }

  /// The key of a tag.
  @inlinable package func key(_ tag: Int) -> UInt32 { keys[tag] }

  /// The value of a tag.
  @inlinable package func value(_ tag: Int) -> UInt32 { values[tag] }

  /// The value of a key; nil if the object does not have it.
  @inlinable package func value(of key: UInt32, on object: Int) -> UInt32? {
    for tag in tags(of: object) where keys[tag] == key { return values[tag] }
    return nil
  }

  /// The tags of an object as texts.
  package func texts(of object: Int, in strings: StringTable) -> [String: String] {
    var texts: [String: String] = [:]
    for tag in tags(of: object) { texts[strings[Int(keys[tag])]] = strings[Int(values[tag])] }
    return texts
  }
}

/// The tags of a list of objects during collection; in a file, a ``TagTable``.
package struct TagLists: Equatable, Sendable {
  /// The start of each object's tags, and finally the end.
  package var offsets: [UInt32] = [0]
  /// The keys as indices into the string table.
  package var keys: [UInt32] = []
  /// The values as indices into the string table.
  package var values: [UInt32] = []

  /// Makes an empty list.
  package init() {}

  /// Makes room for the tags of some objects.
  package mutating func reserve(objects: Int, tags: Int) {
    offsets.reserveCapacity(objects + 1)
    keys.reserveCapacity(tags)
    values.reserveCapacity(tags)
  }

  /// Adds a tag to the current object.
  @inlinable package mutating func add(key: UInt32, value: UInt32) {
    keys.append(key)
    values.append(value)
  }

  /// Ends the current object.
  @inlinable package mutating func endObject() { offsets.append(UInt32(clamping: keys.count)) }

  /// Writes the lists as the columns `PREFIX.offset`, `PREFIX.key` and `PREFIX.value`.
  package func write(prefix: String, to writer: ContainerWriter) throws(CairnError) {
    guard keys.count <= Int(UInt32.max) else {
      throw CairnError("too-large", .dataError, "there are more than 4 294 967 295 tags")
    }
    try writer.add("\(prefix).offset", offsets)
    try writer.add("\(prefix).key", keys)
    try writer.add("\(prefix).value", values)
  }
}
