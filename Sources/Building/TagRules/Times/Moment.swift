// SPDX-License-Identifier: Apache-2.0

/// The local day and time of day for which rules are judged, as far as they are known.
package struct Moment: Equatable, Hashable, Sendable {
  /// The day; nil where it may be any.
  package var date: CalendarDate?
  /// Minutes after midnight, 0…1439; nil where it may be any time of the day.
  package var minute: Int?

  /// How many minutes a day has.
  package static let minutesPerDay = 24 * 60
  /// The time of day for which databases are built, since a planned walk is in daylight.
  package static let noonMinute = 12 * 60
  /// Any time of any day: whatever depends on either is unknown.
  package static let any = Moment(date: nil, minute: nil)

  /// A time of a day.
  package init(date: CalendarDate?, minute: Int?) {
    (self.date, self.minute) = (date, minute)
  }

  /// Noon of a day.
  package static func noon(of date: CalendarDate?) -> Moment {
    Moment(date: date, minute: noonMinute)
  }

  /// The moment that is some seconds later, 0 or more; its seconds are dropped. A day after the year
  /// 9999 is unknown.
  package func adding(seconds: Double) -> Moment {
    guard let minute, seconds.isFinite, seconds >= 0 else {
      return Moment(date: seconds == 0 ? date : nil, minute: minute)
    }
    let total = min(Double(minute) + seconds / 60, 400 * Double(Self.minutesPerDay))
    let (days, rest) = Int(total).quotientAndRemainder(dividingBy: Self.minutesPerDay)
    return Moment(date: days == 0 ? date : date?.adding(days: days), minute: rest)
  }
}
