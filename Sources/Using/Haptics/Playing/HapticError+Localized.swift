// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
