// SPDX-License-Identifier: Apache-2.0
import Diagnostics

// What the numbers of a column must be, so that whoever reads them need not ask. Each check throws
// 65 with the name of the column.

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

/// Checks that the ids of a column rise, so that none stands twice.
func checkAscending(
  _ ids: Column<Int64>, _ name: String, _ container: ContainerReader
) throws(CairnError) {
  let isSound = ids.withUnsafeElements { all in
    for place in all.indices.dropFirst() where all[place - 1] >= all[place] { return false }
    return true
  }
  guard isSound else { throw container.damage("column \(name) is not in order") }
}

/// Checks that no position exceeds `limit` units on either side of 0.
func checkDegrees(
  _ units: Column<Int32>, limit: Int32, _ name: String, _ container: ContainerReader
) throws(CairnError) {
  let isSound = units.withUnsafeElements { all in
    var largest: UInt32 = 0
    for unit in all { largest = max(largest, unit.magnitude) }
    return largest <= limit.magnitude
  }
  guard isSound else { throw container.damage("column \(name) exceeds the degrees there are") }
}

/// Checks that all lengths are numbers from 0 to a million kilometres: more than any edge has, and
/// few enough that no sum of them overflows.
func checkMetres(
  _ lengths: Column<Double>, _ name: String, _ container: ContainerReader
) throws(CairnError) {
  let isSound = lengths.withUnsafeElements { all in all.allSatisfy { $0 >= 0 && $0 <= 1e9 } }
  guard isSound else { throw container.damage("column \(name) has what is no length") }
}

/// Checks that all elevations are unknown (NaN) or within 20 km of the sea's level.
func checkElevations(
  _ elevations: Column<Float>, _ name: String, _ container: ContainerReader
) throws(CairnError) {
  let isSound = elevations.withUnsafeElements { all in
    all.allSatisfy { $0.isNaN || abs($0) <= 20_000 }
  }
  guard isSound else { throw container.damage("column \(name) has what is no elevation") }
}
