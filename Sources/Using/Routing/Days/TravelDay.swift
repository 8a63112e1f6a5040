// SPDX-License-Identifier: Apache-2.0
import CairnTagRules

/// The day of a walk, optionally with its starting time, for judging seasons, conditional access
/// and opening hours without rebuilding the database.
///
/// Without a time they are judged for noon, as in a build. With one, the time of arrival at each
/// way decides, by the profile's times, also after midnight.
public struct TravelDay: Hashable, Sendable, CustomStringConvertible {
  /// The day, by the local calendar.
  public var date: CalendarDate
  /// Local minutes after midnight, 0…1439, at which the walk begins; nil if unknown.
  public var departureMinute: Int?

  /// A day, optionally with a time.
  ///
  /// - Parameters:
  ///   - date: The day, by the local calendar.
  ///   - departureMinute: Local minutes after midnight, clamped to 0…1439.
  public init(_ date: CalendarDate, departureMinute: Int? = nil) {
    self.date = date
    self.departureMinute = departureMinute.map { min(max($0, 0), Moment.minutesPerDay - 1) }
  }

  /// Reads `2026-12-24` or `2026-12-24T08:00`, nothing else.
  public init?(_ text: String) {
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count <= 2, let date = CalendarDate(parts[0]) else { return nil }
    self.init(date)
    guard parts.count == 2 else { return }
    let clock = parts[1].split(separator: ":", omittingEmptySubsequences: false)
    let isDigits = parts[1].utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: ":") ~= $0 }
    guard isDigits, clock.map(\.utf8.count) == [2, 2], let hour = Int(clock[0]), hour < 24,
      let minute = Int(clock[1]), minute < 60
    else { return nil }
    departureMinute = hour * 60 + minute
  }

  /// `2026-12-24` or `2026-12-24T08:00`.
  public var description: String {
    guard let departureMinute else { return date.description }
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(date)T\(padded(departureMinute / 60)):\(padded(departureMinute % 60))"
  }
}
