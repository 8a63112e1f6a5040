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
    for position in positions where position.isValid {
      boundingBox = boundingBox?.extended(to: position) ?? BoundingBox(at: position)
    }
  }

  /// The index of a node, or nil if it does not exist.
  func index(of id: Int64) -> Int? {
    // Nodes are normally numbered from 1.
    if id > 0, id <= ids.count, ids[Int(id) - 1] == id { return Int(id) - 1 }
    return ids.binarySearch(id)
  }

  /// The share of nodes with an elevation, 0…1; 0 if there are no nodes.
  var elevationCoverage: Double {
    ids.isEmpty ? 0 : Double(elevations.count { !$0.isNaN }) / Double(ids.count)
  }
}

/// A column of the current row as a number; NaN if it is not one.
@inline(__always)
func number(_ row: SQLiteStatement, _ column: Int32) -> Double {
  row.isNumber(column) ? row.number(column) : .nan
}
