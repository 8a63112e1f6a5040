// SPDX-License-Identifier: Apache-2.0
import CairnGuidance
import CairnWaypoints
import Foundation

/// The places in which a device keeps received items. Types without a place are refused.
public struct TransferPlaces: Sendable {
  /// The planned routes.
  public var plannedRoutes: PlannedRouteStore?
  /// The waypoints. The store must be open when one is received.
  public var waypoints: WaypointStore?
  /// The folder of routing databases and map tiles, `UUID.routing.db` and `UUID.mbtiles`.
  public var regions: URL?
  /// The folder of saved hikes, `UUID.json`.
  public var savedRoutes: URL?
  /// The folder of GPX files, by their names.
  public var gpx: URL?
  /// The folder for the receiver's own state; nothing else may use it.
  public var state: URL

  /// The usual places below a folder: `planned_routes`, `regions`, `saved_routes`, `gpx` and
  /// `transfers`.
  ///
  /// - Parameters:
  ///   - documents: The folder; its subfolders are created when needed.
  ///   - plannedRoutes: The app's store; nil for one in the usual place.
  ///   - waypoints: The app's store; nil to refuse waypoints.
  public init(
    documents: URL, plannedRoutes: PlannedRouteStore? = nil, waypoints: WaypointStore? = nil
  ) {
    self.plannedRoutes =
      plannedRoutes
      ?? PlannedRouteStore(folder: documents.appending(path: "planned_routes").path)
    self.waypoints = waypoints
    regions = documents.appending(path: "regions")
    savedRoutes = documents.appending(path: "saved_routes")
    gpx = documents.appending(path: "gpx")
    state = documents.appending(path: "transfers")
  }
}
