// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase

/// The edge of the way B–D, which is straight and not on an island.
private let edge = "(SELECT id FROM routing_edges WHERE osm_way_id = 102)"
private let nextEdge = "(SELECT max(id) + 1 FROM routing_edges)"

private func update(_ column: String, _ value: String) -> String {
  "UPDATE routing_edges SET \(column) = \(value) WHERE id = \(edge)"
}

private func updateCosts(_ profile: Int, _ change: String) -> String {
  "UPDATE routing_costs SET \(change) WHERE profile = \(profile) AND edge = \(edge)"
}

private func blocks(_ profile: Int, _ change: String) -> String {
  "UPDATE routing_cost_blocks SET \(change) WHERE id >> 32 = \(profile)"
}

private func metadata(_ key: String, _ value: String) -> String {
  "UPDATE routing_metadata SET value = \(value) WHERE key = '\(key)'"
}

/// What climbing costs can only be said if all elevations are known.
let forgetClimbs = "DELETE FROM routing_metadata WHERE key LIKE 'min_cost_per_metre_%'"

private func literal(_ bytes: [UInt8]) -> String {
  "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
}

private func profile(_ elevations: [Float]) -> String {
  "UPDATE routing_elevation SET profile = \(literal(EdgeElevation.pack(elevations) ?? [])) "
    + "WHERE edge = \(edge)"
}

/// The same edge once more, as an edge of the way with this id.
private func copy(way: Int) -> [String] {
  let columns = """
    from_node, to_node, distance, elevation_gain, elevation_loss, surface, highway_type,
    sac_scale, trail_visibility, name
    """
  return [
    """
    INSERT INTO routing_edges
    SELECT \(nextEdge), \(columns), \(way), cost, reverse_cost, is_oneway, geometry
    FROM routing_edges WHERE osm_way_id = 102
    """,
    """
    INSERT INTO routing_costs
    SELECT profile, (SELECT max(id) FROM routing_edges), cost, reverse_cost, duration,
      reverse_duration FROM routing_costs
    WHERE edge = (SELECT min(id) FROM routing_edges WHERE from_node = 2 AND to_node = 4)
    """,
    """
    INSERT INTO routing_edge_tags
    SELECT (SELECT max(id) FROM routing_edges), tagset, barrier FROM routing_edge_tags
    WHERE edge = (SELECT min(id) FROM routing_edges WHERE from_node = 2 AND to_node = 4)
    """,
    """
    INSERT INTO routing_elevation
    SELECT (SELECT max(id) FROM routing_edges), max_slope, profile FROM routing_elevation
    WHERE edge = (SELECT min(id) FROM routing_edges WHERE from_node = 2 AND to_node = 4)
    """,
    metadata("edge_count", "(SELECT count(*) FROM routing_edges)"),
  ]
}

/// Ways to break every rule.
let damageCases: [DamageCase] =
  fileCases + graphCases + elevationCases + costCases + [
    DamageCase("drift", .baseline(["UPDATE routing_edges SET distance = distance * 1.5"])),
    DamageCase("drift", .baseline(["DELETE FROM routing_nodes WHERE id IN (11, 12)"])),
    DamageCase("drift", .baseline(["UPDATE routing_edges SET highway_type = 'x'"])),
    DamageCase("drift", .baseline(["UPDATE routing_costs SET cost = cost * 2"])),
    DamageCase("drift", .baseline(["UPDATE routing_profiles SET name = 'y' WHERE id = 2"])),
  ]

