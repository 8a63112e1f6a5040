// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SQLiteKit

extension RoutingDatabaseWriter {
  func write(_ row: CostBlockBuilder.Row) throws(CairnError) {
    try insert("routing_cost_blocks(id,costs,durations)", row.id, [row.costs, row.durations])
  }

  func write(_ row: ElevationBlockBuilder.Row) throws(CairnError) {
    try insert(
      "routing_elevation_blocks(block,slopes,ends,profiles)", row.block,
      [row.slopes, row.ends, row.profiles])
  }

  func insert(_ table: String, _ id: Int64, _ blobs: [[UInt8]?]) throws(CairnError) {
    let places = blobs.map { _ in ",?" }.joined()
    let statement = try connection.prepare("INSERT INTO \(table) VALUES (?\(places))")
    try statement.bind(1, id)
    for (index, blob) in blobs.enumerated() {
      let parameter = Int32(index + 2)
      if let blob {
        try blob.withUnsafeBufferPointer { bytes throws(CairnError) in
          try statement.bindBlob(parameter, UnsafeRawBufferPointer(bytes))
        }
      } else {
        try statement.bindNull(parameter)
      }
    }
    try statement.step()
  }
}
