// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

/// A language that instructions, warnings and places are told in.
public enum Language: String, CaseIterable, Codable, Sendable {
  /// English.
  case english = "en"
  /// German.
  case german = "de"
  /// French.
  case french = "fr"
  /// Italian.
  case italian = "it"
  /// Spanish.
  case spanish = "es"
  /// Catalan.
  case catalan = "ca"

  /// The language of a tag or locale name, such as `de`, `de-CH` or `de_CH.UTF-8`; nil for any
  /// other, such as `C` and `POSIX`.
  public init?(tag: String) {
    let code = tag.prefix { !"-_.@".contains($0) }.lowercased()
    self.init(rawValue: code)
  }

  /// Its table.
  package var table: PhraseTable {
    switch self {
    case .english: .english
    case .german: .german
    case .french: .french
    case .italian: .italian
    case .spanish: .spanish
    case .catalan: .catalan
    }
  }
}

/// The texts of one language, in the form used within a sentence.
package struct PhraseTable: Sendable {
  /// The forms of a way in a sentence: going onto it, and being on it.
  package typealias Way = (onto: String, on: String)
  /// The eight points of the compass clockwise from north: going there, lying there, and in short.
  package typealias Compass = (toward: [String], at: [String], short: [String])

  /// The phrases.
  package let phrases: [Phrase: String]
  /// The ways, with their prepositions.
  package let ways: [WayWord: Way]
  /// The points of the compass.
  package let compass: Compass
  /// The nouns among the terms that are not masculine and singular, by their text in English.
  package let nouns: [NounForm: Set<String>]
  /// English texts from other tables, such as warnings, with their translations; empty for English.
  package let terms: [String: String]
}

/// The gender and number of a noun, for adjectives to agree with.
package enum NounForm: Sendable, CaseIterable {
  case masculine, feminine, masculinePlural, femininePlural
}

extension Language {
  /// A phrase within a sentence.
  package func text(_ phrase: Phrase, _ arguments: KeyValuePairs<String, String> = [:]) -> String {
    Self.filled(table.phrases[phrase] ?? phrase.rawValue, arguments)
  }

  /// A phrase as a sentence of its own.
  package func sentence(_ phrase: Phrase, _ arguments: KeyValuePairs<String, String> = [:])
    -> String
  {
    capitalized(text(phrase, arguments))
  }

  /// A phrase as a sentence with a full stop, as in the text of an error.
  package func statement(_ phrase: Phrase, _ arguments: KeyValuePairs<String, String> = [:])
    -> String
  {
    sentence(phrase, arguments) + "."
  }

  /// A phrase with a number as its argument `count`, singular or plural.
  package func counted(_ count: Int, _ one: Phrase, _ many: Phrase) -> String {
    text(form(count, one, many), ["count": grouped(count)])
  }

  /// The singular or plural phrase for a number; in French, zero is singular.
  package func form(_ count: Int, _ one: Phrase, _ many: Phrase) -> Phrase {
    count == 1 || (count == 0 && self == .french) ? one : many
  }

  /// Words as people list them: `T2, T3 und T4`.
  package func listed(_ words: [String], _ joint: Phrase = .and) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    let first = words.dropLast().joined(separator: ", ")
    let text = text(joint, ["first": first, "second": last])
    return self == .spanish ? Self.euphonic(text, after: first, joint) : text
  }

  /// The translation of an English text from another table; the English text if there is none.
  package func term(_ english: String) -> String { table.terms[english] ?? english }

  /// A way with its preposition: “onto Dorfstraße”.
  package func onto(_ way: WayWord, _ name: String?) -> String {
    contracted(Self.filled(table.ways[way]?.onto ?? "{name}", ["name": name ?? ""]))
  }

  /// A way that one comes to: “Dorfstraße” in English, with the preposition of ``onto(_:_:)`` in
  /// languages that say how one goes on.
  package func reaching(_ way: WayWord, _ name: String?) -> String {
    let onto = onto(way, name)
    return self == .english && onto.hasPrefix("onto ") ? String(onto.dropFirst(5)) : onto
  }

  /// A way with its preposition: “on Dorfstraße”.
  package func on(_ way: WayWord, _ name: String?) -> String {
    contracted(Self.filled(table.ways[way]?.on ?? "{name}", ["name": name ?? ""]))
  }

  /// A text with its first letter as at the beginning of a sentence.
  package func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + String(text.dropFirst())
  }

  /// A template with its arguments in place of `{name}`. Braces within an argument are kept.
  private static func filled(_ template: String, _ arguments: KeyValuePairs<String, String>)
    -> String
  {
    guard template.contains("{") else { return template }
    var text = ""
    var rest = template[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      text += String(rest[..<open])
      let name = rest[rest.index(after: open)..<close]
      text += arguments.first { $0.key == name }?.value ?? ""
      rest = rest[rest.index(after: close)...]
    }
    return text + String(rest)
  }
}
