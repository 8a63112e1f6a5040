// SPDX-License-Identifier: Apache-2.0

/// A day of the Gregorian calendar, for which tags that depend on the season are evaluated.
public struct CalendarDate: Equatable, Hashable, Sendable, CustomStringConvertible {
  /// 1…9999.
  public let year: Int
  /// 1…12.
  public let month: Int
  /// 1…31, and a day that the month has.
  public let day: Int
  /// Whether the seasons are those of the southern hemisphere, where January is summer.
  package var isSouthern = false

  /// A day, or nil if it does not exist in the calendar.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.days(inMonth: month, of: year)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Reads `YYYY-MM-DD`, nothing else.
  public init?(_ text: some StringProtocol) { self.init(String(text)) }

  /// Reads `YYYY-MM-DD`, nothing else.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      var number = 0
      for byte in bytes[range] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte else { return nil }
        number = 10 * number + Int(byte - UInt8(ascii: "0"))
      }
      return number
    }
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = number(0..<4), let month = number(5..<7), let day = number(8..<10)
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The day of an ISO 8601 time, such as `2024-05-06T07:08:09Z`.
  package init?(timestamp: String) {
    let (date, rest) = (timestamp.prefix(10), timestamp.dropFirst(10))
    guard rest.isEmpty || rest.first == "T" else { return nil }
    self.init(date)
  }

  /// `YYYY-MM-DD`.
  public var description: String {
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  /// Days since 0000-03-01, a Wednesday, as in Howard Hinnant's `days_from_civil`.
  private var dayCount: Int {
    let marchYear = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return 365 * marchYear + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear
  }

  /// Days since 1970-01-01.
  package var daysSince1970: Int { dayCount - 719_468 }

  /// 0 for Monday … 6 for Sunday.
  package var weekday: Int { (dayCount + 2) % 7 }

  /// Which weekday of its kind it is in its month: 1 for the first … 5, and -1 for the last … -5.
  var weekdayOrdinals: (fromStart: Int, fromEnd: Int) {
    ((day - 1) / 7 + 1, -((Self.days(inMonth: month, of: year) - day) / 7 + 1))
  }

  /// The week of ISO 8601, 1…53: weeks begin on Monday and belong to the year of their Thursday.
  var week: Int {
    let thursday = adding(days: 3 - weekday) ?? self
    guard let newYear = Self(year: thursday.year, month: 1, day: 1) else { return 1 }
    return (thursday.dayCount - newYear.dayCount) / 7 + 1
  }

  /// The day that is some days later, or earlier; nil if that is not between the years 1 and 9999.
  package func adding(days: Int) -> Self? {
    guard abs(days) <= 400 else { return nil }
    var (year, month, day) = (year, month, day + days)
    while day < 1 {
      (year, month) = month == 1 ? (year - 1, 12) : (year, month - 1)
      day += Self.days(inMonth: month, of: year)
    }
    while day > Self.days(inMonth: month, of: year) {
      day -= Self.days(inMonth: month, of: year)
      (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
    }
    var date = Self(year: year, month: month, day: day)
    date?.isSouthern = isSouthern
    return date
  }

  /// Easter Sunday of a year, by the anonymous Gregorian algorithm (Meeus, *Astronomical
  /// Algorithms*).
  static func easter(of year: Int) -> Self? {
    let (a, b, c) = (year % 19, year / 100, year % 100)
    let h = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30
    let l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7
    let m = (a + 11 * h + 22 * l) / 451
    let days = h + l - 7 * m + 114
    return Self(year: year, month: days / 31, day: days % 31 + 1)
  }

  /// The n-th weekday of a month, counted from its end where n is negative; nil if the month does not
  /// have so many.
  ///
  /// - Parameters:
  ///   - weekday: 0 for Monday … 6 for Sunday.
  ///   - ordinal: 1…5 or −5…−1.
  static func weekday(_ weekday: Int, _ ordinal: Int, inMonth month: Int, of year: Int) -> Self? {
    guard let first = Self(year: year, month: month, day: 1) else { return nil }
    let firstDay = 1 + (weekday - first.weekday + 7) % 7
    if ordinal > 0 { return Self(year: year, month: month, day: firstDay + 7 * (ordinal - 1)) }
    let lastDay = firstDay + (days(inMonth: month, of: year) - firstDay) / 7 * 7
    return Self(year: year, month: month, day: lastDay + 7 * (ordinal + 1))
  }

  /// The month that has the same season in the northern hemisphere.
  var northernMonth: Int { isSouthern ? (month + 5) % 12 + 1 : month }

  /// Month and day as one number that orders the days of a year: 1231 for the 31st of December.
  var monthAndDay: Int { month * 100 + day }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}
