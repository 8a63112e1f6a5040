// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnPlaceDatabase

/// The FTS5 expressions that find the possible names for a query.
///
/// They consist of quoted words made by ``PlaceDatabase/FoldedName``, which contain only letters
/// and digits, so no user input can be read as an operator.
struct QueryTerms {
  /// The most words of a query that are sought; further ones still count for the order.
  static let wordLimit = 8
  /// The fewest letters of a word that is searched with typos. Shorter words may be missing.
  static let shortestLong = 4
  /// The most words that contain a word.
  private static let insideLimit = 40

  let query: FoldedName
  private let words: [ArraySlice<UInt32>]

  init(_ query: FoldedName) {
    self.query = query
    words = (0..<min(query.count, Self.wordLimit)).map { query[$0] }
  }

  /// Names in which each word of the query begins a word.
  var strict: String { words.map(Self.beginning).chained(by: " AND ") }

  /// The alternatives for each long word (or for each word, if all are short): itself, words one
  /// typo away, two words without the space between them, words that contain it.
  func forgiving(in places: OpenPlaces) throws(CairnError) -> [String] {
    let long = words.filter { $0.count >= Self.shortestLong }
    var groups: [String] = []
    for word in long.isEmpty ? words : long {
      var terms = [Self.beginning(word)]
      if word.count > 2 || words.count == 1 {
        terms += try Corrections.of(word, in: places).map { Self.beginning($0) }
      }
      if word.count >= Self.shortestLong {
        terms += try splits(word, in: places)
        terms += try inside(word, in: places)
      }
      groups.append("(" + terms.joined(separator: " OR ") + ")")
    }
    return groups
  }

  /// Pairs of neighbouring words that are one word in the vocabulary, with the other long words.
  func joins(in places: OpenPlaces) throws(CairnError) -> [String] {
    var expressions: [String] = []
    for index in words.indices.dropLast() {
      let joined = FoldedName.text(words[index] + words[index + 1])
      guard try places.firstWord(from: joined)?.utf8.starts(with: joined.utf8) == true else {
        continue
      }
      var terms = [Self.beginning(joined)]
      for other in words.indices where other != index && other != index + 1 {
        if words[other].count >= Self.shortestLong { terms.append(Self.beginning(words[other])) }
      }
      expressions.append(terms.joined(separator: " AND "))
    }
    return expressions
  }

  /// Two words written as one, or with a letter instead of the space between them.
  private func splits(_ word: ArraySlice<UInt32>, in places: OpenPlaces) throws(CairnError)
    -> [String]
  {
    guard word.count <= Corrections.longest else { return [] }
    var terms: [String] = []
    for position in word.indices.dropFirst() {
      let left = FoldedName.text(word[..<position])
      guard try places.firstWord(from: left) == left else { continue }
      for rest in [word[position...], word[position...].dropFirst()] where !rest.isEmpty {
        let right = FoldedName.text(rest)
        guard try places.firstWord(from: right)?.utf8.starts(with: right.utf8) == true else {
          continue
        }
        terms.append("(\"\(left)\" AND \(Self.beginning(right)))")
      }
    }
    return terms
  }

  private func inside(_ word: ArraySlice<UInt32>, in places: OpenPlaces) throws(CairnError)
    -> [String]
  {
    let text = FoldedName.text(word)
    return try places.words(
      withTrigrams: Self.trigrams(word), all: true, limit: Self.insideLimit
    )
    .filter { $0 != text && !$0.utf8.starts(with: text.utf8) }.map { "\"\($0)\"" }
  }

  /// The groups of three letters in a word, without repetitions.
  static func trigrams(_ word: ArraySlice<UInt32>) -> [String] {
    guard word.count >= 3 else { return [] }
    var seen: Set<String> = []
    return (word.startIndex...word.endIndex - 3).map { FoldedName.text(word[$0..<$0 + 3]) }
      .filter { seen.insert($0).inserted }
  }

  /// Words of the vocabulary similar to a word without other matches: they share at least half of
  /// its trigrams and are few edits away.
  func lookalikes(of word: ArraySlice<UInt32>, in places: OpenPlaces) throws(CairnError) -> [String]
  {
    let trigrams = Self.trigrams(word.prefix(Corrections.longest))
    guard trigrams.count >= 2 else { return [] }
    let text = FoldedName.text(word)
    var best: [(common: Int, word: String)] = []
    for candidate in try places.words(withTrigrams: trigrams, all: false, limit: 2000) {
      let common = Set(Self.trigrams(candidate.unicodeScalars.map(\.value)[...]))
        .intersection(trigrams).count
      if common * 2 >= trigrams.count { best.append((common, candidate)) }
    }
    best.sort { ($1.common, $0.word) < ($0.common, $1.word) }
    var found: [String] = []
    while found.count < 3,
      let near = nearestWord(
        to: text, among: best.prefix(50).map(\.word).filter { !found.contains($0) })
    {
      found.append(near)
    }
    return found
  }

  /// All long words with their lookalikes; nil if one has none.
  func lookalikes(in places: OpenPlaces) throws(CairnError) -> String? {
    var groups: [String] = []
    for word in words where word.count >= Self.shortestLong {
      let similar = try lookalikes(of: word, in: places)
      if !similar.isEmpty {
        groups.append("(" + similar.map(Self.beginning).joined(separator: " OR ") + ")")
      }
    }
    return groups.isEmpty ? nil : groups.joined(separator: " AND ")
  }

  private static func beginning(_ word: ArraySlice<UInt32>) -> String {
    beginning(FoldedName.text(word))
  }

  private static func beginning(_ word: String) -> String { "\"\(word)\" *" }
}
