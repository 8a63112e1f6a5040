// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// What a value of `sac_scale` says.
///
/// Any spelling that a person reads as a grade is one: `T5+`, `t 4`, `T3/4`, `Alpine Hiking`,
/// `T2 - mountain_hiking`, `mountian_hiking`, `anspruchsvolles Bergwandern`. Of several the hardest
/// counts. A grade that cannot be read may be any, so limits take it for harder than they allow.
package enum GradeReading: Equatable, Sendable {
  /// It names no grade and means none, as `yes` and `no`.
  case none
  /// The hardest grade that it names.
  case grade(SACScale)
  /// It says something that is no grade, such as `EE`.
  case unreadable

  /// No tag of OpenStreetMap is longer, in characters.
  private static let longest = 255

  /// Reads a value.
  package init(_ value: String) {
    // Nearly all values are a single grade in its standard spelling.
    if let grade = SACScale(rawValue: value) {
      self = .grade(grade)
      return
    }
    let (grades, isReadable) = Self.grades(value)
    self = grades.max().map { .grade($0) } ?? (isReadable ? .none : .unreadable)
  }

  /// Whether a value consists of grades only.
  package static func isKnown(_ value: String) -> Bool {
    let (grades, isReadable) = grades(value)
    return isReadable && !grades.isEmpty
  }

  /// Whether it may be harder than a limit.
  package func mayExceed(_ limit: SACScale) -> Bool {
    switch self {
    case .none: false
    case .grade(let grade): grade > limit
    case .unreadable: limit < .t6
    }
  }

  /// The grades that a value names, and whether all of it was understood.
  static func grades(_ value: String) -> (grades: [SACScale], isReadable: Bool) {
    // No grade is as hard as "harder than T3" says.
    guard value.utf8.count <= 4 * longest, !value.contains(">") else { return ([], false) }
    let parts = GradeParts(value).parts
    // Signs alone, such as a question mark, are no grade; a dash says that there is none.
    var (grades, isReadable) = ([SACScale](), !parts.isEmpty || TagDenial.contains(value))
    for part in parts {
      let found = (numbers(part).map { SACScale(number: $0) } + [named(part)]).compactMap { $0 }
      grades += found
      if found.isEmpty, !part.allSatisfy({ empty.contains($0.word ?? "") }) { isReadable = false }
    }
    return (grades, isReadable)
  }

  /// Values that say that there is no grade, or nothing about it.
  private static let empty: Set<String> = ["no", "none", "yes"]

  /// The numbers of grades: those behind a `T` and those that follow them, or all if there is nothing else.
  private static func numbers(_ part: [GradeParts.Token]) -> [Int] {
    let isBare = part.allSatisfy { $0.number != nil || GradeWord.of($0.word ?? "") == .filler }
    var found: [Int] = []
    var isOpen = isBare
    for token in part {
      if let number = token.number {
        if isOpen { found.append(number) }
      } else {
        isOpen = isBare || token.word == "t"
      }
    }
    return found
  }

  /// The grade whose name is all of a part besides numbers; nil if a word of it is of no name.
  private static func named(_ part: [GradeParts.Token]) -> SACScale? {
    var words: Set<GradeWord> = []
    for word in part.compactMap(\.word) where word != "t" {
      let known = GradeWord.all(in: word)
      if known.isEmpty { return nil }
      words.formUnion(known)
    }
    words.remove(.filler)
    if words.contains(.strolling) { return words.count == 1 ? .strolling : nil }
    switch (words.contains(.alpine), words.contains(.mountain)) {
    case (true, _):
      if words.contains(.difficult) { return .t6 }
      return words.contains(.demanding) ? .t5 : .t4
    case (_, true):
      if words.contains(.difficult) { return nil }
      return words.contains(.demanding) ? .t3 : .t2
    default: return words == [.hiking] ? .t1 : nil
    }
  }
}

/// A word in the name of a grade, in the languages in which the Swiss Alpine Club has them, and in
/// English.
private enum GradeWord {
  case strolling, hiking, mountain, alpine, demanding, difficult
  /// A word that changes nothing.
  case filler

