// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit
import TrailData
import Validation
import WaypointCollection

/// Databases of waypoints and of places, which the validator takes whatever their headers say.
let companionTargets: [FuzzTarget] = [
  FuzzTarget("companion", seeds: { [try waypointDatabase()] }) { bytes in
    try withFile(bytes, named: "map.db") { path in
      _ = CompanionKind(file: path)
      for kind in [CompanionKind.waypoints, .places] {
        try expectTypedError {
          let validator = try CompanionValidator(path, kind)
          return try validator.run()
        }
      }
    }
  }
]

/// A database of a few waypoints.
private func waypointDatabase() throws -> [UInt8] {
  let rows = (1...20).map { id in
    WaypointCollector.Row(
      id: WaypointID.uuid(.node, id), object: "n\(id)", kind: id % 2 == 0 ? .peak : .spring,
      coordinate: .init(latitude: 425_000_000 + Int32(id), longitude: 15_000_000),
      altitude: id % 3 == 0 ? nil : Double(id), label: "Pic \(id)", note: "Peak")
  }
  let content = WaypointDatabaseContent(
    rows, timestamp: "2026-05-01T20:59:03.000Z", metadata: [(key: "version", value: "1")])
  var bytes: [UInt8] = []
  try DatabasePages(content.content).writeAll { page, offset in
    if bytes.count < offset + page.count {
      bytes += [UInt8](repeating: 0, count: offset + page.count - bytes.count)
    }
    bytes.replaceSubrange(offset..<offset + page.count, with: page)
  }
  return bytes
}
