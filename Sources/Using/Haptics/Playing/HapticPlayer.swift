// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What plays patterns on a device. An app's is made of `CHHapticEngine`, or of a watch's `play(_:)`,
/// for which patterns name a ``HapticPattern/watchHaptic``.
public protocol HapticPlayer: Sendable {
  /// Whether the device can be felt at all.
  var supportsHaptics: Bool { get }
  /// Starts the engine, if it does not run. Throws where it does not start.
  func prepare() throws
  /// Starts to play a pattern and returns. Throws where it cannot, as when the system stopped the
  /// engine.
  func play(_ pattern: HapticPattern) throws
  /// Ends whatever is being played.
  func stop()
}

/// Why nothing can be felt.
public enum HapticError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The device has nothing that could be felt.
  case notSupported
  /// The engine does not start; the text says why.
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

  /// Why it went wrong; nil where ``errorDescription`` says it all.
  public var failureReason: String? {
    switch self {
    case .notSupported: nil
    case .engineUnavailable(let reason): reason
    }
  }

  /// What to do about it.
  public var recoverySuggestion: String? { "Directions are shown as text." }
}
