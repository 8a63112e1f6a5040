// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Why no route was found or no database could be searched.
public enum RoutingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The store is used before it is opened or after it is closed.
  case databaseNotOpen
  /// The file does not exist or cannot be read; the text says why.
  case databaseUnreadable(String)
  /// The file is not a routing database; the text says why.
  case databaseUnusable(String)
  /// The database is damaged or contradicts itself; the text says where.
  case databaseCorrupted(String)
  /// Several databases cannot be read as one: they are of different versions, define a profile
  /// differently, or are the same region; the text says which and why.
  case databasesDoNotFit(String)
  /// A file is not a file of hierarchies, is damaged, or was made from another database; the text
  /// says why.
  case hierarchyUnusable(String)
  /// The database cannot tell what is open on a day, which the text names: it has no rules on times, or
  /// not for the profile.
  case rulesNotAvailable(String)
  /// The database has no costs for this mode or profile; lists the profiles that it has.
  case profileNotAvailable(String, available: [String])
  /// No passable edge lies within the radius around a point.
  case noNearbyNode(Coordinate, radiusMetres: Double)
  /// Start and destination are not connected. The closest approach is the straight-line distance
  /// from the destination to the nearest node that can be reached from the start. The obstacles are
  /// what stands between them, in the direction of travel; empty where that is not known.
  case noRouteFound(
    exploredNodes: Int, closestApproachMetres: Double, obstacles: [RouteObstacle] = [])
  /// No route leads to a via point or on from it; via points are counted from 0. The obstacles are
  /// those of the first leg without a route.
  case viaPointNotReachable(index: Int, obstacles: [RouteObstacle] = [])
  /// Nodes within half the requested length can be reached, but no way leads back from them.
  case noRoundTripFound(reachedNodes: Int)

  /// The error as one line for a log or a terminal.
  public var description: String {
    switch self {
    case .databaseNotOpen:
      "the routing database is not open"
    case .databaseUnreadable(let reason):
      "cannot be read: \(reason)"
    case .databaseUnusable(let reason):
      "not a routing database: \(reason)"
    case .databaseCorrupted(let reason):
      "the routing database is damaged: \(reason)"
    case .databasesDoNotFit(let reason):
      "the databases do not go together: \(reason)"
    case .hierarchyUnusable(let reason):
      "the hierarchy cannot be used: \(reason)"
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
    }
  }

  /// The profile of the database that the user most likely meant, if it does not have the requested
  /// one.
  var likelyProfile: String? {
    guard case .profileNotAvailable(let name, let available) = self else { return nil }
    return nearestWord(to: name, among: available)
  }

  /// Metres without decimals, also beyond the range of integers.
  private func whole(_ metres: Double) -> String {
    Int(exactly: metres.rounded()).map { grouped($0) } ?? "\(metres)"
  }

  private func text(_ point: Coordinate) -> String { "\(point.latitude),\(point.longitude)" }
}

extension RoutingError: LocalizedError {
  /// What went wrong, as a sentence for the user of an app, in English.
  public var errorDescription: String? {
    switch self {
    case .databaseNotOpen: "The routing database is not open."
    case .databaseUnreadable: "The routing database cannot be read."
    case .databaseUnusable: "The file is not a routing database."
    case .databaseCorrupted: "The routing database is damaged."
    case .databasesDoNotFit: "The databases do not go together."
    case .hierarchyUnusable: "The hierarchy cannot be used."
    case .rulesNotAvailable: "The database cannot tell what is open on another day."
    case .profileNotAvailable(let name, _): "The database has no costs for “\(name)”."
    case .noNearbyNode(let point, let radius):
      "No open path or road lies within \(whole(radius)) m of \(text(point))."
    case .noRouteFound: "No route leads to the destination."
    case .viaPointNotReachable(let index, _): "No route leads through via point \(index + 1)."
    case .noRoundTripFound: "There is no round trip of this length here."
    }
  }

  /// Why it went wrong; nil where ``errorDescription`` says it all.
  public var failureReason: String? {
    switch self {
    case .databaseUnreadable(let reason), .databaseUnusable(let reason),
      .databaseCorrupted(let reason), .databasesDoNotFit(let reason),
      .hierarchyUnusable(let reason):
      reason
    case .rulesNotAvailable: "It has no rules on times, as those of earlier versions."
    case .profileNotAvailable(_, let available):
      available.isEmpty ? nil : "It has costs for \(available.joined(separator: ", "))."
    case .noRouteFound(let explored, let closest, let obstacles):
      "The nearest of \(grouped(explored)) reachable nodes is \(whole(closest)) m from it."
        + (obstacles.isEmpty ? "" : " In between: \(obstacles.text).")
    case .viaPointNotReachable(_, let obstacles):
      obstacles.isEmpty ? nil : "In between: \(obstacles.text)."
    case .noRoundTripFound(let reached):
      "No way leads back from any of \(grouped(reached)) reachable nodes."
    case .databaseNotOpen, .noNearbyNode: nil
    }
  }

  /// What to do about it; nil where there is no advice.
  public var recoverySuggestion: String? {
    switch self {
    case .databaseNotOpen: "Open the store before it is used."
    case .databaseUnreadable: nil
    case .databaseUnusable, .databaseCorrupted: "Download or build the database again."
    case .databasesDoNotFit: "Take each region once, all built by one version of Cairn."
    case .hierarchyUnusable: "Rebuild it with cairn prepare-routing."
    case .rulesNotAvailable: "Download or build a new database, or ask for no day."
    case .profileNotAvailable: likelyProfile.map { "Did you mean “\($0)”?" }
    case .noNearbyNode: "Choose a point closer to a path or road."
    case .noRouteFound: "Choose a start and a destination that the same network connects."
    case .viaPointNotReachable: "Move the via point or leave it out."
    case .noRoundTripFound: "Choose another start or another length."
    }
  }
}
