// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CairnTagRules

@Suite("Rules at a time of a day")
struct MomentTests {
  private static func moment(_ text: String) -> Moment {
    let parts = text.split(separator: " ")
    let clock = parts[1].split(separator: ":").compactMap { Int($0) }
    return Moment(
      date: CalendarDate(parts[0]), minute: clock[0] * 60 + clock[1])
  }

  private func truth(_ text: String, _ moment: String) -> Truth {
    let reading = Condition(text).reading(at: Self.moment(moment))
    #expect(reading.isReadable, "\(text)")
    return reading.truth
  }

  /// 2024-07-15 is a Monday.
  @Test(
    "hours begin at their first minute and end before their last one",
    arguments: [
      ("08:00-18:00", "2024-07-15 07:59", Truth.no),
      ("08:00-18:00", "2024-07-15 08:00", .yes),
      ("08:00-18:00", "2024-07-15 17:59", .yes),
      ("08:00-18:00", "2024-07-15 18:00", .no),
      ("Mo 08:00-12:00,14:00-18:00", "2024-07-15 13:00", .no),
      ("Mo 08:00-12:00,14:00-18:00", "2024-07-15 14:00", .yes),
      ("14:00+", "2024-07-15 23:59", .yes),
      ("24/7", "2024-07-15 03:00", .yes),
      ("Nov-Apr 18:00-24:00", "2024-01-15 23:00", .yes),
      ("Nov-Apr 18:00-24:00", "2024-07-15 23:00", .no),
    ])
  func hours(text: String, moment: String, expected: Truth) {
    #expect(truth(text, moment) == expected, "\(text) at \(moment)")
  }

  @Test(
    "what begins on one day and ends after midnight belongs to the day on which it begins",
    arguments: [
      ("22:00-06:00", "2024-07-15 23:00", Truth.yes),
      ("22:00-06:00", "2024-07-15 05:59", .yes),
      ("22:00-06:00", "2024-07-15 06:00", .no),
      ("20:00-26:00", "2024-07-15 01:59", .yes),
      ("20:00-26:00", "2024-07-15 02:00", .no),
      ("Mo 22:00-06:00", "2024-07-15 05:00", .no),
      ("Mo 22:00-06:00", "2024-07-15 22:00", .yes),
      ("Mo 22:00-06:00", "2024-07-16 05:00", .yes),
      ("Mo 22:00-06:00", "2024-07-16 22:00", .no),
      ("Jul 31 22:00-06:00", "2024-08-01 03:00", .yes),
      ("Jul 31 22:00-06:00", "2024-07-31 03:00", .no),
      ("Dec 31 22:00-02:00", "2025-01-01 01:00", .yes),
      ("Mo-Su; 22:00-06:00 off", "2024-07-15 03:00", .no),
      ("Mo-Su; 22:00-06:00 off", "2024-07-15 12:00", .yes),
      ("Mo-Su; Mo 22:00-06:00 off", "2024-07-15 03:00", .yes),
      ("Mo-Su; Mo 22:00-06:00 off", "2024-07-16 03:00", .no),
      ("snow 22:00-06:00", "2024-07-15 12:00", .unknown),
    ])
  func midnight(text: String, moment: String, expected: Truth) {
    #expect(truth(text, moment) == expected, "\(text) at \(moment)")
  }

  @Test(
    "whether the sun has risen is known at noon and at night, and not in between",
    arguments: [
      ("sunrise-sunset", "2024-07-15 12:00", Truth.yes),
      ("sunrise-sunset", "2024-07-15 03:00", .no),
      ("sunrise-sunset", "2024-07-15 06:00", .unknown),
      ("sunrise-sunset", "2024-07-15 19:00", .unknown),
      ("sunrise-sunset", "2024-07-15 23:00", .no),
      ("sunset-sunrise", "2024-07-15 23:00", .yes),
      ("sunset-sunrise", "2024-07-15 03:00", .yes),
      ("night", "2024-07-15 02:00", .yes),
      ("day", "2024-07-15 02:00", .no),
      ("(sunrise+01:00)-12:30", "2024-07-15 10:00", .yes),
      ("(sunrise+01:00)-12:30", "2024-07-15 09:30", .unknown),
    ])
  func sun(text: String, moment: String, expected: Truth) {
    #expect(truth(text, moment) == expected, "\(text) at \(moment)")
  }

