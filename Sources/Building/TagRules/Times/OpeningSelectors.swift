// SPDX-License-Identifier: Apache-2.0

/// The selectors of a rule up to the next comma that begins another one.
struct OpeningSelectors: Hashable, Sendable {
  /// Years, months, days or seasons.
  enum Dates: Hashable, Sendable {
    case range(DatePoint, DatePoint)
    case season(Season)
  }

  /// Every `step`-th week from the first to the last one.
  struct Weeks: Hashable, Sendable {
    var first: Int
    var last: Int
    var step: Int
  }

  /// Weekdays of which only some in a month count, and how many days later.
  struct SomeWeekdays: Hashable, Sendable {
    /// Bit 0 for Monday … bit 6 for Sunday.
    var weekdays: Int
    /// 1…5 and −5…−1.
    var ordinals: Set<Int>
    var offset: Int
  }

  /// Hours, or a condition on users, weather or sizes.
  enum Hours: Hashable, Sendable {
    case interval(ClockTime, ClockTime)
    case circumstance(Truth)
  }

  /// None if the rule names none.
  var dates: [Dates] = []
  /// None if the rule names none.
  var weeks: [Weeks] = []
  /// Bit 0 for Monday … bit 6 for Sunday; nil if there are neither weekdays nor holidays.
  var weekdays: Int?
  /// None if the rule names none.
  var someWeekdays: [SomeWeekdays] = []
  /// Whether there are school holidays among the weekdays, which then may be any day.
  var hasSchoolHolidays = false
  /// Whether there are public holidays among the weekdays.
  var hasPublicHolidays = false
  /// Whether the weekdays only count if they are holidays: `SH Mo-Fr`.
  var areWeekdaysHolidays = false
  /// None if the rule names none.
  var hours: [Hours] = []

  /// Whether the day is among the dates and weekdays.
  func days(on day: OpeningDay) -> Truth {
    var truth = weekdayTruth(on: day)
    if !dates.isEmpty { truth = min(truth, dates.map { $0.hold(on: day.date) }.max() ?? .no) }
    if !weeks.isEmpty { truth = min(truth, weeks.map { $0.hold(on: day.date) }.max() ?? .no) }
    return truth
  }

  private func weekdayTruth(on day: OpeningDay) -> Truth {
    guard let weekdays else { return .yes }
    let isHoliday: Truth =
      hasPublicHolidays && day.isHoliday ? .yes : hasSchoolHolidays ? .unknown : .no
    let some = someWeekdays.map { $0.hold(on: day.date) }.max() ?? .no
    let holds = max(Self.truth(of: weekdays, on: day.date), some)
    return areWeekdaysHolidays ? min(holds, isHoliday) : max(holds, isHoliday)
  }

  private static func truth(of weekdays: Int, on date: CalendarDate?) -> Truth {
    if weekdays == 0 { return .no }
    if weekdays == 0b111_1111 { return .yes }
    guard let date else { return .unknown }
    return Truth(weekdays & 1 << date.weekday != 0)
  }

  /// Whether the time is among the hours; without any, all of the day itself is.
  func hours(on day: OpeningDay) -> Truth {
    guard !hours.isEmpty else { return Truth(day.isItself) }
    return hours.map { $0.hold(on: day) }.max() ?? .no
  }

  /// Whether it differs between days or hours.
  var dependsOnTime: Bool {
    dates.contains { $0.hold(on: nil) == .unknown }
      || weeks.contains { $0.hold(on: nil) == .unknown }
      || weekdays.map { $0 != 0b111_1111 } ?? false || hours.contains(where: \.dependsOnTime)
  }

  /// Whether some of its hours end after midnight.
  var passesMidnight: Bool { hours.contains(where: \.passesMidnight) }

  /// The minutes of the day, 0…1439, at which its hours may begin or end.
  var changes: Set<Int> {
    hours.reduce(into: []) { changes, hours in
      guard case .interval(let start, let end) = hours else { return }
      for time in [start.earliest, start.latest, end.earliest, end.latest] {
        changes.insert(time % Moment.minutesPerDay)
      }
    }
  }
}

