// SPDX-License-Identifier: Apache-2.0
import CairnPlaceDatabase

/// How well a name fits a query.
struct NameMatch {
  /// The class of the match.
  var match: SearchMatch
  /// The score of the match, before importance and distance: 0…4.
  var score: Double

  /// The base score of each class. Importance adds up to 0.8, so a far more important place can win
  /// over the next better class.
  private static func base(_ match: SearchMatch) -> Double {
    switch match {
    case .exact: 3.0
    case .prefix: 2.2
    case .kind, .words: 1.7
    case .nearlyExact: 1.6
    case .similar: 0.8
    case .partial: 0
    }
  }

  /// The score for the match of a word.
  private static func value(_ match: WordMatch, typed: Int, word: Int) -> Double {
    let share = Double(typed) / Double(max(typed, word))
    switch match {
    case .exact: return 1
    case .prefix: return 0.75 + 0.2 * share
    case .typo: return typed < 4 ? 0.3 : 0.6
    case .inside: return 0.3 + 0.3 * share
    case .typoInPrefix: return typed < 4 ? 0.05 : 0.2 + 0.3 * share
    }
  }

  /// The most words of a name that are compared.
  private static let wordLimit = 32

  /// Compares a query with a name.
  init(_ query: FoldedName, _ name: FoldedName) {
    if query == name {
      self.init(.exact, quality: 1, coverage: 1)
      return
    }
    // Without the spaces, which people forget and misplace.
    let joined = OneEdit.match(query.letters[...], name.letters[...])
    let words = WordSum(query, name, limit: Self.wordLimit)
    let quality = query.letters.isEmpty ? 0 : words.value / Double(query.letters.count)
    let coverage = name.letters.isEmpty ? 0 : Double(words.covered) / Double(name.letters.count)
    let own: SearchMatch =
      switch words.worst {
      case nil: .partial
      case .exact, .prefix: joined == .prefix ? .prefix : .words
      case .typo, .inside, .typoInPrefix: .similar
      }
    switch joined {
    case .exact: self.init(.exact, quality: max(quality, 0.9), coverage: 1)
    case .prefix where own > .prefix:
      self.init(.prefix, quality: max(quality, 0.7), coverage: coverage)
    case .typo where own > .words && query.letters.count > 3:
      self.init(.nearlyExact, quality: max(quality, 0.7), coverage: 1)
    default: self.init(own, quality: quality, coverage: coverage)
    }
  }

  private init(_ match: SearchMatch, quality: Double, coverage: Double) {
    self.match = match
    score = Self.base(match) + 0.6 * quality + 0.3 * coverage
  }

  /// The words of a query, each matched with the best remaining word of a name.
  private struct WordSum {
    /// The sum of the match scores, each times its letters.
    var value = 0.0
    /// The letters of the name in matched words.
    var covered = 0
    /// The worst match of a word; nil if one has none.
    var worst: WordMatch? = .exact

    init(_ query: FoldedName, _ name: FoldedName, limit: Int) {
      let count = min(name.count, limit)
      var used: UInt64 = 0
      var expected = 0
      for index in 0..<query.count {
        let typed = query[index]
        var best: (match: WordMatch, word: Int)?
        for step in 0..<count {
          // Start after the last matched word, to prefer words in order.
          let word = (expected + step) % count
          guard used & (1 << UInt64(word)) == 0,
            let match = OneEdit.match(typed, name[word])
          else { continue }
          if best.map({ match < $0.match }) ?? true { best = (match, word) }
          if match == .exact { break }
        }
        guard let best else {
          worst = nil
          continue
        }
        used |= 1 << UInt64(best.word)
        expected = best.word + 1
        value +=
          Double(typed.count)
          * NameMatch.value(best.match, typed: typed.count, word: name[best.word].count)
        covered +=
          best.match == .exact || best.match == .typo
          ? name[best.word].count : min(typed.count, name[best.word].count)
        worst = worst.map { max($0, best.match) }
      }
    }
  }
}
