// SPDX-License-Identifier: Apache-2.0
import CairnGuidance
import CairnSQLiteKit
import CairnTransfer
import FoundationEssentials

/// Files that another device sends: a byte that chooses the envelope, and the file.
let transferTargets: [FuzzTarget] = [
  FuzzTarget("arrival", seeds: { try arrivals() }) { bytes in
    guard let first = bytes.first else { return }
    let envelope = envelopes[Int(first) % envelopes.count]
    try withFile(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()), named: "file") { path in
      let documents = URL(filePath: path + "s")
      defer { try? FileManager.default.removeItem(at: documents) }
      let receiver = TransferReceiver(TransferPlaces(documents: documents))
      do throws(TransferError) {
        _ = try receiver.receive(envelope.toDictionary(), file: URL(filePath: path))
        let again = try receiver.receive(envelope.toDictionary(), file: URL(filePath: path))
        guard again == .unchanged else { throw .notStored(reason: "\(again)") }
      } catch {
        try expect(!error.description.isEmpty, "an error without a text")
        if case .notStored = error { throw FuzzFailure("a file that is checked: \(error)") }
        let left = try files(in: documents).filter { !$0.hasPrefix("transfers") }
        try expect(left.isEmpty, "refused, and yet there: \(left)")
      }
    }
  }
]

private let id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1))

private let region = TransferRegion(
  regionId: id, name: "West", minZoom: 12, maxZoom: 14, tileCount: 2, north: 47.5, south: 47,
  east: 10.5, west: 10, hasRoutingData: true)

private let envelopes: [TransferEnvelope] = [
  .plannedRoute(routeId: id, name: "Route"), .savedRoute(routeId: id, name: nil),
  .gpx(name: "Track"), .routingDatabase(regionId: id, name: "West"), .mapTiles(region),
]

/// The files below a folder, which need not be there.
private func files(in folder: URL) throws -> [String] {
  guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
  return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { name in
    let path = folder.appending(path: name).path
    return try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      == .typeRegular
  }
}

/// A file that is what its envelope says, for each.
private func arrivals() throws -> [[UInt8]] {
  let ends = (Coordinate(latitude: 47, longitude: 10), Coordinate(latitude: 47.01, longitude: 10))
  let time = Date(timeIntervalSince1970: 1_767_323_045)
  let route = PlannedRoute(
    id: id, name: "Route", mode: .hiking, startCoordinate: ends.0, endCoordinate: ends.1,
    coordinates: [ends.0, ends.1], turnInstructions: [], totalDistance: 1112,
    estimatedDuration: 900, elevationGain: 0, elevationLoss: 0, createdAt: time)
  let hike = SavedRoute(
    id: id, name: "Hike", from: ends.0, to: ends.1, startTime: time - 900, endTime: time,
    trackData: Data([1, 2, 3]))
  let track = "<gpx><trk><trkseg><trkpt lat='47' lon='10'/></trkseg></trk></gpx>"
  let contents = [
    [UInt8](try route.json()), [UInt8](try hike.json()), [UInt8](track.utf8),
    try GridDatabase.bytes(), try tiles(),
  ]
  return contents.enumerated().map { [UInt8($0.offset)] + $0.element }
}

private func tiles() throws -> [UInt8] {
  var bytes: [UInt8] = []
  try withFile(UnsafeRawBufferPointer(start: nil, count: 0), named: "new.mbtiles") { path in
    let database = try SQLiteConnection(path, .build)
    for statement in [
      "CREATE TABLE metadata (name TEXT, value TEXT)",
      "CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data)",
      "INSERT INTO tiles VALUES (12, 1, 1, x'00'), (14, 1, 1, x'00')",
    ] { try database.execute(statement) }
    database.close()
    bytes = try bytesOfFile(path)
  }
  return bytes
}
