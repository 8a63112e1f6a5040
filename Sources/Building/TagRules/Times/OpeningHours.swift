// SPDX-License-Identifier: Apache-2.0

/// The value of `opening_hours` or the condition of a conditional tag, read once and judged for any
/// moment.
///
/// - Without a day, whatever depends on it is unknown, and so are hours without a time of day.
/// - Hours that end after midnight belong to the day on which they begin.
/// - When the sun rises and sets depends on the place and on the clock of the country: between its
///   earliest and its latest time anywhere in the temperate zones it is unknown whether it has.
/// - Since authorities define seasons differently, `winter` holds from December to February, does not
///   from May to October, and is unknown in between; likewise the other seasons. In the southern
///   hemisphere seasons are shifted by half a year.
/// - Weather, tides and school holidays are unknown. A day is assumed not to be a public holiday.
///   So `SH` makes a rule uncertain, and matters only where it decides the result.
/// - Conditions on other users, such as `delivery`, do not hold, nor do `weight>7.5` and the like.
///
/// Grammar: https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification
struct OpeningHours: Hashable, Sendable {
  /// Whether all rules were understood. If not, it is unknown whether it is open.
  private(set) var isReadable: Bool
  private var rules: [OpeningRule] = []

  /// Reads rules that are separated by semicolons or `||`. A rule overrides those before it on the
  /// days that it names, applies where they leave it closed after `||`, or adds its hours to theirs after
  /// a modifier and a comma.
  init(_ text: String) {
    isReadable = !text.trimmed.isEmpty
    for sequence in splitOutsideBrackets(text[...], at: ";") where !sequence.trimmed.isEmpty {
      // Between the two bars of `||` there is an empty part.
      for (index, part) in splitOutsideBrackets(sequence, at: "|").enumerated() {
        if index % 2 == 1 {
          if !part.isEmpty { isReadable = false }
          continue
        }
        var parser = OpeningRuleParser(part)
        guard var read = parser.rules() else {
          isReadable = false
          continue
        }
        read[0].isFallback = index > 0
        rules += read
      }
    }
  }

  /// Whether it is open, or the condition holds.
  func reading(at moment: Moment) -> ConditionReading {
    guard isReadable else { return .unreadable }
    var reading = ConditionReading(truth: truth(at: moment, isHoliday: false))
    if rules.contains(where: \.namesHolidays) {
      reading.assumesNoHoliday = truth(at: moment, isHoliday: true) != reading.truth
    }
    return reading
  }

  private func truth(at moment: Moment, isHoliday: Bool) -> Truth {
    let day = OpeningDay(date: moment.date, minute: moment.minute, isHoliday: isHoliday)
    let (today, _) = outcomes(on: day)
    guard let minute = moment.minute, rules.contains(where: \.passesMidnight) else {
      return today.truth
    }
    // What of yesterday goes on.
    let before = OpeningDay(
      date: moment.date?.adding(days: -1), minute: minute + Moment.minutesPerDay,
      isHoliday: isHoliday)
    let (rest, closure) = outcomes(on: before)
    return min(max(today.truth, rest.truth), closure.negated)
  }

  /// What the rules say about a time of a day, and whether one of them closes it then.
  private func outcomes(on day: OpeningDay) -> (outcomes: OpeningOutcomes, closure: Truth) {
    var outcomes = OpeningOutcomes.closed
    var closure = Truth.no
    for rule in rules {
      let judged = rule.judged(on: day)
      if judged.isClosure { closure = max(closure, judged.days) }
      if rule.isAddition, judged.isOpen == .no, !judged.isClosure { continue }
      if rule.isFallback { outcomes.fallBack(to: judged) } else { outcomes.apply(judged) }
    }
    return (outcomes, closure)
  }

  /// Whether it differs between days or hours.
  var dependsOnTime: Bool { rules.contains(where: \.dependsOnTime) }

