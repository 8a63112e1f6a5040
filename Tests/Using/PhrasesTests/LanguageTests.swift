// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CairnPhrases

@Suite("Languages")
struct LanguageTests {
  @Test(
    "every language has every phrase, way, point of the compass and term",
    arguments: Language.allCases)
  func complete(_ language: Language) {
    let table = language.table
    for phrase in Phrase.allCases {
      #expect(table.phrases[phrase]?.isEmpty == false, "\(language): \(phrase)")
    }
    for way in WayWord.allCases {
      #expect(table.ways[way].map { !$0.onto.isEmpty && !$0.on.isEmpty } == true, "\(way)")
    }
    for points in [table.compass.toward, table.compass.at, table.compass.short] {
      #expect(Set(points).count == 8)
    }
    guard language != .english else { return }
    #expect(Set(table.terms.keys) == Set(Language.german.table.terms.keys), "\(language)")
    #expect(table.terms.values.allSatisfy { !$0.isEmpty })
  }

  /// The arguments of a template, where `of` and `lying` are other forms of the place and the compass.
  private func arguments(_ template: String, _ phrase: Phrase) -> [String] {
    let forms = phrase == .near ? ["lying": "compass"] : ["of": "place"]
    return template.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
      .map { String($0.prefix { $0 != "}" }) }.map { forms[$0] ?? $0 }.sorted()
  }

  @Test("a phrase has the same arguments in all languages", arguments: Language.allCases)
  func arguments(_ language: Language) {
    for (phrase, english) in Language.english.table.phrases {
      let text = language.table.phrases[phrase] ?? ""
      #expect(arguments(text, phrase) == arguments(english, phrase), "\(language): \(text)")
      #expect(text.count { $0 == "{" } == text.count { $0 == "}" }, "\(text)")
    }
    for (way, english) in Language.english.table.ways {
      let forms = language.table.ways[way]
      #expect(forms?.onto.contains("{name}") == english.onto.contains("{name}"), "\(way)")
      #expect(forms?.on.contains("{name}") == english.on.contains("{name}"), "\(way)")
    }
  }

  @Test(
    "a language is known by its tag and by the name of a locale",
    arguments: [
      ("de", .german), ("de-CH", .german), ("ca_ES.UTF-8", .catalan), ("FR", .french),
      ("es@euro", .spanish), ("en_GB.UTF-8", .english), ("it", .italian), ("C", nil),
      ("C.UTF-8", nil),
      ("POSIX", nil), ("", nil), ("deu", nil), ("nl_NL", nil),
    ] as [(String, Language?)])
  func tags(_ tag: String, _ language: Language?) {
    #expect(Language(tag: tag) == language)
  }

  @Test("exits are counted as each language does")
  func ordinals() {
    func texts(_ language: Language) -> [String] {
      [1, 2, 3, 4, 11, 12, 13, 21].map { language.ordinalOfExit($0) }
    }
    #expect(texts(.english) == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st"])
    #expect(texts(.german).prefix(3) == ["1.", "2.", "3."])
    #expect(texts(.french).prefix(3) == ["1re", "2e", "3e"])
    #expect(texts(.italian).prefix(2) == ["1ª", "2ª"])
    #expect(texts(.spanish).prefix(2) == ["1.ª", "2.ª"])
    #expect(texts(.catalan).prefix(2) == ["1a", "2a"])
  }

  @Test("numbers have the decimal mark of the language")
  func numbers() {
    #expect(Language.english.length(kilometresOf: 1234.5) == "1.23 km")
    for language in Language.allCases where language != .english {
      #expect(language.length(kilometresOf: 1234.5) == "1,23 km")
      #expect(language.length(metres: 1116) == "1\u{A0}116 m")
    }
  }

  @Test("a name stays as it is after “of”, which is elided or joined with an article")
  func elision() {
    func texts(_ name: String) -> [String] { Language.allCases.map { $0.of(name) } }
    #expect(
      texts("Encamp")
        == [
          "of Encamp", "von Encamp", "d’Encamp", "di Encamp", "de Encamp", "d’Encamp",
        ])
    #expect(Language.french.of("Le Tour") == "du Tour")
    #expect(Language.french.of("Chamonix") == "de Chamonix")
    #expect(Language.french.of("Évian") == "d’Évian")
    #expect(Language.french.of("Hahnenkamm") == "de Hahnenkamm")
    #expect(Language.catalan.of("Hortell") == "d’Hortell")
    #expect(Language.catalan.of("El Serrat") == "del Serrat")
    #expect(Language.catalan.of("els Cortals") == "dels Cortals")
    #expect(Language.catalan.of("Elna") == "d’Elna")
    #expect(Language.catalan.of("l’Aldosa") == "de l’Aldosa")
    #expect(Language.catalan.at("El Serrat") == "al Serrat")
    #expect(Language.catalan.at("les Escaldes") == "a les Escaldes")
    #expect(Language.catalan.at("Elna") == "a Elna")
    #expect(Language.catalan.onto(.name, "els Cortals") == "pels Cortals")
    #expect(Language.catalan.on(.name, "El Serrat") == "pel Serrat")
    #expect(Language.catalan.on(.name, "Carrer Major") == "per Carrer Major")
    #expect(Language.spanish.at("El Serrat") == "en El Serrat")
    #expect(Language.spanish.listed(["GR 11", "Itinerari"]) == "GR 11 e Itinerari")
    #expect(Language.spanish.listed(["GR 11", "Hielo"]) == "GR 11 y Hielo")
    #expect(Language.spanish.listed(["«Coll»", "«Ordino»"], .or) == "«Coll» u «Ordino»")
    #expect(Language.catalan.listed(["Coll", "Itinerari"]) == "Coll i Itinerari")
  }

  @Test("what looks like an argument in a name is none")
  func braces() {
    for language in Language.allCases {
      let way = language.onto(.name, "{turn} {")
      #expect(way.hasSuffix("{turn} {"))
      #expect(language.text(.turnOnto, ["turn": "x", "onto": way]) == "x \(way)")
    }
  }

  @Test("what is counted has the form of its number; none is one in French")
  func counts() {
    func texts(_ count: Int) -> [String] {
      Language.allCases.map { $0.counted(count, .oneNewRoute, .manyNewRoutes) }
    }
    #expect(
      texts(0) == [
        "0 new routes", "0 neue Routen", "0 nouvel itinéraire", "0 nuovi percorsi",
        "0 nuevas rutas", "0 noves rutes",
      ])
    #expect(
      texts(1) == [
        "1 new route", "1 neue Route", "1 nouvel itinéraire", "1 nuovo percorso", "1 nueva ruta",
        "1 nova ruta",
      ])
    #expect(texts(2)[2] == "2 nouveaux itinéraires")
    #expect(
      Language.allCases.map { $0.listed(["T2", "T3", "T4"]) } == [
        "T2, T3 and T4", "T2, T3 und T4", "T2, T3 et T4", "T2, T3 e T4", "T2, T3 y T4",
        "T2, T3 i T4",
      ])
    #expect(Language.german.listed(["a"]) == "a" && Language.german.listed([]).isEmpty)
  }

  @Test("any bearing has a point of the compass")
  func compass() {
    #expect([0, 22, 23, 359, -45, 720].map { Language.compassPoint($0) } == [0, 0, 1, 0, 7, 0])
    #expect([Double.nan, .infinity, 1e300].map { Language.compassPoint($0) } == [0, 0, 0])
    #expect(Language.catalan.toward(2) == "cap a l’est")
    #expect(Language.french.lying(6) == "à l’ouest")
    #expect(Language.german.compass(3) == "SO")
  }
}
