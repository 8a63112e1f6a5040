// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnTagRules

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Sunrise and sunset at a place on a day, over a level horizon.
///
/// By the equations of NOAA's calculator, which follow Meeus, Astronomical Algorithms
/// (<https://gml.noaa.gov/grad/solcalc/calcdetails.html>): right to a minute or two up to 72° of
/// latitude. Mountains take the sun away earlier.
package enum Daylight: Equatable, Sendable {
  /// The sun rises and sets, in seconds since 1970.
  case between(sunrise: Double, sunset: Double)
  /// The sun does not set.
  case allDay
  /// The sun does not rise.
  case never

  /// The angle of the sun's centre from the zenith when its edge is at the horizon, with refraction.
  private static let horizon = 90.833
  private static let secondsPerDay = 86_400.0

  /// - Parameters:
  ///   - date: The day there.
  ///   - point: The place.
  package init(on date: CalendarDate, at point: Coordinate) {
    let midnight = Double(date.daysSince1970) * Self.secondsPerDay
    // Noon of local mean time; an error of some minutes hardly moves the sun.
    let noon = midnight + (720 - 4 * point.longitude) * 60
    guard let half = Self.halfDay(at: noon, point.latitude) else {
      self = Self.isUp(at: noon, point.latitude) ? .allDay : .never
      return
    }
    func event(_ sign: Double) -> Double {
      // Once more with the sun where it is at the time that was found.
      var seconds = noon + sign * half
      for _ in 0..<2 {
        let own = Self.halfDay(at: seconds, point.latitude) ?? half
        seconds = noon - Self.sun(at: seconds).equationSeconds + sign * own
      }
      return seconds
    }
    self = .between(sunrise: event(-1), sunset: event(1))
  }

  /// Whether there is light at a time of the day.
  package func isLight(at seconds: Double) -> Bool {
    switch self {
    case .between(let sunrise, let sunset): sunrise <= seconds && seconds <= sunset
    case .allDay: true
    case .never: false
    }
  }

  /// Seconds from noon to sunset; nil if the sun does not cross the horizon.
  private static func halfDay(at seconds: Double, _ latitude: Double) -> Double? {
    let cosine = hourAngleCosine(at: seconds, latitude)
    return abs(cosine) <= 1 ? acos(cosine) * 180 / .pi * 240 : nil
  }

  private static func isUp(at seconds: Double, _ latitude: Double) -> Bool {
    hourAngleCosine(at: seconds, latitude) < -1
  }

  private static func hourAngleCosine(at seconds: Double, _ latitude: Double) -> Double {
    let declination = sun(at: seconds).declination
    // At a pole the tangent has no value.
    let latitude = min(max(latitude, -89.99), 89.99) * .pi / 180
    return cos(horizon * .pi / 180) / (cos(latitude) * cos(declination))
      - tan(latitude) * tan(declination)
  }

  /// The declination of the sun in radians, and by how much a sundial is ahead of mean time.
  private static func sun(at seconds: Double) -> (declination: Double, equationSeconds: Double) {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    // Centuries since noon of 2000-01-01.
    let time = (seconds - 946_728_000) / secondsPerDay / 36_525
    let longitude = 280.46646 + time * (36_000.76983 + time * 0.0003032)
    let anomaly = radians(357.52911 + time * (35_999.05029 - 0.0001537 * time))
    let eccentricity = 0.016708634 - time * (0.000042037 + 0.0000001267 * time)
    let centre =
      sin(anomaly) * (1.914602 - time * (0.004817 + 0.000014 * time))
      + sin(2 * anomaly) * (0.019993 - 0.000101 * time) + sin(3 * anomaly) * 0.000289
    let node = radians(125.04 - 1934.136 * time)
    let apparent = radians(longitude + centre - 0.00569 - 0.00478 * sin(node))
    let meanObliquity =
      23 + (26 + (21.448 - time * (46.815 + time * (0.00059 - time * 0.001813))) / 60) / 60
    let obliquity = radians(meanObliquity + 0.00256 * cos(node))
    let half = tan(obliquity / 2) * tan(obliquity / 2)
    let mean = radians(longitude)
    let equation =
      half * sin(2 * mean) - 2 * eccentricity * sin(anomaly)
      + 4 * eccentricity * half * sin(anomaly) * cos(2 * mean) - half * half / 2 * sin(4 * mean)
      - 1.25 * eccentricity * eccentricity * sin(2 * anomaly)
    return (asin(sin(obliquity) * sin(apparent)), equation * 180 / .pi * 240)
  }
}

/// When and in what light a walk with a departure ends.
package struct WalkEnd: Equatable, Sendable {
  /// The local day and time of arrival, without rests.
  package let arrival: TravelDay
  /// Minutes by which local time is ahead of UTC.
  package let minutesAheadOfUTC: Int
  /// Local sunrise and sunset at the end of the walk on that day, in minutes after midnight.
  package let sunrise: Int?
  package let sunset: Int?
  /// Whether the walk ends after sunset or before sunrise.
  package let isDark: Bool

  /// The end of a walk; nil without a departure, or with a time of more than a year.
  package init?(_ day: TravelDay?, from start: Coordinate, to end: Coordinate, seconds: Double) {
    guard let day, let departure = day.departureSeconds(at: start),
      let minute = day.departureMinute,
      0...365 * 86_400 ~= seconds
    else { return nil }
    let near = Moment(date: day.date, minute: minute).adding(seconds: seconds)
    guard let nearDate = near.date, let nearMinute = near.minute else { return nil }
    let ahead = LegalTime.minutesAheadOfUTC(at: end, nearDate, minute: nearMinute)
    func local(_ seconds: Double) -> Int { Int((seconds / 60).rounded(.down)) + ahead }
    let arrived = local(departure + seconds)
    let days = (Double(arrived) / Double(Moment.minutesPerDay)).rounded(.down)
    guard let date = day.date.adding(days: Int(days) - day.date.daysSince1970) else { return nil }
    let midnight = date.daysSince1970 * Moment.minutesPerDay
    arrival = TravelDay(date, departureMinute: arrived - midnight)
    minutesAheadOfUTC = ahead
    let light = Daylight(on: date, at: end)
    isDark = !light.isLight(at: departure + seconds)
    if case .between(let rise, let set) = light {
      (sunrise, sunset) = (local(rise) - midnight, local(set) - midnight)
    } else {
      (sunrise, sunset) = (nil, nil)
    }
  }
}