  private static let table: [String: GradeWord] = {
    let words: [(GradeWord, String)] = [
      (.strolling, "stroll strolling"),
      (.hiking, "hike hikes hiker hiking wandern wanderung randonnee escursione itinerario"),
      (.mountain, "mountain mountains berg montagne montagna"),
      (.alpine, "alpine alpin alpino alpina"),
      (.demanding, "demanding anspruchsvolles anspruchsvoll exigeante impegnativa impegnativo"),
      (.difficult, "difficult schwieriges schwierig difficile"),
      (.filler, "sac scale grade level path trail weg in en di the"),
    ]
    var table: [String: GradeWord] = [:]
    for (kind, names) in words {
      for name in names.split(separator: " ") { table[String(name)] = kind }
    }
    return table
  }()

  /// The meaning of a whole word.
  static func of(_ word: String) -> GradeWord? { table[word] }

  /// The words that a text without spaces consists of: one, one with a letter too many, too few or wrong, or
  /// several, as in `bergwandern`; none if it is none of these.
  static func all(in text: String) -> Set<GradeWord> {
    if let word = table[text] { return [word] }
    guard text.utf8.count <= 40 else { return [] }
    for length in stride(from: text.utf8.count - 1, through: 4, by: -1) {
      guard let word = table[String(text.prefix(length))] else { continue }
      let rest = all(in: String(text.dropFirst(length)))
      if !rest.isEmpty { return rest.union([word]) }
    }
    // Nobody means a hike by `biking`: the first letter has to be right.
    let meant = table.filter {
      $0.key.utf8.count >= 5 && $0.key.first == text.first && differByOneEdit($0.key, text)
    }
    return Set(meant.values).count == 1 ? Set(meant.values) : []
  }
}

/// The words and numbers of a value, in parts that may each name a grade.
private struct GradeParts {
  /// A run of letters, or a number.
  struct Token {
    var word: String?
    var number: Int?
  }

  private(set) var parts: [[Token]] = []
  private var part: [Token] = []
  private var word = ""
  private var digits = ""

  /// Words that stand between two grades.
  private static let between: Set<String> = ["and", "bis", "et", "oder", "or", "to", "und"]

  init(_ value: String) {
    var last: Character = " "
    let characters = Array(value.lowercased())
    for (index, character) in characters.enumerated() {
      defer { last = character }
      let next = index + 1 < characters.count ? characters[index + 1] : " "
      let folded = Self.folded(character)
      if let folded, folded.isNumber {
        endWord()
        digits.append(folded)
      } else if let folded {
        endNumber()
        word.append(folded)
      } else if character == ".", !digits.isEmpty, next.isASCII, next.isNumber {
        digits.append(".")
      } else {
        endWord()
        endNumber()
        let isRange = character == "-" && (last == " " || next == " ")
        if isRange || ";,/|&+()[]:–—…~".contains(character) { endPart() }
      }
    }
    endWord()
    endNumber()
    endPart()
  }

  private mutating func endWord() {
    if word.isEmpty { return }
    if Self.between.contains(word) { endPart() } else { part.append(Token(word: word)) }
    word = ""
  }

  private mutating func endNumber() {
    if digits.isEmpty { return }
    let pieces = digits.split(separator: ".")
    // Between two grades it is the harder one.
    let isBetween = pieces.dropFirst().contains { $0.contains { $0 != "0" } }
    let number = pieces.first.flatMap { $0.utf8.count < 3 ? Int($0) : nil }
    part.append(Token(number: (number ?? 99) + (isBetween ? 1 : 0)))
    digits = ""
  }

  private mutating func endPart() {
    if !part.isEmpty { parts.append(part) }
    part = []
  }

  /// A letter from a to z or a digit that looks like a character; nil for anything else.
  private static func folded(_ character: Character) -> Character? {
    guard let scalar = character.unicodeScalars.first else { return nil }
    switch scalar.value {
    case 0x30...0x39, 0x61...0x7A: return Character(scalar)
    // Full width, in Japan.
    case 0xFF10...0xFF19, 0xFF41...0xFF5A:
      return UnicodeScalar(scalar.value - 0xFEE0).map { Character($0) }
    case 0x442, 0x3C4: return "t"
    case 0xE0...0xE5: return "a"
    case 0xE8...0xEB: return "e"
    default:
      return scalar.properties.isAlphabetic ? "?" : nil
    }
  }
}
