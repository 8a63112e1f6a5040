// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnPlaceDatabase

/// Finds corrections of a word with one typo: the beginnings of words in the vocabulary that are
/// one edit away.
///
/// It walks the vocabulary, a sorted table, like a trie. The word is correct up to the typo, so at
/// each position only the letters that occur there in the vocabulary are tried: some two hundred
/// look-ups, whatever the size of the vocabulary. This is exact, unlike trigrams: a word of five
/// letters with two neighbours swapped may share none.
struct Corrections {
  /// The most letters tried at one position.
  private static let letterLimit = 48
  /// The most corrections of a word.
  static let limit = 48
  /// The longest word corrected, in letters.
  static let longest = 32

  private let places: OpenPlaces
  /// The word in UTF-8, its letters, the start of each in `bytes`, and the end of the last.
  private let bytes: [UInt8]
  private let word: [UInt32]
  private let starts: [Int]

  private var whole: [String] = []
  private var beginnings: [String] = []
  private var seen: Set<String> = []
  /// A reused buffer for the text to look up and the first word from there on, since there are
  /// hundreds.
  private var sought: [UInt8] = []
  private var first: [UInt8] = []

  /// Finds the corrections of a word, complete words first.
  static func of(_ word: ArraySlice<UInt32>, in places: OpenPlaces) throws(CairnError) -> [String] {
    guard word.count <= longest else { return [] }
    var corrections = Corrections(places: places, word: Array(word))
    try corrections.search()
    return Array((corrections.whole + corrections.beginnings.reversed()).prefix(limit))
  }

  private init(places: OpenPlaces, word: [UInt32]) {
    self.places = places
    self.word = word
    var (bytes, starts): ([UInt8], [Int]) = ([], [])
    for letter in word {
      starts.append(bytes.count)
      Self.append(letter, to: &bytes)
    }
    self.bytes = bytes
    self.starts = starts + [bytes.count]
  }

  private mutating func search() throws(CairnError) {
    for position in word.indices {
      let head = starts[position]
      if position > 0 {
        sought.replaceSubrange(0..., with: bytes[..<head])
        guard try findFirst() else { break }
      }
      // A letter too many.
      try look(head, [], starts[position + 1])
      if position + 1 < word.count {
        try look(head, [word[position + 1], word[position]], starts[position + 2])
      }
      for letter in try letters(after: head) where letter != word[position] {
        // A wrong letter, and one missing before it.
        try look(head, [letter], starts[position + 1])
        try look(head, [letter], head)
      }
    }
  }

  /// Looks for words that begin with the word's bytes before `head`, the given letters, and the
  /// word's bytes from `tail` on.
  private mutating func look(_ head: Int, _ letters: [UInt32], _ tail: Int) throws(CairnError) {
    sought.replaceSubrange(0..., with: bytes[..<head])
    for letter in letters { Self.append(letter, to: &sought) }
    sought.append(contentsOf: bytes[tail...])
    guard !sought.isEmpty, try findFirst() else { return }
    let text = String(decoding: sought, as: UTF8.self)
    guard seen.insert(text).inserted else { return }
    if first.count == sought.count { whole.append(text) } else { beginnings.append(text) }
  }

  /// Looks up the first word from ``sought`` on; false if it does not begin with that.
  private mutating func findFirst() throws(CairnError) -> Bool {
    guard try places.findWord(from: sought, into: &first), first.count >= sought.count else {
      return false
    }
    return first.prefix(sought.count).elementsEqual(sought)
  }

  /// The letters that follow the word's bytes before `head` in the vocabulary. At the beginning of
  /// words, only those of the word's own script are tried.
  private mutating func letters(after head: Int) throws(CairnError) -> [UInt32] {
    var letters: [UInt32] = []
    var next: UInt32 = head == 0 ? Self.scriptStart(word[0]) : 0
    while letters.count < Self.letterLimit {
      sought.replaceSubrange(0..., with: bytes[..<head])
      if next > 0 { Self.append(next, to: &sought) }
      guard try places.findWord(from: sought, into: &first), first.count >= head,
        first[..<head].elementsEqual(bytes[..<head])
      else { break }
      if first.count == head {
        // The beginning is a word itself.
        guard next == 0 else { break }
        next = 1
        continue
      }
      let rest = String(decoding: first[head...], as: UTF8.self)
      guard let letter = rest.unicodeScalars.first?.value, letter >= next else { break }
      letters.append(letter)
      // Surrogates are not characters.
      next = letter == 0xD7FF ? 0xE000 : letter + 1
    }
    return letters
  }

  private static func scriptStart(_ letter: UInt32) -> UInt32 {
    letter < 0x80 ? 0x30 : letter & ~0xFF
  }

  private static func append(_ letter: UInt32, to bytes: inout [UInt8]) {
    if letter < 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: letter))
    } else {
      bytes.append(contentsOf: String(Unicode.Scalar(letter) ?? "\u{FFFD}").utf8)
    }
  }
}
