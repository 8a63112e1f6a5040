// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnSQLiteKit
import TestSupport
import Testing

/// A statement without comments, line breaks and blanks beside brackets and commas.
private func normalised(_ sql: String) -> String {
  var text = sql.replacing(/--.*/, with: "").replacing(";", with: "")
  text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  for (from, to) in [("( ", "("), (" )", ")"), (" (", "("), (" ,", ","), (", ", ",")] {
    text = text.replacing(from, with: to)
  }
  return text
}

@Suite("The layout of a routing database")
struct SchemaTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try village.routingDatabase(in: folder)
  }

  private func metadata() throws -> [String: String] {
    var values: [String: String] = [:]
    for row in try rows(of: path, "SELECT key, value FROM routing_metadata") {
      values[row[0] ?? ""] = row[1]
    }
    return values
  }

  @Test("tables and indexes of the contract have exactly the agreed SQL")
  func contract() throws {
    let written = try rows(
      of: path,
      """
      SELECT sql FROM sqlite_master WHERE type <> 'view' AND sql IS NOT NULL
        AND name NOT LIKE 'sqlite_%'
        AND name NOT IN ('routing_profiles', 'routing_cost_blocks', 'routing_elevation_blocks',
          'routing_components', 'routing_hazards', 'routing_islands', 
          'routing_rules', 'routing_tags', 'routing_tagset_blocks', 'routing_way_blocks',
          'routing_graph_blocks')
      """
    ).compactMap { $0[0].map(normalised) }
    #expect(written == contractSchema.map(normalised))
  }

  @Test("beyond the contract there are eleven more tables, four views and nothing else")
  func extensions() throws {
    let names = try rows(
      of: path, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    #expect(
      names.map { $0[0] } == [
        "routing_components", "routing_cost_blocks", "routing_edges", "routing_elevation_blocks",
        "routing_graph_blocks", "routing_hazards", "routing_islands", "routing_metadata",
        "routing_nodes", "routing_profiles", "routing_rules", "routing_tags",
        "routing_tagset_blocks", "routing_way_blocks", "sqlite_sequence",
      ])
    let views = try rows(
      of: path, "SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name")
    #expect(
      views.map { $0[0] } == [
        "routing_bytes", "routing_costs", "routing_edge_tags", "routing_elevation",
      ])
  }

  @Test("application id and version identify the file format")
  func identity() throws {
    #expect(try rows(of: path, "PRAGMA application_id") == [["\(0x4372_6E31)"]])
    #expect(try rows(of: path, "PRAGMA user_version") == [["6"]])
    #expect(RoutingSchema.recognises(head: Array(try bytesOfFile(path).prefix(128))))
    #expect(!RoutingSchema.recognises(head: Array(try bytesOfFile(path).prefix(71))))
    #expect(!RoutingSchema.recognises(head: [UInt8](repeating: 0, count: 128)))
  }

  @Test("another SQLite file is not recognised as a routing database")
  func foreign() throws {
    let other = folder.file("other.db")
    try changeDatabase(other, ["CREATE TABLE t(a)"])
    #expect(!RoutingSchema.recognises(head: try bytesOfFile(other)))
  }

  @Test("SQLite finds no damage, and every edge has its nodes")
  func integrity() throws {
    #expect(try rows(of: path, "PRAGMA integrity_check") == [["ok"]])
    #expect(try rows(of: path, "PRAGMA foreign_key_check").isEmpty)
  }

  @Test("there is no journal or write-ahead log beside the database, and none is enabled")
  func noJournal() throws {
    #expect(try folder.contents.filter { $0.hasPrefix("map.routing.db-") }.isEmpty)
    #expect(try rows(of: path, "PRAGMA journal_mode") == [["delete"]])
  }

  @Test("the same map gives the same bytes")
  func reproducible() throws {
    let again = try village.routingDatabase(in: folder, name: "again.routing.db")
    #expect(try bytesOfFile(path) == bytesOfFile(again))
  }

  @Test("the metadata have the version and the provenance of the database")
  func metadataKeys() throws {
    let metadata = try metadata()
    #expect(
      metadata.keys.sorted() == [
        "access_date", "attribution", "bounding_box", "content_version", "created_at", "edge_count",
        "elevation_source", "generator", "island_threshold", "license", "min_cost_per_metre",
        "node_count",
        "osm_data_date", "profile", "profile_fingerprint", "region", "version",
      ])
    #expect(metadata["version"] == "6")
    #expect(metadata["content_version"] == "4")
    #expect(metadata["node_count"] == "5")
    #expect(metadata["edge_count"] == "5")
    #expect(metadata["attribution"] == "© OpenStreetMap contributors")
    #expect(metadata["elevation_source"] == "none")
    #expect(metadata["profile"] == "hiking")
    #expect(metadata["region"] == "everything")
  }

  @Test("the bounding box is that of all points, west, south, east, north")
  func boundingBox() throws {
    let west = try village.coordinate("A")
    let east = try village.coordinate("E")
    #expect(
      try metadata()["bounding_box"]
        == "\(west.longitude),\(east.latitude),\(east.longitude),\(west.latitude)")
  }

  @Test("unknown elevations and missing tags are NULL")
  func nulls() throws {
    #expect(
      try rows(of: path, "SELECT id, elevation FROM routing_nodes ORDER BY id")
        == [["1", "1040.0"], ["2", "1100.0"], ["3", "1100.0"], ["4", "1090.0"], ["5", nil]])
    #expect(
      try rows(
        of: path,
        """
        SELECT surface, highway_type, sac_scale, trail_visibility, name, osm_way_id, geometry
        FROM routing_edges WHERE id = 3
        """) == [[nil, "steps", nil, nil, nil, "102", nil]])
  }

  @Test("the columns of an edge have the tags of its way")
  func columns() throws {
    #expect(
      try rows(
        of: path,
        """
        SELECT from_node, to_node, elevation_gain, elevation_loss, surface, highway_type,
          sac_scale, trail_visibility, name, osm_way_id, is_oneway, length(geometry)
        FROM routing_edges WHERE id = 1
        """) == [
          [
            "1", "2", "65.0", "5.0", "gravel", "path", "mountain_hiking", "good", "Höhenweg",
            "100", "0", "16",
          ]
        ])
  }

  @Test("an impassable direction has an infinite cost")
  func infinity() throws {
    #expect(
      try rows(
        of: path,
        """
        SELECT c.cost = 9e999, c.reverse_cost = 9e999, c.duration = 9e999,
          c.reverse_duration = 9e999
        FROM routing_costs c WHERE c.profile = 2 ORDER BY c.edge
        """) == [
          ["0", "0", "0", "0"], ["0", "1", "0", "1"], ["1", "1", "1", "1"],
          ["1", "1", "1", "1"], ["0", "0", "0", "0"],
        ])
  }

  @Test("all documented queries work")
  func debuggingQueries() throws {
    #expect(try rows(of: path, "SELECT COUNT(*) FROM routing_nodes") == [["5"]])
    #expect(try rows(of: path, "SELECT COUNT(*) FROM routing_edges") == [["5"]])
    #expect(try rows(of: path, "SELECT * FROM routing_metadata").count == 17)
    #expect(
      try rows(
        of: path,
        """
        SELECT id, from_node, to_node, distance, cost, reverse_cost, highway_type, surface
        FROM routing_edges LIMIT 20;
        """
      ).count == 5)
    let uphill = try rows(
      of: path,
      """
      SELECT id, from_node, to_node, elevation_gain, elevation_loss, cost, reverse_cost
      FROM routing_edges
      WHERE elevation_gain > 50
      ORDER BY elevation_gain DESC
      LIMIT 10;
      """)
    #expect(uphill.map { $0[0] } == ["1"])
    #expect(Double(uphill[0][5] ?? "") ?? 0 > Double(uphill[0][6] ?? "") ?? 0)
    #expect(
      try rows(
        of: path,
        """
        SELECT from_node, COUNT(*) as edge_count
        FROM routing_edges
        GROUP BY from_node
        HAVING edge_count > 1
        ORDER BY edge_count DESC
        LIMIT 20;
        """) == [["2", "2"]])
  }

  @Test("a query for both node columns gets the edges of each node")
  func readersQuery() throws {
    let query = { (node: Int) in
      """
      SELECT id FROM routing_edges WHERE from_node = \(node)
      UNION SELECT id FROM routing_edges WHERE to_node = \(node) AND is_oneway = 0 ORDER BY id
      """
    }
    #expect(try rows(of: path, query(2)) == [["1"], ["2"], ["3"]])
    #expect(try rows(of: path, query(3)) == [["2"], ["5"]])
    let cycling = try village.routingDatabase(
      in: folder, name: "cycling.routing.db", profiles: ["cycling"])
    // The end of the one-way street does not lead back into it.
    #expect(try rows(of: cycling, query(2)) == [["1"], ["2"], ["3"]])
    #expect(try rows(of: cycling, query(3)) == [["5"]])
  }
}
