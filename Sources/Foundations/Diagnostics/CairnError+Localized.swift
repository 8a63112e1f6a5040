// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension CairnError: LocalizedError {
  /// What went wrong and where, without the hint.
  package var errorDescription: String? {
    var copy = self
    copy.hint = nil
    return copy.description
  }
  /// The class of the error, such as “bad input data”.
  package var failureReason: String? { exitCode.meaning }
  /// The hint.
  package var recoverySuggestion: String? { hint.map(printable) }
}
