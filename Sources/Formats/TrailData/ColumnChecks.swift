// SPDX-License-Identifier: Apache-2.0
import Diagnostics

// The checks of whole columns that files are opened with. A number that passed them can be used
// without a second look: a checksum only tells that the file is as it was written, not that its
// writer was honest.

/// Checks that offsets start at 0, never fall and end at `end`.
func checkOffsets(
  _ offsets: Column<UInt32>, end: Int, _ name: String, _ container: ContainerReader
) throws(CairnError) {
  let isSound = offsets.withUnsafeElements { all in
    guard let first = all.first, let last = all.last, first == 0, Int(last) == end else {
      return false
    }
    var previous: UInt32 = 0
    for offset in all {
      if offset < previous { return false }
      previous = offset
    }
    return true
  }
  guard isSound else { throw container.damage("column \(name) is not in order") }
}

/// Checks that every number of a column is below `limit`.
func checkIndices(
  _ indices: Column<UInt32>, below limit: Int, _ name: String, _ container: ContainerReader
) throws(CairnError) {
  let isSound = indices.withUnsafeElements { all in
    var largest: UInt32 = 0
    for index in all { largest = max(largest, index) }
    return all.isEmpty || Int(largest) < limit
  }
  guard isSound else { throw container.damage("column \(name) points outside its table") }
}

/// Checks that the numbers of a column rise, or at least do not fall where `unique` is false.
func checkAscending<Element: ContainerElement & Comparable>(
  _ column: Column<Element>, unique: Bool = true, _ name: String, _ container: ContainerReader
) throws(CairnError) {
  let isSound = column.withUnsafeElements { all in
    for place in all.indices.dropFirst() {
      let (previous, current) = (all[place - 1], all[place])
      guard previous < current || !unique && previous == current else { return false }
    }
    return true
  }
  guard isSound else { throw container.damage("column \(name) is not in order") }
}

/// Checks that columns hold latitudes and longitudes in 10⁻⁷ degrees.
func checkPositions(
  _ latitudes: Column<Int32>, _ longitudes: Column<Int32>, _ prefix: String,
  _ container: ContainerReader
) throws(CairnError) {
  try checkMagnitude(latitudes, 900_000_000, "\(prefix).latitude", container)
  try checkMagnitude(longitudes, 1_800_000_000, "\(prefix).longitude", container)
}

private func checkMagnitude(
  _ units: Column<Int32>, _ limit: UInt32, _ name: String, _ container: ContainerReader
) throws(CairnError) {
  let isSound = units.withUnsafeElements { all in
    var largest: UInt32 = 0
    for unit in all { largest = max(largest, unit.magnitude) }
    return largest <= limit
  }
  guard isSound else { throw container.damage("column \(name) exceeds the degrees there are") }
}

/// The heights in metres, above or below the sea, that a file may hold: what 16 bits of an
/// elevation tile can say.
let largestElevationMetres: Float = 32_768

/// The length in metres of an edge, and the climb along it, that a file may hold: more than twice
/// around the Earth.
let largestEdgeMetres = 1e8

/// Checks that a column holds elevations or NaN.
func checkElevations(
  _ elevations: Column<Float>, _ name: String, _ container: ContainerReader
) throws(CairnError) {
  let isSound = elevations.withUnsafeElements { all in
    all.allSatisfy { abs($0) <= largestElevationMetres || $0.isNaN }
  }
  guard isSound else { throw container.damage("column \(name) exceeds the heights there are") }
}

/// Checks that a column holds lengths of edges, which are never NaN nor negative.
func checkLengths(
  _ lengths: Column<Double>, _ name: String, _ container: ContainerReader
) throws(CairnError) {
  let isSound = lengths.withUnsafeElements { all in
    all.allSatisfy { $0 >= 0 && $0 <= largestEdgeMetres }
  }
  guard isSound else { throw container.damage("column \(name) holds what is no length") }
}

/// Checks that the profiles of edges hold elevations, none or at least two an edge, and that the
/// edges with a profile are those with a slope. The offsets are known to be sound.
func checkProfiles(
  _ elevations: Column<Float>, _ offsets: Column<UInt32>, _ slopes: Column<Double>,
  _ name: String, _ container: ContainerReader
) throws(CairnError) {
  let areHeights = elevations.withUnsafeElements { all in
    all.allSatisfy { abs($0) <= largestElevationMetres }
  }
  let areWhole = slopes.indices.allSatisfy { edge in
    let count = offsets[edge + 1] - offsets[edge]
    return count == 0
      ? slopes[edge].isNaN : count > 1 && abs(slopes[edge]) <= GraphFile.greatestSlope
  }
  guard areHeights, areWhole else { throw container.damage("column \(name) holds no profiles") }
}
