// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnLocks
import CairnSQLiteKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A database of waypoints: an app's own, or a published one. Safe to use from any thread; other
/// programs may use the same file.
///
/// ```swift
/// let store = WaypointStore(path: documents + "/waypoints.db")
/// try store.open()
/// try store.insert(waypoint, photo: photo, thumbnail: thumbnail)
/// let near = try store.fetchNearby(latitude: 47.05, longitude: 10.08, radiusMeters: 500)
/// ```
///
/// A new store uses a journal in WAL mode; an existing one keeps its own journal mode and
/// additional columns. Inserted waypoints survive a crash. If the table has a column `modified_at`,
/// each change sets it to the current time. Opening a database read-only changes neither it nor its
/// folder.
public final class WaypointStore: Sendable {
  /// The path of the database.
  public let path: String
  /// Whether the database is opened for reading only.
  public let isReadOnly: Bool
  private let database = Mutex<OpenWaypoints?>(nil)
  private let patienceMilliseconds: Int32
  private let clock: @Sendable () -> Date

  /// Makes a store for a path, without opening the database.
  ///
  /// - Parameters:
  ///   - path: The file of the database.
  ///   - readOnly: Whether to open it only for reading. A published database, such as
  ///     `REGION.waypoints.db` of a bundle, can only be opened like this.
  public convenience init(path: String, readOnly: Bool = false) {
    self.init(path: path, readOnly: readOnly, patienceMilliseconds: 5000)
  }

  /// Makes a store for a file; see ``init(path:readOnly:)``.
  public convenience init(url: URL, readOnly: Bool = false) {
    self.init(path: url.path, readOnly: readOnly)
  }

  /// Makes a store with another clock, and another time to wait while another program is writing.
  package init(
    path: String, readOnly: Bool = false, patienceMilliseconds: Int32,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.clock = clock
    self.path = path
    isReadOnly = readOnly
    self.patienceMilliseconds = patienceMilliseconds
  }

  /// Opens the database. Unless read-only, creates it if missing and migrates one of an earlier
  /// version without loss. Does nothing if it is already open.
  ///
  /// Throws ``WaypointStoreError``; a file that is not a database of waypoints is left alone.
  public func open() throws(WaypointStoreError) {
    try database.withLock { database throws(WaypointStoreError) in
      guard database == nil else { return }
      database = try OpenWaypoints(
        path, isReadOnly: isReadOnly, patienceMilliseconds: patienceMilliseconds)
    }
  }

  /// Closes the database; does nothing if it is not open.
  public func close() { database.withLock { $0 = nil } }

  /// Inserts a waypoint without a photo; see ``insert(_:photo:thumbnail:)``.
  public func insert(_ waypoint: Waypoint) throws(WaypointStoreError) {
    try insert(waypoint, photo: nil, thumbnail: nil)
  }

  /// Inserts a waypoint, or replaces the one with its id, whose photo and thumbnail stay unless new
  /// ones are given.
  ///
  /// - Parameters:
  ///   - waypoint: The waypoint.
  ///   - photo: The whole photo as JPEG.
  ///   - thumbnail: 100 × 100 pixels as JPEG.
  ///
  /// Throws ``WaypointStoreError/invalidWaypoint(_:)`` for a coordinate out of range, an altitude
  /// that is not finite and a time outside of the years 0001…9999.
  public func insert(_ waypoint: Waypoint, photo: Data?, thumbnail: Data?)
    throws(WaypointStoreError)
  {
    let now = clock()
    try write { database throws(CairnError) in
      try database.insert(waypoint, photo: photo, thumbnail: thumbnail, at: now)
    }
  }

  /// Inserts waypoints without photos, all of them or none; see ``insert(_:photo:thumbnail:)``.
  public func insert(contentsOf waypoints: [Waypoint]) throws(WaypointStoreError) {
    let now = clock()
    try write { database throws(CairnError) in
      for waypoint in waypoints {
        try database.insert(waypoint, photo: nil, thumbnail: nil, at: now)
      }
    }
  }

