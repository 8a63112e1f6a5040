// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SQLiteKit

extension RoutingDatabaseWriter {
  /// Adds all distinct sets of tags; they get the numbers from 1 on.
  public func addTags(_ sets: [[String: String]]) throws(CairnError) {
    let rows = try BulkInsert(
      connection, table: "routing_tags", columns: ["tagset", "key", "value"],
      total: sets.reduce(0) { $0 + $1.count })
    for (place, tags) in sets.enumerated() {
      // The order of the primary key: bytes, as SQLite compares them.
      let sorted = tags.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      for (key, value) in sorted {
        try rows.add { statement, offset throws(CairnError) in
          try statement.bind(offset + 1, Int64(place + 1))
          try statement.bind(offset + 2, key)
          try statement.bind(offset + 3, value)
        }
      }
    }
    try rows.finish()
  }

  /// Adds the number of the set of tags of every edge, in the order of the edges.
  public func addEdgeTags(_ sets: some Collection<Int>) throws(CairnError) {
    let rows = try BulkInsert(
      connection, table: "routing_edge_tags", columns: ["edge", "tagset"], total: sets.count)
    var edge: Int64 = 0
    for set in sets {
      edge += 1
      try rows.add { statement, offset throws(CairnError) in
        try statement.bind(offset + 1, edge)
        try statement.bind(offset + 2, Int64(set))
      }
    }
    try rows.finish()
  }
}
