// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A received and stored change.
public enum TransferChange: Hashable, Sendable {
  /// A planned route, in its store.
  case plannedRoute(UUID)
  /// A hike, in the file of its id.
  case savedRoute(UUID, file: URL)
  /// A waypoint, in its store.
  case waypoint(UUID)
  /// A GPX file.
  case gpx(file: URL)
  /// The routing database of a region.
  case routingDatabase(regionId: UUID, file: URL)
  /// The map tiles of a region.
  case mapTiles(TransferRegion, file: URL)
  /// The regions on the other device.
  case availableRegions([TransferRegion])

  /// The notification also posted, for views without a stream; nil if there is none.
  public var notification: Notification.Name? {
    switch self {
    case .plannedRoute: .plannedRouteSyncReceived
    case .waypoint: .waypointSyncReceived
    default: nil
    }
  }
}

extension Notification.Name {
  /// A planned route was received and is in its store. Its object is the ``TransferReceiver``.
  public static let plannedRouteSyncReceived = Notification.Name("plannedRouteSyncReceived")
  /// A waypoint was received and is in its store. Its object is the ``TransferReceiver``.
  public static let waypointSyncReceived = Notification.Name("waypointSyncReceived")
}

/// The outcome of a transfer.
public enum TransferOutcome: Hashable, Sendable {
  /// It was stored.
  case stored(TransferChange)
  /// A repeated transfer; the same is stored already.
  case unchanged
  /// A later version of the record is there, which stays.
  case outdated
}