  /// The minutes of the day, 0…1439, at which it may begin or end to be open, besides midnight.
  var changes: Set<Int> { rules.reduce(into: []) { $0.formUnion($1.changes) } }
}

/// A time of a day, up to the end of the next day: what began on it may go on after midnight.
struct OpeningDay {
  /// The day, nil where it may be any.
  var date: CalendarDate?
  /// Minutes after the midnight that it begins with, 0…2879; nil for any time of the day.
  var minute: Int?
  /// Whether it is a public holiday.
  var isHoliday: Bool

  /// Whether the time is on the day itself.
  var isItself: Bool { minute.map { $0 < Moment.minutesPerDay } ?? true }
}

/// The states that may hold after some rules.
private struct OpeningOutcomes: OptionSet {
  let rawValue: UInt8

  static let closed = Self(rawValue: 1)
  /// Closed, but a rule is about the day, with other hours.
  static let outOfHours = Self(rawValue: 2)
  static let unknown = Self(rawValue: 4)
  static let open = Self(rawValue: 8)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  private init(_ rule: JudgedRule) {
    self =
      switch rule.isOpen {
      case .yes: .open
      case .unknown: .unknown
      case .no: rule.isClosure ? .closed : .outOfHours
      }
  }

  /// What is certain of them.
  var truth: Truth {
    if self == .open { return .yes }
    return isDisjoint(with: [.open, .unknown]) ? .no : .unknown
  }

  mutating func apply(_ rule: JudgedRule) {
    if rule.days == .no { return }
    let outcome = Self(rule)
    // Out of the hours of the last rule, some mean that an earlier one still counts. Then it is
    // not certain which does.
    self = rule.days == .yes && outcome != .outOfHours ? outcome : union(outcome)
  }

  /// Applies a rule where no other one does. Out of the hours of those before it, some mean that it
  /// counts, and some do not.
  mutating func fallBack(to rule: JudgedRule) {
    if rule.days == .no || isDisjoint(with: [.closed, .outOfHours]) { return }
    if rule.days == .yes { remove(.closed) }
    insert(Self(rule))
  }
}

/// What one rule says about a time of a day.
private struct JudgedRule {
  /// Whether it is about the day.
  var days: Truth
  /// Whether it is open then.
  var isOpen: Truth
  /// Whether it is `off` or `closed`.
  var isClosure = false
}

/// One rule: selections of days, each with its hours, and what holds then.
struct OpeningRule: Hashable, Sendable {
  /// At least one.
  var alternatives: [OpeningSelectors]
  /// Yes for `open`, no for `off`; nil without a modifier.
  var modifier: Truth?
  /// Whether it follows `||`.
  var isFallback = false
  /// Whether it follows a modifier and a comma: out of its hours the rules before it count.
  var isAddition = false

  fileprivate func judged(on day: OpeningDay) -> JudgedRule {
    let days = alternatives.map { $0.days(on: day) }
    let hours = alternatives.map { $0.hours(on: day) }
    let whole = days.max() ?? .no
    var isOpen =
      if whole == .yes {
        zip(days, hours).map { min($0, $1) }.max() ?? .no
      } else {
        zip(days, hours).filter { $0.0 == .unknown }.map(\.1).max() ?? .no
      }
    guard let modifier else { return JudgedRule(days: whole, isOpen: isOpen) }
    if modifier == .no {
      // A rule that closes certain hours leaves the others unchanged.
      return JudgedRule(days: min(whole, isOpen), isOpen: .no, isClosure: true)
    }
    isOpen = min(isOpen, modifier)
    return JudgedRule(days: whole, isOpen: isOpen)
  }

  fileprivate var dependsOnTime: Bool { alternatives.contains(where: \.dependsOnTime) }
  fileprivate var namesHolidays: Bool { alternatives.contains(where: \.hasPublicHolidays) }
  fileprivate var passesMidnight: Bool { alternatives.contains(where: \.passesMidnight) }
  fileprivate var changes: Set<Int> { alternatives.reduce(into: []) { $0.formUnion($1.changes) } }
}
