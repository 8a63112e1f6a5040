// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnPlaceDatabase
import CairnSQLiteKit

extension CompanionContent {
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
    var next: Int64 = 1
    var lost = 0
    try connection.scan(
      ["id", "latitude", "longitude", "name", "settlement"], from: "places", orderedBy: "id"
    ) { row in
      let id = row.integer(0)
      if id != next { add(.placeRows, "place \(next) is missing") }
      next = id &+ 1
      checkPosition(row.number(1), row.number(2), in: boxes, "place \(id)")
      if row.blob(3).isEmpty { add(.placeNames, "place \(id) has no name") }
      if !row.isNull(4), !refers(row, 4, to: count) { lost += 1 }
    }
    let list = try NameList(connection, names, places: count)
    addLost(list.lost, "place_names")
    addLost(
      try number("SELECT count(*) FROM place_routes WHERE place NOT BETWEEN 1 AND \(count)"),
      "place_routes")
    addLost(lost, "places")
    if list.named < count {
      add(.placeNames, "\(grouped(count - list.named)) places have no names")
    }
    try checkTextIndexes(list)
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

  /// Counts references to places that do not exist.
  private mutating func addLost(_ lost: Int, _ table: String) {
    if lost > 0 {
      add(.placeRows, "\(grouped(lost)) rows of \(table) refer to places that do not exist")
    }
  }

  /// Compares the text indexes with the names and words.
  private mutating func checkTextIndexes(_ names: NameList) throws(CairnError) {
    try checkTextIndex(
      "place_text", "names", of: "place_names",
      names.areNumbered ? [UInt8](repeating: 1, count: names.count) : nil)
    try checkTextIndex("place_trigrams", "words", of: "place_words", try indexedWords())
    try lookUpNames(names.sample)
  }

  /// For each word, 1 if the index must have it, or 0; nil if their ids do not count from 1.
  private func indexedWords() throws(CairnError) -> [UInt8]? {
    var states: [UInt8] = []
    let rows = try connection.prepare(
      "SELECT id, length(word) >= 3 FROM place_words ORDER BY id")
    while try rows.step() {
      guard rows.integer(0) == Int64(states.count + 1) else { return nil }
      states.append(rows.integer(1) == 1 ? 1 : 0)
    }
    return states
  }

  /// Checks that a text index has an entry for each intended row of a table, and no other.
  ///
  /// - Parameter rows: 1 for each intended row, 0 for others; nil if their ids do not count from 1.
  private mutating func checkTextIndex(
    _ index: String, _ what: String, of table: String, _ rows: [UInt8]?
  ) throws(CairnError) {
    guard var states = rows else {
      return add(.placeRows, "the ids of \(table) do not count from 1")
    }
    let expected = states.count { $0 == 1 }
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
        // It has an entry.
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
  private mutating func lookUpNames(_ sample: [Int64]) throws(CairnError) {
    let rows = try connection.prepare(
      """
      SELECT coalesce(n.name, p.name) FROM place_names n JOIN places p ON p.id = n.place
      WHERE n.id = ?
      """)
    let match = try connection.prepare(
      "SELECT 1 FROM place_text WHERE place_text MATCH ? AND rowid = ?")
    let known = try connection.prepare("SELECT 1 FROM place_words WHERE word = ?")
    // Many names share words, such as those for a street.
    var listed: Set<String> = []
    for id in sample {
      rows.reset()
      try rows.bind(1, id)
      guard try rows.step() else { continue }
      let folded = FoldedName(rows.text(0) ?? "")
      match.reset()
      try match.bind(1, "\"\(folded.text.replacing(scalar: "\"", with: "\"\""))\"")
      try match.bind(2, id)
      if try !match.step() { add(.placeTextIndex, "name \(id) is not found") }
      for word in folded.words where !listed.contains(word) {
        known.reset()
        try known.bind(1, word)
        if try known.step() {
          listed.insert(word)
        } else {
          add(.placeNames, "a word of name \(id) is not listed")
        }
      }
    }
  }
}

/// The list of names, in one pass.
private struct NameList {
  /// The most names that are looked up, evenly spread.
  private static let lookupLimit = 500

  let count: Int
  /// The number of names of places that do not exist, and of places with a name.
  private(set) var lost = 0
  private(set) var named = 0
  /// Whether the ids count from 1.
  private(set) var areNumbered = true
  /// The ids of names to look up.
  private(set) var sample: [Int64] = []

  init(_ connection: SQLiteConnection, _ count: Int, places: Int) throws(CairnError) {
    self.count = count
    let step = Int64(max(1, count / Self.lookupLimit))
    var next: Int64 = 1
    var isNamed = [Bool](repeating: false, count: places)
    try connection.scan(["id", "place"], from: "place_names", orderedBy: "id") { row in
      let id = row.integer(0)
      if id != next { areNumbered = false }
      next &+= 1
      if id % step == 0 { sample.append(id) }
      guard refers(row, 1, to: places) else { return lost += row.isNull(1) ? 0 : 1 }
      // Limited: it refers to a place.
      let place = Int(row.integer(1)) - 1
      if !isNamed[place] { named += 1 }
      isNamed[place] = true
    }
  }
}

/// Whether a column of a row is one of the numbers from 1 to a count.
private func refers(_ row: SQLiteRow, _ column: Int, to count: Int) -> Bool {
  row.number(column) >= 1 && row.number(column) <= Double(count)
}
