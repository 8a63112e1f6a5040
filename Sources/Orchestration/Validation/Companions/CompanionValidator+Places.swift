// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting
import Geodesy
import PlaceDatabase
import SQLiteKit

extension CompanionValidator {
  /// Of more names than this, so many are looked up, evenly spread.
  private static let lookupLimit = 2000

  mutating func checkPlaceSchema() throws(CairnError) {
    for (table, columns) in PlaceSchema.columns.sorted(by: { $0.key < $1.key }) {
      try checkTable(table, columns)
    }
    for index in PlaceSchema.textIndexes {
      let statement = try connection.prepare("SELECT 1 FROM sqlite_master WHERE sql = ?")
      try statement.bind(1, index)
      if try !statement.step() { add(.companionSchema, "a text index is missing") }
    }
    try checkVersion(PlaceSchema.version)
  }

  /// Checks all places; returns their number.
  mutating func checkPlaces() throws(CairnError) -> Int {
    typealias Key = PlaceMetadataKey
    let metadata = try metadata(
      "place_metadata",
      required: [Key.version, Key.attribution, Key.licence, Key.osmDataDate, Key.placeCount])
    let count = try number("SELECT count(*) FROM places")
    let names = try number("SELECT count(*) FROM place_names")
    checkCount(Key.placeCount, metadata[Key.placeCount], is: count)
    checkCount(Key.nameCount, metadata[Key.nameCount], is: names)
    // Lines reach beyond the region.
    let boxes = boxes(metadata[Key.boundingBox], region: nil, isEmpty: count == 0)
    let rows = try connection.prepare(
      "SELECT id, latitude, longitude, name FROM places ORDER BY id")
    var next: Int64 = 1
    while try rows.step() {
      let id = rows.integer(0)
      if id != next { add(.placeRows, "place \(next) is missing") }
      next = id &+ 1
      checkPosition(rows.number(1), rows.number(2), in: boxes, "place \(id)")
      if rows.text(3)?.isEmpty ?? true { add(.placeNames, "place \(id) has no name") }
    }
    try checkReferences()
    try checkTextIndexes(names: names)
    return count
  }

  private func number(_ sql: String) throws(CairnError) -> Int {
    Int(clamping: try connection.integer(sql) ?? 0)
  }

  private mutating func checkReferences() throws(CairnError) {
    for (table, column) in [
      ("place_names", "place"), ("place_routes", "place"), ("places", "settlement"),
    ] {
      let lost = try number(
        """
        SELECT count(*) FROM \(table) WHERE \(column) IS NOT NULL
        AND \(column) NOT IN (SELECT id FROM places)
        """)
      if lost > 0 {
        add(.placeRows, "\(grouped(lost)) rows of \(table) refer to places that do not exist")
      }
    }
    let nameless = try number(
      "SELECT count(*) FROM places WHERE id NOT IN (SELECT place FROM place_names)")
    if nameless > 0 { add(.placeNames, "\(grouped(nameless)) places are without a row of names") }
  }

  /// Compares the text indexes with the names and words.
  private mutating func checkTextIndexes(names: Int) throws(CairnError) {
    try connection.execute(
      "CREATE VIRTUAL TABLE temp.name_terms USING fts5vocab('main', 'place_text', 'instance')")
    try connection.execute(
      "CREATE VIRTUAL TABLE temp.word_terms USING fts5vocab('main', 'place_trigrams', 'instance')")
    let indexed = try number("SELECT count(DISTINCT doc) FROM temp.name_terms")
    let strayNames = try number(
      """
      SELECT count(DISTINCT doc) FROM temp.name_terms WHERE doc NOT IN (SELECT id FROM place_names)
      """)
    if indexed != names || strayNames > 0 {
      add(
        .placeTextIndex,
        "place_text has \(grouped(indexed)) names, of which \(grouped(strayNames)) do not exist; "
          + "there are \(grouped(names))")
    }
    let words = try number("SELECT count(*) FROM place_words WHERE length(word) >= 3")
    let indexedWords = try number("SELECT count(DISTINCT doc) FROM temp.word_terms")
    let strayWords = try number(
      "SELECT count(DISTINCT doc) FROM temp.word_terms WHERE doc NOT IN (SELECT id FROM place_words)"
    )
    if indexedWords != words || strayWords > 0 {
      add(
        .placeTextIndex,
        "place_trigrams has \(grouped(indexedWords)) words, of which \(grouped(strayWords)) do not "
          + "exist; there are \(grouped(words))")
    }
    try lookUpNames(names)
  }

  /// Looks names up in the index, and their words in the list.
  private mutating func lookUpNames(_ count: Int) throws(CairnError) {
    let step = max(1, count / Self.lookupLimit)
    let rows = try connection.prepare(
      """
      SELECT n.id, coalesce(n.name, p.name) FROM place_names n JOIN places p ON p.id = n.place
      WHERE n.id % ? = 0
      """)
    try rows.bind(1, Int64(step))
    let match = try connection.prepare(
      "SELECT 1 FROM place_text WHERE place_text MATCH ? AND rowid = ?")
    let known = try connection.prepare("SELECT 1 FROM place_words WHERE word = ?")
    while try rows.step() {
      let (id, name) = (rows.integer(0), rows.text(1) ?? "")
      let folded = FoldedName(name)
      match.reset()
      try match.bind(1, "\"\(folded.text.replacing("\"", with: "\"\""))\"")
      try match.bind(2, id)
      if try !match.step() { add(.placeTextIndex, "name \(id) is not found") }
      for word in folded.words {
        known.reset()
        try known.bind(1, word)
        if try !known.step() { add(.placeNames, "a word of name \(id) is not listed") }
      }
    }
  }
}
