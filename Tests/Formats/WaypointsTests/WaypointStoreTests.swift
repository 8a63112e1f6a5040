// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnSQLiteKit
import CairnWaypoints
import Foundation
import TestSupport
import Testing

@Suite("Store of waypoints")
struct WaypointStoreTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("waypoints.db") }

  init() throws { folder = try TemporaryFolder() }

  private func opened(readOnly: Bool = false) throws -> WaypointStore {
    let store = WaypointStore(path: path, readOnly: readOnly)
    try store.open()
    return store
  }

  @Test("what was inserted is fetched: all newest first, of a hike oldest first")
  func orders() throws {
    let store = try opened()
    let hike = UUID()
    let waypoints = [
      testWaypoint(1, seconds: 10, hike: hike), testWaypoint(2, seconds: 0.001),
      testWaypoint(3, seconds: -5, hike: hike), testWaypoint(4, seconds: 10),
    ]
    try store.insert(contentsOf: waypoints)
    #expect(try store.fetchAll() == [waypoints[0], waypoints[3], waypoints[1], waypoints[2]])
    #expect(try store.fetchForHike(hike) == [waypoints[2], waypoints[0]])
    #expect(try store.fetchForHike(UUID()).isEmpty)
    #expect(try store.fetch(id: waypoints[1].id) == waypoints[1])
    #expect(try store.delete(id: waypoints[1].id))
    #expect(try !store.delete(id: waypoints[1].id))
    #expect(try store.fetch(id: waypoints[1].id) == nil)
  }

  @Test("inserting a waypoint again replaces it, and a missing photo erases none")
  func upsert() throws {
    let store = try opened()
    var waypoint = testWaypoint()
    try store.insert(waypoint, photo: Data([1, 2]), thumbnail: Data([3]))
    waypoint.label = "Changed"
    waypoint.altitude = nil
    try store.insert(waypoint)
    waypoint.hasPhoto = true
    #expect(try store.fetchAll() == [waypoint])
    #expect(try store.fetchPhoto(id: waypoint.id) == Data([1, 2]))
    #expect(try store.fetchThumbnail(id: waypoint.id) == Data([3]))
    try store.insert(waypoint, photo: nil, thumbnail: Data([4]))
    #expect(try store.fetchPhoto(id: waypoint.id) == Data([1, 2]))
    #expect(try store.fetchThumbnail(id: waypoint.id) == Data([4]))
    #expect(try store.fetchPhoto(id: UUID()) == nil)
  }

  @Test("update changes what a user can change, and nothing else")
  func update() throws {
    let store = try opened()
    let waypoint = testWaypoint()
    try store.insert(waypoint, photo: Data([1]), thumbnail: nil)
    var changed = waypoint
    changed.label = "L"
    changed.note = ""
    changed.category = .danger
    changed.hikeId = UUID()
    changed.latitude = 0
    changed.hasPhoto = true
    try store.update(changed)
    changed.latitude = waypoint.latitude
    #expect(try store.fetchAll() == [changed])
    #expect(try store.fetchPhoto(id: waypoint.id) == Data([1]))
    let other = testWaypoint(9)
    #expect(throws: WaypointStoreError.notFound(other.id)) { try store.update(other) }
  }

  @Test("hasPhoto follows the photo: an update without it removes photo and thumbnail")
  func photoRemoved() throws {
    let store = try opened()
    var waypoint = testWaypoint()
    waypoint.hasPhoto = true
    try store.insert(waypoint)
    #expect(try store.fetch(id: waypoint.id)?.hasPhoto == false, "there is none")
    try store.update(waypoint)
    #expect(try store.fetch(id: waypoint.id)?.hasPhoto == false, "an update brings none")
    waypoint.hasPhoto = false
    try store.insert(waypoint, photo: nil, thumbnail: Data([3]))
    #expect(try store.fetch(id: waypoint.id)?.hasPhoto == true, "a thumbnail is a photo")
    try store.insert(waypoint, photo: Data([1, 2]), thumbnail: nil)
    try store.insert(waypoint)
    #expect(try store.fetch(id: waypoint.id)?.hasPhoto == true)
    try store.update(waypoint)
    #expect(try store.fetchAll() == [waypoint])
    #expect(try store.fetchPhoto(id: waypoint.id) == nil)
    #expect(try store.fetchThumbnail(id: waypoint.id) == nil)
    store.close()
    let connection = try SQLiteConnection(store.path, .readOnly)
    #expect(try connection.integer("SELECT has_photo FROM waypoints") == 0)
  }

  @Test("waypoints near a point are those within the radius, nearest first", arguments: 1...20)
  func nearby(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    // Around the poles and the antimeridian, too.
    let latitudes = [0, 47, 89.99, -89.99, 90, -90]
    let longitudes = [10, 179.99, -179.99, 180, -180, 0]
    let waypoints = (1...200).map { number in
      let latitude =
        (latitudes.randomElement(using: &random) ?? 0)
        + Double.random(in: -0.05...0.05, using: &random)
      let longitude =
        (longitudes.randomElement(using: &random) ?? 0)
        + Double.random(in: -0.05...0.05, using: &random)
      return testWaypoint(
        number, latitude: min(90, max(-90, latitude)), longitude: min(180, max(-180, longitude)))
    }
    let store = try opened()
    try store.insert(contentsOf: waypoints)
    for _ in 0..<30 {
      let centre = Coordinate(
        latitude: latitudes.randomElement(using: &random) ?? 0,
        longitude: longitudes.randomElement(using: &random) ?? 0)
      let radius: Double =
        [0, 500, 5000, 20_000, 5_000_000, 30_000_000].randomElement(using: &random) ?? 0
      let expected = waypoints.filter { haversineDistance(centre, $0.coordinate) <= radius }
      let found = try store.fetchNearby(
        latitude: centre.latitude, longitude: centre.longitude, radiusMeters: radius)
      #expect(Set(found) == Set(expected), "\(centre) \(radius)")
      let distances = found.map { haversineDistance(centre, $0.coordinate) }
      #expect(distances == distances.sorted())
    }
    for (latitude, radius) in [(Double.nan, 1.0), (91, 1), (47, -1), (47, .nan)] {
      let found = try store.fetchNearby(latitude: latitude, longitude: 10, radiusMeters: radius)
      #expect(found.isEmpty)
    }
  }

  @Test("a waypoint that nobody could read is refused, and nothing of its kind is stored")
  func invalid() throws {
    let store = try opened()
    var infinite = testWaypoint(2)
    infinite.altitude = .infinity
    var timeless = testWaypoint(3)
    timeless.timestamp = Date(timeIntervalSince1970: 1e15)
    for bad in [
      testWaypoint(1, latitude: 91), testWaypoint(1, longitude: .nan), infinite, timeless,
    ] {
      #expect(throws: WaypointStoreError.self) {
        try store.insert(contentsOf: [testWaypoint(7), bad])
      }
    }
    #expect(try store.fetchAll().isEmpty)
  }

  @Test("a store that is closed says so, and opens again with all that it had")
  func closing() throws {
    let store = WaypointStore(path: path)
    #expect(throws: WaypointStoreError.notOpen) { try store.fetchAll() }
    try store.open()
    try store.open()
    try store.insert(testWaypoint())
    store.close()
    store.close()
    #expect(throws: WaypointStoreError.notOpen) { try store.insert(testWaypoint()) }
    try store.open()
    #expect(try store.fetchAll() == [testWaypoint()])
  }

  @Test("many threads write and read at once")
  func threads() async throws {
    let store = try opened()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for index in 0..<25 {
            try store.insert(testWaypoint(thread * 100 + index))
            _ = try store.fetchNearby(latitude: 47.5, longitude: 10.25, radiusMeters: 10)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.fetchAll().count == 200)
  }

  @Test("two stores share a file: a second writer waits, and sees what the first one wrote")
  func sharing() throws {
    let (first, second) = (try opened(), try opened())
    try first.insert(testWaypoint(1))
    try second.insert(testWaypoint(2))
    #expect(try first.fetchAll().count == 2)
  }
}