private let fileCases = [
  DamageCase("integrity", .page(3)),
  DamageCase("schema", "DROP INDEX idx_edges_to"),
  DamageCase("schema", "PRAGMA user_version = 99"),
  DamageCase("extension-tables", "DROP TABLE routing_costs"),
  DamageCase("extension-tables", "DROP TABLE routing_elevation"),
  DamageCase("extension-tables", "DROP TABLE routing_islands"),
  DamageCase("extension-tables", "DROP TABLE routing_cost_blocks"),
  DamageCase("extension-tables", "DROP TABLE routing_tagset_blocks"),
  DamageCase("extension-tables", "DROP TABLE routing_rules"),
  DamageCase("extension-tables", "DROP TABLE routing_way_blocks"),
  DamageCase("extension-tables", "DROP TABLE routing_graph_blocks"),
  DamageCase("extension-tables", "DROP VIEW routing_bytes"),
  DamageCase("extension-tables", "ALTER TABLE routing_cost_blocks ADD COLUMN more BLOB"),
  DamageCase("extension-tables", "ALTER TABLE routing_tags ADD COLUMN more TEXT"),
  DamageCase("foreign-keys", update("to_node", "4711")),
  DamageCase("foreign-keys", update("to_node", "'x'")),
  DamageCase("foreign-keys", "INSERT INTO routing_costs VALUES (9, 1, 5, 5, 5, 5)"),
  DamageCase(
    "foreign-keys",
    "INSERT INTO routing_cost_blocks VALUES ((2 << 32) + 7, zeroblob(8), zeroblob(8))"
  ),
  DamageCase("foreign-keys", "INSERT INTO routing_cost_blocks VALUES (-5, NULL, zeroblob(8))"),
  DamageCase("foreign-keys", "INSERT INTO routing_islands VALUES (9, 1, 1)"),
  DamageCase("foreign-keys", "INSERT INTO routing_islands VALUES (1, 4711, 1)"),
  DamageCase("foreign-keys", "INSERT INTO routing_elevation_blocks VALUES (1, x'02', x'02', x'')"),
  DamageCase("foreign-keys", "INSERT INTO routing_tagset_blocks VALUES (-1, x'020100', NULL)"),
  DamageCase("metadata", metadata("node_count", "'6'")),
  DamageCase("metadata", "DELETE FROM routing_metadata WHERE key = 'edge_count'"),
  DamageCase("metadata", "DELETE FROM routing_metadata WHERE key = 'created_at'"),
  DamageCase("metadata", metadata("profile", "'walking'")),
  DamageCase("metadata", metadata("profile_fingerprint", "'00'")),
  DamageCase(
    "size", .plain(["CREATE TABLE other AS SELECT zeroblob(2000000) AS filling"])),
]

private let graphCases = [
  DamageCase("bounding-box", metadata("bounding_box", "'0,0,1,1'")),
  DamageCase("bounding-box", metadata("bounding_box", "'nan'")),
  // The first number is the western edge.
  DamageCase(
    "bounding-box",
    metadata("bounding_box", "(value + 1e-7) || substr(value, instr(value, ','))")),
  DamageCase("bounding-box", "DELETE FROM routing_metadata WHERE key = 'bounding_box'"),
  DamageCase("nodes", "UPDATE routing_nodes SET latitude = 'north' WHERE id = 4"),
  DamageCase("nodes", "UPDATE routing_nodes SET latitude = 91 WHERE id = 4"),
  DamageCase("nodes", "UPDATE routing_nodes SET longitude = -9e999 WHERE id = 4"),
  DamageCase(
    "unused-nodes", "INSERT INTO routing_nodes VALUES (99, 46.9995, 10.001, 900)",
    metadata("node_count", "value + 1")),
  DamageCase("length", update("distance", "distance - 0.1")),
  DamageCase("length", update("distance", "-1")),
  DamageCase("length", update("distance", "'far'")),
  DamageCase("length", update("distance", "9e999")),
  DamageCase("geometry", update("geometry", "x'000000'")),
  DamageCase("geometry", update("geometry", "x'0000C07F0000C07F'")),
  DamageCase(
    "polyline",
    update(
      "geometry",
      literal(EdgeGeometry.pack([.init(latitude: 46.9995, longitude: 10.002)])))),
  DamageCase("polyline", update("distance", "distance + 1")),
  DamageCase("graph", "DELETE FROM routing_graph_blocks"),
  DamageCase("graph", "DELETE FROM routing_graph_blocks WHERE block = 0"),
  DamageCase("graph", "UPDATE routing_graph_blocks SET block = block + 1 WHERE block = 0"),
  DamageCase("graph", "UPDATE routing_graph_blocks SET graph = graph || x'00'"),
  DamageCase(
    "graph", "UPDATE routing_graph_blocks SET graph = substr(graph, 1, length(graph) - 1)"),
  DamageCase("ways", "DELETE FROM routing_way_blocks"),
  DamageCase("ways", "UPDATE routing_way_blocks SET way = way + 1"),
  DamageCase("ways", "UPDATE routing_way_blocks SET edges = substr(edges, 1, 3)"),
  DamageCase("ways", "UPDATE routing_way_blocks SET edges = edges || x'010102'"),
  DamageCase("ways", "UPDATE routing_way_blocks SET edges = edges || x'80'"),
  DamageCase("duplicate-edges", .ours(copy(way: 102))),
  DamageCase("overlapping-edges", .ours(copy(way: 4711))),
  DamageCase("sac-scale", .plain(["UPDATE routing_edges SET sac_scale = 'T9'"])),
  DamageCase("sac-scale", .plain(["UPDATE routing_edges SET sac_scale = 'hiking;steep'"])),
  DamageCase("surfaces", .plain(["UPDATE routing_edges SET surface = 'lava'"])),
]

