// SPDX-License-Identifier: Apache-2.0

/// Whether a file that starts with these bytes (at least 72) is a database that Cairn made, whatever
/// damage it has behind them, under a name for one.
///
/// The application ids of all of Cairn's databases begin with “Crn”. They are at byte 68 of SQLite's
/// header.
package func isCairnDatabase(_ name: String, head: [UInt8]) -> Bool {
  name.hasSuffix(".db") && head.count >= 72 && head.starts(with: "SQLite format 3\0".utf8)
    && head[68...].starts(with: "Crn".utf8)
}
