// SPDX-License-Identifier: Apache-2.0
import CairnPhrases

/// A suggestion if no route leads to a destination. Each was tried first.
public enum RouteSuggestion: Hashable, Sendable {
  /// A route leads to this place, at a distance in metres from the destination.
  case nearestReachable(place: Coordinate, metresFromDestination: Double)
  /// There is a route if its ends may be this far from a way, in metres.
  case largerRadius(metres: Double)
  /// There is a route for another profile.
  case otherProfile(String)
  /// The database has no data around this place; another region is needed.
  case missingData(around: Coordinate)

  /// The suggestion as an English sentence.
  public var text: String { text(in: .english) }

  /// The suggestion as a sentence.
  public func text(in language: Language) -> String {
    switch self {
    case .nearestReachable(_, let away):
      language.statement(.reachablePlace, ["distance": language.length(away)])
    case .largerRadius(let radius):
      language.statement(.widerRadius, ["distance": language.length(radius)])
    case .otherProfile(let name): language.statement(.profileHasRoute, ["name": name])
    case .missingData:
      language.term("The place lies outside the region: download the region that it is in.")
    }
  }
}

/// A change of parameters that made a route possible.
public enum RouteAdjustment: Hashable, Sendable {
  /// The ends may be this far from a way, in metres.
  case largerRadius(metres: Double)
  /// This profile was used, since the database lacks the one requested.
  case otherProfile(String)
  /// Preferences that would forbid ways only avoid them.
  case withoutStrictPreferences
  /// The database could not be read, and then could.
  case readAgain
}

/// A route, and the adjustments made to find it.
public struct RouteCalculation: Hashable, Sendable {
  /// The route.
  public var route: PlannedRoute
  /// The adjustments, in order; empty if the route is as requested.
  public var adjustments: [RouteAdjustment]
}
