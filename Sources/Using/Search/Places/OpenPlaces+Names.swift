// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnPlaceDatabase
import CairnSQLiteKit

extension OpenPlaces {
  /// A name, with the values that rank its place.
  struct Name {
    var place: Int64
    var key: String
    var text: String
    /// Whether it is an alternative to the name shown.
    var isOther: Bool
    var importance: Int
    var coordinate: Coordinate
    var isLine: Bool
    var kind: PlaceKind
    var detail: PlaceDetail?
  }

  private var nameColumns: String {
    """
    n.place, n.key, coalesce(n.name, p.name), n.name IS NOT NULL, p.importance, p.latitude, \
    p.longitude, p.reach, p.kind, \(hasKinds ? "p.flags" : "NULL")
    """
  }

  private func names(_ query: SQLiteStatement) throws(CairnError) -> [Name] {
    var names: [Name] = []
    while try query.step() {
      let coordinate = Coordinate(latitude: query.number(5), longitude: query.number(6))
      guard coordinate.isValid else {
        throw damage("place \(query.integer(0)) has an invalid coordinate")
      }
      names.append(
        Name(
          place: query.integer(0), key: query.text(1) ?? "", text: query.text(2) ?? "",
          isOther: query.integer(3) != 0, importance: Int(min(max(query.integer(4), 0), 1000)),
          coordinate: coordinate, isLine: query.integer(7) == Int64(PlaceReach.line.rawValue),
          kind: PlaceKind(rawValue: query.text(8) ?? "") ?? .other,
          detail: PlaceFlags.parts(ofBits: UInt8(clamping: query.integer(9))).detail))
    }
    return names
  }

  /// The names that match an FTS5 expression, of the most important places.
  func names(matching expression: String, limit: Int) throws(CairnError) -> [Name] {
    let query = try statement(
      """
      SELECT \(nameColumns) FROM place_text t JOIN place_names n ON n.id = t.rowid \
      JOIN places p ON p.id = n.place WHERE t.place_text MATCH ? ORDER BY t.rowid LIMIT ?
      """)
    try query.bind(1, expression)
    try query.bind(2, Int64(limit))
    return try names(query)
  }

  /// All names of the places around a point, from a box that contains about `limit` of them or
  /// extends `largestMetres` to each side.
  func names(near point: Coordinate, limit: Int, largestMetres: Double) throws(CairnError) -> [Name]
  {
    var metres = 500.0
    while true {
      var found: [Name] = []
      for box in BoundingBox.around(point, radiusMetres: metres) {
        for range in GridCell.ranges(in: box) {
          for reach in PlaceReach.allCases where found.count < 2 * limit {
            let query = try statement(
              """
              SELECT \(nameColumns) FROM places p JOIN place_names n ON n.place = p.id \
              WHERE p.reach = ? AND p.cell BETWEEN ? AND ? LIMIT ?
              """)
            try query.bind(1, Int64(reach.rawValue))
            try query.bind(2, Int64(range.lowerBound))
            try query.bind(3, Int64(range.upperBound))
            try query.bind(4, Int64(2 * limit))
            found += try names(query)
          }
        }
      }
      if found.count >= limit || metres >= largestMetres { return found }
      metres *= 2
    }
  }

  /// The first word of the vocabulary not before a text, in the order of UTF-8; nil if there is
  /// none.
  func firstWord(from text: String) throws(CairnError) -> String? {
    var word: [UInt8] = []
    guard try findWord(from: Array(text.utf8), into: &word) else { return nil }
    return String(decoding: word, as: UTF8.self)
  }

  /// Stores in `word` the first word of the vocabulary not before a text, both in UTF-8; false if
  /// there is none.
  func findWord(from text: [UInt8], into word: inout [UInt8]) throws(CairnError) -> Bool {
    let query = try firstWordStatement()
    try query.bindText(1, text)
    guard try query.step() else { return false }
    query.withText(0) { word.replaceSubrange(0..., with: $0 ?? .init(start: nil, count: 0)) }
    return true
  }

  /// The words with all (or any) of the given trigrams, at most `limit`.
  func words(withTrigrams trigrams: [String], all: Bool, limit: Int) throws(CairnError) -> [String]
  {
    let query = try statement(
      """
      SELECT w.word FROM place_trigrams t JOIN place_words w ON w.id = t.rowid \
      WHERE t.place_trigrams MATCH ? ORDER BY t.rowid LIMIT ?
      """)
    let terms = trigrams.map { "\"\($0)\"" }
    try query.bind(1, terms.joined(separator: all ? " AND " : " OR "))
    try query.bind(2, Int64(limit))
    var words: [String] = []
    while try query.step() { words.append(query.text(0) ?? "") }
    return words
  }
}