  @Test(
    "ranges between weekdays of months are those days, round the year as well",
    arguments: [
      ("Jun Su[-1]-Sep Su[1]", "2024-06-29", Truth.no),
      ("Jun Su[-1]-Sep Su[1]", "2024-06-30", .yes),
      ("Jun Su[-1]-Sep Su[1]", "2024-09-01", .yes),
      ("Jun Su[-1]-Sep Su[1]", "2024-09-02", .no),
      ("Jun Su[-1]-Sep Su[1]", "2025-06-28", .no),
      ("Jun Su[-1]-Sep Su[1]", "2025-06-29", .yes),
      ("Jun Su[-1]-Sep Su[1]", "2025-09-07", .yes),
      ("Jun Su[-1]-Sep Su[1]", "2025-09-08", .no),
      ("Apr Sa[1]-Oct Su[-1]", "2026-04-03", .no),
      ("Apr Sa[1]-Oct Su[-1]", "2026-04-04", .yes),
      ("Apr Sa[1]-Oct Su[-1]", "2026-10-25", .yes),
      ("Apr Sa[1]-Oct Su[-1]", "2026-10-26", .no),
      ("Oct Su[-1]-Mar Su[-1]", "2024-10-26", .no),
      ("Oct Su[-1]-Mar Su[-1]", "2024-10-27", .yes),
      ("Oct Su[-1]-Mar Su[-1]", "2024-01-15", .yes),
      ("Oct Su[-1]-Mar Su[-1]", "2024-04-01", .no),
      ("Oct Su[-1] -1 day-Mar 15", "2024-10-26", .yes),
      ("Oct Su[-1] -1 day-Mar 15", "2024-10-25", .no),
      ("Jun 15-Sep Su[1] +1 day", "2024-09-02", .yes),
      ("Jun 15-Sep Su[1]", "2024-08-14", .yes),
      ("Apr Sa[1]-easter", "2024-04-01", .no),
      ("2024 Jun Su[-1]-2024 Sep Su[1]", "2024-07-15", .yes),
      ("2024 Jun Su[-1]-2024 Sep Su[1]", "2025-07-15", .no),
      ("Jun Su[-1]-Sep Su[1]: 08:00-18:00", "2024-07-15", .yes),
      // Of each of the months, where no range of days is meant.
      ("May-Sep Su[-1]", "2024-07-28", .yes),
      ("May-Sep Su[-1]", "2024-07-15", .no),
      ("Jun Su[-1]", "2024-06-30", .yes),
      ("Jun Su[-1]", "2024-06-23", .no),
      ("Jun Su[5]-Sep", "2026-07-01", .unknown),
    ])
  func weekdaysOfMonths(text: String, date: String, expected: Truth) {
    #expect(truth(text, "\(date) 12:00") == expected, "\(text) on \(date)")
  }

  @Test("a day is taken not to be a public holiday, and that is said where it matters")
  func holidays() {
    let monday = Self.moment("2024-07-15 12:00")
    func assumes(_ text: String) -> Bool { Condition(text).reading(at: monday).assumesNoHoliday }
    #expect(assumes("Mo-Fr 08:00-18:00; PH off"))
    #expect(assumes("PH"))
    #expect(!assumes("Mo-Fr 08:00-18:00"))
    #expect(!assumes("Mo,PH 08:00-18:00"))
    #expect(!assumes("Nov-Apr PH off"))
  }

  @Test("a moment goes on over midnight and the ends of years, and its seconds are dropped")
  func later() {
    let evening = Self.moment("2024-12-31 23:50")
    #expect(evening.adding(seconds: 599) == Self.moment("2024-12-31 23:59"))
    #expect(evening.adding(seconds: 600) == Self.moment("2025-01-01 00:00"))
    #expect(evening.adding(seconds: 86_400) == Self.moment("2025-01-01 23:50"))
    #expect(evening.adding(seconds: 1e30).date == nil || evening.adding(seconds: 1e30) != evening)
    #expect(evening.adding(seconds: .infinity).date == nil)
    #expect(evening.adding(seconds: .nan).date == nil)
    let last = Moment(date: CalendarDate("9999-12-31"), minute: 1439)
    #expect(last.adding(seconds: 60) == Moment(date: nil, minute: 0))
  }
}
