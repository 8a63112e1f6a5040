// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnGeodesy
import CairnRoutingDatabase
import CairnSQLiteKit

/// The rows of `routing_nodes`, read in one pass.
///
/// Invalid values become NaN, so that one rule reports them and the others ignore them.
struct NodeRows {
  /// Ascending.
  private(set) var ids: [Int64] = []
  /// The coordinates; NaN where they are invalid.
  private(set) var positions: [Coordinate] = []
  /// Metres above sea level; NaN where unknown.
  private(set) var elevations: [Double] = []
  /// The bounding box of all nodes with a valid coordinate.
  private(set) var boundingBox: BoundingBox?
  private var lookup = IDLookup([])

  /// Reads the table; adds breaches of `nodes`.
  init(_ connection: SQLiteConnection, _ budget: inout ReadBudget, _ findings: inout Findings)
    throws(CairnError)
  {
    try connection.scan(
      ["id", "latitude", "longitude", "elevation"], from: "routing_nodes", orderedBy: "id"
    ) { row throws(CairnError) in
      try budget.spend(ReadBudget.nodeBytes)
      let position = Coordinate(latitude: row.number(1), longitude: row.number(2))
      let elevation = row.number(3)
      let isOnEarth = position.isValid
      let isElevation = row.isNull(3) || abs(elevation) <= EdgeElevation.greatestMetres
      if !isOnEarth || !isElevation {
        let values = [1, 2, 3].map { row.text($0) ?? "NULL" }.joined(separator: ", ")
        findings.add(.nodes, "node \(row.integer(0)): \(values)")
      }
      ids.append(row.integer(0))
      positions.append(isOnEarth ? position : Coordinate(latitude: .nan, longitude: .nan))
      elevations.append(isElevation ? elevation : .nan)
    }
    lookup = IDLookup(ids)
    for position in positions where position.isValid {
      boundingBox = boundingBox?.extended(to: position) ?? BoundingBox(at: position)
    }
  }

  /// The index of a node, or nil if it does not exist.
  func index(of id: Int64) -> Int? {
    // Nodes are normally numbered from 1.
    if id > 0, id <= ids.count, ids[Int(id) - 1] == id { return Int(id) - 1 }
    return lookup.index(of: id, in: ids)
  }
}

/// A column of the current row as a number; NaN if it is not one.
@inline(__always)
func number(_ row: SQLiteStatement, _ column: Int32) -> Double {
  row.isNumber(column) ? row.number(column) : .nan
}

/// Finds ids in an ascending list: a table by their leading bits narrows each search to a few.
struct IDLookup {
  /// The bits of a key that are left out, so that there are fewer keys than ids.
  private var shift: UInt64 = 0
  private var firstKey = 0
  /// Where the ids of each key begin, and finally the count; empty if a table is no use.
  private var starts: [Int32] = []

  /// Makes a table for a list.
  init(_ ids: [Int64]) {
    guard let first = ids.first, let last = ids.last else { return }
    let shifts: ClosedRange<UInt64> = 36...56
    let shift = shifts.first { (0..<ids.count).contains(Self.key(last, $0) - Self.key(first, $0)) }
    guard let shift, let count = Int32(exactly: ids.count) else { return }
    self.shift = shift
    firstKey = Self.key(first, shift)
    starts = [Int32](repeating: 0, count: Self.key(last, shift) - firstKey + 2)
    for id in ids {
      // A damaged file may have any order.
      let key = Self.key(id, shift) - firstKey
      if starts.indices.dropLast().contains(key) { starts[key + 1] += 1 }
    }
    for key in starts.indices.dropFirst() { starts[key] += starts[key - 1] }
    if starts.last != count { starts = [] }
  }

  /// A number of at most 28 bits that ascends with the ids: of large ones it tells as much as of
  /// small ones.
  private static func key(_ id: Int64, _ shift: UInt64) -> Int {
    let bits = Double(id).bitPattern
    let ascending = id < 0 ? ~bits : bits | 1 << 63
    return Int(ascending >> shift)
  }

  /// The index of an id in the list that the table was made for; nil if it is not there.
  func index(of id: Int64, in ids: [Int64]) -> Int? {
    if starts.isEmpty { return ids.binarySearch(id) }
    let key = Self.key(id, shift) - firstKey
    guard starts.indices.dropLast().contains(key) else { return nil }
    let range = Int(starts[key])..<Int(starts[key + 1])
    return ids[range].binarySearch(id)
  }
}
