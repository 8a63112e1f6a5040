// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit

// Limits for values of a database.
extension OpenDatabase {
  /// The largest plausible elevation, above or below sea level.
  static let greatestElevation = 20_000.0
  /// The largest plausible length or time, in metres or seconds.
  private static let greatestQuantity = 1e9
  /// The largest plausible finite cost. No sum of such costs overflows.
  private static let greatestCost = 1e18

  /// Whether a number can be a length or a time.
  static func isQuantity(_ value: Double) -> Bool { (0...greatestQuantity).contains(value) }

  /// Whether a number can be a cost.
  @inline(__always)
  static func isCost(_ cost: Double) -> Bool {
    cost > 0 && (cost <= greatestCost || cost.isInfinite)
  }

  /// A length or a time of an edge; NULL, which the schema allows, counts as 0.
  func quantity(_ row: SQLiteStatement, _ column: Int32) throws(CairnError) -> Double {
    let value = row.number(column)
    guard row.isNull(column) || row.isNumber(column), Self.isQuantity(value)
    else {
      throw damage(
        "edge \(row.integer(0)) has an invalid length or time: \(row.text(column) ?? "")")
    }
    return value
  }

  /// A cost of an edge, infinite if impassable. Searches rely on positive costs.
  func cost(_ row: SQLiteStatement, _ column: Int32) throws(CairnError) -> Double {
    let cost = row.number(column)
    guard row.isNumber(column), Self.isCost(cost) else {
      throw damage("edge \(row.integer(0)) has an invalid cost: \(row.text(column) ?? "NULL")")
    }
    return cost
  }

  func damage(_ message: String) -> CairnError {
    CairnError(.damagedDatabase, .dataError, message, at: Location(file: connection.path))
  }
}

extension RoutingStore {
  /// Whether a store believes a number to be a cost.
  package static func isCost(_ cost: Double) -> Bool { OpenDatabase.isCost(cost) }
}
