// SPDX-License-Identifier: Apache-2.0
import CairnSQLiteKit
import CairnWaypoints
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Files of waypoint stores")
struct WaypointFilesTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("waypoints.db") }

  init() throws { folder = try TemporaryFolder() }

  private func build(_ statements: [String]) throws {
    let connection = try SQLiteConnection(path, .build)
    for statement in statements { try connection.execute(statement) }
    connection.close()
  }

  /// A published database with one waypoint.
  private func publish() throws {
    try build(
      [WaypointSchema.table] + WaypointSchema.indexes + [
        "PRAGMA application_id=\(WaypointSchema.applicationID)",
        "PRAGMA user_version=\(WaypointSchema.version)",
        """
        INSERT INTO waypoints (id, latitude, longitude, timestamp, category)
        VALUES ('\(testWaypoint().id)', 47.5, 10.25, '2023-11-14T22:13:20.250Z', 'volcano')
        """,
      ])
  }

  private func error(readOnly: Bool = false) -> WaypointStoreError? {
    let store = WaypointStore(path: path, readOnly: readOnly)
    do throws(WaypointStoreError) {
      try store.open()
      _ = try store.fetchAll()
      return nil
    } catch { return error }
  }

  @Test("an app's own store keeps its journal in WAL mode and has the current version")
  func ownStore() throws {
    let store = WaypointStore(path: path)
    try store.open()
    try store.insert(testWaypoint())
    #expect(try folder.contents.contains("waypoints.db-wal"))
    store.close()
    #expect(try folder.contents == ["waypoints.db"])
    let connection = try SQLiteConnection(path, .readOnly)
    // The header says so; a reader that must not write sees no journal.
    #expect(try folder.read("waypoints.db")[18] == 2)
    #expect(try connection.integer("PRAGMA user_version") == 1)
    #expect(try connection.text("SELECT timestamp FROM waypoints") == "2023-11-14T22:13:20.250Z")
    #expect(try connection.columns(ofTable: "waypoints") == WaypointSchema.columns)
    #expect(
      try connection.integer("SELECT count(*) FROM sqlite_master WHERE name LIKE 'idx_%'") == 2)
  }

  @Test("a store of the original app, without a version, opens with all that it has")
  func original() throws {
    try build(
      WaypointSchema.creation + [
        """
        INSERT INTO waypoints VALUES ('\(testWaypoint().id)', 47.5, 10.25, 1900.5,
          '2023-11-14T22:13:20Z', 'Hut', 'shelter', '', 1, NULL, x'0102', x'03')
        """
      ])
    let store = WaypointStore(path: path)
    try store.open()
    let waypoint = try #require(try store.fetchAll().first)
    #expect(waypoint.label == "Hut" && waypoint.hasPhoto)
    #expect(waypoint.timestamp == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(try store.fetchPhoto(id: waypoint.id) == Data([1, 2]))
  }

  @Test("a store of an app that synchronises keeps its journal and records, and is dated")
  func synchronised() throws {
    try build(
      WaypointSchema.creation + [
        "ALTER TABLE waypoints ADD COLUMN modified_at TEXT",
        "ALTER TABLE waypoints ADD COLUMN cloudkit_record_id TEXT",
        """
        INSERT INTO waypoints (id, latitude, longitude, timestamp, cloudkit_record_id)
        VALUES ('\(testWaypoint().id)', 47.5, 10.25, '2023-11-14T22:13:20Z', 'record 1')
        """,
      ])
    #expect(try folder.read("waypoints.db")[18] == 1, "its journal is no WAL")
    let clock = Mutex(Date(timeIntervalSince1970: 1_800_000_000.5))
    let store = WaypointStore(path: path, patienceMilliseconds: 0, clock: { clock.withLock { $0 } })
    try store.open()
    try store.insert(testWaypoint(2))
    var waypoint = try #require(try store.fetch(id: testWaypoint().id))
    waypoint.label = "Hut"
    try store.update(waypoint)
    func column(_ name: String) throws -> [String?] {
      let connection = try SQLiteConnection(path, .readOnly)
      return try [1, 2].map { number in
        try connection.text(
          "SELECT \(name) FROM waypoints WHERE id = '\(testWaypoint(number).id)'")
      }
    }
    let time = "2027-01-15T08:00:00.500Z"
    #expect(try column("modified_at") == [time, time])
    clock.withLock { $0 += 1 }
    try store.insert(contentsOf: [waypoint])
    #expect(try column("modified_at") == ["2027-01-15T08:00:01.500Z", time])
    #expect(try column("cloudkit_record_id") == ["record 1", nil])
    store.close()
    #expect(try folder.read("waypoints.db")[18] == 1)
    #expect(try folder.contents == ["waypoints.db"])
  }

  @Test("a store that another program has open is named as open where it is only read")
  func openElsewhere() throws {
    let store = WaypointStore(path: path)
    try store.open()
    try store.insert(testWaypoint())
    let files = try folder.contents
    guard case .unclosed(let reason) = error(readOnly: true) else {
      Issue.record("it is \(String(describing: error(readOnly: true)))")
      return
    }
    #expect(reason.contains("is open in another program"))
    #expect(try folder.contents == files)
    store.close()
    #expect(error(readOnly: true) == nil)
  }

  @Test("columns that an earlier database lacks are added; others stay")
  func migration() throws {
    try build([
      """
      CREATE TABLE waypoints (id TEXT PRIMARY KEY, latitude REAL NOT NULL,
        longitude REAL NOT NULL, timestamp TEXT NOT NULL, label TEXT NOT NULL DEFAULT '',
        mood TEXT)
      """,
      """
      INSERT INTO waypoints VALUES
        ('\(testWaypoint().id)', 47.5, 10.25, '2023-11-14T22:13:20Z', 'Hut', 'good')
      """,
    ])
    let store = WaypointStore(path: path)
    try store.open()
    #expect(try store.fetchAll().map(\.label) == ["Hut"])
    #expect(try store.fetchAll().map(\.category) == [.custom])
    try store.insert(testWaypoint(), photo: Data([1]), thumbnail: nil)
    store.close()
    let connection = try SQLiteConnection(path, .readOnly)
    #expect(try connection.text("SELECT mood FROM waypoints") == "good")
  }

  @Test("a published database is read, with an unknown category as custom, and never changed")
  func published() throws {
    try publish()
    let bytes = try folder.read("waypoints.db")
    // As on a medium that cannot be written.
    chmod(path, 0o400)
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    let store = WaypointStore(path: path, readOnly: true)
    try store.open()
    #expect(try store.fetchAll().map(\.category) == [.custom])
    #expect(try store.fetchNearby(latitude: 47.5, longitude: 10.25, radiusMeters: 1).count == 1)
    #expect(throws: WaypointStoreError.self) { try store.insert(testWaypoint(2)) }
    store.close()
    if case .readOnly = error() {} else { Issue.record("it opened for writing") }
    #expect(try folder.contents == ["waypoints.db"])
    #expect(try folder.read("waypoints.db") == bytes)
  }

  @Test("a store that was read has the same bytes, and nothing lies beside it")
  func readingNeverWrites() throws {
    let store = WaypointStore(path: path)
    try store.open()
    try store.insert(testWaypoint())
    store.close()
    let bytes = try folder.read("waypoints.db")
    #expect(error(readOnly: true) == nil)
    #expect(try folder.contents == ["waypoints.db"])
    #expect(try folder.read("waypoints.db") == bytes)
  }

  @Test("what is not a database of waypoints is a typed error and stays as it is")
  func strangers() throws {
    let other = ["CREATE TABLE notes (text)", "INSERT INTO notes VALUES ('mine')"]
    for build in [
      { try folder.write("hello, this is not a database", to: "waypoints.db") },
      { try self.build(other) },
      { try self.build(["CREATE TABLE waypoints (id TEXT, latitude REAL)"]) },
      { try self.build(["CREATE VIEW waypoints AS SELECT 1 AS id"]) },
      {
        try self.build(
          WaypointSchema.creation + [
            "CREATE TRIGGER t AFTER INSERT ON waypoints BEGIN DELETE FROM waypoints; END"
          ])
      },
      { try self.build(["PRAGMA user_version=2"] + WaypointSchema.creation) },
    ] as [() throws -> Any] {
      try? FileManager.default.removeItem(atPath: path)
      _ = try build()
      let bytes = try folder.read("waypoints.db")
      for readOnly in [true, false] {
        switch error(readOnly: readOnly) {
        case .notAStore, .tooNew: break
        case let error: Issue.record("\(String(describing: error))")
        }
      }
      #expect(try folder.read("waypoints.db") == bytes)
      #expect(try folder.contents == ["waypoints.db"])
    }
  }

  @Test("a missing file is unreadable for reading, and a folder in its place is, too")
  func missing() throws {
    if case .unreadable = error(readOnly: true) {} else { Issue.record("it was read") }
    #expect(try folder.contents.isEmpty)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    if case .unreadable = error(readOnly: true) {} else { Issue.record("it was read") }
    if case .notWritten = error() {} else { Issue.record("it was written") }
  }

  @Test(
    "a row with a value that cannot be is a typed error",
    arguments: [
      "id = 'x'", "latitude = 'north'", "latitude = 91", "longitude = 1e300", "altitude = 'high'",
      "altitude = 9e999", "timestamp = 'noon'", "hike_id = 'x'",
    ])
  func badRows(_ change: String) throws {
    try publish()
    let connection = try SQLiteConnection(path, .shared(patienceMilliseconds: 0))
    try connection.execute("UPDATE waypoints SET \(change)")
    connection.close()
    if case .damaged(let reason) = error(readOnly: true) {
      #expect(reason.contains("has a bad"), "\(reason)")
    } else {
      Issue.record("it was read")
    }
  }

  @Test("a store that another program is writing to is locked, and loses nothing")
  func locked() throws {
    let store = WaypointStore(path: path)
    try store.open()
    try store.insert(testWaypoint(1))
    let other = try SQLiteConnection(path, .shared(patienceMilliseconds: 0))
    try other.execute("BEGIN IMMEDIATE")
    let patient = WaypointStore(path: path, patienceMilliseconds: 0)
    let error = #expect(throws: WaypointStoreError.self) {
      try patient.open()
      try patient.insert(testWaypoint(2))
    }
    if case .locked = error {} else { Issue.record("\(String(describing: error))") }
    #expect(try store.fetchAll().count == 1)
    try other.execute("COMMIT")
    try patient.open()
    try patient.insert(testWaypoint(2))
    #expect(try store.fetchAll().count == 2)
  }

  @Test(
    "a database that is damaged anywhere ends in waypoints or in a typed error", arguments: 1...60)
  func damage(_ seed: UInt64) throws {
    let store = WaypointStore(path: path)
    try store.open()
    try store.insert(contentsOf: (1...200).map { testWaypoint($0, label: "waypoint \($0)") })
    store.close()
    var random = SeededGenerator(seed: seed)
    var bytes = try folder.read("waypoints.db")
    for _ in 0..<Int.random(in: 1...20, using: &random) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
    }
    if seed % 3 == 0 { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random)) }
    try folder.write(bytes, to: "waypoints.db")
    _ = error(readOnly: true)
    #expect(try folder.read("waypoints.db") == bytes)
    _ = error()
  }

  @Test("what was inserted is there after the process was killed")
  func killed() throws {
    let store = WaypointStore(path: path)
    try store.open()
    for number in 1...20 { try store.insert(testWaypoint(number)) }
    // A copy of the files as a kill leaves them.
    let copy = try TemporaryFolder()
    for name in try folder.contents where !name.hasSuffix("-shm") {
      try copy.write(try folder.read(name), to: name)
    }
    let again = WaypointStore(path: copy.file("waypoints.db"))
    try again.open()
    #expect(try again.fetchAll().count == 20)
  }

  @Test("a journal that is cut off anywhere loses the end, and nothing before it")
  func cutJournal() throws {
    let store = WaypointStore(path: path)
    try store.open()
    for number in 1...8 { try store.insert(testWaypoint(number)) }
    let database = try folder.read("waypoints.db")
    let journal = try folder.read("waypoints.db-wal")
    var last = 0
    for length in stride(from: 0, through: journal.count, by: 997) {
      let copy = try TemporaryFolder()
      try copy.write(database, to: "waypoints.db")
      try copy.write(Array(journal.prefix(length)), to: "waypoints.db-wal")
      let again = WaypointStore(path: copy.file("waypoints.db"))
      try again.open()
      let ids = try again.fetchAll().map(\.id).sorted { $0.uuidString < $1.uuidString }
      #expect(ids == (0..<ids.count).map { testWaypoint($0 + 1).id })
      #expect(ids.count >= last)
      last = ids.count
    }
    #expect(last >= 7)
  }
}
