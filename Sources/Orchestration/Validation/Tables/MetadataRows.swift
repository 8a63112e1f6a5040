// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnRoutingDatabase
import CairnSQLiteKit

/// The rows of `routing_metadata`.
struct MetadataRows {
  private(set) var values: [String: String] = [:]

  /// Reads the table.
  init(_ connection: SQLiteConnection, _ budget: inout ReadBudget) throws(CairnError) {
    let row = try connection.prepare("SELECT key, value FROM routing_metadata")
    while try row.step() {
      let (key, value) = (row.text(0) ?? "", row.text(1) ?? "")
      try budget.spend(key.utf8.count + value.utf8.count)
      values[key] = value
    }
  }

  subscript(_ key: String) -> String? { values[key] }

  /// Compares the metadata with the tables.
  func check(_ nodes: NodeRows, _ edges: EdgeRows, _ findings: inout Findings) {
    let counts = [
      (RoutingMetadataKey.nodeCount, nodes.ids.count),
      (RoutingMetadataKey.edgeCount, edges.ids.count),
    ]
    for (key, count) in counts where values[key] != "\(count)" {
      findings.add(.metadata, "\(key) is \(values[key] ?? "missing"), but there are \(count)")
    }
    for key in [
      RoutingMetadataKey.version, RoutingMetadataKey.createdAt, RoutingMetadataKey.osmDataDate,
      RoutingMetadataKey.elevationSource,
    ] where values[key] == nil {
      findings.add(.metadata, "\(key) is missing")
    }
    let stored = values[RoutingMetadataKey.boundingBox] ?? ""
    guard var box = nodes.boundingBox else { return }
    if let points = edges.pointBox {
      box = box.extended(to: Coordinate(latitude: points.south, longitude: points.west))
        .extended(to: Coordinate(latitude: points.north, longitude: points.east))
    }
    // Databases of content version 1 have the box of the points before rounding.
    let mustContain = (values[RoutingMetadataKey.contentVersion].flatMap { Int($0) } ?? 1) > 1
    if !Self.isNear(stored, box, mustContain: mustContain) {
      findings.add(
        .boundingBox, "bounding_box is \(stored.isEmpty ? "missing" : stored), but should be \(box)"
      )
    }
  }

  private static func isNear(_ text: String, _ box: BoundingBox, mustContain: Bool) -> Bool {
    let stored = text.split(separator: ",").compactMap { Double($0) }
    guard stored.count == 4 else { return false }
    let excess = [
      box.west - stored[0], box.south - stored[1], stored[2] - box.east, stored[3] - box.north,
    ]
    return excess.allSatisfy {
      abs($0) <= ContentRules.float32Degrees && !(mustContain && $0 < 0)
    }
  }
}
