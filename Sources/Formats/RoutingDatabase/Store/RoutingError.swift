// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting
import Geodesy

/// Why there is no route, or no database to look for one in.
public enum RoutingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The store is used before it is opened or after it is closed.
  case databaseNotOpen
  /// The file is not there or cannot be read; says why.
  case databaseUnreadable(String)
  /// The file is no routing database; says why.
  case databaseUnusable(String)
  /// The database contradicts itself or is damaged; says where.
  case databaseCorrupted(String)
  /// A file of hierarchies is none, is damaged, or was made from another database; says why.
  case hierarchyUnusable(String)
  /// The database has no costs for this mode or profile; lists those it has.
  case profileNotAvailable(String, available: [String])
  /// No node with a passable edge, and no such edge, lies within the radius around a point.
  case noNearbyNode(Coordinate, radiusMetres: Double)
  /// Start and end are not connected.
  case noRouteFound(exploredNodes: Int, closestApproachMetres: Double)
  /// A via point, counted from 0, cannot be reached.
  case viaPointNotReachable(index: Int)
  /// From none of the nodes that can be reached from a point, as far as the wanted length goes, a way
  /// leads back.
  case noRoundTripFound(reachedNodes: Int)

  /// The error as one line for people.
  public var description: String {
    switch self {
    case .databaseNotOpen:
      "the routing database is not open"
    case .databaseUnreadable(let reason):
      "cannot be read: \(reason)"
    case .databaseUnusable(let reason):
      "is no routing database: \(reason)"
    case .databaseCorrupted(let reason):
      "the routing database is damaged: \(reason)"
    case .hierarchyUnusable(let reason):
      "the hierarchy cannot be used: \(reason)"
    case .profileNotAvailable(let name, let available):
      "the database has no costs for \(name)"
        + (available.isEmpty ? "" : ", but for \(available.joined(separator: ", "))")
    case .noNearbyNode(let point, let radius):
      "no route: no path or road that is open lies within \(whole(radius)) m of "
        + "\(point.latitude),\(point.longitude)"
    case .noRouteFound(let explored, let closest):
      "no route: of the \(grouped(explored)) nodes that can be reached the nearest is "
        + "\(whole(closest)) m from the destination"
    case .viaPointNotReachable(let index):
      "no route through via point \(index + 1)"
    case .noRoundTripFound(let reached):
      "no round trip: \(grouped(reached)) nodes can be reached, and no other way leads back"
    }
  }

  /// A number as people read it, also one that no integer holds.
  private func whole(_ metres: Double) -> String {
    Int(exactly: metres.rounded()).map { grouped($0) } ?? "\(metres)"
  }
}
