// SPDX-License-Identifier: Apache-2.0

/// A season in the everyday sense, not the astronomical one.
enum Season: String, Sendable {
  case winter, spring, summer, autumn, fall

  /// The months that are part of it by any reading, and those that may be, in the northern
  /// hemisphere.
  private var months: (certain: Set<Int>, possible: Set<Int>) {
    switch self {
    case .winter: ([12, 1, 2], [11, 3, 4])
    case .spring: ([4, 5], [3, 6])
    case .summer: ([6, 7, 8], [5, 9, 10])
    case .autumn, .fall: ([10, 11], [9, 12])
    }
  }

  /// Whether a day is in it.
  func holds(on date: CalendarDate?) -> Truth {
    guard let date else { return .unknown }
    if months.certain.contains(date.northernMonth) { return .yes }
    return months.possible.contains(date.northernMonth) ? .unknown : .no
  }
}

/// A year, a month, a day, or any of them together; or Easter.
struct DatePoint: Hashable, Sendable {
  /// A weekday that counts from the beginning of its month or, below 0, from its end.
  struct NthWeekday: Hashable, Sendable {
    /// 0 for Monday … 6 for Sunday.
    var weekday: Int
    /// 1…5 or −5…−1.
    var ordinal: Int
  }

  var year: Int?
  var month: Int?
  var day: Int?
  /// The day of the month by its weekday, as in `Jun Su[-1]`.
  var nthWeekday: NthWeekday?
  var isEaster = false
  /// How many days later.
  var offset = 0

  /// Whether its month and day depend on the year.
  var isMovable: Bool { isEaster || offset != 0 || nthWeekday != nil }

  /// ``CalendarDate/monthAndDay`` of its first day or its last one; nil if it has no month.
  func monthAndDay(in year: Int, isEnd: Bool) -> Int? {
    if isEaster {
      return CalendarDate.easter(of: year)?.adding(days: offset)?.monthAndDay
    }
    guard let month = month ?? (self.year == nil ? nil : isEnd ? 12 : 1) else { return nil }
    if let nthWeekday {
      return CalendarDate.weekday(
        nthWeekday.weekday, nthWeekday.ordinal, inMonth: month, of: year)?
        .adding(days: offset)?.monthAndDay
    }
    let monthAndDay = month * 100 + (day ?? (isEnd ? 31 : 1))
    guard offset != 0, let day else { return monthAndDay }
    return CalendarDate(year: year, month: month, day: day)?.adding(days: offset)?.monthAndDay
  }
}

extension OpeningSelectors.Dates {
  /// Whether a day is among them; nil stands for any day.
  func hold(on date: CalendarDate?) -> Truth {
    switch self {
    case .season(let season): season.holds(on: date)
    case .range(let first, let last): Self.contain(date, first, last)
    }
  }

  private static func contain(_ date: CalendarDate?, _ first: DatePoint, _ last: DatePoint) -> Truth
  {
    let year = date?.year ?? 1
    guard let start = first.monthAndDay(in: first.year ?? year, isEnd: false),
      let end = last.monthAndDay(in: last.year ?? first.year ?? year, isEnd: true)
    else { return .unknown }
    let isMovable = first.isMovable || last.isMovable
    if first.year == nil, last.year == nil, !isMovable, start == 101, end == 1231 { return .yes }
    guard let date else { return .unknown }
    let today = date.monthAndDay
    // The 28th of February as an end may mean the end of the month.
    let isDoubtful = today == 229 && end == 228
    if let firstYear = first.year {
      let lastYear = last.year ?? (end < start ? firstYear + 1 : firstYear)
      let whole = date.year * 10_000 + today
      if isDoubtful, lastYear == date.year { return .unknown }
      return Truth(
        firstYear * 10_000 + start <= whole && whole <= lastYear * 10_000 + end)
    }
    if isDoubtful { return .unknown }
    if start <= end { return Truth(start <= today && today <= end) }
    return Truth(today >= start || today <= end)
  }
}

extension OpeningRuleParser {
  /// Reads years, months and days: `2024`, `Nov-Apr`, `Nov 15-30`, `2023 Dec 01-2024 Mar 31`,
  /// `easter -2 days-Oct`.
  mutating func readDates(into selectors: inout OpeningSelectors) -> Bool {
    guard let first = readPoint() else { return false }
    var last = first
    if take("+") {
      // From then on without an end; without a year, until the end of the year.
      last = DatePoint(year: first.year == nil ? nil : 9999, month: 12, day: 31)
    } else if peek() == .sign("-") {
      skip()
      guard let point = readEnd(of: first) else { return false }
      last = point
    }
    selectors.dates.append(.range(first, last))
    // `Dec 25,26`
    while peek() == .sign(","), let day = dayNumber(at: 1), first.month != nil, first.day != nil {
      skip(2)
      var point = first
      point.day = day
      var end = point
      if peek() == .sign("-"), let last = dayNumber(at: 1) {
        skip(2)
        end.day = last
      }
      selectors.dates.append(.range(point, end))
    }
    return true
  }

