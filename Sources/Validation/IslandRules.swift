// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SQLiteKit

/// The rule about the tables of components and islands, and what it found.
struct IslandRules {
  private(set) var breaches = Breaches()
  /// Whether the database has these tables at all.
  private(set) var isPresent = false

  private static let tables = [
    (
      name: "routing_components",
      columns: ["profile", "component", "nodes", "edges", "distance", "is_island"]
    ),
    (name: "routing_islands", columns: ["profile", "node", "component"]),
  ]

  /// Looks at the tables.
  init(_ connection: SQLiteConnection) throws(CairnError) {
    let found = try Self.tables.map { table throws(CairnError) in
      try connection.columns(ofTable: table.name)
    }
    isPresent = found.contains { $0 != nil }
    // Without costs the rule about the tables of profiles is broken already.
    guard isPresent, try connection.columns(ofTable: "routing_costs") != nil else { return }
    for (table, columns) in zip(Self.tables, found) where columns != table.columns {
      breaches.add("the table \(table.name) has not the columns that it should have")
    }
    guard breaches.count == 0 else { return }
    try check(
      connection,
      """
      SELECT c.profile, c.component, 'has ' || count(i.node) || ' nodes listed and not '
        || CASE c.is_island WHEN 1 THEN c.nodes ELSE 0 END
      FROM routing_components c LEFT JOIN routing_islands i
        ON i.profile = c.profile AND i.component = c.component
      GROUP BY c.profile, c.component
      HAVING count(i.node) IS NOT CASE c.is_island WHEN 1 THEN c.nodes ELSE 0 END
      """)
    try check(
      connection,
      """
      SELECT i.profile, i.component, 'is not there, but node ' || i.node || ' belongs to it'
      FROM routing_islands i LEFT JOIN routing_components c
        ON c.profile = i.profile AND c.component = i.component
      WHERE c.component IS NULL
      """)
    try check(
      connection,
      """
      SELECT profile, component, 'is longer than the one before it' FROM
        (SELECT profile, component, distance,
          lag(distance) OVER (PARTITION BY profile ORDER BY component) AS previous
        FROM routing_components) WHERE distance > previous
      """)
    try checkEdges(connection)
  }

  private mutating func check(_ connection: SQLiteConnection, _ query: String) throws(CairnError) {
    let row = try connection.prepare(query)
    while try row.step() {
      breaches.add("profile \(row.integer(0)), component \(row.integer(1)): \(row.text(2) ?? "")")
    }
  }

  /// What leads there and back from a node of an island lies within the island.
  private mutating func checkEdges(_ connection: SQLiteConnection) throws(CairnError) {
    for (near, far) in [("from_node", "to_node"), ("to_node", "from_node")] {
      // CROSS JOIN has SQLite begin with the few nodes of islands.
      let row = try connection.prepare(
        """
        SELECT i.profile, e.id FROM routing_islands i
          CROSS JOIN routing_edges e ON e.\(near) = i.node
          CROSS JOIN routing_costs c ON c.profile = i.profile AND c.edge = e.id
          LEFT JOIN routing_islands o ON o.profile = i.profile AND o.node = e.\(far)
        WHERE c.cost < 9e999 AND c.reverse_cost < 9e999 AND o.component IS NOT i.component
        """)
      while try row.step() {
        breaches.add(
          "profile \(row.integer(0)): edge \(row.integer(1)) leads there and back between two "
            + "components")
      }
    }
  }
}
