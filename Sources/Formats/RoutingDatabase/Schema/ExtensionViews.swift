// SPDX-License-Identifier: Apache-2.0

extension RoutingSchema {
  /// Views that unpack the blocks, for readers that know SQL only: a row for each edge. They need
  /// nothing that SQLite lacks in its smallest build. No reader of this project evaluates a view.
  ///
  /// `routing_bytes` helps them: where a byte stands in `t` is its value plus 1.
  package static let extensionViews: [(name: String, sql: String)] = [
    (
      "routing_bytes",
      "CREATE VIEW routing_bytes AS SELECT x'\(hexadecimal(0...255))' AS t"
    ),
    (
      "routing_costs",
      """
      CREATE VIEW routing_costs AS
      WITH b AS (SELECT p.id AS profile, e.id AS edge, e.cost, e.reverse_cost, t,
        substr(costs, (e.id - 1) % \(edgesPerBlock) * 8 + 1, 8) AS c,
        substr(durations, (e.id - 1) % \(edgesPerBlock) * 8 + 1, 8) AS d
        FROM routing_profiles p NOT INDEXED CROSS JOIN routing_edges e
          CROSS JOIN routing_cost_blocks k
          ON k.id = (p.id << 32) + (e.id - 1) / \(edgesPerBlock) CROSS JOIN routing_bytes)
      SELECT profile, edge,
        CASE WHEN c IS NULL THEN cost ELSE \(float("c", 1)) END AS cost,
        CASE WHEN c IS NULL THEN reverse_cost ELSE \(float("c", 5)) END AS reverse_cost,
        \(float("d", 1)) AS duration,
        \(float("d", 5)) AS reverse_duration FROM b WHERE length(d) = 8
      """
    ),
    (
      "routing_elevation",
      """
      CREATE VIEW routing_elevation AS
      WITH b AS (SELECT e.id AS edge, (e.id - 1) % \(ElevationBlock.edges) AS i, t, slopes, ends,
        profiles, \(byte("slopes", "1")) AS w, \(byte("ends", "1")) AS v
        FROM routing_edges e CROSS JOIN routing_elevation_blocks
          ON block = (e.id - 1) / \(ElevationBlock.edges) CROSS JOIN routing_bytes),
      n AS (SELECT edge, profiles, \(number("slopes", "i", "w")) - (1 << (w * 8 - 1)) AS s,
        CASE i WHEN 0 THEN 0 ELSE \(number("ends", "(i-1)", "v")) END AS a,
        \(number("ends", "i", "v")) AS z FROM b)
      SELECT edge, s / 100.0 AS max_slope, substr(profiles, a + 1, z - a) AS profile
      FROM n WHERE z > a
      """
    ),
    (
      "routing_edge_tags",
      """
      CREATE VIEW routing_edge_tags AS
      WITH b AS (SELECT e.id AS edge, (e.id - 1) % \(edgesPerBlock) AS i, t, tagsets, barriers,
        \(byte("tagsets", "1")) AS w, \(byte("barriers", "1")) AS v
        FROM routing_edges e CROSS JOIN routing_tagset_blocks
          ON block = (e.id - 1) / \(edgesPerBlock) CROSS JOIN routing_bytes)
      SELECT edge, \(number("tagsets", "i", "w")) AS tagset,
        nullif(\(number("barriers", "i", "v")), 0) AS barrier
      FROM b WHERE length(tagsets) > (i + 1) * w
      """
    ),
  ]

  private static func hexadecimal(_ bytes: ClosedRange<Int>) -> String {
    bytes.reduce(into: "") { $0 += ($1 < 16 ? "0" : "") + String($1, radix: 16) }
  }

  /// The byte at a position of a blob, both in SQL, the position counted from 1.
  private static func byte(_ blob: String, _ position: String) -> String {
    "(instr(t,substr(\(blob),\(position),1))-1)"
  }

  private static func short(_ blob: String, _ position: String) -> String {
    "(\(byte(blob, position))+\(byte(blob, "1+" + position))*256)"
  }

  /// A number of ``PackedNumbers`` by its index and its width, all in SQL.
  private static func number(_ blob: String, _ index: String, _ width: String) -> String {
    let position = "\(index)*\(width)+"
    return "\(short(blob, position + "2"))+(\(width)>2)*65536*\(short(blob, position + "4"))"
  }

  /// A positive IEEE 754 number of single precision from ``CostBlock/least`` to
  /// ``CostBlock/greatest``, 0 or infinity. SQLite need not have powers: it shifts.
  private static func float(_ blob: String, _ position: Int) -> String {
    let bytes = (0..<4).map { byte(blob, "\(position + $0)") }
    let exponent = "(\(bytes[3])*2+(\(bytes[2])>>7))"
    return """
      CASE substr(\(blob),\(position),4) WHEN x'0000807f' THEN 9e999 ELSE
        ifnull(((\(bytes[2])&127|128)*65536+\(bytes[1])*256+\(bytes[0]))*1.0
        *(1<<max(\(exponent)-150,0))/(1<<max(150-\(exponent),0)),0.0) END
      """
  }
}
