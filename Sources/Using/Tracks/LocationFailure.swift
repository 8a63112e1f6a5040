// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The reason why a receiver gives no fix.
public enum LocationFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no fix at the moment; the receiver goes on trying.
  case noFixYet
  /// The user does not allow it, or has switched the receiver off. Updates have ended.
  case permissionDenied
  /// Fixes are wanted in the background, and the app does not declare that. They come while it is
  /// in use.
  case backgroundNotDeclared
  /// The receiver does not work; the text gives the system's reason.
  case unavailable(String)

  /// The failure as one line for a log.
  public var description: String {
    switch self {
    case .noFixYet: "the receiver has no fix yet"
    case .permissionDenied: "the user does not allow fixes"
    case .backgroundNotDeclared:
      "there are no fixes in the background: declare the background mode “location” in the app's "
        + "Info.plist"
    case .unavailable(let reason): "the receiver does not work: \(reason)"
    }
  }
}

extension LocationFailure: LocalizedError {
  /// What went wrong, as a sentence for the user of an app, in English.
  public var errorDescription: String? {
    switch self {
    case .noFixYet: "Your position is not known yet."
    case .permissionDenied: "The app may not know your position."
    case .backgroundNotDeclared: "The app cannot know your position in the background."
    case .unavailable: "Your position cannot be found."
    }
  }

  /// The system's reason; nil if there is none.
  public var failureReason: String? {
    guard case .unavailable(let reason) = self else { return nil }
    return reason
  }

  /// A suggested remedy; nil if there is none.
  public var recoverySuggestion: String? {
    switch self {
    case .noFixYet, .unavailable: "Wait under the open sky."
    case .permissionDenied: "Allow it in the settings."
    case .backgroundNotDeclared: "Leave the app on the screen."
    }
  }
}
