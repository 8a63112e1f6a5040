// SPDX-License-Identifier: Apache-2.0
import CairnGuidance
import CairnWaypoints
import Foundation

/// An app's stores in their usual places below one folder: `planned_routes`, `waypoints.db`,
/// `regions` and the others of ``TransferPlaces``.
///
/// ```swift
/// try AppStores.shared.open()  // at the launch
/// try PlannedRouteStore.shared.save(route)
/// try WaypointStore.shared.insert(waypoint)
/// ```
public final class AppStores: Sendable {
  /// The stores in the app's documents. Nothing is read or written before ``open()``.
  public static let shared = AppStores(
    documents: FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
      ?? URL(filePath: NSHomeDirectory()))

  /// Their folder.
  public let documents: URL
  /// The planned routes.
  public let plannedRoutes: PlannedRouteStore
  /// The waypoints.
  public let waypoints: WaypointStore

  /// The stores in a folder. Nothing is read or written before ``open()``.
  public init(documents: URL) {
    self.documents = documents
    plannedRoutes = PlannedRouteStore(folder: documents.appending(path: "planned_routes"))
    waypoints = WaypointStore(url: documents.appending(path: "waypoints.db"))
  }

  /// Creates the folder, opens the waypoints and reads the planned routes. May be called
  /// repeatedly.
  ///
  /// Throws `WaypointStoreError` or `PlannedRouteStore.Failure`, also if the folder cannot be
  /// created.
  public func open() throws {
    do {
      try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
    } catch {
      throw PlannedRouteStore.Failure.folder(path: documents.path, reason: "\(error)")
    }
    try waypoints.open()
    try plannedRoutes.loadAll()
  }

  /// The places for received transfers.
  public var transferPlaces: TransferPlaces {
    TransferPlaces(documents: documents, plannedRoutes: plannedRoutes, waypoints: waypoints)
  }

  /// The location of a region's routing database, if the app has it.
  public func routingDbURL(for regionId: UUID) -> URL {
    documents.appending(path: "regions/\(regionId.uuidString).routing.db")
  }
}

extension PlannedRouteStore {
  /// The store in the app's documents; see ``AppStores/shared``.
  public static var shared: PlannedRouteStore { AppStores.shared.plannedRoutes }
}

extension WaypointStore {
  /// The store in the app's documents, after ``AppStores/open()`` has opened it.
  public static var shared: WaypointStore { AppStores.shared.waypoints }
}
