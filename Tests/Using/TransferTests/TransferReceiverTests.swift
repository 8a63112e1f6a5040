// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTransfer
import Foundation
import Testing

@Suite("Receiving transfers")
struct TransferReceiverTests {
  private let folder: TestFolder
  private var device: TestDevice

  init() throws {
    folder = try TestFolder()
    device = try TestDevice()
  }

  private func refusal(_ dictionary: [String: Any], _ file: URL? = nil) -> TransferError? {
    do throws(TransferError) {
      let outcome = try device.receiver.receive(dictionary, file: file)
      Issue.record("is stored: \(outcome)")
      return nil
    } catch { return error }
  }

  private func expectRefused(_ dictionary: [String: Any], _ file: URL? = nil, says words: String)
    throws
  {
    let before = device.files
    let error = try #require(refusal(dictionary, file))
    #expect(error.description.contains(words), "\(error)")
    #expect(device.files == before)
  }

  @Test("each kind is stored in its place, told, and unchanged when it comes again")
  func all() throws {
    let region = testRegion(7)
    let route = try folder.write(testRoute(1).json(), "r.json")
    let hike = try folder.write(testHike(2).json(), "h.json")
    let gpx = try folder.write(testGPX, "g.gpx")
    let database = try testDatabase(folder, "d.db", ["region_id": "west"])
    let tiles = try testTiles(folder, "t.mbtiles")
    let documents = device.folder
    let file = { (name: String) in documents.url.appending(path: name) }
    let cases: [(TransferEnvelope, URL?, TransferChange)] = [
      (.plannedRoute(routeId: testID(1), name: "R"), route, .plannedRoute(testID(1))),
      (
        .savedRoute(routeId: testID(2), name: nil), hike,
        .savedRoute(testID(2), file: file("saved_routes/\(testID(2)).json"))
      ),
      (.waypoint(testWaypoint(3), thumbnailData: Data([9])), nil, .waypoint(testID(3))),
      (.gpx(name: "My Tour: 1"), gpx, .gpx(file: file("gpx/My_Tour__1.gpx"))),
      (
        .routingDatabase(regionId: testID(7), name: "W"), database,
        .routingDatabase(regionId: testID(7), file: file("regions/\(testID(7)).routing.db"))
      ),
      (.mapTiles(region), tiles, .mapTiles(region, file: file("regions/\(testID(7)).mbtiles"))),
      (.availableRegions([region]), nil, .availableRegions([region])),
    ]
    for (envelope, file, change) in cases {
      #expect(
        try device.receiver.receive(envelope.toDictionary(), file: file) == .stored(change))
      #expect(try device.receiver.receive(envelope.toDictionary(), file: file) == .unchanged)
    }
    #expect(device.receiver.places.plannedRoutes?.routes == [testRoute(1)])
    #expect(try device.waypoints.fetchAll().map(\.label) == ["Hut"])
    #expect(try device.waypoints.fetchThumbnail(id: testID(3)) == Data([9]))
    #expect(device.receiver.availableRegions == [region])
    let files = device.files
    #expect(try files["saved_routes/\(testID(2)).json"] == testHike(2).json())
    #expect(files["gpx/My_Tour__1.gpx"] == Data(testGPX.utf8))
    #expect(try files["regions/\(testID(7)).mbtiles"] == Data(contentsOf: tiles))
    #expect(!files.keys.contains { $0.contains("/.") })
  }

  @Test("changes are told in their order, and by the notifications of their names")
  func signals() async throws {
    let stream = device.receiver.changes()
    let ofStore = try #require(device.receiver.places.plannedRoutes).changes()
    let receiver = device.receiver
    let seen = Seen()
    let names: [Notification.Name] = [.plannedRouteSyncReceived, .waypointSyncReceived]
    let observers = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: receiver, queue: nil) { note in
        seen.add(note.name.rawValue)
      }
    }
    defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
    let route = try folder.write(testRoute(1).json(), "r.json")
    try receiver.handleReceivedPlannedRoute(
      at: route, metadata: ["routeId": testID(1).uuidString, "name": "R"])
    try receiver.handleReceivedWaypoint(testWaypoint(2).toDictionary())
    try receiver.handleReceivedRegions(["availableRegions": [testRegion(3).toDictionary()]])
    var told: [TransferChange] = []
    for await change in stream {
      told.append(change)
      if told.count == 3 { break }
    }
    #expect(
      told == [
        .plannedRoute(testID(1)), .waypoint(testID(2)), .availableRegions([testRegion(3)]),
      ])
    #expect(seen.names == ["plannedRouteSyncReceived", "waypointSyncReceived"])
    for await change in ofStore {
      #expect(change == .saved(testID(1)))
      break
    }
  }

  @Test("a file that is not what its envelope says is not stored, and the old one stays")
  func otherFiles() throws {
    let route = TransferEnvelope.plannedRoute(routeId: testID(1), name: "R").toDictionary()
    let hike = TransferEnvelope.savedRoute(routeId: testID(1), name: nil).toDictionary()
    let database = TransferEnvelope.routingDatabase(regionId: testID(1), name: "W").toDictionary()
    let tiles = TransferEnvelope.mapTiles(testRegion(1)).toDictionary()
    let gpx = TransferEnvelope.gpx(name: "G").toDictionary()
    try device.receiver.receive(database, file: testDatabase(folder, "good.db"))
    try device.receiver.receive(tiles, file: testTiles(folder, "good.mbtiles"))
    let text = try folder.write("no JSON", "text")
    try expectRefused(route, text, says: "plannedRoute")
    try expectRefused(hike, text, says: "savedRoute")
    try expectRefused(database, text, says: "routingdb")
    try expectRefused(tiles, text, says: "mbtiles")
    try expectRefused(gpx, text, says: "gpx")
    try expectRefused(route, folder.write(testRoute(2).json(), "2"), says: "it has the id")
    try expectRefused(hike, folder.write(testHike(2).json(), "3"), says: "it has the id")
    try expectRefused(route, folder.write(testHike(1).json(), "4"), says: "is missing")
    try expectRefused(tiles, testDatabase(folder, "5"), says: "no such table: tiles")
    try expectRefused(database, testTiles(folder, "6"), says: "has no table")
    try expectRefused(tiles, testTiles(folder, "7", zooms: []), says: "has no tiles")
    try expectRefused(tiles, testTiles(folder, "8", zooms: [12, 15]), says: "zoom 15")
    try expectRefused(
      database, testDatabase(folder, "9", ["region_id": testID(2).uuidString]),
      says: "of the region \(testID(2))")
    // Its tiles say where the region is.
    try expectRefused(
      database, testDatabase(folder, "10", ["bounding_box": "10.45,47,11,47.5"]), says: "it is of")
    try device.receiver.receive(
      database, file: testDatabase(folder, "13", ["bounding_box": "10.2,47.1,10.55,47.55"]))
    let whole = try Data(contentsOf: testDatabase(folder, "11"))
    try expectRefused(
      database, folder.write(whole.prefix(whole.count / 2), "12"), says: "bytes are there")
    try expectRefused(route, nil, says: "none came along")
    try expectRefused(route, folder.file("none"), says: "no such file")
    try expectRefused(route, folder.url, says: "is not a regular file")
    try expectRefused(gpx, URL(filePath: "/dev/zero"), says: "is not a regular file")
    try expectRefused(
      ["type": "plannedRoute", "routeId": "../../x", "name": "R"], text, says: "missing or invalid")
    #expect(
      throws: TransferError.notWhatItSays(
        type: "gpx", reason: "the transfer has the type “plannedRoute”")
    ) { try device.receiver.handleReceivedGPX(at: text, metadata: route) }
  }

  @Test("a file above the limit of its kind is not read")
  func limits() throws {
    let file = try folder.write("", "large.json")
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: UInt64(PlannedRouteStore.maximumFileBytes) + 1)
    try handle.close()
    let route = TransferEnvelope.plannedRoute(routeId: testID(1), name: "R").toDictionary()
    #expect(refusal(route, file) == .tooLarge(type: "plannedRoute", bytes: 67_108_865))
    let waypoint = TransferEnvelope.waypoint(testWaypoint(1), thumbnailData: Data(count: 1 << 17))
    #expect(refusal(waypoint.toDictionary()) == .envelope(.tooLarge(type: "waypoint")))
    #expect(try device.waypoints.fetchAll().isEmpty)
  }

  @Test("what has no place is refused, and what cannot be written may be tried again")
  func noPlace() throws {
    var places = device.receiver.places
    places.waypoints = nil
    places.gpx = nil
    places.regions = folder.file("taken").appending(path: "regions")
    try folder.write("a file", "taken")
    let receiver = TransferReceiver(places)
    let gpx = try folder.write(testGPX, "g.gpx")
    #expect(throws: TransferError.noPlace(type: "gpx")) {
      try receiver.receive(["type": "gpx", "name": "G"], file: gpx)
    }
    #expect(throws: TransferError.noPlace(type: "waypoint")) {
      try receiver.handleReceivedWaypoint(testWaypoint(1).toDictionary())
    }
    do throws(TransferError) {
      try receiver.receive(
        TransferEnvelope.mapTiles(testRegion(1)).toDictionary(), file: testTilesOrNil("t"))
      Issue.record("is stored")
    } catch { #expect(error.mayBeTriedAgain) }
    // A store that is not open.
    device.waypoints.close()
    let failure = refusal(testWaypoint(1).toDictionary().merging(["type": "waypoint"]) { $1 })
    #expect(failure?.mayBeTriedAgain == true)
  }

  private func testTilesOrNil(_ name: String) -> URL? { try? testTiles(folder, name) }

  @Test("two GPX files of one name are both kept, each once")
  func gpxNames() throws {
    let other = testGPX.replacing("47", with: "48")
    let gpx = TransferEnvelope.gpx(name: "../T").toDictionary()
    for text in [testGPX, other, testGPX, other, other] {
      try device.receiver.receive(gpx, file: folder.write(text, "g.gpx"))
    }
    #expect(
      device.files == ["gpx/___T.gpx": Data(testGPX.utf8), "gpx/___T-2.gpx": Data(other.utf8)])
  }

  @Test("an earlier version of a record does not replace a later one, where a time tells")
  func earlier() throws {
    let (old, new) = (testTime, testTime + 60)
    let route = TransferEnvelope.plannedRoute(routeId: testID(1), name: "R").toDictionary()
    let hike = TransferEnvelope.savedRoute(routeId: testID(2), name: nil).toDictionary()
    let database = TransferEnvelope.routingDatabase(regionId: testID(4), name: "W").toDictionary()
    func times(_ time: Date) throws -> [([String: Any], URL?)] {
      let data = [
        RoutingMetadataKey.osmDataDate: time == old
          ? "2026-01-01T00:00:00Z" : "2026-01-02T00:00:00Z"
      ]
      return [
        (route, try folder.write(testRoute(1, at: time).json(), "r\(time == old)")),
        (hike, try folder.write(testHike(2, end: time).json(), "h\(time == old)")),
        (
          TransferEnvelope.waypoint(testWaypoint(3, at: time), thumbnailData: nil).toDictionary(),
          nil
        ),
        (database, try testDatabase(folder, "d\(time == old)", data)),
      ]
    }
    for (dictionary, file) in try times(new) {
      guard case .stored = try device.receiver.receive(dictionary, file: file) else {
        Issue.record("is not stored: \(dictionary)")
        continue
      }
    }
    let before = device.files
    for (dictionary, file) in try times(old) {
      #expect(try device.receiver.receive(dictionary, file: file) == .outdated)
    }
    #expect(device.files == before)
    #expect(try device.waypoints.fetch(id: testID(3))?.timestamp == new)
  }

  @Test("the time of a transfer comes before that of the record, also after a restart")
  mutating func modifiedAt() throws {
    func receive(_ name: String, at seconds: Double, created: Date) throws -> TransferOutcome {
      var dictionary = TransferEnvelope.plannedRoute(routeId: testID(1), name: name).toDictionary()
      dictionary["modifiedAt"] = seconds
      dictionary["transferId"] = UUID().uuidString
      return try device.receiver.receive(
        dictionary, file: folder.write(testRoute(1, name: name, at: created).json(), "r.json"))
    }
    #expect(try receive("b", at: 20, created: testTime) == .stored(.plannedRoute(testID(1))))
    device.restart()
    #expect(try receive("a", at: 10, created: testTime + 99) == .outdated)
    #expect(try receive("c", at: 30, created: testTime - 99) == .stored(.plannedRoute(testID(1))))
    #expect(device.receiver.places.plannedRoutes?.route(id: testID(1))?.name == "c")
  }

  @Test("a record that was deleted here does not come back with a repeated transfer")
  func deleted() throws {
    var dictionary = TransferEnvelope.waypoint(testWaypoint(1), thumbnailData: nil).toDictionary()
    dictionary["transferId"] = testID(9).uuidString
    #expect(try device.receiver.receive(dictionary) == .stored(.waypoint(testID(1))))
    try device.waypoints.delete(id: testID(1))
    #expect(try device.receiver.receive(dictionary) == .unchanged)
    #expect(try device.waypoints.fetchAll().isEmpty)
    dictionary["transferId"] = "none"
    #expect(refusal(dictionary) == .envelope(.badValue(type: "waypoint")))
    dictionary["transferId"] = testID(8).uuidString
    dictionary["modifiedAt"] = Double.infinity
    #expect(refusal(dictionary) == .envelope(.badValue(type: "waypoint")))
  }

  @Test("a damaged memory is begun anew, and nothing is doubled")
  mutating func damagedLedger() throws {
    let gpx = try folder.write(testGPX, "g.gpx")
    let dictionary: [String: Any] = [
      "type": "gpx", "name": "G", "transferId": testID(1).uuidString,
    ]
    try device.receiver.receive(dictionary, file: gpx)
    try device.folder.write("no ledger", "transfers/ledger.json")
    device.restart()
    #expect(try device.receiver.receive(dictionary, file: gpx) == .unchanged)
    #expect(device.files.count == 1)
  }
}

/// What was told, from whatever thread.
private final class Seen: @unchecked Sendable {
  private let lock = NSLock()
  private var all: [String] = []

  func add(_ name: String) { lock.withLock { all.append(name) } }

  var names: [String] { lock.withLock { all } }
}
