// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnTagRules
import Foundation
import Testing

@testable import CairnRouting

@Suite("Daylight")
struct DaylightTests {
  private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)
  }

  @Test(
    "sunrise and sunset are those of almanacs, to two minutes",
    arguments: [
      ("London", "2024-06-20", 51.5074, -0.1278, "2024-06-20T03:43:00Z", "2024-06-20T20:21:00Z"),
      ("London", "2024-12-21", 51.5074, -0.1278, "2024-12-21T08:04:00Z", "2024-12-21T15:54:00Z"),
      ("Munich", "2026-12-24", 48.137, 11.575, "2026-12-24T07:03:00Z", "2026-12-24T15:24:00Z"),
      ("New York", "2024-06-20", 40.7128, -74.006, "2024-06-20T09:25:00Z", "2024-06-21T00:31:00Z"),
      ("Sydney", "2024-12-21", -33.8688, 151.2093, "2024-12-20T18:41:00Z", "2024-12-21T09:05:00Z"),
      ("Andorra", "2026-07-15", 42.507, 1.521, "2026-07-15T04:30:00Z", "2026-07-15T19:29:00Z"),
      ("Quito", "2024-03-20", -0.18, -78.47, "2024-03-20T11:18:00Z", "2024-03-20T23:24:00Z"),
      ("Iceland", "2026-06-21", 64.1466, -21.9426, "2026-06-21T02:55:00Z", "2026-06-22T00:04:00Z"),
      ("Suva", "2026-01-10", -18.14, 178.44, "2026-01-09T17:39:00Z", "2026-01-10T06:48:00Z"),
    ])
  func almanac(
    name: String, day: String, latitude: Double, longitude: Double, rise: String, set: String
  ) throws {
    let light = Daylight(on: try #require(CalendarDate(day)), at: place(latitude, longitude))
    guard case .between(let sunrise, let sunset) = light else {
      Issue.record("\(name): \(light)")
      return
    }
    let expected = try [rise, set].map { try Date($0, strategy: .iso8601).timeIntervalSince1970 }
    #expect(abs(sunrise - expected[0]) < 120, "\(name): \(Date(timeIntervalSince1970: sunrise))")
    #expect(abs(sunset - expected[1]) < 120, "\(name): \(Date(timeIntervalSince1970: sunset))")
  }

  @Test("beyond the polar circle there are days and nights without an end, at the poles, too")
  func polar() throws {
    let (june, december) = (
      try #require(CalendarDate("2026-06-21")), try #require(CalendarDate("2026-12-21"))
    )
    #expect(Daylight(on: june, at: place(69.65, 18.96)) == .allDay)
    #expect(Daylight(on: december, at: place(69.65, 18.96)) == .never)
    #expect(Daylight(on: june, at: place(90, 0)) == .allDay)
    #expect(Daylight(on: june, at: place(-90, 0)) == .never)
  }

  private func end(_ depart: String, hours: Double, at point: Coordinate? = nil) -> WalkEnd? {
    let point = point ?? place(48.137, 11.575)
    return WalkEnd(TravelDay(depart), from: point, to: point, seconds: hours * 3600)
  }

  @Test("a walk ends in the dark after sunset and before sunrise, by local time")
  func ends() throws {
    let day = try #require(end("2026-12-24T09:00", hours: 6))
    #expect(!day.isDark && day.arrival.description == "2026-12-24T15:00")
    #expect(day.minutesAheadOfUTC == 60)
    // 16:24
    #expect(983...984 ~= (day.sunset ?? 0) && 482...483 ~= (day.sunrise ?? 0))
    #expect(try #require(end("2026-12-24T09:00", hours: 7.35)).isDark == false)
    #expect(try #require(end("2026-12-24T09:00", hours: 7.45)).isDark)
    let summer = try #require(end("2026-07-15T14:00", hours: 7))
    #expect(!summer.isDark && summer.minutesAheadOfUTC == 120)
    let night = try #require(end("2026-12-24T20:00", hours: 8))
    #expect(night.isDark && night.arrival.description == "2026-12-25T04:00")
    let morning = try #require(end("2026-12-24T20:00", hours: 13))
    #expect(!morning.isDark && morning.arrival.description == "2026-12-25T09:00")
    let newYear = try #require(end("2026-12-31T20:00", hours: 5))
    #expect(newYear.isDark && newYear.arrival.description == "2027-01-01T01:00")
    let polar = try #require(end("2026-12-21T10:00", hours: 2, at: place(69.65, 18.96)))
    #expect(polar.isDark && polar.sunset == nil && polar.sunrise == nil)
  }

  @Test("the clocks may change on the way")
  func clocks() throws {
    let night = try #require(end("2026-10-24T23:00", hours: 8))
    #expect(night.arrival.description == "2026-10-25T06:00" && night.minutesAheadOfUTC == 60)
    let spring = try #require(end("2026-03-28T23:00", hours: 8))
    #expect(spring.arrival.description == "2026-03-29T08:00" && !spring.isDark)
  }

  @Test("without a departure, or with an absurd time, the end is unknown")
  func unknown() {
    #expect(end("2026-12-24", hours: 6) == nil)
    for hours in [Double.infinity, .nan, -1, 1e9] {
      #expect(end("2026-12-24T09:00", hours: hours) == nil)
    }
    #expect(end("9999-12-31T23:00", hours: 6) == nil)
  }
}
