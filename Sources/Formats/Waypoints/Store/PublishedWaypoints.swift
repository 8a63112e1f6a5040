// SPDX-License-Identifier: Apache-2.0
import CairnSQLiteKit

/// The content of `REGION.waypoints.db` in addition to the table of every store,
/// ``WaypointSchema``: the OpenStreetMap objects of its waypoints, and the source of the data.
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
  /// What a published waypoint is in OpenStreetMap.
  package struct Origin: Equatable, Sendable {
    /// Its kind, such as `mountain-hut`.
    package var kind: String
    /// Its object, such as `n4711`.
    package var object: String
  }
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
  /// The attribution required with the data.
  package static let attribution = "© OpenStreetMap contributors"
  /// The licence of the data.
  package static let licence = "ODbL-1.0"

  /// The keys of `waypoint_metadata`, besides ``waypointCount``.
  package typealias Key = SharedMetadataKey
  /// The key of the number of waypoints.
  package static let waypointCount = "waypoint_count"
}
