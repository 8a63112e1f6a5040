// SPDX-License-Identifier: Apache-2.0

/// The names of a place, the one to show first. Most places have one, which needs no array.
struct PlaceNames: RandomAccessCollection, Sendable {
  /// Counts if ``storedCount`` is not 0.
  private var shown = PlaceName(key: 0, name: 0, folding: 0)
  private var storedCount: UInt32 = 0
  private var others: [PlaceName] = []

  /// No names.
  init() {}

  /// One name.
  init(_ name: PlaceName) { append(name) }

  var startIndex: Int { 0 }
  var endIndex: Int { Int(storedCount) }

  subscript(index: Int) -> PlaceName {
    precondition(index < endIndex)
    return index == 0 ? shown : others[index - 1]
  }

  mutating func append(_ name: PlaceName) {
    if storedCount == 0 { shown = name } else { others.append(name) }
    storedCount += 1
  }
}
