// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import RoutingDatabase
import SQLiteKit

/// The rules about the tables of profiles, and what they found.
struct ProfileRules {
  private(set) var positiveCosts = Breaches()
  private(set) var complete = Breaches()
  private(set) var admissible = Breaches()
  /// Whether the database has these tables at all.
  private(set) var isPresent = false

  /// Looks at the tables; `edgeCount` is how many edges each profile must have costs for.
  init(_ connection: SQLiteConnection, edgeCount: Int) throws(CairnError) {
    let columns = try [
      "routing_profiles", "routing_costs",
    ].map { table throws(CairnError) in try connection.columns(ofTable: table) }
    isPresent = columns.contains { $0 != nil }
    guard isPresent else { return }
    for (table, known) in zip(Self.columns, columns) where known != table {
      complete.add("the tables of profiles have not the columns that they should have")
      return
    }
    try checkRows(connection)
    try checkProfiles(connection, edgeCount: edgeCount)
  }

  private static let columns = [
    ["id", "name", "fingerprint", "definition", "min_cost_per_metre"],
    ["profile", "edge", "cost", "reverse_cost", "duration", "reverse_duration"],
  ]

  private mutating func checkRows(_ connection: SQLiteConnection) throws(CairnError) {
    let row = try connection.prepare(
      """
      SELECT p.name, c.edge, c.cost, c.reverse_cost, c.duration, c.reverse_duration
      FROM routing_costs c JOIN routing_profiles p ON p.id = c.profile
      """)
    while try row.step() {
      func number(_ column: Int32) -> Double { row.isNumber(column) ? row.number(column) : .nan }
      let (cost, reverseCost) = (number(2), number(3))
      func edge() -> String { "\(row.text(0) ?? ""), edge \(row.integer(1))" }
      guard cost > 0, reverseCost > 0 else {
        positiveCosts.add("\(edge()): costs \(cost) and \(reverseCost)")
        continue
      }
      let (duration, reverseDuration) = (number(4), number(5))
      let isTimed =
        duration >= 0 && reverseDuration >= 0 && duration.isFinite == cost.isFinite
        && reverseDuration.isFinite == reverseCost.isFinite
      if !isTimed { complete.add("\(edge()): takes \(duration) s and \(reverseDuration) s") }
    }
  }

  private mutating func checkProfiles(_ connection: SQLiteConnection, edgeCount: Int)
    throws(CairnError)
  {
    let profile = try connection.prepare(
      """
      SELECT p.name, p.min_cost_per_metre, count(e.id),
        min(CASE WHEN e.distance > 0 AND e.distance <= 1e9 AND min(c.cost, c.reverse_cost) > 0
          THEN min(c.cost, c.reverse_cost) / e.distance END),
        p.id = (SELECT min(id) FROM routing_profiles),
        sum(c.cost IS NOT e.cost OR c.reverse_cost IS NOT e.reverse_cost)
      FROM routing_profiles p LEFT JOIN routing_costs c ON c.profile = p.id
        LEFT JOIN routing_edges e ON e.id = c.edge
      GROUP BY p.id ORDER BY p.id
      """)
    while try profile.step() {
      let name = profile.text(0) ?? ""
      if profile.integer(2) != Int64(edgeCount) {
        complete.add("\(name) has costs for \(profile.integer(2)) edges")
      } else if profile.integer(4) != 0, profile.integer(5) > 0 {
        complete.add("\(name) differs from routing_edges in \(profile.integer(5)) edges")
      }
      let least = profile.isNull(3) ? .infinity : profile.number(3)
      let stated = profile.isNumber(1) ? profile.number(1) : .nan
      if !isBound(stated, of: least) {
        admissible.add("\(name) says \(stated) a metre, an edge costs \(least)")
      }
    }
  }
}

/// Whether a stated least cost of a metre holds for the least one that there is; what rounding adds
/// does not matter.
func isBound(_ stated: Double, of least: Double) -> Bool {
  stated >= 0 && stated.isFinite && stated <= least * (1 + 1e-12)
}
