// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnTagRules

/// The legal time of a place, as far as it follows from its coordinate: that of the countries of
/// Europe and around the western Mediterranean, by boxes that may be wrong near borders, and elsewhere
/// the whole hour that fits the longitude, without summer time.
package enum LegalTime {
  private struct Zone {
    var box: BoundingBox
    /// The difference from UTC in winter.
    var minutes: Int
    /// Whether it has the summer time of Europe.
    var hasSummerTime: Bool

    init(
      _ latitudes: ClosedRange<Double>, _ longitudes: ClosedRange<Double>, hours: Int,
      hasSummerTime: Bool = true
    ) {
      box = BoundingBox(
        west: longitudes.lowerBound, south: latitudes.lowerBound, east: longitudes.upperBound,
        north: latitudes.upperBound)
      (minutes, self.hasSummerTime) = (60 * hours, hasSummerTime)
    }
  }

  /// The first one that contains a point holds.
  private static let zones = [
    // Iceland, the Azores, Madeira and the Canary Islands, the Faroe Islands
    Zone(63...67, -25...(-13), hours: 0, hasSummerTime: false),
    Zone(36...40, -32...(-24), hours: -1),
    Zone(27...34, -19...(-13), hours: 0),
    Zone(61...63, -8...(-6), hours: 0),
    // Portugal, Great Britain and Ireland
    Zone(36.9...41.9, -9.6...(-7), hours: 0),
    Zone(50.15...61, -11...1.5, hours: 0),
    Zone(51.2...61, 1.5...1.9, hours: 0),
    Zone(49.8...50.15, -6.5...(-5), hours: 0),
    // Finland, the Baltic states
    Zone(59.7...65.8, 20.9...31.6, hours: 2),
    Zone(65.8...68.9, 23.8...30.1, hours: 2),
    Zone(68.9...70.1, 25.8...29, hours: 2),
    Zone(54.4...59.7, 22.9...28.2, hours: 2),
    Zone(55.3...59.7, 20.9...22.9, hours: 2),
    // Romania, Moldova and Ukraine, Bulgaria, Greece, Cyprus
    Zone(44.7...46.3, 21.4...38, hours: 2),
    Zone(46.3...48.1, 22.2...38, hours: 2),
    Zone(48.1...52, 23.9...38, hours: 2),
    Zone(41.9...44.7, 22.8...29, hours: 2),
    Zone(34.7...41.9, 22.9...27.6, hours: 2),
    Zone(34.7...40.85, 21...28.3, hours: 2),
    Zone(34.7...39.6, 19.3...21, hours: 2),
    Zone(34.5...35.8, 32.2...34.7, hours: 2),
    // Turkey, Algeria, Tunisia
    Zone(35.8...42.1, 26...44.8, hours: 3, hasSummerTime: false),
    Zone(30...37.15, -1.6...8.7, hours: 1, hasSummerTime: false),
    Zone(30...37.4, 8.7...11.2, hours: 1, hasSummerTime: false),
    // The other countries of Europe, from Spain to Norway and Poland
    Zone(35.7...71.5, -9.6...24.2, hours: 1),
  ]

  /// Minutes by which the legal time is ahead of UTC.
  ///
  /// - Parameters:
  ///   - point: The place.
  ///   - date: The day there.
  ///   - minute: Minutes after midnight there. The hour that comes twice is that of summer time.
  package static func minutesAheadOfUTC(at point: Coordinate, _ date: CalendarDate, minute: Int)
    -> Int
  {
    guard let zone = zones.first(where: { $0.box.contains(point) }) else {
      return 60 * Int((min(max(point.longitude, -180), 180) / 15).rounded())
    }
    // Both changes are at one o'clock UTC, by the clock of winter in spring and of summer in autumn.
    let isSummer =
      zone.hasSummerTime
      && isSummer(date, minute, from: 60 + zone.minutes, until: 120 + zone.minutes)
    return zone.minutes + (isSummer ? 60 : 0)
  }

  /// Whether a time lies between the last Sundays of March and October.
  private static func isSummer(
    _ date: CalendarDate, _ minute: Int, from start: Int, until end: Int
  ) -> Bool {
    func isPast(_ limit: Int) -> Bool {
      guard let last = CalendarDate(year: date.year, month: date.month, day: 31) else {
        return false
      }
      let sunday = 31 - (last.weekday + 1) % 7
      return date.day > sunday || date.day == sunday && minute >= limit
    }
    switch date.month {
    case 3: return isPast(start)
    case 4...9: return true
    case 10: return !isPast(end)
    default: return false
    }
  }
}

extension TravelDay {
  /// The departure at a place as seconds since 1970 in UTC; nil without one. See ``LegalTime``.
  package func departureSeconds(at point: Coordinate) -> Double? {
    guard let departureMinute else { return nil }
    let ahead = LegalTime.minutesAheadOfUTC(at: point, date, minute: departureMinute)
    return Double(date.daysSince1970) * 86_400 + Double(departureMinute - ahead) * 60
  }
}
