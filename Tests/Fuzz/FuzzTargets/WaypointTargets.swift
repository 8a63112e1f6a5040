// SPDX-License-Identifier: Apache-2.0
import CairnGPX
import CairnPhotos
import CairnTransfer
import CairnWaypoints
import FoundationEssentials
import GPXInput

/// Waypoints from elsewhere: tables, GeoJSON, transfers, databases and photos.
let waypointTargets: [FuzzTarget] = [
  FuzzTarget("waypointcsv") { bytes in
    let read: WaypointImport
    do throws(WaypointImport.Failure) {
      read = try WaypointCSV.read(Array(bytes), fallback: epoch)
    } catch { return }
    let text = WaypointCSV.text(read.waypoints)
    try expectSame(
      try WaypointCSV.read(Array(text.utf8), fallback: epoch).waypoints, read.waypoints)
  },
  FuzzTarget("waypointjson") { bytes in
    let read: WaypointImport
    do throws(WaypointImport.Failure) {
      read = try WaypointGeoJSON.read(Data(bytes), fallback: epoch)
    } catch { return }
    let text = try WaypointGeoJSON(read.waypoints, creator: "fuzz").text()
    try expectSame(
      try WaypointGeoJSON.read(Data(text.utf8), fallback: epoch).waypoints, read.waypoints)
  },
  FuzzTarget("transfer") { bytes in
    let envelope: TransferEnvelope
    do { envelope = try JSONDecoder().decode(TransferEnvelope.self, from: Data(bytes)) } catch {
      let isTyped = error is TransferEnvelope.Failure || error is DecodingError
      return try expect(isTyped, "untyped error: \(error)")
    }
    let json = try JSONEncoder().encode(envelope)
    let again = try JSONDecoder().decode(TransferEnvelope.self, from: json)
    try expect(again == envelope, "written and read again, the transfer differs")
    try expect(
      try TransferEnvelope.fromDictionary(envelope.toDictionary()) == envelope,
      "as a dictionary, the transfer differs")
  },
  FuzzTarget("waypointstore", seeds: { [try seedStore()] }) { bytes in
    try withFile(bytes, named: "waypoints.db") { path in
      let store = WaypointStore(path: path, readOnly: true)
      do throws(WaypointStoreError) {
        try store.open()
        defer { store.close() }
        for waypoint in try store.fetchAll().prefix(10) {
          _ = try store.fetch(id: waypoint.id)
          _ = try store.fetchPhoto(id: waypoint.id)
          _ = try store.fetchNearby(
            latitude: waypoint.latitude, longitude: waypoint.longitude, radiusMeters: 1000)
        }
      } catch { try expect(!error.description.isEmpty, "an error without a text") }
    }
  },
  FuzzTarget("jpeg", seeds: { [seedPicture] }) { bytes in
    // Small ones: the time that a large picture takes is not what is looked for.
    do throws(PhotoError) { _ = try Photo(picture: Array(bytes), mostPixels: 1 << 18) } catch {
      try expect(!error.description.isEmpty, "an error without a text")
    }
  },
]

private let epoch = Date(timeIntervalSince1970: 0)

private func expectSame(_ waypoints: [Waypoint], _ others: [Waypoint]) throws(FuzzFailure) {
  try expect(waypoints == others, "written and read again, waypoints differ")
}

/// A store with two waypoints, one of them with a photo.
private func seedStore() throws -> [UInt8] {
  let folder = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let path = folder.appending(path: "waypoints.db")
  let store = WaypointStore(path: path.path)
  try store.open()
  for number in [1.0, 2] {
    let id = UUID(uuidString: "00000000-0000-4000-8000-00000000000\(Int(number))") ?? UUID()
    let waypoint = Waypoint(
      id: id, latitude: 47 + number, longitude: 10, altitude: 1000, timestamp: epoch,
      label: "Hut", category: .shelter)
    try store.insert(waypoint, photo: number == 1 ? Data([1, 2]) : nil, thumbnail: nil)
  }
  store.close()
  return [UInt8](try Data(contentsOf: path))
}

/// A grey picture of eight by eight pixels with an orientation, as the standard's tables encode it.
private let seedPicture: [UInt8] = {
  var bytes: [UInt8] = [0xFF, 0xD8]
  let exif: [UInt8] =
    Array("Exif\0\0".utf8) + [
      73, 73, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0,
    ]
  bytes += [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
  bytes += [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
  bytes += [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
  // One code of length 1 in each table: no difference, and the end of the block.
  for table: UInt8 in [0x00, 0x10] {
    bytes += [0xFF, 0xC4, 0, 20, table, 1] + [UInt8](repeating: 0, count: 15) + [0]
  }
  return bytes + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x3F, 0xFF, 0xD9]
}()
