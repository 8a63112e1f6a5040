// SPDX-License-Identifier: Apache-2.0

/// Whether a file that starts with these bytes (at least 72) is an SQLite database with an
/// application id.
package func isDatabase(head: [UInt8], ofApplication applicationID: Int64) -> Bool {
  guard head.count >= 72, head.starts(with: "SQLite format 3\0".utf8) else { return false }
  return head[68..<72].reduce(0) { $0 << 8 | Int64($1) } == applicationID
}
