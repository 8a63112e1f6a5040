// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnTagRules

/// Finds out from the classes of an object's tags whether it is one of ``TagSelection/walkways``.
struct WalkwayFinder {
  /// A bit for each of ``TagSelection/walkways`` that the tags make of the object.
  private var found: UInt8 = 0
  private var isHighway = false
  private var isAllowedOnFoot = false

  /// Adds a tag. If a key appears twice, the last value counts.
  @inline(__always)
  mutating func add(key: WordClass, value: WordClass) {
    let keyBits = key.walkwayKeys
    found = found & ~keyBits | keyBits & value.walkwayValues
    if key.contains(.highwayKey) { isHighway = true }
    if key.contains(.footKey) { isAllowedOnFoot = value.contains(.permissionOnFoot) }
  }

  /// The `highway` that the object gets; nil if it has its own, or none of the tags.
  var highway: String? {
    if found == 0 || isHighway { return nil }
    let highway = TagSelection.walkways[found.trailingZeroBitCount].highway
    return highway == TagSelection.lockGate && !isAllowedOnFoot ? nil : highway
  }
}

extension PooledTag {
  /// The tag `highway` with a value.
  init(highway: String, _ pool: inout TextPool) { self.init("highway", highway, &pool) }

  /// A tag that the input does not have.
  init(_ key: String, _ value: String, _ pool: inout TextPool) {
    func index(_ text: String) -> UInt32 {
      Array(text.utf8).withUnsafeBytes { pool.index(of: $0) }
    }
    self.init(key: index(key), value: index(value))
  }
}
