// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import PlaceDatabase

/// Finds what a word may stand for if it has one typo: the beginnings of words of the vocabulary that
/// are one edit away.
///
/// It walks the vocabulary, a sorted table, like a trie. Up to the typo the word is right, so for each
/// position only the letters that occur there in the vocabulary are tried: some two hundred
/// look-ups, whatever the size of the vocabulary. That is exact, which groups of three letters are not:
/// two neighbours swapped in a word of five letters leave none in common.
struct Corrections {
  /// The most letters that are tried at one position.
  private static let letterLimit = 48
  /// The most corrections of a word.
  static let limit = 48
  /// The longest word that is corrected, in letters.
  static let longest = 32

  private let places: OpenPlaces
  private let word: [UInt32]
  private(set) var found: [String] = []

  /// Finds the corrections of a word, complete words first.
  static func of(_ word: ArraySlice<UInt32>, in places: OpenPlaces) throws(CairnError) -> [String] {
    guard word.count <= longest else { return [] }
    var corrections = Corrections(places: places, word: Array(word))
    try corrections.search()
    return corrections.found
  }

  private init(places: OpenPlaces, word: [UInt32]) {
    self.places = places
    self.word = word
  }

  private mutating func search() throws(CairnError) {
    var whole: [String] = []
    var beginnings: [String] = []
    var seen: Set<[UInt32]> = []
    for position in 0..<word.count {
      if position > 0, try firstWord(with: word[..<position]) == nil { break }
      for candidate in try candidates(at: position) where seen.insert(candidate).inserted {
        guard let first = try firstWord(with: candidate[...]) else { continue }
        if first.unicodeScalars.count == candidate.count {
          whole.append(first)
        } else {
          beginnings.append(FoldedName.text(candidate))
        }
      }
    }
    found = Array((whole + beginnings.reversed()).prefix(Self.limit))
  }

  /// What the word may have been meant to be if its first wrong letter is at a position.
  private func candidates(at position: Int) throws(CairnError) -> [[UInt32]] {
    let (head, tail) = (word[..<position], word[position...])
    var candidates = [Array(head + tail.dropFirst())]
    if tail.count > 1 {
      candidates.append(
        Array(head) + [word[position + 1], word[position]] + Array(tail.dropFirst(2)))
    }
    for letter in try letters(after: head) where letter != word[position] {
      candidates.append(Array(head) + [letter] + Array(tail.dropFirst()))
      candidates.append(Array(head) + [letter] + Array(tail))
    }
    return candidates.filter { !$0.isEmpty }
  }

  /// The letters that follow a beginning in the vocabulary. At the beginning of words only those of
  /// the word's own script are tried.
  private func letters(after head: ArraySlice<UInt32>) throws(CairnError) -> [UInt32] {
    var letters: [UInt32] = []
    var next: UInt32 = head.isEmpty ? Self.scriptStart(word[0]) : 0
    while letters.count < Self.letterLimit {
      let text = FoldedName.text(head + (next > 0 ? [next] : []))
      guard let first = try places.firstWord(from: text) else { break }
      let scalars = first.unicodeScalars.map(\.value)
      guard scalars.starts(with: head) else { break }
      if scalars.count == head.count {
        // The beginning is a word itself.
        guard next == 0 else { break }
        next = 1
        continue
      }
      let letter = scalars[head.count]
      guard letter >= next else { break }
      letters.append(letter)
      // Surrogates are no characters.
      next = letter == 0xD7FF ? 0xE000 : letter + 1
    }
    return letters
  }

  private static func scriptStart(_ letter: UInt32) -> UInt32 {
    letter < 0x80 ? 0x30 : letter & ~0xFF
  }

  /// The first word with a beginning; nil if there is none.
  private func firstWord(with letters: ArraySlice<UInt32>) throws(CairnError) -> String? {
    let text = FoldedName.text(letters)
    guard let first = try places.firstWord(from: text), first.utf8.starts(with: text.utf8) else {
      return nil
    }
    return first
  }
}
