// SPDX-License-Identifier: Apache-2.0

/// What `REGION.waypoints.db` has besides the table of every store, ``WaypointSchema``: which
/// objects of OpenStreetMap its waypoints are, and where the data is from.
package enum PublishedWaypoints {
  /// The name of the table of kinds.
  package static let kindsName = "waypoint_kinds"
  /// Each waypoint's kind, such as `mountain-hut`, and its object, such as `n4711`.
  package static let kindsTable = """
    CREATE TABLE waypoint_kinds (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        osm TEXT NOT NULL
    ) WITHOUT ROWID
    """
  /// The name of the table of metadata.
  package static let metadataName = "waypoint_metadata"
  /// The metadata.
  package static let metadataTable = """
    CREATE TABLE waypoint_metadata (
        key TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID
    """

  /// The time of waypoints whose data states none.
  package static let unknownTime = "1970-01-01T00:00:00.000Z"
  /// The attribution that is required wherever the data is shown.
  package static let attribution = "© OpenStreetMap contributors"
  /// The licence of the data.
  package static let licence = "ODbL-1.0"

  /// The keys of `waypoint_metadata`.
  package enum Key {
    /// The version of the schema.
    package static let version = "version"
    /// The time of the OpenStreetMap data, ISO 8601, or `unknown`.
    package static let osmDataDate = "osm_data_date"
    /// `west,south,east,north` of all waypoints, degrees; missing where there are none.
    package static let boundingBox = "bounding_box"
    /// The number of waypoints.
    package static let waypointCount = "waypoint_count"
    /// The tool and its version.
    package static let generator = "generator"
    /// The attribution to show wherever the data is shown.
    package static let attribution = "attribution"
    /// The licence of the data.
    package static let licence = "license"
    /// The shape of the region, `everything` for a whole source.
    package static let region = "region"
    /// The id of the region, if it was given.
    package static let regionID = "region_id"
    /// The display name of the region, if it was given.
    package static let regionName = "region_name"
    /// The SHA-256 of the OpenStreetMap source.
    package static let sourceDigest = "source_sha256"
  }
}
