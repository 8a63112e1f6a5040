// SPDX-License-Identifier: Apache-2.0
import CairnPhrases

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The state of the user's position.
public enum PositionStatus: Hashable, Sendable {
  /// Unknown, for this reason.
  case unknown(PositionProblem)
  /// A recent fix.
  case current(LocationFix)
  /// No recent fix, or fixes have ended: the last fix, its age in seconds, and the reason.
  case lost(last: LocationFix, ageSeconds: Double, reason: PositionProblem)

  /// The last fix, however old.
  public var lastFix: LocationFix? {
    switch self {
    case .unknown: nil
    case .current(let fix), .lost(let fix, _, _): fix
    }
  }
}

/// The reason why there is no position.
public enum PositionProblem: String, Hashable, Sendable, CaseIterable {
  /// There has been no fix yet.
  case notYetKnown
  /// Fixes have ended for no stated reason: there is no signal.
  case signalLost
  /// The user does not let the app know the position.
  case permissionDenied
  /// The app may use the position only while on the screen, and it is not.
  case backgroundPermissionLost
  /// The receiver does not work or is switched off.
  case unavailable

  /// The problem caused by a permission; nil if it allows fixes.
  ///
  /// - Parameter needsBackground: Whether fixes require
  ///   ``Tracks/LocationAuthorization/authorizedAlways``, as they do while the app is in the
  ///   background.
  public init?(_ authorization: LocationAuthorization, needsBackground: Bool = false) {
    switch authorization {
    case .notDetermined, .restricted, .denied: self = .permissionDenied
    case .authorizedWhenInUse where needsBackground: self = .backgroundPermissionLost
    case .authorizedWhenInUse, .authorizedAlways: return nil
    }
  }

  /// The problem behind a failure of the receiver; nil if it goes on trying, so that only time
  /// tells.
  public init?(_ failure: LocationFailure) {
    switch failure {
    case .noFixYet, .backgroundNotDeclared: return nil
    case .permissionDenied: self = .permissionDenied
    case .unavailable: self = .unavailable
    }
  }

  /// Whether it is a matter of permission.
  var isOfPermission: Bool { self == .permissionDenied || self == .backgroundPermissionLost }

  /// The problem, as a sentence for the user of an app.
  public func errorDescription(in language: Language) -> String {
    switch self {
    case .notYetKnown: language.term("Your position is not known yet.")
    case .signalLost: language.term("There is no signal to find your position with.")
    case .permissionDenied: language.term("The app may not know your position.")
    case .backgroundPermissionLost:
      language.term("The app may not know your position while it is in the background.")
    case .unavailable: language.term("Your position cannot be found.")
    }
  }

  /// A suggested remedy, without a full stop.
  public func recoverySuggestion(in language: Language) -> String {
    switch self {
    case .notYetKnown, .signalLost, .unavailable:
      language.term("Choose the start on the map, or wait under the open sky")
    case .permissionDenied:
      language.term("Allow it in the settings, or choose the start on the map")
    case .backgroundPermissionLost: language.term("Allow it in the settings")
    }
  }

  /// Why a position was lost, as the end of a sentence.
  var reason: String {
    switch self {
    case .notYetKnown, .signalLost: "no signal"
    case .permissionDenied: "the app may not know it"
    case .backgroundPermissionLost: "the app may not know it in the background"
    case .unavailable: "the receiver is off or does not work"
    }
  }
}
