// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Diagnostics
import Geodesy
import RoutingDatabase
import SQLiteKit

/// The rows of `routing_nodes`, read in one pass.
///
/// What no place has is NaN here, so that it is found by the rule that is about it and disturbs no
/// other.
struct NodeRows {
  /// Ascending.
  private(set) var ids: [Int64] = []
  /// Where the nodes are, NaN where that is nowhere.
  private(set) var positions: [Coordinate] = []
  /// Metres, NaN where unknown.
  private(set) var elevations: [Double] = []

  /// Reads the table, which may be as many rows as a count says; breaches of `nodes` are added.
  init(_ connection: SQLiteConnection, _ findings: inout Findings) throws(CairnError) {
    let row = try connection.prepare(
      "SELECT id, latitude, longitude, elevation FROM routing_nodes ORDER BY id")
    while try row.step() {
      let position = Coordinate(latitude: number(row, 1), longitude: number(row, 2))
      let elevation = number(row, 3)
      let isPlace = position.isValid
      let isElevation = row.isNull(3) || abs(elevation) <= EdgeElevation.greatestMetres
      if !isPlace || !isElevation {
        let place = [1, 2, 3].map { row.text($0) ?? "nothing" }.joined(separator: ", ")
        findings.add(.nodes, "node \(row.integer(0)): \(place)")
      }
      ids.append(row.integer(0))
      positions.append(isPlace ? position : Coordinate(latitude: .nan, longitude: .nan))
      elevations.append(isElevation ? elevation : .nan)
    }
  }

  /// The place of a node in the columns, or nil if there is none.
  func place(of id: Int64) -> Int? { ids.binarySearch(id) }

  /// The box around all nodes that lie somewhere.
  var boundingBox: BoundingBox? { BoundingBox(around: positions.lazy.filter(\.isValid)) }

  /// The share of nodes with an elevation, 0…1; 0 where there are no nodes.
  var elevationCoverage: Double {
    ids.isEmpty ? 0 : Double(elevations.count { !$0.isNaN }) / Double(ids.count)
  }
}

/// A column of the current row as a number, NaN where it is none.
@inline(__always)
func number(_ row: SQLiteStatement, _ column: Int32) -> Double {
  row.isNumber(column) ? row.number(column) : .nan
}
