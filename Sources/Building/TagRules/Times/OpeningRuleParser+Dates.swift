// SPDX-License-Identifier: Apache-2.0

/// A season in the everyday sense, not the astronomical one.
enum Season: String {
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

extension OpeningRuleParser {
  /// A year, a month, a day, or any of them together.
  private struct Point {
    var year: Int?
    var month: Int?
    var day: Int?
  }

  /// Reads years, months and days: `2024`, `Nov-Apr`, `Nov 15-30`, `2023 Dec 01-2024 Mar 31`.
  mutating func readDates(into selectors: inout OpeningSelectors) -> Bool {
    guard let first = readPoint() else { return false }
    var last = first
    if take("+") {
      // From then on without an end; without a year, until the end of the year.
      last = Point(year: first.year == nil ? nil : 9999, month: 12, day: 31)
    } else if peek() == .sign("-") {
      skip()
      guard let point = readEnd(of: first) else { return false }
      last = point
    }
    selectors.dates = max(selectors.dates ?? .no, contains(first, last))
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
      selectors.dates = max(selectors.dates ?? .no, contains(point, end))
    }
    return true
  }

  private mutating func readPoint() -> Point? {
    var point = Point()
    if case .number(let year, 4)? = peek(), peek(1) != .sign(":") {
      point.year = year
      skip()
    }
    if case .word(let word)? = peek(), let month = monthNumber(word) {
      point.month = month
      skip()
      if let day = dayNumber(at: 0) {
        point.day = day
        skip()
      } else if case .number(_, 1...2)? = peek(), peek(1) != .sign(":") {
        return nil
      }
    }
    return point.year == nil && point.month == nil ? nil : point
  }

  /// A number that is a day and not an hour.
  private func dayNumber(at ahead: Int) -> Int? {
    guard case .number(let day, 1...2)? = peek(ahead), (1...31).contains(day),
      peek(ahead + 1) != .sign(":")
    else { return nil }
    return day
  }

  private mutating func readEnd(of first: Point) -> Point? {
    if first.day != nil, let day = dayNumber(at: 0) {
      skip()
      return Point(year: first.year, month: first.month, day: day)
    }
    return readPoint()
  }

  private func contains(_ first: Point, _ last: Point) -> Truth {
    guard let firstMonth = first.month ?? (first.year == nil ? nil : 1),
      let lastMonth = last.month ?? (last.year == nil ? nil : 12)
    else { return .unknown }
    let start = firstMonth * 100 + (first.day ?? 1)
    let end = lastMonth * 100 + (last.day ?? 31)
    if first.year == nil, last.year == nil, start == 101, end == 1231 { return .yes }
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
