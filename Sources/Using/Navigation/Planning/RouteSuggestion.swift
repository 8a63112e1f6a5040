// SPDX-License-Identifier: Apache-2.0
import CairnPhrases

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
  public var text: String { text(in: .english) }

  /// What to do, as a sentence.
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
