// SPDX-License-Identifier: Apache-2.0
import CairnGuidance
import CairnWaypoints
import Foundation

/// What an app keeps, in its usual places below one folder: `planned_routes`, `waypoints.db`, `regions` and
/// the others of ``TransferPlaces``.
///
/// ```swift
/// try AppStores.shared.open()  // at the launch
/// try PlannedRouteStore.shared.save(route)
/// try WaypointStore.shared.insert(waypoint)
/// ```
public final class AppStores: Sendable {
  /// The stores in the documents of the app. Nothing is read or written before ``open()``.
  public static let shared = AppStores(
    documents: FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
      ?? URL(filePath: NSHomeDirectory()))

  /// The folder that they are in.
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

  /// Makes the folder, opens the waypoints and reads the planned routes. May be called again.
  ///
  /// Throws `WaypointStoreError` or `PlannedRouteStore.Failure`, also where the folder cannot be made.
  public func open() throws {
    do {
      try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
    } catch {
      throw PlannedRouteStore.Failure.folder(path: documents.path, reason: "\(error)")
    }
    try waypoints.open()
    try plannedRoutes.loadAll()
  }

  /// Where a receiver of transfers keeps what comes.
  public var transferPlaces: TransferPlaces {
    TransferPlaces(documents: documents, plannedRoutes: plannedRoutes, waypoints: waypoints)
  }

  /// Where the routing database of a region is, if the app has it.
  public func routingDbURL(for regionId: UUID) -> URL {
    documents.appending(path: "regions/\(regionId.uuidString).routing.db")
  }
}

extension PlannedRouteStore {
  /// The one in the documents of the app; see ``AppStores/shared``.
  public static var shared: PlannedRouteStore { AppStores.shared.plannedRoutes }
}

extension WaypointStore {
  /// The one in the documents of the app, once ``AppStores/open()`` has opened it.
  public static var shared: WaypointStore { AppStores.shared.waypoints }
}
