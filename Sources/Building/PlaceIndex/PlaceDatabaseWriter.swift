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

  /// Adds the places in the order of their ids, which count from 1, with the cells of their lines.
  func addPlaces(_ places: [IndexedPlace], cells: [Int: Set<Int>]) throws(CairnError) {
    let row = try connection.prepare(
      "INSERT INTO places VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    let routeRow = try connection.prepare("INSERT INTO place_routes VALUES (?, ?, ?, ?, ?, ?)")
    let settlements = SettlementFinder(places)
    for (index, place) in places.enumerated() {
      let id = index + 1
      row.reset()
      try row.bind(1, Int64(id))
      try row.bind(2, place.osm)
      try row.bind(3, place.kind.rawValue)
      try row.bind(4, place.name)
      try row.bind(5, place.coordinate.latitude)
      try row.bind(6, place.coordinate.longitude)
      try bind(row, 7, place.elevation)
      try bind(row, 8, place.length)
      try row.bind(9, Int64(place.importance))
      try row.bind(10, Int64(place.reach.rawValue))
      try row.bind(11, Int64(GridCell.containing(place.coordinate)))
      if let near = settlements.settlement(near: place),
        place.kind != .route
      {
        try row.bind(12, Int64(near))
      } else {
        try row.bindNull(12)
      }
      if let cells = cells[id] {
        try bind(row, 13, AscendingNumbers.packed(cells.sorted()))
      } else {
        try row.bindNull(13)
      }
      try row.step()
      if let route = place.route { try add(route, id, routeRow) }
    }
  }

  private func add(_ route: RouteTags, _ id: Int, _ row: SQLiteStatement) throws(CairnError) {
    row.reset()
    try row.bind(1, Int64(id))
    try bind(row, 2, route.ref)
    try bind(row, 3, route.network)
    try bind(row, 4, route.from)
    try bind(row, 5, route.to)
    try bind(row, 6, route.symbol)
    try row.step()
  }

  /// Adds the names of all places, their words and the indexes of both.
  func addNames(_ places: [IndexedPlace]) throws(CairnError) {
    let row = try connection.prepare("INSERT INTO place_names VALUES (?, ?, ?, ?)")
    let text = try connection.prepare("INSERT INTO place_text(rowid, name) VALUES (?, ?)")
    var words: [String: Int] = [:]
    var id: Int64 = 0
    for (index, place) in places.enumerated() {
      for (position, name) in place.names.enumerated() {
        id += 1
        row.reset()
        try row.bind(1, id)
        try row.bind(2, Int64(index + 1))
        try row.bind(3, name.key)
        // The name of the place is in its row.
        if position == 0 { try row.bindNull(4) } else { try row.bind(4, name.text) }
        try row.step()
        text.reset()
        try text.bind(1, id)
        try text.bind(2, name.folded.text)
        try text.step()
        for word in Set(name.folded.words) { words[word, default: 0] += 1 }
      }
    }
    try addWords(words)
  }

  private func addWords(_ words: [String: Int]) throws(CairnError) {
    let row = try connection.prepare("INSERT INTO place_words VALUES (?, ?, ?)")
    let trigrams = try connection.prepare("INSERT INTO place_trigrams(rowid, word) VALUES (?, ?)")
    let order = words.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for (index, word) in order.enumerated() {
      row.reset()
      try row.bind(1, Int64(index + 1))
      try row.bind(2, word)
      try row.bind(3, Int64(words[word] ?? 0))
      try row.step()
      trigrams.reset()
      try trigrams.bind(1, Int64(index + 1))
      try trigrams.bind(2, word)
      try trigrams.step()
    }
  }

  /// Adds the pieces of lines in the order of their cells.
  func addLines(_ pieces: [LinePieces.Piece]) throws(CairnError) {
    let row = try connection.prepare("INSERT INTO place_lines VALUES (?, ?, ?, ?)")
    var part: Int64 = 0
    var cell = -1
    for piece in pieces {
      part = piece.cell == cell ? part + 1 : 0
      cell = piece.cell
      row.reset()
      try row.bind(1, Int64(cell))
      try row.bind(2, part)
      try bind(row, 3, AscendingNumbers.packed(piece.places))
      try bind(row, 4, PackedLine.packed(piece.points, cell: cell))
      try row.step()
    }
  }

  private func bind(_ row: SQLiteStatement, _ column: Int32, _ bytes: [UInt8]) throws(CairnError) {
    try bytes.withUnsafeBufferPointer { bytes throws(CairnError) in
      try row.bindBlob(column, UnsafeRawBufferPointer(bytes))
    }
  }

  private func bind(_ row: SQLiteStatement, _ column: Int32, _ text: String?) throws(CairnError) {
    if let text { try row.bind(column, text) } else { try row.bindNull(column) }
  }

  private func bind(_ row: SQLiteStatement, _ column: Int32, _ number: Double?) throws(CairnError) {
    if let number { try row.bind(column, number) } else { try row.bindNull(column) }
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
