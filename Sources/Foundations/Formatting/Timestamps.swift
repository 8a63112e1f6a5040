// SPDX-License-Identifier: Apache-2.0

/// Reads a time as ``parsedTimestamp(_:)`` does, in seconds since 1970.
func timestampSeconds(_ text: some StringProtocol) -> Double? {
  var scanner = TimeScanner(rest: Substring(text).utf8)
  return scanner.read()
}

/// Writes seconds since 1970 as ``timestampText(_:)`` does.
func timestampText(seconds: Double) -> String? {
  guard let count = Int64(exactly: (seconds * 1000).rounded()) else { return nil }
  let (seconds, rest) = flooredQuotient(count, 1000)
  return timestampText(seconds: seconds).map { "\($0.dropLast()).\(digits(Int(rest), 3))Z" }
}

/// Writes seconds since 1970 in ISO 8601, in UTC: `2024-05-06T07:08:09Z`. Nil for years outside of
/// 0001…9999.
package func timestampText(seconds: Int64) -> String? {
  guard timestampRange.contains(seconds) else { return nil }
  let (days, secondsOfDay) = flooredQuotient(seconds, 86_400)
  let (year, month, day) = civilDate(daysSince1970: Int(days))
  let rest = Int(secondsOfDay)
  let clock = [rest / 3600, rest / 60 % 60, rest % 60].map { digits($0, 2) }
  return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T"
    + clock.joined(separator: ":") + "Z"
}

/// The years 0001…9999 in seconds since 1970.
private let timestampRange: Range<Int64> = -62_135_596_800..<253_402_300_800

private func digits(_ value: Int, _ count: Int) -> String {
  let text = String(value)
  return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
}

/// A quotient rounded down, and the remainder, which is never negative.
private func flooredQuotient<Number: SignedInteger>(_ value: Number, _ divisor: Number) -> (
  quotient: Number, remainder: Number
) {
  let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}

/// The date of the proleptic Gregorian calendar.
private func civilDate(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
  // Eras of 400 years from 0000-03-01, so that the leap day is the last day of a year.
  let (era, dayOfEra) = flooredQuotient(days + 719_468, 146_097)
  let yearOfEra =
    (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let monthFromMarch = (5 * dayOfYear + 2) / 153
  let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
}

private struct TimeScanner {
  var rest: Substring.UTF8View

  mutating func read() -> Double? {
    guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2),
      take("T") || take("t"), let hour = digits(2), take(":"), let minute = digits(2), take(":"),
      let second = digits(2), year >= 1, 1...12 ~= month,
      1...Self.days(year, month) ~= day, hour < 24 || (hour == 24 && minute == 0 && second == 0),
      // A leap second counts as the first one of the next minute.
      minute < 60, second <= 60, let fraction = fraction(), let offset = offset(), rest.isEmpty
    else { return nil }
    let days = Self.daysSince1970(year, month, day)
    let secondsOfDay = hour * 3600 + minute * 60 + second - offset
    return Double(days) * 86400 + Double(secondsOfDay) + fraction
  }

  private mutating func take(_ character: Character) -> Bool {
    guard rest.first == character.asciiValue else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func digits(_ count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let byte = rest.first, 48...57 ~= byte else { return nil }
      value = value * 10 + Int(byte - 48)
      rest = rest.dropFirst()
    }
    return value
  }

  /// Seconds after a point; 0 if there are none. Digits beyond nine are read and ignored.
  private mutating func fraction() -> Double? {
    guard take(".") || take(",") else { return 0 }
    var value = 0
    var unit = 1
    var count = 0
    while let byte = rest.first, 48...57 ~= byte {
      if unit < 1_000_000_000 {
        value = value * 10 + Int(byte - 48)
        unit *= 10
      }
      count += 1
      rest = rest.dropFirst()
    }
    return count > 0 ? Double(value) / Double(unit) : nil
  }

  /// Seconds east of UTC.
  private mutating func offset() -> Int? {
    if rest.isEmpty || take("Z") || take("z") { return 0 }
    let sign = take("+") ? 1 : take("-") ? -1 : 0
    guard sign != 0, let hours = digits(2), hours <= 14 else { return nil }
    _ = take(":")
    guard let minutes = digits(2), minutes < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }

  private static func days(_ year: Int, _ month: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days of the proleptic Gregorian calendar since 1970-01-01.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    // Years from March, so that the leap day is the last day.
    let years = month <= 2 ? year - 1 : year
    let months = (month + 9) % 12
    return 365 * years + years / 4 - years / 100 + years / 400 + (153 * months + 2) / 5 + day - 1
      - 719_468
  }
}
