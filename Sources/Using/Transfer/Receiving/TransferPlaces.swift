// SPDX-License-Identifier: Apache-2.0
import CairnGuidance
import CairnWaypoints
import Foundation

/// Where a device keeps what it receives. What has no place is refused.
public struct TransferPlaces: Sendable {
  /// The planned routes.
  public var plannedRoutes: PlannedRouteStore?
  /// The waypoints; the store must be open when one is received.
  public var waypoints: WaypointStore?
  /// The folder of routing databases and map tiles, `UUID.routing.db` and `UUID.mbtiles`.
  public var regions: URL?
  /// The folder of saved hikes, `UUID.json`.
  public var savedRoutes: URL?
  /// The folder of GPX files, by their names.
  public var gpx: URL?
  /// The folder of what the receiver itself remembers; nothing else may use it.
  public var state: URL

  /// The usual places below a folder: `planned_routes`, `regions`, `saved_routes`, `gpx` and
  /// `transfers`.
  ///
  /// - Parameters:
  ///   - documents: The folder; those within it are made when they are needed.
  ///   - plannedRoutes: The app's store; nil for one in the usual place.
  ///   - waypoints: The app's store; nil if waypoints are refused.
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
