// SPDX-License-Identifier: Apache-2.0
import CairnSQLiteKit

/// The layout of a database of waypoints: `waypoints.db` of an app, `REGION.waypoints.db` of a
/// bundle.
package enum WaypointSchema {
  /// The value of `PRAGMA application_id` of published databases: "CrnW". An app's own has 0.
  package static let applicationID: Int64 = 0x4372_6E57
  /// The value of `PRAGMA user_version`. Databases made before versions were counted have 0, and
  /// the same table.
  package static let version: Int64 = 1

  /// The table.
  package static let tableName = "waypoints"
  /// Its columns, in order.
  package static let columns = [
    "id", "latitude", "longitude", "altitude", "timestamp", "label", "category", "note",
    "has_photo", "hike_id", "photo_data", "photo_thumbnail",
  ]

  /// The columns and their types. The table's primary key has the index
  /// `sqlite_autoindex_waypoints_1`.
  ///
  /// `id` and `hike_id` are UUIDs in capitals, `timestamp` is written by `timestampText(_:)`,
  /// `category` is the raw value of a ``WaypointCategory``.
  private static let declaration = """
    waypoints (
        id              TEXT PRIMARY KEY,
        latitude        REAL NOT NULL,
        longitude       REAL NOT NULL,
        altitude        REAL,
        timestamp       TEXT NOT NULL,
        label           TEXT NOT NULL DEFAULT '',
        category        TEXT NOT NULL DEFAULT 'custom',
        note            TEXT NOT NULL DEFAULT '',
        has_photo       INTEGER NOT NULL DEFAULT 0,
        hike_id         TEXT,
        photo_data      BLOB,
        photo_thumbnail BLOB
    )
    """

  /// The names of the indexes and their columns.
  private static let indexDeclarations = [
    "idx_waypoints_hike ON waypoints(hike_id)",
    "idx_waypoints_location ON waypoints(latitude, longitude)",
  ]

  /// The table of a new database.
  package static let table = "CREATE TABLE " + declaration
  /// The indexes of a new database.
  package static let indexes = indexDeclarations.map { "CREATE INDEX " + $0 }

  /// The statements run when a store is opened for writing; they do nothing in a database that has
  /// them.
  package static let creation =
    ["CREATE TABLE IF NOT EXISTS " + declaration]
    + indexDeclarations.map { "CREATE INDEX IF NOT EXISTS " + $0 }

  /// Columns that a database from elsewhere may lack.
  static let addedColumns = [
    ("altitude", "REAL"), ("label", "TEXT NOT NULL DEFAULT ''"),
    ("category", "TEXT NOT NULL DEFAULT 'custom'"), ("note", "TEXT NOT NULL DEFAULT ''"),
    ("has_photo", "INTEGER NOT NULL DEFAULT 0"), ("hike_id", "TEXT"), ("photo_data", "BLOB"),
    ("photo_thumbnail", "BLOB"),
  ]

  /// A column of apps that synchronize: the time of the last change, in the format of `timestamp`.
  static let modificationTime = "modified_at"

  /// Whether a file that starts with these bytes (at least 72) is a published database of waypoints
  /// that Cairn wrote.
  package static func recognises(head: [UInt8]) -> Bool {
    isDatabase(head: head, ofApplication: applicationID)
  }
}
