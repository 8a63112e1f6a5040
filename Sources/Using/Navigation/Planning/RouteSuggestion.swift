// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

/// What may help where no route leads to a destination. Each was tried before it is suggested.
public enum RouteSuggestion: Hashable, Sendable {
  /// A route leads to this place, so many metres from the destination.
  case nearestReachable(place: Coordinate, metresFromDestination: Double)
  /// A route exists if its ends may be this far from a way, in metres.
  case largerRadius(metres: Double)
  /// Another profile has a route.
  case otherProfile(String)
  /// The database has no data around this place: another region is needed.
  case missingData(around: Coordinate)

  /// What to do, as a sentence in English.
  public var text: String {
    switch self {
    case .nearestReachable(_, let away):
      "A route leads to a place \(Self.length(away)) from the destination."
    case .largerRadius(let radius):
      "A route exists if its ends may be up to \(Self.length(radius)) from a path or road."
    case .otherProfile(let name): "With the profile “\(name)” there is a route."
    case .missingData: "The place lies outside the region: download the region that it is in."
    }
  }

  private static func length(_ length: Double) -> String {
    length < 1000 ? metres(length) : kilometres(length)
  }
}

/// What was changed so that a route could be calculated.
public enum RouteAdjustment: Hashable, Sendable {
  /// The ends may be this far from a way, in metres.
  case largerRadius(metres: Double)
  /// Another profile was used, since the database does not have the one that was asked for.
  case otherProfile(String)
  /// Preferences that would forbid ways only avoid them.
  case withoutStrictPreferences
  /// The database could not be read, and then could.
  case readAgain
}

/// A route, and what was changed to find it.
public struct RouteCalculation: Hashable, Sendable {
  /// The route.
  public var route: PlannedRoute
  /// What was changed, in order; empty where the route is what was asked for.
  public var adjustments: [RouteAdjustment]
}
