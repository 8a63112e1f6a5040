// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RoutingError: LocalizedError {
  /// The error as a sentence for the user of an app, in English.
  public var errorDescription: String? {
    switch self {
    case .databaseNotOpen: "The routing database is not open."
    case .databaseUnreadable: "The routing database cannot be read."
    case .databaseLocked: "Another program is writing the routing database."
    case .databaseUnusable: "The file is not a routing database."
    case .databaseCorrupted: "The routing database is damaged."
    case .databasesDoNotFit: "The databases do not go together."
    case .rulesNotAvailable: "The database cannot tell what is open on another day."
    case .profileNotAvailable(let name, _): "The database has no costs for “\(name)”."
    case .noNearbyNode(let point, let radius):
      "No open path or road lies within \(whole(radius)) m of \(text(point))."
    case .noRouteFound: "No route leads to the destination."
    case .viaPointNotReachable(let index, _): "No route leads through via point \(index + 1)."
    case .noRoundTripFound: "There is no round trip of this length here."
    case .cancelled: "The search was stopped."
    }
  }

  /// The reason; nil if ``errorDescription`` has it.
  public var failureReason: String? {
    switch self {
    case .databaseUnreadable(let reason), .databaseLocked(let reason),
      .databaseUnusable(let reason),
      .databaseCorrupted(let reason), .databasesDoNotFit(let reason):
      reason
    case .rulesNotAvailable: "It has no rules on times, as those of earlier versions."
    case .profileNotAvailable(_, let available):
      available.isEmpty ? nil : "It has costs for \(available.joined(separator: ", "))."
    case .noRouteFound(let explored, let closest, let obstacles):
      "The nearest of \(grouped(explored)) reachable nodes is \(whole(closest)) m from "
        + "the destination."
        + (obstacles.isEmpty ? "" : " In between: \(obstacles.text).")
    case .viaPointNotReachable(_, let obstacles):
      obstacles.isEmpty ? nil : "In between: \(obstacles.text)."
    case .noRoundTripFound(let reached):
      "No way leads back from any of \(grouped(reached)) reachable nodes."
    case .databaseNotOpen, .noNearbyNode, .cancelled: nil
    }
  }

  /// A suggested remedy; nil if there is none.
  public var recoverySuggestion: String? {
    switch self {
    case .databaseNotOpen: "Open the store before it is used."
    case .databaseUnreadable, .cancelled: nil
    case .databaseLocked: "Try again in a moment."
    case .databaseUnusable, .databaseCorrupted: "Download or build the database again."
    case .databasesDoNotFit: "Take each region once, all built by one version of Cairn."
    case .rulesNotAvailable: "Download or build a new database, or ask for no day."
    case .profileNotAvailable: likelyProfile.map { "Did you mean “\($0)”?" }
    case .noNearbyNode: "Choose a point closer to a path or road."
    case .noRouteFound: "Choose a start and a destination that the same network connects."
    case .viaPointNotReachable: "Move the via point or leave it out."
    case .noRoundTripFound: "Choose another start or another length."
    }
  }
}