  /// Updates the values that a user can change: label, category, note, and hike. If `hasPhoto` is
  /// false, the photo and thumbnail are removed. Throws ``WaypointStoreError/notFound(_:)`` if no
  /// waypoint has its id.
  public func update(_ waypoint: Waypoint) throws(WaypointStoreError) {
    let now = clock()
    let isFound = try write { database throws(CairnError) in
      try database.update(waypoint, at: now)
    }
    guard isFound else { throw .notFound(waypoint.id) }
  }

  /// Deletes a waypoint with its photo. Returns whether it existed.
  @discardableResult
  public func delete(id: UUID) throws(WaypointStoreError) -> Bool {
    try write { database throws(CairnError) in try database.delete(id) }
  }

  /// All waypoints, newest first.
  public func fetchAll() throws(WaypointStoreError) -> [Waypoint] {
    try read { database throws(CairnError) in try database.all() }
  }

  /// The waypoint with an id; nil if there is none.
  public func fetch(id: UUID) throws(WaypointStoreError) -> Waypoint? {
    try read { database throws(CairnError) in try database.waypoint(id) }
  }

  /// The waypoints of a hike, oldest first.
  public func fetchForHike(_ hikeId: UUID) throws(WaypointStoreError) -> [Waypoint] {
    try read { database throws(CairnError) in try database.waypoints(ofHike: hikeId) }
  }

  /// The waypoints within a distance of a point, nearest first, also across the antimeridian and at
  /// the poles. Empty for a point out of range and a distance below 0.
  public func fetchNearby(latitude: Double, longitude: Double, radiusMeters: Double)
    throws(WaypointStoreError) -> [Waypoint]
  {
    let centre = Coordinate(latitude: latitude, longitude: longitude)
    guard centre.isValid, radiusMeters >= 0 else { return [] }
    return try read { database throws(CairnError) in
      try database.waypoints(within: radiusMeters, of: centre)
    }
  }

  /// What waypoints of a published database are in OpenStreetMap; none in a user's.
  package func origins() throws(WaypointStoreError) -> [UUID: PublishedWaypoints.Origin] {
    try read { database throws(CairnError) in try database.origins() }
  }

  /// The thumbnail of a waypoint, 100 × 100 pixels as JPEG; nil if it has none.
  public func fetchThumbnail(id: UUID) throws(WaypointStoreError) -> Data? {
    try read { database throws(CairnError) in try database.blob("photo_thumbnail", of: id) }
  }

  /// The whole photo of a waypoint as JPEG; nil if it has none.
  public func fetchPhoto(id: UUID) throws(WaypointStoreError) -> Data? {
    try read { database throws(CairnError) in try database.blob("photo_data", of: id) }
  }

  private func read<Result: Sendable>(
    _ body: @Sendable (borrowing OpenWaypoints) throws(CairnError) -> Result
  ) throws(WaypointStoreError) -> Result {
    try database.withLock { database throws(WaypointStoreError) in
      guard let database else { throw WaypointStoreError.notOpen }
      database.limitWork()
      do throws(CairnError) { return try body(database) } catch {
        throw WaypointStoreError(error, isWriting: false)
      }
    }
  }

  private func write<Result: Sendable>(
    _ body: @Sendable (borrowing OpenWaypoints) throws(CairnError) -> Result
  ) throws(WaypointStoreError) -> Result {
    try database.withLock { database throws(WaypointStoreError) in
      guard let database else { throw WaypointStoreError.notOpen }
      guard !isReadOnly else { throw WaypointStoreError.readOnly("it is open for reading only") }
      database.limitWork()
      do throws(CairnError) { return try database.transaction(body) } catch {
        if error.code == .invalidWaypoint { throw .invalidWaypoint(error.message) }
        throw WaypointStoreError(error, isWriting: true)
      }
    }
  }
}
