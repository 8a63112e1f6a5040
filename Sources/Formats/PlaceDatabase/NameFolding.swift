// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

/// A name for comparison: plain lower-case letters, divided into words.
///
/// Case, accents and punctuation do not count: `Pic de l'Estanyó` is `pic de l estanyo`, `Coma·l`
/// is `comal`, `Straße` is `strasse`. A word ends between letters and digits, so that `GR11` and
/// `GR 11` are equal. Each Chinese or Japanese character is a word of its own, since those
/// languages put no spaces between words.
package struct FoldedName: Hashable, Sendable {
  /// The letters of all words, as Unicode scalars.
  package private(set) var letters: [UInt32] = []
  /// The end of each word in ``letters``.
  package private(set) var ends: [Int] = []

  /// The longest text that is folded, in UTF-8 bytes; the rest is ignored.
  package static let limitBytes = 1024

  private enum Kind { case none, letter, digit }
  private var last = Kind.none

  /// Folds a text.
  package init(_ text: String) {
    letters.reserveCapacity(min(text.utf8.count, Self.limitBytes))
    var previous: UInt32 = 0
    var scalars =
      text.utf8.count > Self.limitBytes
      ? String(decoding: text.utf8.prefix(Self.limitBytes), as: UTF8.self).unicodeScalars
        .makeIterator()
      : text.unicodeScalars.makeIterator()
    var pending = scalars.next()
    while let scalar = pending {
      pending = scalars.next()
      add(scalar, after: previous, before: pending?.value ?? 0)
      previous = scalar.value
    }
    endWord()
  }

  /// The number of words.
  package var count: Int { ends.count }
  /// Whether there are no words.
  package var isEmpty: Bool { ends.isEmpty }

  /// A word.
  package subscript(_ word: Int) -> ArraySlice<UInt32> {
    letters[(word == 0 ? 0 : ends[word - 1])..<ends[word]]
  }

  /// The words as texts.
  package var words: [String] { ends.indices.map { Self.text(self[$0]) } }
  /// The words with single spaces between them.
  package var text: String { words.chained(by: " ") }

  /// Appends the UTF-8 of ``text``.
  package func appendText(to bytes: inout [UInt8]) {
    var word = 0
    for (index, letter) in letters.enumerated() {
      if index == ends[word] {
        bytes.append(0x20)
        word += 1
      }
      if letter < 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: letter))
      } else {
        bytes.append(contentsOf: UTF8.encode(Unicode.Scalar(letter) ?? "\u{FFFD}") ?? .init())
      }
    }
  }

  /// The text of some letters.
  package static func text(_ letters: some Sequence<UInt32>) -> String {
    var text = ""
    for letter in letters { text.unicodeScalars.append(Unicode.Scalar(letter) ?? "\u{FFFD}") }
    return text
  }

  private mutating func endWord() {
    if letters.count > (ends.last ?? 0) { ends.append(letters.count) }
    last = .none
  }

  private mutating func append(_ letter: UInt32, _ kind: Kind) {
    if last != .none, last != kind { endWord() }
    letters.append(letter)
    last = kind
  }

  private mutating func add(_ scalar: Unicode.Scalar, after previous: UInt32, before next: UInt32) {
    let value = scalar.value
    switch value {
    case 0x61...0x7A: append(value, .letter)
    case 0x41...0x5A: append(value | 0x20, .letter)
    case 0x30...0x39: append(value, .digit)
    // The Catalan l·l is one sound; without the dot on the keyboard it is often typed l.l.
    case 0xB7, 0x2027, 0x387: break
    case 0x2E where previous | 0x20 == 0x6C && next | 0x20 == 0x6C: break
    case 0..<0x80: endWord()
    default: addBeyondASCII(scalar)
    }
  }

  private mutating func addBeyondASCII(_ scalar: Unicode.Scalar) {
    let value = scalar.value
    if let plain = LetterFolding.latin(value) {
      if plain.isEmpty { endWord() }
      // The tone letter ƽ is a digit.
      for letter in plain { append(UInt32(letter), 0x30...0x39 ~= letter ? .digit : .letter) }
      return
    }
    if Self.isIgnored(value) { return }
    let properties = scalar.properties
    if Self.isWordOfItsOwn(value) {
      endWord()
      append(value, .letter)
      endWord()
    } else if properties.isAlphabetic || properties.generalCategory == .nonspacingMark
      || properties.generalCategory == .spacingMark
    {
      for letter in properties.lowercaseMapping.unicodeScalars where !Self.isIgnored(letter.value) {
        append(LetterFolding.other(letter.value), .letter)
      }
    } else if properties.numericType == .decimal, let digit = properties.numericValue {
      append(0x30 + UInt32(min(max(digit, 0), 9)), .digit)
    } else {
      endWord()
    }
  }

  /// Accents that follow their letter, vowel signs that are mostly left out (Hebrew, Arabic), and
  /// characters without width.
  private static func isIgnored(_ value: UInt32) -> Bool {
    switch value {
    case 0x300...0x36F, 0x483...0x487, 0x591...0x5BD, 0x610...0x61A, 0x640, 0x64B...0x65F, 0x670,
      0xAD, 0x200B...0x200F, 0x2060, 0xFE00...0xFE0F, 0xFEFF:
      true
    default: false
    }
  }

  /// Chinese characters and Japanese syllables.
  private static func isWordOfItsOwn(_ value: UInt32) -> Bool {
    switch value {
    case 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,
      0x20000...0x3134F:
      true
    default: false
    }
  }
}
