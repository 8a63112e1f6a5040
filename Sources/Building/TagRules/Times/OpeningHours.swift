// SPDX-License-Identifier: Apache-2.0

/// The value of `opening_hours` or the condition of a conditional tag, evaluated for a day.
///
/// - The time of day is noon, since walks are planned for daylight: `22:00-06:00` does not hold,
///   `sunrise-sunset` does, `14:00-18:00` does not.
/// - Without a day, whatever depends on it is unknown.
/// - Since authorities define seasons differently, `winter` holds from December to February, does
/// not
///   from May to October, and is unknown in between; likewise the other seasons. In the southern
///   hemisphere seasons are shifted by half a year.
/// - Weather, tides and school holidays are unknown. A day is assumed not to be a public holiday.
/// - Conditions on other users, such as `delivery`, do not hold, nor do `weight>7.5` and the like.
///
/// Grammar: https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification
struct OpeningHours {
  /// Whether it is open, or the condition holds.
  let reading: ConditionReading

  /// Reads rules that are separated by semicolons. A rule overrides those before it on the days
  /// that it names.
  init(_ text: String, on date: CalendarDate?) {
    var isReadable = true
    var isDecided = false
    var outcomes: [Truth] = []
    for rule in splitOutsideBrackets(text[...], at: ";").reversed() where !rule.trimmed.isEmpty {
      var parser = OpeningRuleParser(rule, on: date)
      guard let rule = parser.rule() else {
        isReadable = false
        outcomes.append(.unknown)
        continue
      }
      guard !isDecided, rule.days != .no else { continue }
      // Out of the hours of the last rule, some mean that an earlier one still counts. Then it is
      // not certain which does.
      outcomes.append(rule.isOpen)
      isDecided = rule.days == .yes && (rule.isOpen != .no || rule.isClosure)
    }
    if text.trimmed.isEmpty { isReadable = false }
    if outcomes.isEmpty || !isDecided && !outcomes.contains(.no) { outcomes.append(.no) }
    let least = outcomes.min() ?? .unknown
    let truth = least == outcomes.max() ? least : .unknown
    reading = isReadable ? ConditionReading(truth: truth) : .unreadable
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
  /// Bit 0 for Monday … bit 6 for Sunday; nil if there are none.
  var weekdays: Int?
  /// Weekdays of which only some in a month count.
  var someWeekdays = 0
  /// Whether there are holidays among the weekdays that may fall on any day.
  var hasSchoolHolidays = false
  /// Of hours; nil if there are none.
  var hours: Truth?

  /// Whether the day is among the dates and weekdays.
  func days(on date: CalendarDate?) -> Truth { min(dates ?? .yes, weekdayTruth(on: date)) }

  private func weekdayTruth(on date: CalendarDate?) -> Truth {
    guard let weekdays else { return .yes }
    if weekdays == 0b111_1111 { return .yes }
    if let date {
      if weekdays & 1 << date.weekday != 0 { return .yes }
      return someWeekdays & 1 << date.weekday != 0 || hasSchoolHolidays ? .unknown : .no
    }
    return weekdays | someWeekdays == 0 && !hasSchoolHolidays ? .no : .unknown
  }
}
