// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnPhrases
import CairnRoutingDatabase

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The reason why a navigation request fails.
public enum NavigationError: Error, Equatable, Sendable {
  /// The action is not legal in this state.
  case illegal(NavigationAction, in: NavigationState)
  /// A route needs a start, but the position is unknown and no start was given.
  case noPosition(PositionProblem)
  /// The last fix is too old to start a route without asking, or fixes have ended; with the reason
  /// and its age in seconds. To start there anyway, pass its coordinate as the start.
  case positionLost(PositionProblem, last: LocationFix, ageSeconds: Double)
  /// A start or destination is not on Earth.
  case invalidPlace(Coordinate)
  /// No route leads to the destination; with tried suggestions, the best first.
  case noRoute(RoutingError, suggestions: [RouteSuggestion])
  /// Routes cannot be calculated at all; with the straight line instead.
  case routingUnavailable(RoutingError, fallback: DirectLine)
  /// The route has no valid point.
  case unusableRoute
  /// Navigation was stopped, or the task cancelled, before the route was calculated.
  case cancelled
}

extension NavigationError: LocalizedError, CustomStringConvertible {
  /// The error as one line for a log.
  public var description: String {
    [errorDescription, failureReason, recoverySuggestion].compactMap { $0 }.joined(separator: " ")
  }

  /// What went wrong, as a sentence for the user of an app, in English.
  public var errorDescription: String? { errorDescription(in: .english) }

  /// The cause, in English; nil if ``errorDescription`` already states it.
  public var failureReason: String? { failureReason(in: .english) }

  /// A suggested remedy, in English; nil if there is none.
  public var recoverySuggestion: String? { recoverySuggestion(in: .english) }

  /// What went wrong, as a sentence for the user of an app.
  public func errorDescription(in language: Language) -> String? {
    switch self {
    case .illegal(.calculate, in: .calculating):
      language.term("A route is being calculated already.")
    case .illegal(.calculate, in: .navigating): language.term("A route is being followed.")
    case .illegal(.start, in: .navigating): language.term("Another route is being followed.")
    case .illegal(.start, in: .calculating): language.term("A route is being calculated.")
    case .illegal: language.term("This is not possible now.")
    case .noPosition(let problem): problem.errorDescription(in: language)
    case .positionLost(_, _, let age):
      language.statement(.positionAge, ["time": roughDuration(age)])
    case .invalidPlace: language.term("The place is not on Earth.")
    case .noRoute: language.term("No route leads to the destination.")
    case .routingUnavailable: language.term("Routes cannot be calculated at the moment.")
    case .unusableRoute: language.term("The route cannot be followed.")
    case .cancelled: language.term("The calculation was stopped.")
    }
  }

  /// The cause; nil if ``errorDescription(in:)`` already states it.
  public func failureReason(in language: Language) -> String? {
    switch self {
    case .noRoute(let reason, _), .routingUnavailable(let reason, _):
      reason.failureReason(in: language) ?? reason.errorDescription(in: language)
    case .positionLost(let problem, _, _): problem.errorDescription(in: language)
    case .unusableRoute: language.term("It has no point on Earth.")
    case .illegal, .noPosition, .invalidPlace, .cancelled: nil
    }
  }

  /// A suggested remedy; nil if there is none.
  public func recoverySuggestion(in language: Language) -> String? {
    switch self {
    case .illegal(.calculate, in: .calculating), .illegal(.start, in: .calculating):
      language.term("Wait until it is there, or stop it.")
    case .illegal(.calculate, in: .navigating), .illegal(.start, in: .navigating):
      language.term("Stop navigation first.")
    case .unusableRoute: language.term("Plan or import it again.")
    case .illegal, .cancelled: nil
    case .noPosition(let problem): problem.recoverySuggestion(in: language) + "."
    case .positionLost(let problem, _, _):
      problem.recoverySuggestion(in: language) + ", "
        + language.term("or begin where you were last") + "."
    case .invalidPlace:
      language.term("Give a latitude of −90 to 90 and a longitude of −180 to 180.")
    case .noRoute(_, let suggestions): suggestions.first?.text(in: language)
    case .routingUnavailable(_, let fallback): fallback.text(in: language)
    }
  }
}
