// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SQLiteKit

extension RoutingDatabaseWriter {
  /// Adds all distinct tag sets; their ids count from 1.
  package func addTags(_ sets: [[String: String]]) throws(CairnError) {
    let rows = try BulkInsert(
      connection, table: "routing_tags", columns: ["tagset", "key", "value"],
      total: sets.reduce(0) { $0 + $1.count })
    for (index, tags) in sets.enumerated() {
      // The order of the primary key: bytes, as SQLite compares them.
      let sorted = tags.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      for (key, value) in sorted {
        try rows.add { statement, offset throws(CairnError) in
          try statement.bind(offset + 1, Int64(index + 1))
          try statement.bind(offset + 2, key)
          try statement.bind(offset + 3, value)
        }
      }
    }
    try rows.finish()
  }

  /// Adds the tag sets of all edges, in the order of the edges.
  ///
  /// - Parameters:
  ///   - count: The number of edges.
  ///   - sets: Returns the ids of the tag sets of an edge, by its index: that of its way, and that
  ///     of the barrier, if the edge represents one.
  package func addEdgeTags(
    count: Int, _ sets: (_ edge: Int) -> (way: Int, barrier: Int?)
  ) throws(CairnError) {
    let rows = try BulkInsert(
      connection, table: "routing_edge_tags", columns: ["edge", "tagset", "barrier"], total: count)
    for edge in 0..<count {
      let (way, barrier) = sets(edge)
      try rows.add { statement, offset throws(CairnError) in
        try statement.bind(offset + 1, Int64(edge + 1))
        try statement.bind(offset + 2, Int64(way))
        if let barrier {
          try statement.bind(offset + 3, Int64(barrier))
        } else {
          try statement.bindNull(offset + 3)
        }
      }
    }
    try rows.finish()
  }
}