private let elevationCases = [
  DamageCase("climb", update("elevation_gain", "500")),
  DamageCase("climb", update("elevation_loss", "-1")),
  DamageCase("climb", update("elevation_gain", "'high'")),
  DamageCase("elevation-profiles", "UPDATE routing_elevation SET profile = x'02' WHERE edge = 3"),
  DamageCase(
    "elevation-profiles", "UPDATE routing_elevation_blocks SET slopes = substr(slopes, 1, 7)"),
  DamageCase("elevation-profiles", "UPDATE routing_elevation_blocks SET ends = x'03'"),
  DamageCase("elevation-profiles", "UPDATE routing_elevation_blocks SET profiles = 'text'"),
  DamageCase(
    "elevation-profiles",
    "UPDATE routing_elevation_blocks SET profiles = zeroblob(length(profiles))"),
  // The slope of the first edge becomes unknown.
  DamageCase(
    "elevation-profiles",
    "UPDATE routing_elevation_blocks SET slopes = CAST(x'020000' || substr(slopes, 4) AS BLOB)"),
  DamageCase("elevation-profiles", profile([1010, 1000])),
  DamageCase("elevation-agreement", profile([1010, 1009, 1008, 1007, 1006, 1005, 1004, 1003])),
  DamageCase("elevation-agreement", profile([1010, 1009, 1015, 1007, 1006, 1005, 1004, 1000])),
  DamageCase(
    "elevation-agreement",
    "UPDATE routing_elevation SET max_slope = max_slope + 5 WHERE edge = \(edge)"),
  DamageCase(
    "elevation-coverage", "UPDATE routing_nodes SET elevation = NULL WHERE id = 5",
    "DELETE FROM routing_elevation", forgetClimbs),
]

