// SPDX-License-Identifier: Apache-2.0
import CairnSQLiteKit
import CairnTransfer
import Foundation

/// A folder that goes when the test ends, in memory where the system has one there: every transfer is
/// flushed, which takes long on a busy disk.
final class TestFolder: Sendable {
  private static let parent =
    FileManager.default.isWritableFile(atPath: "/dev/shm")
    ? URL(filePath: "/dev/shm") : FileManager.default.temporaryDirectory

  let url = TestFolder.parent.appending(path: "transfer-\(UUID())")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appending(path: name) }

  @discardableResult
  func write(_ data: Data, _ name: String) throws -> URL {
    try data.write(to: file(name))
    return file(name)
  }

  @discardableResult
  func write(_ text: String, _ name: String) throws -> URL { try write(Data(text.utf8), name) }

  /// All files below a folder by their paths there.
  func contents(of name: String) -> [String: Data] {
    let folder = file(name)
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return names.reduce(into: [:]) { all, name in
      all[name] = try? Data(contentsOf: folder.appending(path: name))
    }
  }
}

/// A UUID by a number.
func testID(_ number: Int) -> UUID {
  let digits = String(number)
  let text = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  return UUID(uuidString: text) ?? UUID()
}

let testTime = Date(timeIntervalSince1970: 1_767_323_045)

func testRoute(_ number: Int, name: String = "Route", at time: Date = testTime) -> PlannedRoute {
  let (start, end) = (
    Coordinate(latitude: 47, longitude: 10), Coordinate(latitude: 47.01, longitude: 10)
  )
  return PlannedRoute(
    id: testID(number), name: name, mode: .hiking, startCoordinate: start, endCoordinate: end,
    coordinates: [start, end], turnInstructions: [], totalDistance: 1112, estimatedDuration: 900,
    elevationGain: 0, elevationLoss: 0, createdAt: time)
}

func testWaypoint(_ number: Int, label: String = "Hut", at time: Date = testTime) -> Waypoint {
  Waypoint(
    id: testID(number), latitude: 47.5, longitude: 10.25, timestamp: time, label: label,
    category: .shelter)
}

func testHike(_ number: Int, name: String = "Hike", end: Date = testTime) -> SavedRoute {
  SavedRoute(
    id: testID(number), name: name, from: Coordinate(latitude: 47, longitude: 10),
    to: Coordinate(latitude: 47.1, longitude: 10.1), startTime: testTime - 3600, endTime: end,
    trackData: Data([1, 2, 3]))
}

func testRegion(_ number: Int, name: String = "West") -> TransferRegion {
  TransferRegion(
    regionId: testID(number), name: name, minZoom: 12, maxZoom: 14, tileCount: 2, north: 47.5,
    south: 47, east: 10.5, west: 10, hasRoutingData: true)
}

let testGPX = "<gpx><trk><trkseg><trkpt lat='47' lon='10'/></trkseg></trk></gpx>"

/// A routing database with the core tables and some metadata.
func testDatabase(_ folder: TestFolder, _ name: String, _ metadata: [String: String] = [:]) throws
  -> URL
{
  let file = try folder.write(Data(), name)
  let database = try SQLiteConnection(file.path, .build)
  defer { database.close() }
  try database.execute(
    "CREATE TABLE routing_nodes (id INTEGER PRIMARY KEY, latitude, longitude, elevation)")
  try database.execute(
    """
    CREATE TABLE routing_edges (id INTEGER PRIMARY KEY, from_node, to_node, distance,
      elevation_gain, elevation_loss, surface, highway_type, sac_scale, trail_visibility, name,
      osm_way_id, cost, reverse_cost, is_oneway, geometry)
    """)
  try database.execute("CREATE TABLE routing_metadata (key TEXT PRIMARY KEY, value TEXT)")
  for (key, value) in metadata {
    let row = try database.prepare("INSERT INTO routing_metadata VALUES (?, ?)")
    try row.bind(1, key)
    try row.bind(2, value)
    _ = try row.step()
  }
  return file
}

/// Map tiles of some zooms.
func testTiles(_ folder: TestFolder, _ name: String, zooms: [Int] = [12, 14]) throws -> URL {
  let file = try folder.write(Data(), name)
  let database = try SQLiteConnection(file.path, .build)
  defer { database.close() }
  try database.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
  try database.execute(
    "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)"
  )
  for zoom in zooms { try database.execute("INSERT INTO tiles VALUES (\(zoom), 1, 1, x'00')") }
  return file
}

/// A device that receives.
struct TestDevice {
  let folder: TestFolder
  let waypoints: WaypointStore
  var receiver: TransferReceiver

  init() throws {
    folder = try TestFolder()
    waypoints = WaypointStore(path: folder.file("waypoints.db").path)
    try waypoints.open()
    receiver = TransferReceiver(TransferPlaces(documents: folder.url, waypoints: waypoints))
  }

  /// Ends the app and starts it again.
  mutating func restart() {
    receiver = TransferReceiver(TransferPlaces(documents: folder.url, waypoints: waypoints))
  }

  /// What it has received, without what the receiver remembers.
  var files: [String: Data] {
    folder.contents(of: ".").filter {
      !$0.key.hasPrefix("waypoints.db") && !$0.key.hasPrefix("transfers")
    }
  }
}
