// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnSQLiteKit
import CairnTagRules
import CairnWaypoints

/// What a `.waypoints.db` consists of, for `DatabasePages` to write.
package struct WaypointDatabaseContent {
  /// The database.
  package private(set) var content = DatabaseContent(
    applicationID: WaypointSchema.applicationID, userVersion: WaypointSchema.version)

  /// - Parameters:
  ///   - rows: The waypoints, by ascending id, no id twice.
  ///   - timestamp: The time of all of them, as the schema has it.
  ///   - metadata: By ascending key, no key twice.
  package init(
    _ rows: [WaypointCollector.Row], timestamp: String, metadata: [(key: String, value: String)]
  ) {
    addWaypoints(rows, timestamp)
    addIndexes(rows)
    addKinds(rows)
    content.addTable(
      PublishedWaypoints.metadataName, sql: PublishedWaypoints.metadataTable, columns: 2,
      keyColumns: 1
    ) { _, part throws(CairnError) in
      for entry in metadata {
        part.record.add(entry.key)
        part.record.add(entry.value)
        try part.endRow()
      }
    }
  }

  private mutating func addWaypoints(_ rows: [WaypointCollector.Row], _ timestamp: String) {
    content.addTable(
      WaypointSchema.tableName, sql: WaypointSchema.table, columns: WaypointSchema.columns.count
    ) { _, part throws(CairnError) in
      for index in rows.indices {
        let degrees = rows[index].coordinate.degrees
        part.record.add(rows[index].id)
        part.record.add(degrees.latitude)
        part.record.add(degrees.longitude)
        part.record.add(rows[index].altitude ?? .nan)
        part.record.add(timestamp)
        part.record.add(rows[index].label)
        part.record.add(rows[index].kind.category.rawValue)
        part.record.add(rows[index].note)
        // There is no photo and no hike.
        part.record.add(Int64(0))
        part.record.addNull()
        part.record.addNull()
        part.record.addNull()
        try part.endRow(Int64(index + 1))
      }
    }
  }

  private mutating func addIndexes(_ rows: [WaypointCollector.Row]) {
    content.add(
      .init(
        "sqlite_autoindex_\(WaypointSchema.tableName)_1", of: WaypointSchema.tableName, sql: nil,
        columns: 2, isUnique: true)
    ) { _, part throws(CairnError) in
      for index in rows.indices {
        part.record.add(rows[index].id)
        part.record.add(Int64(index + 1))
        try part.endRow()
      }
    }
    content.add(
      .init(
        "idx_waypoints_hike", of: WaypointSchema.tableName, sql: WaypointSchema.indexes[0],
        columns: 2)
    ) { _, part throws(CairnError) in
      for index in rows.indices {
        part.record.addNull()
        part.record.add(Int64(index + 1))
        try part.endRow()
      }
    }
    let order = rows.indices.map {
      (latitude: rows[$0].coordinate.latitude, longitude: rows[$0].coordinate.longitude, index: $0)
    }
    .sorted { $0 < $1 }
    content.add(
      .init(
        "idx_waypoints_location", of: WaypointSchema.tableName, sql: WaypointSchema.indexes[1],
        columns: 3)
    ) { _, part throws(CairnError) in
      for (latitude, longitude, index) in order {
        let degrees = FixedCoordinate(latitude: latitude, longitude: longitude).degrees
        part.record.add(degrees.latitude)
        part.record.add(degrees.longitude)
        part.record.add(Int64(index + 1))
        try part.endRow()
      }
    }
  }

  private mutating func addKinds(_ rows: [WaypointCollector.Row]) {
    content.addTable(
      PublishedWaypoints.kindsName, sql: PublishedWaypoints.kindsTable, columns: 3, keyColumns: 1
    ) { _, part throws(CairnError) in
      for index in rows.indices {
        part.record.add(rows[index].id)
        part.record.add(rows[index].kind.rawValue)
        part.record.add(rows[index].object)
        try part.endRow()
      }
    }
  }
}