private let costCases = [
  DamageCase("positive-costs", update("cost", "-5")),
  DamageCase("positive-costs", updateCosts(2, "cost = 0")),
  DamageCase("positive-costs", updateCosts(2, "reverse_cost = 'x'")),
  DamageCase("cost-covers-distance", .plain(["UPDATE routing_edges SET cost = 100"])),
  DamageCase(
    "straight-line-bound",
    .plain([
      "INSERT INTO routing_metadata VALUES ('profile', 'swift')",
      "UPDATE routing_edges SET cost = 100",
    ])),
  DamageCase("oneway", update("is_oneway", "1")),
  DamageCase("oneway", update("is_oneway", "2")),
  DamageCase("oneway", update("is_oneway", "NULL")),
  DamageCase("oneway", update("is_oneway", "'yes'")),
  DamageCase("oneway", "UPDATE routing_edges SET is_oneway = 0"),
  DamageCase("admissible", metadata("min_cost_per_metre", "'99'")),
  DamageCase("admissible", metadata("min_cost_per_metre", "'much'")),
  DamageCase("admissible", "UPDATE routing_profiles SET min_cost_per_metre = 99 WHERE id = 2"),
  DamageCase("admissible", metadata("min_cost_per_metre_up", "'99 0'")),
  DamageCase("admissible", metadata("min_cost_per_metre_down", "'0 99'")),
  DamageCase("admissible", metadata("min_cost_per_metre_up", "'-1 0'")),
  DamageCase("admissible", metadata("min_cost_per_metre_down", "'0'")),
  DamageCase("admissible", "DELETE FROM routing_metadata WHERE key = 'min_cost_per_metre_up'"),
  DamageCase("admissible", "UPDATE routing_profiles SET min_cost_per_metre = -1 WHERE id = 1"),
  DamageCase("positive-costs", "DELETE FROM routing_costs WHERE profile = 2 AND edge = 3"),
  DamageCase("profile-costs", blocks(2, "durations = substr(durations, 9)")),
  DamageCase("profile-costs", blocks(2, "costs = zeroblob(8008)")),
  DamageCase("profile-costs", blocks(2, "costs = 'x'")),
  DamageCase("profile-costs", blocks(2, "costs = NULL")),
  DamageCase("profile-costs", blocks(2, "durations = 5")),
  DamageCase("profile-costs", blocks(1, "costs = durations")),
  DamageCase("profile-costs", "DELETE FROM routing_costs WHERE profile = 2"),
  DamageCase("profile-costs", updateCosts(1, "cost = 9999")),
  DamageCase("profile-costs", updateCosts(2, "duration = -1")),
  DamageCase("profile-costs", updateCosts(2, "duration = 9e999")),
  DamageCase(
    "profile-definitions", "UPDATE routing_profiles SET definition = '{}' WHERE id = 2"),
  DamageCase(
    "profile-definitions", "UPDATE routing_profiles SET fingerprint = '00' WHERE id = 2"),
  DamageCase("edge-tags", "UPDATE routing_edges SET surface = 'sand' WHERE surface = 'gravel'"),
  DamageCase("edge-tags", "UPDATE routing_edges SET highway_type = NULL WHERE id = 1"),
  DamageCase("edge-tags", "DELETE FROM routing_edge_tags WHERE edge = 1"),
  DamageCase("edge-tags", "DELETE FROM routing_tagset_blocks"),
  DamageCase("edge-tags", "UPDATE routing_tagset_blocks SET tagsets = x'05'"),
  DamageCase("edge-tags", "UPDATE routing_tagset_blocks SET tagsets = 'text'"),
  DamageCase("edge-tags", "UPDATE routing_tagset_blocks SET barriers = x'020000'"),
  DamageCase("hazards", "INSERT INTO routing_hazards VALUES (1, 0, 100000000, 0, 1, 1)"),
  DamageCase("hazards", "INSERT INTO routing_hazards VALUES (1, -1, 0, 0, 1, 1)"),
  DamageCase("hazards", "INSERT INTO routing_hazards VALUES (1, 1, 0, 0, 1, 1)"),
  DamageCase("hazards", "INSERT INTO routing_hazards VALUES (1, 0, 0, 3, 1, 1)"),
  DamageCase("hazards", "INSERT INTO routing_hazards VALUES (1, 'x', 0, 0, 1, 1)"),
  DamageCase("hazards", "INSERT INTO routing_hazards VALUES (1, 0, 0, 0, 1, 1)"),
  DamageCase("recomputed-costs", updateCosts(2, "cost = cost * 1.001")),
  DamageCase("recomputed-costs", updateCosts(2, "reverse_cost = reverse_cost + 0.001")),
  DamageCase("recomputed-costs", updateCosts(1, "duration = duration + 1")),
  DamageCase("recomputed-costs", updateCosts(2, "reverse_duration = reverse_duration * 2")),
  DamageCase("recomputed-costs", "UPDATE routing_edge_tags SET barrier = NULL"),
  DamageCase("recomputed-costs", "DELETE FROM routing_rules"),
  DamageCase("recomputed-costs", "UPDATE routing_rules SET classes = x'01'"),
  DamageCase("recomputed-costs", "UPDATE routing_rules SET prices = zeroblob(length(prices))"),
  DamageCase("recomputed-costs", "UPDATE routing_rules SET edges = x'05'"),
  DamageCase(
    "recomputed-costs", "UPDATE routing_tags SET value = '00:12' WHERE key = 'duration'"),
  DamageCase("islands", "UPDATE routing_components SET nodes = nodes + 1 WHERE is_island = 1"),
  DamageCase("islands", "UPDATE routing_components SET edges = edges + 1 WHERE is_island = 1"),
  DamageCase("islands", "UPDATE routing_components SET is_island = 0"),
  DamageCase("islands", "UPDATE routing_components SET distance = 1e6 WHERE component = 2"),
  DamageCase("islands", "DELETE FROM routing_islands WHERE profile = 1"),
  DamageCase("islands", "INSERT INTO routing_islands VALUES (1, 3, 1)"),
  DamageCase("islands", "INSERT INTO routing_islands VALUES (1, 3, 7)"),
  DamageCase("recomputed-costs", metadata("access_date", "'2020-07-01'")),
  DamageCase("islands", "DELETE FROM routing_components WHERE component > 1"),
  DamageCase(
    "components",
    .plain([
      "INSERT INTO routing_nodes VALUES (3, 47.0005, 10, 800), (4, 47.001, 10, 805)",
      """
      INSERT INTO routing_edges(from_node, to_node, distance, elevation_gain, cost, reverse_cost)
      VALUES (3, 4, 55.6, 5, 190, 150)
      """,
      metadata("node_count", "'4'"), metadata("edge_count", "'2'"),
    ])),
]
