// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnTagRules
import Testing

@testable import CairnRouting

@Suite("Legal time")
struct LegalTimeTests {
  @Test(
    "places have the time of their country",
    arguments: [
      ("Andorra la Vella", 42.507, 1.521, 60, 120), ("Munich", 48.137, 11.575, 60, 120),
      ("Chamonix", 45.924, 6.87, 60, 120), ("Brest", 48.39, -4.49, 60, 120),
      ("Santiago de Compostela", 42.88, -8.54, 60, 120), ("Calais", 50.95, 1.85, 60, 120),
      ("Lisbon", 38.72, -9.14, 0, 60), ("Funchal", 32.65, -16.91, 0, 60),
      ("Ponta Delgada", 37.74, -25.67, -60, 0), ("Fort William", 56.82, -5.11, 0, 60),
      ("Dover", 51.13, 1.31, 0, 60), ("Galway", 53.27, -9.05, 0, 60),
      ("Reykjavik", 64.14, -21.93, 0, 0), ("Tromsø", 69.65, 18.96, 60, 120),
      ("Helsinki", 60.17, 24.94, 120, 180), ("Vilnius", 54.69, 25.28, 120, 180),
      ("Athens", 37.98, 23.73, 120, 180), ("Chania", 35.51, 24.02, 120, 180),
      ("Tirana", 41.33, 19.82, 60, 120), ("Sofia", 42.7, 23.32, 120, 180),
      ("Brașov", 45.65, 25.6, 120, 180), ("Warsaw", 52.23, 21.01, 60, 120),
      ("Antalya", 36.9, 30.7, 180, 180), ("Denver", 39.74, -104.99, -420, -420),
      ("Kathmandu", 27.72, 85.32, 360, 360), ("Wellington", -41.29, 174.78, 720, 720),
    ])
  func places(name: String, latitude: Double, longitude: Double, winter: Int, summer: Int) throws {
    let place = Coordinate(latitude: latitude, longitude: longitude)
    for (month, minutes) in [(1, winter), (7, summer)] {
      let date = try #require(CalendarDate(year: 2026, month: month, day: 15))
      #expect(LegalTime.minutesAheadOfUTC(at: place, date, minute: 720) == minutes, "\(month)")
    }
  }

  @Test(
    "summer time begins and ends on the last Sundays of March and October",
    arguments: [
      ("2026-03-28", 1439, 60), ("2026-03-29", 119, 60), ("2026-03-29", 180, 120),
      ("2026-10-24", 720, 120), ("2026-10-25", 179, 120), ("2026-10-25", 180, 60),
      ("2027-03-27", 720, 60), ("2027-03-28", 720, 120), ("2024-03-31", 720, 120),
      ("2024-10-27", 720, 60), ("2024-10-26", 720, 120), ("2026-12-31", 0, 60),
    ])
  func changes(day: String, minute: Int, ahead: Int) throws {
    let vienna = Coordinate(latitude: 48.2, longitude: 16.37)
    let date = try #require(CalendarDate(day))
    #expect(LegalTime.minutesAheadOfUTC(at: vienna, date, minute: minute) == ahead)
  }

  @Test("a departure is a moment of UTC")
  func departure() throws {
    let munich = Coordinate(latitude: 48.137, longitude: 11.575)
    // 2026-07-15T06:30:00Z and 2026-12-31T23:30:00Z
    let summer = try #require(TravelDay("2026-07-15T08:30"))
    #expect(summer.departureSeconds(at: munich) == 1_784_097_000)
    let winter = try #require(TravelDay("2027-01-01T00:30"))
    #expect(winter.departureSeconds(at: munich) == 1_798_759_800)
    #expect(TravelDay("2027-01-01")?.departureSeconds(at: munich) == nil)
  }
}
