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

  /// The language of a tag or of the name of a locale, such as `de`, `de-CH` or `de_CH.UTF-8`; nil
  /// where it is none of these, as for `C` and `POSIX`.
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

/// All that is said in one language, in the form that it has within a sentence.
package struct PhraseTable: Sendable {
  /// The form of a way in a sentence: where one goes to it, and where one is on it.
  package typealias Way = (onto: String, on: String)
  /// The eight points of the compass clockwise from north: going there, lying there, and in short.
  package typealias Compass = (toward: [String], at: [String], short: [String])

  /// The phrases.
  package let phrases: [Phrase: String]
  /// The ways, with what goes before them.
  package let ways: [WayWord: Way]
  /// The points of the compass.
  package let compass: Compass
  /// The nouns among the terms that are not masculine and singular, by their text in English.
  package let nouns: [NounForm: Set<String>]
  /// What other tables have in English, such as the texts of warnings; empty for English itself.
  package let terms: [String: String]
}

/// The gender and number of a noun, with which adjectives agree.
package enum NounForm: Sendable, CaseIterable {
  case masculine, feminine, masculinePlural, femininePlural
}

extension Language {
  /// A phrase as it is within a sentence.
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

  /// A phrase with a number, which is its argument `count`: the one of the singular or the one of the
  /// plural.
  package func counted(_ count: Int, _ one: Phrase, _ many: Phrase) -> String {
    text(form(count, one, many), ["count": grouped(count)])
  }

  /// The phrase of the singular or of the plural, as a number requires it: none is one in French.
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

  /// A text of another table in English; where it is not known, as it is.
  package func term(_ english: String) -> String { table.terms[english] ?? english }

  /// A way with what goes before it: “onto Dorfstraße”.
  package func onto(_ way: WayWord, _ name: String?) -> String {
    contracted(Self.filled(table.ways[way]?.onto ?? "{name}", ["name": name ?? ""]))
  }

  /// A way with what goes before it: “on Dorfstraße”.
  package func on(_ way: WayWord, _ name: String?) -> String {
    contracted(Self.filled(table.ways[way]?.on ?? "{name}", ["name": name ?? ""]))
  }

  /// A text with its first letter as at the beginning of a sentence.
  package func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  /// A template with its arguments in place of `{name}`. What is in them is not a template.
  private static func filled(_ template: String, _ arguments: KeyValuePairs<String, String>)
    -> String
  {
    guard template.contains("{") else { return template }
    var text = ""
    var rest = template[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      text += rest[..<open]
      let name = rest[rest.index(after: open)..<close]
      text += arguments.first { $0.key == name }?.value ?? ""
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }
}
