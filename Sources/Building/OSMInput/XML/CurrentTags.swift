// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

/// The relevant tags of the current XML element, until it is known which of them are kept.
struct CurrentTags {
  private struct Entry {
    var key: WordClass
    var value: WordClass
    /// The ends of the key and the value in `bytes`; the key begins at the end of the previous
    /// entry.
    var keyEnd: Int
    var valueEnd: Int
  }

  let highways: HighwayChoice
  private var entries: [Entry] = []
  private var bytes: [UInt8] = []
  /// Whether the tags make their object a point of interest.
  private(set) var makePoint = false

  /// - Parameter highways: The values of `highway` that make a way routable.
  init(_ highways: HighwayChoice) { self.highways = highways }

  var isEmpty: Bool { entries.isEmpty }

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    makePoint = false
  }

  /// Adds a tag if its key is relevant.
  mutating func add(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    let keyClasses = WordClasses.shared.classes(of: key)
    if keyClasses.isEmpty, !highways.keepsAll { return }
    let valueClasses = highways.classes(of: value)
    bytes.append(contentsOf: key)
    let keyEnd = bytes.count
    bytes.append(contentsOf: value)
    entries.append(
      Entry(key: keyClasses, value: valueClasses, keyEnd: keyEnd, valueEnd: bytes.count))
    if WordClass.makesPoint(key: keyClasses, value: valueClasses) { makePoint = true }
  }

  /// Calls `body` with the classes of each tag.
  func forEach(_ body: (_ key: WordClass, _ value: WordClass) -> Void) {
    for entry in entries { body(entry.key, entry.value) }
  }

  /// Calls `body` with the classes of each tag, and the texts of its key and value.
  func forEachText(
    _ body: (
      _ key: WordClass, _ value: WordClass, _ keyText: UnsafeRawBufferPointer,
      _ text: UnsafeRawBufferPointer
    ) -> Void
  ) {
    bytes.withUnsafeBytes { bytes in
      var start = 0
      for entry in entries {
        body(
          entry.key, entry.value, UnsafeRawBufferPointer(rebasing: bytes[start..<entry.keyEnd]),
          UnsafeRawBufferPointer(rebasing: bytes[entry.keyEnd..<entry.valueEnd]))
        start = entry.valueEnd
      }
    }
  }

  /// Calls `body` with each tag whose key is of a class, as indices into a pool.
  func forEach(_ keyClass: WordClass, _ pool: inout TextPool, _ body: (PooledTag) -> Void) {
    bytes.withUnsafeBytes { bytes in
      var start = 0
      for entry in entries {
        if entry.key.contains(keyClass) {
          let key = UnsafeRawBufferPointer(rebasing: bytes[start..<entry.keyEnd])
          let value = UnsafeRawBufferPointer(rebasing: bytes[entry.keyEnd..<entry.valueEnd])
          body(PooledTag(key: pool.index(of: key), value: pool.index(of: value)))
        }
        start = entry.valueEnd
      }
    }
  }
}
