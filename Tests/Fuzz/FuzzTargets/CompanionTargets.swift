// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Places
import SQLiteKit
import TrailData
import Validation

/// Databases of waypoints and of places.
let companionTargets: [FuzzTarget] = [
  FuzzTarget("waypoints", seeds: { [try waypointDatabase()] }) { bytes in
    try validate(bytes, as: .waypoints)
  },
  FuzzTarget("places") { bytes in try validate(bytes, as: .places) },
]

private func validate(_ bytes: UnsafeRawBufferPointer, as kind: CompanionKind) throws {
  try withFile(bytes, named: "map.\(kind.rawValue).db") { path in
    _ = CompanionKind(file: path)
    try expectTypedError {
      var validator = try CompanionValidator(path, kind)
      return try validator.run()
    }
  }
}

/// A database of a few waypoints.
private func waypointDatabase() throws -> [UInt8] {
  let rows = (1...20).map { id in
    PlaceCollector.Row(
      id: PlaceID.uuid(.node, id), object: "n\(id)", kind: id % 2 == 0 ? .peak : .spring,
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
