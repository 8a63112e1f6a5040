// SPDX-License-Identifier: Apache-2.0

/// The value of the tag `duration`.
package enum TaggedDuration {
  /// The maximum duration that is accepted, in seconds: a week.
  package static let longestSeconds = 7.0 * 86_400
  private static let longestText = 32

  /// The duration that a text gives in seconds, above 0 and up to ``longestSeconds``, or nil.
  ///
  /// Accepts the forms of OpenStreetMap (https://wiki.openstreetmap.org/wiki/Key:duration):
  /// `HH:MM`, `H:MM:SS`, whole or decimal minutes, and durations of ISO 8601 without years and
  /// months, such as `PT1H30M` or `P1DT2H`; and what people write instead, such as `1 h`, `1h30`,
  /// `90 min` and `1 hour 5 minutes`.
  package static func seconds(_ text: String) -> Double? {
    guard text.utf8.count <= longestText else { return nil }
    let text = String(text.trimmed)
    let seconds =
      text.hasPrefix("P")
      ? isoSeconds(text.dropFirst())
      : text.contains(":")
        ? clockSeconds(text) : decimal(text).map { $0 * 60 } ?? wordSeconds(text)
    return seconds.flatMap { $0 > 0 && $0 <= longestSeconds ? $0 : nil }
  }

  /// The tag of a duration in seconds, above 0: decimal minutes.
  package static func text(seconds: Double) -> String {
    // Millionths of a minute, so that thousands of parts still add up.
    let millionths = UInt64(min(max(1, (seconds / 60 * 1e6).rounded()), longestSeconds * 1e6))
    let (whole, part) = millionths.quotientAndRemainder(dividingBy: 1_000_000)
    if part == 0 { return "\(whole)" }
    var digits = String(String(1_000_000 + part).dropFirst())
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(whole).\(digits)"
  }

  private static func clockSeconds(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3 else { return nil }
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
      guard part.utf8.allSatisfy(isDigit), let value = decimal(part) else { return nil }
      if index > 0, part.utf8.count != 2 || value >= 60 { return nil }
      seconds = seconds * 60 + value
    }
    return parts.count == 2 ? seconds * 60 : seconds
  }

  /// The time after the P of ISO 8601: days or weeks, then T and hours, minutes and seconds.
  private static func isoSeconds(_ text: Substring) -> Double? {
    var units: [(letter: Character, seconds: Double)] = [("W", 604_800), ("D", 86_400)]
    var seconds = 0.0
    var digits = ""
    var isTime = false
    var hasValue = false
    for letter in text {
      if letter == "T", !isTime, digits.isEmpty {
        isTime = true
        hasValue = false
        units = [("H", 3600), ("M", 60), ("S", 1)]
      } else if let index = units.firstIndex(where: { $0.letter == letter }) {
        guard let value = decimal(digits) else { return nil }
        seconds += value * units[index].seconds
        // Units must be in this order, each at most once.
        units.removeFirst(index + 1)
        digits = ""
        hasValue = true
      } else {
        digits.append(letter)
      }
    }
    return digits.isEmpty && hasValue ? seconds : nil
  }

  /// Hours and minutes with their units, such as `1h30`.
  private static func wordSeconds(_ text: String) -> Double? {
    var (seconds, last) = (0.0, Double.infinity)
    var rest = text.lowercased()[...]
    while !rest.isEmpty {
      guard let value = decimal(rest.prefix { $0.isNumber || $0 == "." }) else { return nil }
      rest = rest.drop { $0.isNumber || $0 == "." }.drop { $0 == " " }
      let word = String(rest.prefix { $0.isLetter || $0 == "'" })
      rest = rest.dropFirst(word.count).drop { $0 == " " || $0 == "." }
      // What follows hours without a unit is minutes.
      let unit = word.isEmpty && last == 3600 ? 60 : secondsOfUnits[word]
      guard let unit, unit < last else { return nil }
      (seconds, last) = (seconds + value * unit, unit)
    }
    return last < .infinity ? seconds : nil
  }

  private static let secondsOfUnits: [String: Double] = [
    "h": 3600, "hr": 3600, "hrs": 3600, "hour": 3600, "hours": 3600, "std": 3600, "m": 60,
    "min": 60, "mins": 60, "minute": 60, "minutes": 60, "minuten": 60, "'": 60,
  ]

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// A number made of digits and at most one point.
  private static func decimal(_ text: some StringProtocol) -> Double? {
    guard let first = text.utf8.first, isDigit(first),
      text.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    return Double(text)
  }
}

/// The speed of ferries.
package enum FerrySpeed {
  /// The speed of a ferry without a duration: 8 knots, as of small ferries on lakes and fjords.
  package static let usualMetresPerSecond = 15.0 / 3.6
  private static let greatestMetresPerSecond = 100.0 / 3.6

  /// Whether a ferry can be that fast.
  ///
  /// - Parameters:
  ///   - length: Metres.
  ///   - seconds: The time for them.
  package static func isBelievable(length: Double, seconds: Double) -> Bool {
    seconds > 0 && length / seconds <= greatestMetresPerSecond
  }

  /// The speed of a ferry; ``usualMetresPerSecond`` if the duration is unknown or not believable.
  ///
  /// - Parameters:
  ///   - length: The metres of its way.
  ///   - seconds: Its tagged duration, see ``TaggedDuration``; nil if there is none.
  package static func metresPerSecond(length: Double, seconds: Double?) -> Double {
    guard let seconds, length > 0, isBelievable(length: length, seconds: seconds) else {
      return usualMetresPerSecond
    }
    return length / seconds
  }
}