  private mutating func readPoint(isEnd: Bool = false) -> DatePoint? {
    var point = DatePoint()
    if case .number(let year, 4)? = peek(), !isClock(at: 0) {
      point.year = year
      skip()
    }
    if peek() == .word("easter") {
      skip()
      point.isEaster = true
      guard let offset = readOffset() else { return nil }
      point.offset = offset
      return point
    }
    if case .word(let word)? = peek(), let month = monthNumber(word) {
      point.month = month
      skip()
      if let day = dayNumber(at: 0) {
        point.day = day
        skip()
        guard let offset = readOffset() else { return nil }
        point.offset = offset
      } else if case .number(_, 1...2)? = peek(), !isClock(at: 0) {
        return nil
      } else if let day = nthWeekday(mayEnd: isEnd) {
        skip(day.tokens)
        point.nthWeekday = day.value
        guard let offset = readOffset() else { return nil }
        point.offset = offset
      }
    }
    return point.year == nil && point.month == nil ? nil : point
  }

  /// The day `Su[-1]` of a month that comes next, and of how many tokens it is. At the end of a range
  /// of days it is one; elsewhere it begins such a range if an end follows, and otherwise it is a
  /// weekday of each month: `May-Sep Su[-1]`.
  private func nthWeekday(mayEnd: Bool) -> (value: DatePoint.NthWeekday, tokens: Int)? {
    guard case .word(let word)? = peek(), let weekday = weekdayNumber(word), peek(1) == .sign("[")
    else { return nil }
    let isFromEnd = peek(2) == .sign("-")
    let count = isFromEnd ? 5 : 4
    guard case .number(let ordinal, 1)? = peek(count - 2), (1...5).contains(ordinal),
      peek(count - 1) == .sign("]")
    else { return nil }
    var next = count
    if case .number? = peek(next + 1), case .word(let unit)? = peek(next + 2), unit.hasPrefix("day")
    {
      next += 3
    }
    if !mayEnd {
      guard peek(next) == .sign("-"), beginsDate(at: next + 1) else { return nil }
    }
    return (.init(weekday: weekday, ordinal: isFromEnd ? -ordinal : ordinal), count)
  }

  private func beginsDate(at ahead: Int) -> Bool {
    switch peek(ahead) {
    case .word(let word): monthNumber(word) != nil || word == "easter"
    case .number(_, 4): !isClock(at: ahead)
    default: false
    }
  }

  /// A number that is a day and not an hour.
  private func dayNumber(at ahead: Int) -> Int? {
    guard case .number(let day, 1...2)? = peek(ahead), (1...31).contains(day),
      !isClock(at: ahead)
    else { return nil }
    return day
  }

  /// Whether the number there begins a time. In `Oct 31: 10:00` the first one is a day.
  func isClock(at ahead: Int) -> Bool {
    guard peek(ahead + 1) == .sign(":"), case .number(_, 2)? = peek(ahead + 2) else { return false }
    return peek(ahead + 3) != .sign(":")
  }

  /// Reads `+1 day` or `-2 days`; 0 if there is nothing of the kind, nil if it is too much.
  mutating func readOffset() -> Int? {
    guard case .sign(let sign)? = peek(), sign == "+" || sign == "-",
      case .number(let days, _)? = peek(1), case .word(let unit)? = peek(2),
      unit == "day" || unit == "days"
    else { return 0 }
    skip(3)
    return days > 366 ? nil : sign == "-" ? -days : days
  }

  /// Reads weeks after the word `week`: `20-40`, `10,12`, `1-53/2`.
  mutating func readWeeks(into selectors: inout OpeningSelectors) -> Bool {
    repeat {
      guard let first = weekNumber() else { return false }
      skip()
      var (last, step) = (first, 1)
      if take("-") {
        guard let number = weekNumber() else { return false }
        skip()
        last = number
        if take("/") {
          guard case .number(let number, 1...2)? = peek(), number > 0 else { return false }
          skip()
          step = number
        }
      }
      selectors.weeks.append(.init(first: first, last: last, step: step))
      guard peek() == .sign(","), weekNumber(at: 1) != nil else { return true }
      skip()
    } while true
  }

  private func weekNumber(at ahead: Int = 0) -> Int? {
    guard case .number(let week, 1...2)? = peek(ahead), (1...53).contains(week),
      !isClock(at: ahead)
    else { return nil }
    return week
  }

  private mutating func readEnd(of first: DatePoint) -> DatePoint? {
    if first.day != nil, let day = dayNumber(at: 0) {
      skip()
      return DatePoint(year: first.year, month: first.month, day: day)
    }
    return readPoint(isEnd: first.day != nil || first.nthWeekday != nil)
  }
}
