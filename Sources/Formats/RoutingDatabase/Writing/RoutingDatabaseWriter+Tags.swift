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
    var block: Int64 = 0
    for start in stride(from: 0, to: count, by: RoutingSchema.edgesPerBlock) {
      let found = (start..<min(start + RoutingSchema.edgesPerBlock, count)).map(sets)
      let barriers = found.contains { $0.barrier != nil } ? found.map { $0.barrier ?? 0 } : nil
      try insert(
        "routing_tagset_blocks(block,tagsets,barriers)", block,
        [PackedNumbers.pack(found.map(\.way)), barriers.map { PackedNumbers.pack($0) }])
      block += 1
    }
  }
}
