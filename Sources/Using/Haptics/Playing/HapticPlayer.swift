// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Plays patterns on a device. An app implements it with `CHHapticEngine`, or with a watch's
/// `play(_:)`, for which each pattern names a ``HapticPattern/watchHaptic``.
public protocol HapticPlayer: Sendable {
  /// Whether the device can be felt at all.
  var supportsHaptics: Bool { get }
  /// Starts the engine unless it is running. Throws if it does not start.
  func prepare() throws
  /// Starts a pattern and returns. Throws if that fails, such as after the system stopped the
  /// engine.
  func play(_ pattern: HapticPattern) throws
  /// Stops all patterns.
  func stop()
}

/// The reason why there are no haptics.
public enum HapticError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The device has no haptics.
  case notSupported
  /// The engine does not start; the text gives the reason.
  case engineUnavailable(String)

  /// The error as one line for a log.
  public var description: String {
    switch self {
    case .notSupported: "the device has no haptics"
    case .engineUnavailable(let reason): "the haptic engine does not start: \(reason)"
    }
  }
}

extension HapticError: LocalizedError {
  /// What went wrong, as a sentence for the user of an app, in English.
  public var errorDescription: String? {
    switch self {
    case .notSupported: "This device cannot be felt."
    case .engineUnavailable: "Directions cannot be felt at the moment."
    }
  }

  /// The cause; nil if ``errorDescription`` already states it.
  public var failureReason: String? {
    switch self {
    case .notSupported: nil
    case .engineUnavailable(let reason): reason
    }
  }

  /// A suggested remedy.
  public var recoverySuggestion: String? { "Directions are shown as text." }
}
