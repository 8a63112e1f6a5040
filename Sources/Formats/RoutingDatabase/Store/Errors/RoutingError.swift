// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy

/// The reason why no route was found or no database could be searched.
public enum RoutingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The store is used before it is opened or after it is closed.
  case databaseNotOpen
  /// The file does not exist or cannot be read; the text says why.
  case databaseUnreadable(String)
  /// Another program is writing the database; the text says so.
  case databaseLocked(String)
  /// The file is not a routing database; the text says why.
  case databaseUnusable(String)
  /// The database is damaged or contradicts itself; the text says where.
  case databaseCorrupted(String)
  /// Several databases cannot be read as one: they are of different versions, define a profile
  /// differently, or are the same region; the text says which and why.
  case databasesDoNotFit(String)
  /// The database has no rules on times, or not for the profile, so access on a day is unknown; the
  /// text names the day.
  case rulesNotAvailable(String)
  /// The database has no costs for this mode or profile; lists the profiles that it has.
  case profileNotAvailable(String, available: [String])
  /// No passable edge lies within the radius around a point.
  case noNearbyNode(Coordinate, radiusMetres: Double)
  /// Start and destination are not connected. The closest approach is the straight-line distance
  /// from the destination to the nearest node reachable from the start. The obstacles lie between
  /// them, in the direction of travel; empty if unknown.
  case noRouteFound(
    exploredNodes: Int, closestApproachMetres: Double, obstacles: [RouteObstacle] = [])
  /// No route leads to a via point or on from it; via points are counted from 0. The obstacles are
  /// on the first leg without a route.
  case viaPointNotReachable(index: Int, obstacles: [RouteObstacle] = [])
  /// Nodes within half the requested length can be reached, but no way leads back from them.
  case noRoundTripFound(reachedNodes: Int)
  /// The task that searched was cancelled.
  case cancelled

  /// The error as one line for a log or a terminal.
  public var description: String {
    switch self {
    case .databaseNotOpen:
      "the routing database is not open"
    case .databaseUnreadable(let reason), .databaseLocked(let reason):
      "cannot be read: \(reason)"
    case .databaseUnusable(let reason):
      "not a routing database: \(reason)"
    case .databaseCorrupted(let reason):
      "the routing database is damaged: \(reason)"
    case .databasesDoNotFit(let reason):
      "the databases do not go together: \(reason)"
    case .rulesNotAvailable(let day):
      "the database cannot tell what is open on \(day): it has no rules on times"
    case .profileNotAvailable(let name, let available):
      "the database has no costs for \(name)"
        + (available.isEmpty ? "" : ", only for \(available.joined(separator: ", "))")
    case .noNearbyNode(let point, let radius):
      "no route: no open path or road lies within \(whole(radius)) m of \(text(point))"
    case .noRouteFound(let explored, let closest, let obstacles):
      "no route: the nearest of \(grouped(explored)) reachable nodes is \(whole(closest)) m from "
        + "the destination" + (obstacles.isEmpty ? "" : "; in between: \(obstacles.text)")
    case .viaPointNotReachable(let index, let obstacles):
      "no route through via point \(index + 1)"
        + (obstacles.isEmpty ? "" : "; in between: \(obstacles.text)")
    case .noRoundTripFound(let reached):
      "no round trip: no way leads back from any of \(grouped(reached)) reachable nodes"
    case .cancelled:
      "the search was cancelled"
    }
  }

  /// The profile of the database that the user most likely meant, if it does not have the requested
  /// one.
  package var likelyProfile: String? {
    guard case .profileNotAvailable(let name, let available) = self else { return nil }
    return nearestWord(to: name, among: available)
  }

  /// Metres without decimals, also beyond the range of integers.
  func whole(_ metres: Double) -> String {
    Int(exactly: metres.rounded()).map { grouped($0) } ?? "\(metres)"
  }

  func text(_ point: Coordinate) -> String { "\(point.latitude),\(point.longitude)" }
}
