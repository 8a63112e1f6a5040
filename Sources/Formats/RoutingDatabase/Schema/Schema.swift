// SPDX-License-Identifier: Apache-2.0
import CairnSQLiteKit

/// The layout of a `.routing.db`.
///
/// The three core tables and their indexes are a contract with every reader and never change.
/// Anything new is a further table or a further key of `routing_metadata`.
package enum RoutingSchema {
  /// The value of `PRAGMA application_id`: "Crn1".
  package static let applicationID: Int64 = 0x4372_6E31
  /// The value of `PRAGMA user_version` and of the metadata key `version`.
  package static let version: Int64 = 6
  /// The value of the metadata key ``RoutingMetadataKey/contentVersion``. Raised when the same input
  /// gives other rows: other rules, costs or times in the same tables.
  package static let contentVersion = 4

  /// The core tables.
  package static let coreTables = [
    """
    CREATE TABLE routing_nodes (
        id INTEGER PRIMARY KEY,
        latitude REAL NOT NULL,
        longitude REAL NOT NULL,
        elevation REAL
    )
    """,
    """
    CREATE TABLE routing_edges (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        from_node INTEGER NOT NULL REFERENCES routing_nodes(id),
        to_node INTEGER NOT NULL REFERENCES routing_nodes(id),
        distance REAL NOT NULL,
        elevation_gain REAL DEFAULT 0,
        elevation_loss REAL DEFAULT 0,
        surface TEXT,
        highway_type TEXT,
        sac_scale TEXT,
        trail_visibility TEXT,
        name TEXT,
        osm_way_id INTEGER,
        cost REAL NOT NULL,
        reverse_cost REAL NOT NULL,
        is_oneway INTEGER DEFAULT 0,
        geometry BLOB
    )
    """,
    """
    CREATE TABLE routing_metadata (
        key TEXT PRIMARY KEY,
        value TEXT
    )
    """,
  ]

  /// The index of nodes.
  package static let nodeIndex =
    "CREATE INDEX idx_nodes_lat_lon ON routing_nodes(latitude, longitude)"
  /// The indexes of edges.
  package static let edgeIndexes = [
    "CREATE INDEX idx_edges_from ON routing_edges(from_node)",
    "CREATE INDEX idx_edges_to ON routing_edges(to_node)",
  ]

  /// The columns of the core tables, in order.
  package static let coreColumns: [String: [String]] = [
    "routing_nodes": ["id", "latitude", "longitude", "elevation"],
    "routing_edges": [
      "id", "from_node", "to_node", "distance", "elevation_gain", "elevation_loss", "surface",
      "highway_type", "sac_scale", "trail_visibility", "name", "osm_way_id", "cost",
      "reverse_cost", "is_oneway", "geometry",
    ],
    "routing_metadata": ["key", "value"],
  ]

  /// Whether a file that starts with these bytes (at least 72) is a Cairn routing database.
  package static func recognises(head: [UInt8]) -> Bool {
    isDatabase(head: head, ofApplication: applicationID)
  }
}

/// The keys of `routing_metadata`.
public enum RoutingMetadataKey {
  /// The version of the schema.
  public static let version = SharedMetadataKey.version
  /// The version of the rows' meaning: the rules, costs and times by which they were made.
  /// Databases without it have version 1.
  public static let contentVersion = "content_version"
  /// The time of the database, ISO 8601: from the data or SOURCE_DATE_EPOCH, never from the clock.
  public static let createdAt = "created_at"
  /// `west,south,east,north` of all nodes and points, degrees.
  public static let boundingBox = SharedMetadataKey.boundingBox
  /// The number of rows of `routing_nodes`.
  public static let nodeCount = "node_count"
  /// The number of rows of `routing_edges`.
  public static let edgeCount = "edge_count"
  /// The elevation tiles that were used, or `none`.
  public static let elevationSource = "elevation_source"
  /// The time of the OpenStreetMap data, ISO 8601, or `unknown`.
  public static let osmDataDate = SharedMetadataKey.osmDataDate
  /// The day for which seasonal and conditional access was evaluated, `YYYY-MM-DD`, or `unknown`,
  /// which closes every way that depends on it.
  public static let accessDate = "access_date"
  /// The name of the profile whose costs are in `routing_edges`.
  public static let profile = "profile"
  /// The SHA-256 of that profile's canonical form.
  public static let profileFingerprint = "profile_fingerprint"
  /// The least cost per metre of any edge in that profile, which makes A* admissible.
  public static let minimumCostPerMetre = "min_cost_per_metre"
  /// The least cost of each metre by which an edge rises, on top of that, in each profile in the order
  /// of their ids, separated by spaces; absent if the elevation of a node is unknown.
  public static let minimumCostPerMetreUp = "min_cost_per_metre_up"
  /// The same of each metre by which an edge falls.
  public static let minimumCostPerMetreDown = "min_cost_per_metre_down"
  /// Components with fewer metres of passable edges than this are islands.
  public static let islandThreshold = "island_threshold"
  /// The tool and its version.
  public static let generator = SharedMetadataKey.generator
  /// The attribution to show with the data.
  public static let attribution = SharedMetadataKey.attribution
  /// The licence of the data.
  public static let licence = SharedMetadataKey.licence
  /// The shape of the region, `everything` for a whole source.
  public static let region = SharedMetadataKey.region
  /// The id of the region, if it was given.
  public static let regionID = SharedMetadataKey.regionID
  /// The display name of the region, if it was given.
  public static let regionName = SharedMetadataKey.regionName
  /// The SHA-256 of the OpenStreetMap source.
  public static let sourceDigest = SharedMetadataKey.sourceDigest
  /// The kinds of the barriers that separate ways, such as `fence=7;wall=101,202`: values of the tag
  /// `barrier` with nodes of OpenStreetMap. Absent where there are none.
  public static let barriers = "barriers"
}
