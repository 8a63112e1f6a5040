// SPDX-License-Identifier: Apache-2.0

/// Reads the rules of an `opening_hours` between two semicolons from their tokens.
struct OpeningRuleParser {
  private let tokens: [OpeningToken]
  private var index = 0
  /// Whether the token before the next one is a comma.
  private var isAfterComma: Bool { index > 0 && tokens[index - 1] == .sign(",") }

  /// Prepares to read rules without semicolons.
  init(_ text: Substring) {
    tokens = openingTokens(text)
  }

  /// The rule and those that are added to it after its modifier and a comma, as in
  /// `Su off, Mo-Sa 09:00-18:00`; nil if one cannot be read.
  mutating func rules() -> [OpeningRule]? {
    var rules: [OpeningRule] = []
    repeat {
      guard var rule = rule() else { return nil }
      rule.isAddition = !rules.isEmpty
      rules.append(rule)
    } while take(",")
    return rules
  }

  private mutating func rule() -> OpeningRule? {
    guard index < tokens.count else { return nil }
    var alternatives: [OpeningSelectors] = []
    var selectors = OpeningSelectors()
    while let token = peek(), !isModifier(token) {
      if !selectors.hours.isEmpty, beginsDays(token) {
        alternatives.append(selectors)
        selectors = OpeningSelectors()
      }
      guard read(token, into: &selectors) else { return nil }
    }
    var rule = OpeningRule(alternatives: alternatives + [selectors])
    guard index < tokens.count else { return rule }
    guard let modifier = modifier() else { return nil }
    rule.modifier = modifier
    return rule
  }

  // MARK: Tokens

  func peek(_ ahead: Int = 0) -> OpeningToken? {
    index + ahead < tokens.count ? tokens[index + ahead] : nil
  }

  mutating func skip(_ count: Int = 1) { index = min(index + count, tokens.count) }

  /// Skips a sign if it comes next.
  mutating func take(_ sign: Character) -> Bool {
    guard peek() == .sign(sign) else { return false }
    skip()
    return true
  }

  // MARK: Modifiers

  private func isModifier(_ token: OpeningToken) -> Bool {
    switch token {
    case .comment: true
    case .word(let word): ["off", "closed", "open", "unknown"].contains(word)
    default: false
    }
  }

  /// The modifier at the end, with a comment or two: yes for `open`, no for `off`.
  private mutating func modifier() -> Truth? {
    var truth: Truth?
    while let token = peek(), token != .sign(",") {
      switch token {
      case .comment: truth = truth ?? .unknown
      case .word("open"): truth = .yes
      case .word("off"), .word("closed"): truth = .no
      case .word("unknown"): truth = .unknown
      default: return nil
      }
      skip()
    }
    return truth
  }

  // MARK: Selectors

  private func beginsDays(_ token: OpeningToken) -> Bool {
    switch token {
    case .word(let word):
      monthNumber(word) != nil || weekdayNumber(word) != nil
        || ["easter", "ph", "sh", "week"].contains(word)
    case .number(_, let digits): digits == 4 && !isClock(at: 0)
    default: false
    }
  }

  private mutating func read(
    _ token: OpeningToken, into selectors: inout OpeningSelectors
  ) -> Bool {
    switch token {
    case .sign(","):
      skip()
      return true
    case .sign(":"):
      // `Mar-Oct: 10:00-18:00`
      skip()
      return !selectors.dates.isEmpty || !selectors.weeks.isEmpty || selectors.weekdays != nil
    case .sign("("): return readHours(into: &selectors)
    case .sign, .comment: return false
    case .number(24, 2) where peek(1) == .sign("/") && peek(2) == .number(7, digits: 1):
      skip(3)
      selectors.hours.append(
        .from(ClockTime(minute: 0), to: ClockTime(minute: Moment.minutesPerDay)))
      return true
    case .number(_, 4) where !isClock(at: 0): return readDates(into: &selectors)
    case .number: return readHours(into: &selectors)
    case .word(let word): return read(word, into: &selectors)
    }
  }

  private mutating func read(_ word: String, into selectors: inout OpeningSelectors) -> Bool {
    if monthNumber(word) != nil || word == "easter" { return readDates(into: &selectors) }
    if weekdayNumber(word) != nil { return readWeekdays(into: &selectors) }
    if ClockTime(sun: word) != nil { return readHours(into: &selectors) }
    if let season = Season(rawValue: word) {
      skip()
      selectors.dates.append(.season(season))
      return true
    }
    switch word {
    case "ph":
      skip()
      selectors.weekdays = selectors.weekdays ?? 0
      selectors.hasPublicHolidays = true
    case "sh":
      skip()
      selectors.weekdays = selectors.weekdays ?? 0
      selectors.hasSchoolHolidays = true
    case "week":
      skip()
      return readWeeks(into: &selectors)
    default: return readCircumstance(word, into: &selectors)
    }
    return true
  }

  // MARK: Weekdays

  private mutating func readWeekdays(into selectors: inout OpeningSelectors) -> Bool {
    guard case .word(let word)? = peek(), let first = weekdayNumber(word) else { return false }
    // After holidays, and no comma.
    if selectors.weekdays == 0, selectors.someWeekdays.isEmpty, !isAfterComma {
      selectors.areWeekdaysHolidays = true
    }
    skip()
    var days = 1 << first
    if peek() == .sign("-"), case .word(let word)? = peek(1), let last = weekdayNumber(word) {
      skip(2)
      var day = first
      while day != last {
        day = (day + 1) % 7
        days |= 1 << day
      }
    }
    if take("[") {
      selectors.weekdays = selectors.weekdays ?? 0
      return readOrdinals(of: days, into: &selectors)
    }
    selectors.weekdays = (selectors.weekdays ?? 0) | days
    return true
  }

  /// Reads which weekdays of a month count: `1`, `1,3`, `1-2` or `-1` with the bracket after it,
  /// and perhaps `+1 day`.
  private mutating func readOrdinals(of weekdays: Int, into selectors: inout OpeningSelectors)
    -> Bool
  {
    var ordinals: Set<Int> = []
    repeat {
      let isFromEnd = take("-")
      guard let first = readOrdinal() else { return false }
      if isFromEnd {
        ordinals.insert(-first)
      } else {
        let last = take("-") ? readOrdinal() : first
        guard let last, first <= last else { return false }
        ordinals.formUnion(first...last)
      }
    } while take(",")
    guard take("]"), let offset = readOffset() else { return false }
    selectors.someWeekdays.append(.init(weekdays: weekdays, ordinals: ordinals, offset: offset))
    return true
  }

  /// Reads 1…5.
  mutating func readOrdinal() -> Int? {
    guard case .number(let ordinal, 1)? = peek(), (1...5).contains(ordinal) else { return nil }
    skip()
    return ordinal
  }
}

/// 1…12 for the beginning of an English month's name of at least three letters.
func monthNumber(_ word: String) -> Int? {
  let names = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
  return word.utf8.count < 3 ? nil : names.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
}

/// 0 for Monday … 6 for Sunday, for the beginning of an English name of at least two letters.
func weekdayNumber(_ word: String) -> Int? {
  let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
  return word.utf8.count < 2 ? nil : names.firstIndex { $0.hasPrefix(word) }
}
