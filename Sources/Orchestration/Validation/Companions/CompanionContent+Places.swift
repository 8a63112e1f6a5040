// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnPlaceDatabase
import CairnSQLiteKit

extension CompanionContent {
  /// The most names that are looked up, evenly spread.
  private static let lookupLimit = 500
  /// The number of non-existing entries that are counted.
  private static let strayLimit = 1000

  mutating func checkPlaceSchema() throws(CairnError) {
    let version = try connection.integer("PRAGMA user_version") ?? 0
    for table in PlaceSchema.tables(ofVersion: version) {
      try checkTable(table.name, table.columns)
    }
    for index in PlaceSchema.textIndexes {
      let statement = try connection.prepare("SELECT 1 FROM sqlite_master WHERE sql = ?")
      try statement.bind(1, index)
      if try !statement.step() { add(.companionSchema, "a text index is missing") }
    }
    try checkVersion(
      PlaceSchema.readableVersions.contains(version) ? version : PlaceSchema.version)
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
      if rows.withText(3, { $0?.isEmpty ?? true }) { add(.placeNames, "place \(id) has no name") }
    }
    try checkReferences(count)
    try checkTextIndexes(names: names)
    let version = try connection.integer("PRAGMA user_version") ?? 0
    if version > 1 {
      try checkKinds(count)
      try checkHouseNumbers(count)
    }
    if version > 2 { try checkRelations() }
    return count
  }

  /// Checks the positions of the places of each kind.
  private mutating func checkKinds(_ count: Int) throws(CairnError) {
    let rows = try connection.prepare("SELECT kind, cell, places, points FROM place_kinds")
    while try rows.step() {
      let (kind, cell) = (rows.text(0) ?? "", Int(clamping: rows.integer(1)))
      func name() -> String { "\(printable(kind)) in cell \(cell)" }
      if PlaceKind(rawValue: kind) == nil { add(.placeBlobs, "\(name()) has an unknown kind") }
      guard (0...GridCell.last).contains(cell) else {
        add(.placeBlobs, "\(name()) has an invalid position")
        continue
      }
      let places = try rows.withBlob(2) { AscendingNumbers.unpacked($0) }
      let points = try rows.withBlob(3) { PackedPoint.unpacked($0, cell: cell) }
      guard let places, points != nil else {
        add(.placeBlobs, "the places of \(name()) cannot be read")
        continue
      }
      if places.contains(where: { !(1...max(1, count)).contains($0) }) {
        add(.placeRows, "\(name()) has a place that does not exist")
      }
    }
  }

  private mutating func checkHouseNumbers(_ count: Int) throws(CairnError) {
    let rows = try connection.prepare(
      """
      SELECT a.place, p.latitude, p.longitude, a.numbers, p.id IS NULL
      FROM place_addresses a LEFT JOIN places p ON p.id = a.place
      """)
    while try rows.step() {
      let id = rows.integer(0)
      guard rows.integer(4) == 0 else {
        add(.placeRows, "the house numbers of place \(id) have no place")
        continue
      }
      let place = Coordinate(latitude: rows.number(1), longitude: rows.number(2))
      let numbers = try rows.withBlob(3) { HouseNumber.unpacked($0, from: place) }
      if numbers == nil { add(.placeBlobs, "the house numbers of place \(id) cannot be read") }
    }
  }

  private mutating func checkRelations() throws(CairnError) {
    let rows = try connection.prepare("SELECT id, tagged, members FROM place_relations")
    while try rows.step() {
      let id = rows.integer(0)
      if try rows.withBlob(2, { RelationMember.unpacked($0) }) == nil {
        add(.placeBlobs, "the members of relation \(id) cannot be read")
      }
      if !rows.isNull(1), !(rows.isNumber(1) && rows.number(1) > 0 && rows.number(1).isFinite) {
        add(.placeBlobs, "relation \(id) has no plausible tagged length")
      }
    }
  }

  private func number(_ sql: String) throws(CairnError) -> Int {
    Int(clamping: try connection.integer(sql) ?? 0)
  }

  /// Checks references to places, whose ids count from 1, as checked elsewhere.
  private mutating func checkReferences(_ count: Int) throws(CairnError) {
    for (table, column) in [
      ("place_names", "place"), ("place_routes", "place"), ("places", "settlement"),
    ] {
      let lost = try number(
        "SELECT count(*) FROM \(table) WHERE \(column) NOT BETWEEN 1 AND \(count)")
      if lost > 0 {
        add(.placeRows, "\(grouped(lost)) rows of \(table) refer to places that do not exist")
      }
    }
    let named = try number(
      "SELECT count(*) FROM (SELECT DISTINCT place FROM place_names) "
        + "WHERE place BETWEEN 1 AND \(count)")
    if named < count {
      add(.placeNames, "\(grouped(count - named)) places have no names")
    }
  }

  /// Compares the text indexes with the names and words.
  private mutating func checkTextIndexes(names: Int) throws(CairnError) {
    try checkTextIndex("place_text", "names", of: "place_names", where: "true")
    try checkTextIndex("place_trigrams", "words", of: "place_words", where: "length(word) >= 3")
    try lookUpNames(names)
  }

  /// Checks that a text index has an entry for each intended row of a table, and no other.
  private mutating func checkTextIndex(
    _ index: String, _ what: String, of table: String, where condition: String
  ) throws(CairnError) {
    // 1 for a row, 2 for a row in the index.
    var states: [UInt8] = []
    var expected = 0
    let rows = try connection.prepare("SELECT id, \(condition) FROM \(table) ORDER BY id")
    while try rows.step() {
      guard rows.integer(0) == Int64(states.count + 1) else {
        return add(.placeRows, "the ids of \(table) do not count from 1")
      }
      states.append(rows.integer(1) == 1 ? 1 : 0)
      expected += rows.integer(1) == 1 ? 1 : 0
    }
    try connection.execute(
      "CREATE VIRTUAL TABLE temp.terms USING fts5vocab('main', '\(index)', 'instance')")
    var found = 0
    var strays: Set<Int64> = []
    let entries = try connection.prepare("SELECT doc FROM temp.terms")
    while try entries.step() {
      let id = entries.integer(0)
      if id < 1 || id > states.count || states[Int(id) - 1] == 0 {
        if strays.count < Self.strayLimit { strays.insert(id) }
      } else if states[Int(id) - 1] == 1 {
        states[Int(id) - 1] = 2
        found += 1
      }
    }
    entries.reset()
    try connection.execute("DROP TABLE temp.terms")
    guard found != expected || !strays.isEmpty else { return }
    add(
      .placeTextIndex,
      "\(index) has \(grouped(found)) of \(grouped(expected)) \(what), "
        + "and \(grouped(strays.count)) that do not exist")
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
      try match.bind(1, "\"\(folded.text.replacing(scalar: "\"", with: "\"\""))\"")
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
