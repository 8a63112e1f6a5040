// SPDX-License-Identifier: Apache-2.0

/// Finds out from the classes of an area's tags whether it may be a hazard.
struct HazardAreaFinder {
  private var isHazard = false
  private var isCandidate = false
  private var isQualified = false

  /// Adds a tag.
  @inline(__always)
  mutating func add(key: WordClass, value: WordClass) {
    if key.contains(.hazardAreaKey) {
      if value.contains(.hazardAreaValue) { isHazard = true }
      if value.contains(.qualifiedAreaValue) { isCandidate = true }
    }
    if key.contains(.anyHazardAreaKey) { isHazard = true }
    if key.contains(.qualifierKey) { isQualified = true }
  }

  /// Whether an area with the tags so far may be a hazard.
  var mayBeHazard: Bool { isHazard || isCandidate && isQualified }
}
