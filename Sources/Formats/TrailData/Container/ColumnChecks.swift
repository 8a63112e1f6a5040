// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Synchronization
import SystemIO

// Checks of whole columns when a file is opened. Values that pass need no further checks. Checksums
// only prove that a file is unchanged since it was written, not that its writer was honest.

/// Runs checks on several threads; throws the error of the first failing one in the list.
func checkAll(threads: Int, _ checks: [@Sendable () throws -> Void]) throws(CairnError) {
  let queue = WorkQueue(count: checks.count)
  let failures = Mutex<[(index: Int, error: any Error)]>([])
  runWorkers(min(threads, checks.count)) { _ in
    while let index = queue.next() {
      do { try checks[index]() } catch { failures.withLock { $0.append((index, error)) } }
    }
  }
  guard let first = failures.withLock({ $0.min { $0.index < $1.index } }) else { return }
  throw first.error as? CairnError ?? CairnError("unexpected", .software, "\(first.error)")
}

/// Checks that offsets start at 0, never decrease and end at `end`.
func checkOffsets(
  _ offsets: Column<UInt32>, end: Int, _ name: String, _ container: ContainerReader
) throws(CairnError) {
  let isValid = offsets.withUnsafeElements { all in
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
  guard isValid else { throw container.damage("column \(name) is out of order") }
}

/// Checks that every index in a column is below `limit`.
func checkIndices(
  _ indices: Column<UInt32>, below limit: Int, _ name: String, _ container: ContainerReader
) throws(CairnError) {
  let isValid = indices.withUnsafeElements { all in
    var largest: UInt32 = 0
    for index in all { largest = max(largest, index) }
    return all.isEmpty || Int(largest) < limit
  }
  guard isValid else { throw container.damage("column \(name) has an index out of range") }
}

/// Checks that the values of a column increase, or at least do not decrease if `unique` is false.
func checkAscending<Element: ContainerElement & Comparable>(
  _ column: Column<Element>, unique: Bool = true, _ name: String, _ container: ContainerReader
) throws(CairnError) {
  let isValid = column.withUnsafeElements { all in
    for index in all.indices.dropFirst() {
      let (previous, current) = (all[index - 1], all[index])
      guard previous < current || !unique && previous == current else { return false }
    }
    return true
  }
  guard isValid else { throw container.damage("column \(name) is out of order") }
}

/// Checks that columns contain latitudes and longitudes in 10⁻⁷ degrees.
func checkCoordinates(
  _ latitudes: Column<Int32>, _ longitudes: Column<Int32>, _ prefix: String,
  _ container: ContainerReader
) throws(CairnError) {
  try checkMagnitude(latitudes, 900_000_000, "\(prefix).latitude", container)
  try checkMagnitude(longitudes, 1_800_000_000, "\(prefix).longitude", container)
}

private func checkMagnitude(
  _ units: Column<Int32>, _ limit: UInt32, _ name: String, _ container: ContainerReader
) throws(CairnError) {
  let isValid = units.withUnsafeElements { all in
    var largest: UInt32 = 0
    for unit in all { largest = max(largest, unit.magnitude) }
    return largest <= limit
  }
  guard isValid else { throw container.damage("column \(name) has a coordinate out of range") }
}

/// The largest elevation in metres, above or below sea level, allowed in a file: the limit of a
/// routing database.
let largestElevationMetres: Float = 20_000

/// The largest length, ascent or descent of an edge in metres allowed in a file: more than twice
/// around the Earth.
let largestEdgeMetres = 1e8

/// Checks that a column contains elevations or NaN.
func checkElevations(
  _ elevations: Column<Float>, _ name: String, _ container: ContainerReader
) throws(CairnError) {
  let isValid = elevations.withUnsafeElements { all in
    all.allSatisfy { abs($0) <= largestElevationMetres || $0.isNaN }
  }
  guard isValid else { throw container.damage("column \(name) has an elevation out of range") }
}

/// Checks that a column of edge lengths has no NaN or negative value.
func checkLengths(
  _ lengths: Column<Double>, _ name: String, _ container: ContainerReader
) throws(CairnError) {
  let isValid = lengths.withUnsafeElements { all in
    all.allSatisfy { $0 >= 0 && $0 <= largestEdgeMetres }
  }
  guard isValid else { throw container.damage("column \(name) has a length out of range") }
}

/// Checks that the elevation profile of each edge is empty or has at least two elevations, and that
/// exactly the edges with a profile have a slope. The offsets must be valid.
func checkElevationProfiles(
  _ elevations: Column<Float>, _ offsets: Column<UInt32>, _ slopes: Column<Double>,
  _ name: String, _ container: ContainerReader
) throws(CairnError) {
  let areElevations = elevations.withUnsafeElements { all in
    all.allSatisfy { abs($0) <= largestElevationMetres }
  }
  let areComplete = slopes.indices.allSatisfy { edge in
    let count = offsets[edge + 1] - offsets[edge]
    return count == 0
      ? slopes[edge].isNaN : count > 1 && abs(slopes[edge]) <= GraphFile.maximumSlope
  }
  guard areElevations, areComplete else {
    throw container.damage("column \(name) has an invalid elevation profile")
  }
}
