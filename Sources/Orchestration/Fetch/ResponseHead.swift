// SPDX-License-Identifier: Apache-2.0
import CCurl

/// The headers of an HTTP response that describe the following file.
struct ResponseHead {
  /// The status code; 0 for a URL of another protocol.
  var status = 0
  /// The strong entity tag, or else the modification date, which distinguishes versions of the file
  /// (RFC 9110, section 8.8).
  var validator: String? { entityTag ?? lastModified }
  /// The size of the whole file in bytes.
  var totalBytes: Int? { status == 206 ? range?.total : contentLength }
  /// The entity tag as sent by the server, possibly a weak one: sufficient for asking whether there
  /// is another version.
  private(set) var tag: String?
  /// The date of the last change as the server sent it.
  private(set) var lastModified: String?
  /// The time of the next allowed request: seconds, or a date.
  private(set) var retryAfter: String?
  /// The offset of the first byte of a partial response.
  var rangeStart: Int? { range?.start }

  private var entityTag: String?
  private var contentLength: Int?
  private var range: (start: Int, total: Int?)?

  /// Reads one line; the status line of a further response, as after a redirection, starts over.
  mutating func read(line: String) {
    if line.hasPrefix("HTTP/") {
      self = ResponseHead()
      status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      return
    }
    guard let colon = line.firstIndex(of: ":") else { return }
    let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    let text = String(value.reversed().drop { $0.isWhitespace }.reversed())
    guard Self.isPlain(text) else { return }
    switch line[..<colon].lowercased() {
    case "etag":
      tag = text
      // A weak tag shows that two versions have the same meaning, not the same bytes.
      if !text.hasPrefix("W/") { entityTag = text }
    case "last-modified" where text.count <= 64: lastModified = text
    case "retry-after" where text.count <= 64: retryAfter = text
    case "content-length": contentLength = Int(text).flatMap { $0 < 0 ? nil : $0 }
    case "content-range": range = Self.range(text)
    default: break
    }
  }

  /// Whether a value may be recorded and sent again: plain text that is not too long.
  static func isPlain(_ value: some StringProtocol) -> Bool {
    value.utf8.count <= 256 && value.utf8.allSatisfy { 0x20...0x7E ~= $0 }
  }

  /// Reads `bytes 7-15/16`, or `bytes 7-15/*` if the total is unknown.
  private static func range(_ text: String) -> (start: Int, total: Int?)? {
    let words = text.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/")
    guard parts.count == 2, let start = parts[0].split(separator: "-").first.flatMap({ Int($0) }),
      start >= 0
    else { return nil }
    return (start, Int(parts[1]))
  }
}

/// Reads the header `Retry-After` (RFC 9110, section 10.2.3).
enum RetryAfter {
  /// The requested pause in seconds, at least 1; nil without the header, and if it is neither a
  /// number of seconds nor a date.
  ///
  /// - Parameter now: The current time in seconds since 1970.
  static func seconds(_ text: String?, now: Int) -> Int? {
    guard let text, !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
      return max(1, Int(text) ?? .max)
    }
    // The names of days and months are English in any locale.
    let date = Int(curl_getdate(text, nil))
    guard date >= 0 else { return nil }
    let (seconds, isTooMuch) = date.subtractingReportingOverflow(now)
    return isTooMuch ? nil : max(1, seconds)
  }
}
