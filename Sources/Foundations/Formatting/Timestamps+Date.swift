// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads a time in the format of `xsd:dateTime` and ISO 8601, such as `2024-05-06T07:08:09.25Z` or
/// with an offset such as `+02:00`; without either it is taken as UTC. Nil for anything else, and
/// for years outside of 0001…9999.
package func parsedTimestamp(_ text: some StringProtocol) -> Date? {
  timestampSeconds(text).map { Date(timeIntervalSince1970: $0) }
}

/// Writes a time in ISO 8601, in UTC and always with milliseconds: `2024-05-06T07:08:09.250Z`. Such
/// texts sort by time. Nil for years outside of 0001…9999, and for NaN.
package func timestampText(_ date: Date) -> String? {
  timestampText(seconds: date.timeIntervalSince1970)
}

/// A time rounded to the milliseconds that ``timestampText(_:)`` keeps.
package func wholeMilliseconds(_ date: Date) -> Date {
  let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
  return milliseconds.isFinite ? Date(timeIntervalSince1970: milliseconds / 1000) : date
}
