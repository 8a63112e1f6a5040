// SPDX-License-Identifier: Apache-2.0
import CairnPlaceDatabase

/// Other spellings of a query: umlauts as two letters and the reverse, and abbreviations.
enum Spellings {
  /// The most spellings that are sought.
  private static let limit = 6

  /// Words that stand for each other.
  private static let families: [[String]] = [
    ["st", "sankt", "saint", "sant", "san", "sankt"], ["ste", "sta", "santa", "sainte"],
    ["mt", "mont", "mount", "monte"], ["pto", "puerto", "port"], ["str", "strasse"],
    ["av", "avda", "avinguda", "avenida", "avenue"], ["c", "carrer", "calle"],
    ["ctra", "carretera"], ["pl", "placa", "plaza", "platz", "place"],
    ["coll", "collada", "collet"], ["rte", "route"], ["ref", "refuge", "refugi"],
  ]

  private static let others: [String: [String]] = {
    var others: [String: [String]] = [:]
    for family in families {
      for word in family { others[word] = family.filter { $0 != word } }
    }
    return others
  }()

  private static let twoLetters = [("ae", "a"), ("oe", "o"), ("ue", "u")]

  /// The other spellings of a text, which folds to `folded`.
  static func all(of text: String, _ folded: FoldedName) -> [FoldedName] {
    var spellings: [FoldedName] = []
    func add(_ text: String) {
      let name = FoldedName(text)
      if !name.isEmpty, name != folded, !spellings.contains(name) { spellings.append(name) }
    }
    // Names are folded without the dots.
    var plain = folded.text
    for (two, one) in twoLetters { plain = plain.replacing(two, with: one) }
    add(plain)
    if text.unicodeScalars.contains(where: { "äöüÄÖÜ\u{308}".unicodeScalars.contains($0) }) {
      var long = text.lowercased()
      for (umlaut, two) in [("ä", "ae"), ("ö", "oe"), ("ü", "ue")] {
        long = long.replacing(umlaut, with: two)
      }
      add(long)
    }
    let words = folded.words
    for (index, word) in words.enumerated() {
      // The abbreviation of strasse is also written as the end of a word.
      if word.count > 4, word.hasSuffix("str") { add(replacing(words, index, word + "asse")) }
      for other in others[word] ?? [] { add(replacing(words, index, other)) }
    }
    return Array(spellings.prefix(limit))
  }

  private static func replacing(_ words: [String], _ index: Int, _ word: String) -> String {
    var words = words
    words[index] = word
    return words.joined(separator: " ")
  }
}
