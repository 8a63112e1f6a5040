// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnPhrases
import CairnRouting
import CommandLineKit

extension WalkEnd {
  /// A line of text if the walk ends in the dark.
  func line(in language: Language) -> String? {
    guard isDark, let minute = arrival.departureMinute else { return nil }
    let minutes = abs(minutesAheadOfUTC)
    let zone =
      "UTC"
      + (minutes == 0
        ? "" : (minutesAheadOfUTC < 0 ? "\u{2212}" : "+") + "\(minutes / 60)")
    let time = Self.clock(minute)
    guard let sunrise, let sunset else {
      return language.text(.endsInPolarNight, ["time": time, "zone": zone])
    }
    return minute < sunrise
      ? language.text(
        .endsBeforeSunrise, ["time": time, "sun": Self.clock(sunrise), "zone": zone])
      : language.text(
        .endsAfterSunset, ["time": time, "sun": Self.clock(sunset), "zone": zone])
  }

  /// `8:05`, also for a time of the day before or after.
  private static func clock(_ minute: Int) -> String {
    let minute = ((minute % 1440) + 1440) % 1440
    return "\(minute / 60):" + (minute % 60 < 10 ? "0" : "") + "\(minute % 60)"
  }
}

/// When a walk ends, as JSON.
struct WalkEndRecord: Encodable {
  var arrival: String
  var utcOffsetMinutes: Int
  var sunrise: Nullable<String>
  var sunset: Nullable<String>
  var endsInTheDark: Bool

  init(_ end: WalkEnd) {
    arrival = end.arrival.description
    utcOffsetMinutes = end.minutesAheadOfUTC
    func text(_ minute: Int?) -> Nullable<String> {
      Nullable(minute.map { TravelDay(end.arrival.date, departureMinute: $0).description })
    }
    (sunrise, sunset) = (text(end.sunrise), text(end.sunset))
    endsInTheDark = end.isDark
  }
}

extension ComputedRoute {
  /// When and in what light it ends; nil without a departure.
  var walkEnd: WalkEnd? {
    guard let start = coordinates.first, let end = coordinates.last else { return nil }
    return WalkEnd(day, from: start, to: end, seconds: estimatedDuration)
  }
}
