// SPDX-License-Identifier: Apache-2.0
import Formatting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension GPXFile {
  /// Reads a time as `xsd:dateTime` writes it; nil for anything else. See `parsedTimestamp(_:)`.
  package static func time(_ text: some StringProtocol) -> Date? { parsedTimestamp(text) }
}
