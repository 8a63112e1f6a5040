// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import PlaceDatabase
import SQLiteKit

/// Writes a `.places.db` into an empty file. The same rows in the same order give the same bytes.
struct PlaceDatabaseWriter {
  private let connection: SQLiteConnection

  /// Creates the tables.
  init(_ path: String) throws(CairnError) {
    connection = try SQLiteConnection(path, .build)
    // Half the size of the other databases' pages: there are many small tables.
    try connection.execute("PRAGMA page_size=4096")
    try connection.execute("PRAGMA application_id=\(PlaceSchema.applicationID)")
    try connection.execute("PRAGMA user_version=\(PlaceSchema.version)")
    try connection.execute("BEGIN")
    for statement in PlaceSchema.tables + PlaceSchema.textIndexes {
      try connection.execute(statement)
    }
  }

  /// Adds metadata; no key twice.
  func addMetadata(_ entries: [(key: String, value: String)]) throws(CairnError) {
    let statement = try connection.prepare("INSERT INTO place_metadata VALUES (?, ?)")
    for (key, value) in entries {
      statement.reset()
      try statement.bind(1, key)
      try statement.bind(2, value)
      try statement.step()
    }
  }

  /// Creates the indexes, merges those of texts into one piece each, and closes the file.
  func finish() throws(CairnError) {
    for statement in PlaceSchema.indexes { try connection.execute(statement) }
    for table in ["place_text", "place_trigrams"] {
      try connection.execute("INSERT INTO \(table)(\(table)) VALUES ('optimize')")
    }
    try connection.execute("COMMIT")
    try connection.execute("VACUUM")
    connection.close()
  }
}
