// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

extension Language {
  /// The ordinal of an exit, feminine in languages that inflect it: `3rd`, `3.`, `3e`, `3ª`.
  package func ordinalOfExit(_ number: Int) -> String {
    switch self {
    case .english:
      let endings = [1: "st", 2: "nd", 3: "rd"]
      let isTeen = (11...13).contains(number % 100)
      return "\(number)\(isTeen ? "th" : endings[number % 10] ?? "th")"
    case .german: return "\(number)."
    case .french: return number == 1 ? "1re" : "\(number)e"
    case .italian: return "\(number)ª"
    case .spanish: return "\(number).ª"
    case .catalan: return "\(number)a"
    }
  }

  /// A number written with a decimal point, with the decimal mark of the language instead.
  package func number(_ text: String) -> String {
    guard self != .english else { return text }
    return String(text.map { $0 == "." ? "," : $0 })
  }

  /// A length in metres: `1 116 m`.
  package func length(metres length: Double, decimals: Int = 0) -> String {
    number(metres(length, decimals: decimals))
  }

  /// A length in kilometres: `8,11 km`.
  package func length(kilometresOf metres: Double, decimals: Int = 2) -> String {
    number(kilometres(metres, decimals: decimals))
  }

  /// A length in metres, or in kilometres from 1 km: `350 m`, `1,23 km`.
  package func length(_ length: Double) -> String {
    length < 1000 ? self.length(metres: length) : self.length(kilometresOf: length)
  }

  /// A name after “of”: `of Encamp`, `d’Encamp`, `del Serrat`. Only an article that contracts with
  /// “of” changes the name.
  package func of(_ name: String) -> String {
    switch self {
    case .english: return "of \(name)"
    case .german: return "von \(name)"
    case .italian: return "di \(name)"
    case .spanish: return "de \(name)"
    case .french: return joined(name, ["Le ": "du ", "Les ": "des "])
    case .catalan:
      return joined(name, ["El ": "del ", "Els ": "dels ", "el ": "del ", "els ": "dels "])
    }
  }

  /// “Closed”, agreeing with a noun of the terms: `cerrado`, `cerrada`.
  package func closed(_ noun: String) -> String {
    switch table.nouns.first(where: { $0.value.contains(noun) })?.key ?? .masculine {
    case .masculine: text(.closedMasculine)
    case .feminine: text(.closedFeminine)
    case .masculinePlural: text(.closedMasculines)
    case .femininePlural: text(.closedFeminines)
    }
  }

  /// A name after “at”: `at Font`, `al Serrat`.
  package func at(_ name: String) -> String {
    contracted(text(.at, ["place": name, "of": of(name)]))
  }

  /// A Catalan name with its preposition, contracted with the article that begins the name:
  /// `al Serrat`, `pel Serrat`.
  func contracted(_ text: String) -> String {
    guard self == .catalan else { return text }
    for (preposition, joined) in ["a ": "al", "per ": "pel"] as KeyValuePairs {
      guard text.hasPrefix(preposition) else { continue }
      let name = text.dropFirst(preposition.count)
      for (article, plural) in ["El ": "", "el ": "", "Els ": "s", "els ": "s"] as KeyValuePairs
      where name.hasPrefix(article) {
        return joined + plural + " " + name.dropFirst(article.count)
      }
    }
    return text
  }

  /// Joins words in Spanish, with `e` for `y` before an I and `u` for `o` before an O.
  static func euphonic(_ text: String, after first: String, _ joint: Phrase) -> String {
    let rest = text.dropFirst(first.count)
    guard let (word, other, sounds) = joints[joint], rest.hasPrefix(" \(word) ") else {
      return text
    }
    let last = rest.dropFirst(word.count + 2).drop { !$0.isLetter }.lowercased()
    let sound = last.hasPrefix("h") ? last.dropFirst() : last[...]
    guard sound.first.map(sounds.contains) == true, !last.hasPrefix("hie") else { return text }
    return "\(first) \(other)\(rest.dropFirst(word.count + 1))"
  }

  private static let joints: [Phrase: (word: String, other: String, sounds: String)] = [
    .and: ("y", "e", "ií"), .or: ("o", "u", "oó"),
  ]

  /// A name after “near”.
  package func near(_ name: String) -> String {
    text(.nearSettlement, ["place": name, "of": of(name)])
  }

  private func joined(_ name: String, _ articles: KeyValuePairs<String, String>) -> String {
    for (article, joined) in articles where name.hasPrefix(article) {
      return joined + name.dropFirst(article.count)
    }
    return (beginsWithVowel(name) ? "d’" : "de ") + name
  }

  /// Whether a name begins with a vowel or a silent H.
  private func beginsWithVowel(_ name: String) -> Bool {
    guard let first = name.first?.lowercased() else { return false }
    let vowels = "aàáâäeèéêëiìíîïoòóôöuùúûüœæ"
    guard first == "h" else { return vowels.contains(first) }
    // H is silent in about half of French names, and always in Catalan.
    return self == .catalan
  }

  /// The nearest of the eight points of the compass, as its place in a list clockwise from north.
  package static func compassPoint(_ degrees: Double) -> Int {
    guard let turns = Int(exactly: (degrees / 45).rounded()) else { return 0 }
    return ((turns % 8) + 8) % 8
  }

  /// The direction of travel: “north”, “cap a l’est”.
  package func toward(_ point: Int) -> String { named(table.compass.toward, point) }

  /// The direction in which something lies: “to the north”, “a l’est”.
  package func lying(_ point: Int) -> String { named(table.compass.at, point) }

  /// An abbreviated compass point: “NE”, “NO”.
  package func compass(_ point: Int) -> String { named(table.compass.short, point) }

  private func named(_ names: [String], _ point: Int) -> String {
    names.indices.contains(point) ? names[point] : ""
  }
}
