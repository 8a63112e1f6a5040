// SPDX-License-Identifier: Apache-2.0
import CCurl

/// Reads the header `Retry-After` (RFC 9110, section 10.2.3).
enum RetryAfter {
  /// How long the server wants to be left alone, at least 1; nil without the header, and where it is
  /// neither a number of seconds nor a date.
  ///
  /// - Parameter now: The present time in seconds since 1970.
  static func seconds(_ text: String?, now: Int) -> Int? {
    guard let text, !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
      return max(1, Int(text) ?? .max)
    }
    // The names of days and months are English whatever the locale.
    let date = Int(curl_getdate(text, nil))
    guard date >= 0 else { return nil }
    let (seconds, isTooMuch) = date.subtractingReportingOverflow(now)
    return isTooMuch ? nil : max(1, seconds)
  }
}
