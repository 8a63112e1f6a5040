// SPDX-License-Identifier: Apache-2.0
import CairnSQLiteKit

/// Runs statements on a database, which is made where it is missing. Nothing is checked: this is
/// how a test makes a database that no stage would write.
///
/// Statements may change the rows of `routing_costs`, `routing_elevation` and `routing_edge_tags`
/// although they are views: see ``changeEdgeRows(_:_:)``.
package func changeDatabase(_ path: String, _ statements: [String]) throws {
  let connection = try SQLiteConnection(path, .build)
  defer { connection.close() }
  for statement in statements { try changeEdgeRows(connection, statement) }
}

/// The rows of a query, each value as text, nil for NULL.
package func rows(of path: String, _ query: String) throws -> [[String?]] {
  let connection = try SQLiteConnection(path, .readOnly)
  defer { connection.close() }
  let statement = try connection.prepare(query)
  var rows: [[String?]] = []
  while try statement.step() {
    rows.append((0..<statement.columnCount).map { statement.text($0) })
  }
  return rows
}

/// The schema that every reader of a routing database relies on, with the comments that its
/// description has.
package let contractSchema = [
  """
  CREATE TABLE routing_nodes (
      id INTEGER PRIMARY KEY,          -- OSM node ID
      latitude REAL NOT NULL,
      longitude REAL NOT NULL,
      elevation REAL                   -- metres ASL; NULL if unknown
  );
  """,
  """
  CREATE TABLE routing_edges (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      from_node INTEGER NOT NULL REFERENCES routing_nodes(id),
      to_node INTEGER NOT NULL REFERENCES routing_nodes(id),
      distance REAL NOT NULL,          -- metres (haversine)
      elevation_gain REAL DEFAULT 0,   -- metres (forward direction)
      elevation_loss REAL DEFAULT 0,   -- metres (forward direction)
      surface TEXT,                    -- OSM surface=* tag
      highway_type TEXT,               -- OSM highway=* tag
      sac_scale TEXT,                  -- SAC hiking difficulty
      trail_visibility TEXT,
      name TEXT,                       -- trail name
      osm_way_id INTEGER,             -- source OSM way ID
      cost REAL NOT NULL,             -- forward traversal cost
      reverse_cost REAL NOT NULL,     -- reverse traversal cost
      is_oneway INTEGER DEFAULT 0,
      geometry BLOB                   -- packed Float32 intermediate coords
  );
  """,
  """
  CREATE TABLE routing_metadata (
      key TEXT PRIMARY KEY,
      value TEXT
  );
  """,
  "CREATE INDEX idx_nodes_lat_lon ON routing_nodes(latitude, longitude);",
  "CREATE INDEX idx_edges_from ON routing_edges(from_node);",
  "CREATE INDEX idx_edges_to ON routing_edges(to_node);",
]

/// Makes a database that has only the core tables, as others write it, and returns its
/// path.
package func plainDatabase(in folder: TemporaryFolder, filledBy statements: [String]) throws
  -> String
{
  let path = folder.file("plain.routing.db")
  try changeDatabase(path, contractSchema + statements)
  return path
}
