// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import Testing

@Suite("Closed days of a year")
struct AccessYearTests {
  private func year(_ tags: [String: String], from day: String = "2026-05-01") throws -> AccessYear
  {
    let rule = try #require(AccessRule(tags, isBarrier: false))
    return rule.year(for: .foot, from: try #require(CalendarDate(day)))
  }

  private func text(_ days: [AccessYear.Days]) -> [String] { days.map { "\($0.from) \($0.to)" } }

  @Test("a closure in winter is one range, which wraps the year")
  func winter() throws {
    let year = try year(["highway": "path", "foot:conditional": "no @ (Nov 15-Mar 20)"])
    #expect(text(year.closed) == ["2026-11-15 2027-03-20"])
    #expect(year.unknown.isEmpty && !year.hasHours)
  }

  @Test("a year that begins within a closure ends within it, too")
  func cut() throws {
    let year = try year(
      ["highway": "path", "foot:conditional": "no @ (Apr-Jun)"], from: "2027-05-10")
    #expect(text(year.closed) == ["2027-05-10 2027-06-30", "2028-04-01 2028-05-08"])
  }

  @Test("hours do not close a day, and days of the week close each")
  func hours() throws {
    let gate = try year(["highway": "path", "opening_hours": "08:00-18:00"])
    #expect(gate.closed.isEmpty && gate.unknown.isEmpty && gate.hasHours)
    let weekly = try year(["highway": "path", "foot:conditional": "no @ (Mo)"])
    #expect(weekly.closed.count == 52 && text(weekly.closed)[0] == "2026-05-04 2026-05-04")
  }

  @Test("what nobody can tell is unknown, and a season is, between its months")
  func unknown() throws {
    let weather = try year(["highway": "path", "foot:conditional": "no @ snow"])
    #expect(weather.closed.isEmpty && text(weather.unknown) == ["2026-05-01 2027-04-30"])
    let summer = try year(["highway": "path", "seasonal": "summer"], from: "2026-01-01")
    #expect(!summer.closed.isEmpty && !summer.unknown.isEmpty)
  }

  @Test("what always leaves the way open to walkers cannot close it")
  func open() throws {
    let tags = ["highway": "path", "foot": "yes", "access:conditional": "no @ (Nov-Apr)"]
    #expect(AccessRule(tags, isBarrier: false)?.canClose(for: .foot) == false)
    let closing = ["highway": "path", "access:conditional": "no @ (Nov-Apr)"]
    #expect(AccessRule(closing, isBarrier: false)?.canClose(for: .foot) == true)
  }

  @Test("the last days of the calendar do not trap")
  func end() throws {
    let year = try year(
      ["highway": "path", "foot:conditional": "no @ (Dec)"], from: "9999-12-01")
    #expect(text(year.closed) == ["9999-12-01 9999-12-31"])
  }
}
