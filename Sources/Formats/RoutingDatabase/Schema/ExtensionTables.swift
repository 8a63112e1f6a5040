// SPDX-License-Identifier: Apache-2.0

extension RoutingSchema {
  /// Tables beyond the contract: the profiles of the build, with the costs and times of each edge
  /// (``CostBlock``); and the elevation profile of each edge, where it is known
  /// (``ElevationBlock``).
  ///
  /// `routing_components` has the components of each profile, the longest one with the id 1, and
  /// `routing_islands` the nodes of those components that are islands. Nodes of other components
  /// are not listed.
  ///
  /// `routing_tagset_blocks` and `routing_tags` have the tags that the costs were computed from,
  /// each distinct set once: together with a profile's definition they reproduce every cost.
  /// `tagsets` are those of the edges' ways, ``PackedNumbers``. `barriers` are those of the nodes
  /// that edges represent, 0 for an edge that represents none; NULL in a block without barriers. The
  /// keys `route:foot` and `route:bicycle` are not tags of OpenStreetMap: they name the network of
  /// the most important waymarked route along the edge; nor is `within`, which says what closes the
  /// area that the edge lies in.
  ///
  /// `routing_hazards` has the stretches of edges with hazards that are not those of their ways
  /// (``EdgeHazard``).
  ///
  /// `routing_rules` has what edges cost whose tags say something about times, whatever these are
  /// (``StoredRule``).
  ///
  /// `routing_graph_blocks` has the network by place (``GraphBlock``).
  ///
  /// `routing_way_blocks` has the edges of each way (``WayBlock``).
  package static let extensionTables = [
    """
    CREATE TABLE routing_profiles (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        fingerprint TEXT NOT NULL,
        definition TEXT NOT NULL,
        min_cost_per_metre REAL NOT NULL
    )
    """,
    """
    CREATE TABLE routing_cost_blocks (
        id INTEGER PRIMARY KEY,
        costs BLOB,
        durations BLOB NOT NULL
    )
    """,
    """
    CREATE TABLE routing_elevation_blocks (
        block INTEGER PRIMARY KEY,
        slopes BLOB NOT NULL,
        ends BLOB NOT NULL,
        profiles BLOB NOT NULL
    )
    """,
    """
    CREATE TABLE routing_components (
        profile INTEGER NOT NULL REFERENCES routing_profiles(id),
        component INTEGER NOT NULL,
        nodes INTEGER NOT NULL,
        edges INTEGER NOT NULL,
        distance REAL NOT NULL,
        is_island INTEGER NOT NULL,
        PRIMARY KEY (profile, component)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE routing_islands (
        profile INTEGER NOT NULL REFERENCES routing_profiles(id),
        node INTEGER NOT NULL REFERENCES routing_nodes(id),
        component INTEGER NOT NULL,
        PRIMARY KEY (profile, node)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE routing_tags (
        tagset INTEGER NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (tagset, key)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE routing_tagset_blocks (
        block INTEGER PRIMARY KEY,
        tagsets BLOB NOT NULL,
        barriers BLOB
    )
    """,
    """
    CREATE TABLE routing_hazards (
        edge INTEGER NOT NULL REFERENCES routing_edges(id),
        start_decimetres INTEGER NOT NULL,
        end_decimetres INTEGER NOT NULL,
        osm_type INTEGER NOT NULL,
        osm_id INTEGER NOT NULL,
        tagset INTEGER NOT NULL,
        PRIMARY KEY (edge, start_decimetres, end_decimetres, osm_type, osm_id)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE routing_rules (
        id INTEGER PRIMARY KEY,
        edges BLOB NOT NULL,
        classes BLOB NOT NULL,
        prices BLOB NOT NULL
    )
    """,
    """
    CREATE TABLE routing_graph_blocks (
        block INTEGER PRIMARY KEY,
        graph BLOB NOT NULL
    )
    """,
    """
    CREATE TABLE routing_way_blocks (
        way INTEGER PRIMARY KEY,
        edges BLOB NOT NULL
    )
    """,
  ]
}
