// SPDX-License-Identifier: Apache-2.0
import CairnPhrases

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is known of where the user is.
public enum PositionStatus: Hashable, Sendable {
  /// Nothing, and why.
  case unknown(PositionProblem)
  /// A recent fix.
  case current(LocationFix)
  /// No recent fix, or fixes have ended: the last one, its age in seconds, and why.
  case lost(last: LocationFix, ageSeconds: Double, reason: PositionProblem)

  /// The last fix, however old.
  public var lastFix: LocationFix? {
    switch self {
    case .unknown: nil
    case .current(let fix), .lost(let fix, _, _): fix
    }
  }
}

/// Why there is no position.
public enum PositionProblem: String, Hashable, Sendable, CaseIterable {
  /// No fix has come yet.
  case notYetKnown
  /// Fixes have ended, and nobody said why: there is no signal.
  case signalLost
  /// The user does not let the app know the position.
  case permissionDenied
  /// The app may know the position only while it is on the screen, and it is not.
  case backgroundPermissionLost
  /// The receiver does not work or is switched off.
  case unavailable

  /// What a permission means for the position; nil where it allows fixes.
  ///
  /// - Parameter needsBackground: Whether the app gets fixes with
  ///   ``Tracks/LocationAuthorization/authorizedAlways`` only, as where it is in the background.
  public init?(_ authorization: LocationAuthorization, needsBackground: Bool = false) {
    switch authorization {
    case .notDetermined, .restricted, .denied: self = .permissionDenied
    case .authorizedWhenInUse where needsBackground: self = .backgroundPermissionLost
    case .authorizedWhenInUse, .authorizedAlways: return nil
    }
  }

  /// Whether it is a matter of what the user allows.
  var isOfPermission: Bool { self == .permissionDenied || self == .backgroundPermissionLost }

  /// What is wrong, as a sentence for the user of an app.
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

  /// What to do about it, without a full stop.
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
