// SPDX-License-Identifier: Apache-2.0

/// The value of `opening_hours` or the condition of a conditional tag, evaluated for a day.
///
/// - The time of day is noon, since walks are planned for daylight: `22:00-06:00` does not hold,
///   `sunrise-sunset` does, `14:00-18:00` does not.
/// - Without a day, whatever depends on it is unknown.
/// - Since authorities define seasons differently, `winter` holds from December to February, does not
///   from May to October, and is unknown in between; likewise the other seasons. In the southern
///   hemisphere seasons are shifted by half a year.
/// - Weather, tides and school holidays are unknown. A day is assumed not to be a public holiday.
///   So `SH` makes a rule uncertain, and matters only where it decides the result.
/// - Conditions on other users, such as `delivery`, do not hold, nor do `weight>7.5` and the like.
///
/// Grammar: https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification
struct OpeningHours {
  /// Whether it is open, or the condition holds.
  let reading: ConditionReading

  /// Reads rules that are separated by semicolons or `||`. A rule overrides those before it on the
  /// days that it names, or, after `||`, applies where they leave it closed.
  init(_ text: String, on date: CalendarDate?) {
    var isReadable = !text.trimmed.isEmpty
    var outcomes = OpeningOutcomes.closed
    for sequence in splitOutsideBrackets(text[...], at: ";") where !sequence.trimmed.isEmpty {
      // Between the two bars of `||` there is an empty part.
      for (index, part) in splitOutsideBrackets(sequence, at: "|").enumerated() {
        if index % 2 == 1 {
          if !part.isEmpty { isReadable = false }
          continue
        }
        var parser = OpeningRuleParser(part, on: date)
        guard let rule = parser.rule() else {
          isReadable = false
          continue
        }
        if index == 0 { outcomes.apply(rule) } else { outcomes.fallBack(to: rule) }
      }
    }
    reading = isReadable ? ConditionReading(truth: outcomes.truth) : .unreadable
  }
}

/// The states that may hold at noon after some rules.
private struct OpeningOutcomes: OptionSet {
  let rawValue: UInt8

  static let closed = Self(rawValue: 1)
  /// Closed, but a rule is about the day, with other hours.
  static let outOfHours = Self(rawValue: 2)
  static let unknown = Self(rawValue: 4)
  static let open = Self(rawValue: 8)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  private init(_ rule: OpeningRule) {
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

  mutating func apply(_ rule: OpeningRule) {
    if rule.days == .no { return }
    let outcome = Self(rule)
    // Out of the hours of the last rule, some mean that an earlier one still counts. Then it is
    // not certain which does.
    self = rule.days == .yes && outcome != .outOfHours ? outcome : union(outcome)
  }

  /// Applies a rule where no other one does. Out of the hours of those before it, some mean that it
  /// counts, and some do not.
  mutating func fallBack(to rule: OpeningRule) {
    if rule.days == .no || isDisjoint(with: [.closed, .outOfHours]) { return }
    if rule.days == .yes { remove(.closed) }
    insert(Self(rule))
  }
}

/// One rule: the days that it applies to, and its state at noon.
struct OpeningRule: Equatable {
  /// Whether it is about the day.
  var days: Truth
  /// Its state at noon.
  var isOpen: Truth
  /// Whether it is `off` or `closed`.
  var isClosure = false

  init(days: Truth, isOpen: Truth, isClosure: Bool) {
    (self.days, self.isOpen, self.isClosure) = (days, isOpen, isClosure)
  }

  /// A rule of one or more selections of days, each with its hours.
  init(_ alternatives: [OpeningSelectors], on date: CalendarDate?) {
    let days = alternatives.map { $0.days(on: date) }
    let hours = alternatives.map { $0.hours ?? .yes }
    self.days = days.max() ?? .no
    isOpen =
      if self.days == .yes {
        zip(days, hours).map { min($0, $1) }.max() ?? .no
      } else {
        zip(days, hours).filter { $0.0 == .unknown }.map(\.1).max() ?? .no
      }
  }
}

/// The selectors of a rule up to the next comma that begins another one, as far as they are read.
struct OpeningSelectors {
  /// Of years, months, days and seasons; nil if there are none.
  var dates: Truth?
  /// Of weeks; nil if there are none.
  var weeks: Truth?
  /// Bit 0 for Monday … bit 6 for Sunday; nil if there are neither weekdays nor holidays.
  var weekdays: Int?
  /// Of weekdays of which only some in a month count; nil if there are none.
  var someWeekdays: Truth?
  /// Whether there are holidays among the weekdays, which then may be any day.
  var hasSchoolHolidays = false
  /// Whether the weekdays only count if they are holidays: `SH Mo-Fr`.
  var areWeekdaysHolidays = false
  /// Of hours; nil if there are none.
  var hours: Truth?

  /// Whether the day is among the dates and weekdays.
  func days(on date: CalendarDate?) -> Truth {
    min(dates ?? .yes, weeks ?? .yes, weekdayTruth(on: date))
  }

  private func weekdayTruth(on date: CalendarDate?) -> Truth {
    guard let weekdays else { return .yes }
    let isHoliday: Truth = hasSchoolHolidays ? .unknown : .no
    let holds = max(Self.truth(of: weekdays, on: date), someWeekdays ?? .no)
    return areWeekdaysHolidays ? min(holds, isHoliday) : max(holds, isHoliday)
  }

  private static func truth(of weekdays: Int, on date: CalendarDate?) -> Truth {
    if weekdays == 0 { return .no }
    if weekdays == 0b111_1111 { return .yes }
    guard let date else { return .unknown }
    return Truth(weekdays & 1 << date.weekday != 0)
  }
}