/// A time of day, exact or by the sun.
struct ClockTime: Hashable, Sendable {
  /// Minutes after midnight, 0…2880, as one would say without looking outside.
  var usual: Int
  /// When it may be at the earliest.
  var earliest: Int
  /// When it may be at the latest.
  var latest: Int

  /// A time by the clock.
  init(minute: Int) { (usual, earliest, latest) = (minute, minute, minute) }

  /// A time that depends on the sun; nil for another word. Between the tropics and the polar circles
  /// the sun rises from 4 to 9 o'clock by the clock of the country, and sets from 15:30 to 22.
  init?(sun word: String) {
    switch word {
    case "dawn": (usual, earliest, latest) = (5 * 60, 3 * 60, 8 * 60 + 30)
    case "sunrise": (usual, earliest, latest) = (6 * 60, 4 * 60, 9 * 60)
    case "sunset": (usual, earliest, latest) = (18 * 60, 15 * 60 + 30, 22 * 60)
    case "dusk": (usual, earliest, latest) = (19 * 60, 16 * 60, 23 * 60)
    default: return nil
    }
  }

  /// Some minutes later, or earlier, but on the same day.
  func adding(minutes: Int) -> Self {
    func moved(_ time: Int) -> Int { min(max(time + minutes, 0), Moment.minutesPerDay) }
    var time = self
    (time.usual, time.earliest, time.latest) = (moved(usual), moved(earliest), moved(latest))
    return time
  }

  /// Whether it has come at a minute.
  func hasCome(at minute: Int) -> Truth {
    minute >= latest ? .yes : minute < earliest ? .no : .unknown
  }
}

extension OpeningSelectors.Hours {
  /// Hours from one time to another one, which is on the next day if it is not later.
  static func from(_ start: ClockTime, to end: ClockTime) -> Self {
    var end = end
    if end.usual <= start.usual {
      end.usual += Moment.minutesPerDay
      end.earliest += Moment.minutesPerDay
      end.latest += Moment.minutesPerDay
    }
    return .interval(start, end)
  }

  /// Hours between two words that ``ClockTime/init(sun:)`` knows.
  static func bySun(from start: String, to end: String) -> Self? {
    ClockTime(sun: start).flatMap { start in ClockTime(sun: end).map { .from(start, to: $0) } }
  }

  fileprivate func hold(on day: OpeningDay) -> Truth {
    switch self {
    case .circumstance(let truth): day.isItself ? truth : .no
    case .interval(let start, let end):
      if let minute = day.minute {
        min(start.hasCome(at: minute), end.hasCome(at: minute).negated)
      } else {
        // Without a time, only a whole day is certain.
        start.latest == 0 && end.earliest >= Moment.minutesPerDay ? .yes : .unknown
      }
    }
  }

  fileprivate var dependsOnTime: Bool {
    guard case .interval(let start, let end) = self else { return false }
    return start.latest > 0 || end.earliest < Moment.minutesPerDay
  }

  fileprivate var passesMidnight: Bool {
    guard case .interval(_, let end) = self else { return false }
    return end.latest > Moment.minutesPerDay
  }
}

extension OpeningSelectors.Weeks {
  fileprivate func hold(on date: CalendarDate?) -> Truth {
    if first == 1, last == 53, step == 1 { return .yes }
    guard let week = date?.week else { return .unknown }
    let isWithin = first <= last ? first <= week && week <= last : week >= first || week <= last
    let sinceFirst = week >= first ? week - first : week + 53 - first
    return Truth(isWithin && sinceFirst % step == 0)
  }
}

extension OpeningSelectors.SomeWeekdays {
  fileprivate func hold(on date: CalendarDate?) -> Truth {
    guard let date else { return .unknown }
    guard let day = date.adding(days: -offset) else { return .no }
    let (fromStart, fromEnd) = day.weekdayOrdinals
    return Truth(
      weekdays & 1 << day.weekday != 0
        && (ordinals.contains(fromStart) || ordinals.contains(fromEnd)))
  }
}
