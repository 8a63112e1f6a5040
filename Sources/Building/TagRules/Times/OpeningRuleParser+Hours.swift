// SPDX-License-Identifier: Apache-2.0

extension OpeningRuleParser {
  /// Reads `10:00-18:00`, `22:00-06:00`, `sunrise-(sunset-01:00)` or `10:00+`.
  mutating func readHours(into selectors: inout OpeningSelectors) -> Bool {
    guard let start = readTime() else { return false }
    var end = ClockTime(minute: Moment.minutesPerDay)
    if !take("+") {
      guard take("-"), let time = readTime() else { return false }
      end = time
      // An end that is open after it, as in `10:00-18:00+`, is taken for the end.
      _ = take("+")
    }
    selectors.hours.append(.from(start, to: end))
    return true
  }

  /// Reads a time of the day or of the day after it.
  private mutating func readTime() -> ClockTime? {
    if take("(") {
      guard case .word(let word)? = peek(), let base = ClockTime(sun: word) else { return nil }
      skip()
      let isLater = take("+")
      guard isLater || take("-"), let offset = readClock(), take(")") else { return nil }
      return base.adding(minutes: isLater ? offset : -offset)
    }
    if case .word(let word)? = peek(), let time = ClockTime(sun: word) {
      skip()
      return time
    }
    return readClock().map { ClockTime(minute: $0) }
  }

  /// Minutes after midnight, 0…2880.
  private mutating func readClock() -> Int? {
    guard case .number(let hour, 1...2)? = peek(), peek(1) == .sign(":"),
      case .number(let minute, 2)? = peek(2), hour <= 48, minute < 60
    else { return nil }
    skip(3)
    return hour * 60 + minute
  }

  /// Reads a condition on users, weather or sizes.
  mutating func readCircumstance(_ word: String, into selectors: inout OpeningSelectors) -> Bool {
    func noted(_ hours: OpeningSelectors.Hours?) -> Bool {
      guard let hours else { return false }
      skip()
      selectors.hours.append(hours)
      return true
    }
    switch word {
    case "day", "daytime", "daylight": return noted(.bySun(from: "sunrise", to: "sunset"))
    case "night", "nighttime", "dark": return noted(.bySun(from: "sunset", to: "sunrise"))
    case "wet", "dry", "rain", "snow", "ice", "fog", "wind", "storm", "avalanche", "flood",
      "flooding", "high_water", "low_water", "tide", "high_tide", "low_tide", "hot", "fire",
      "event", "events", "destination", "customers", "permit", "school_days", "hunting":
      return noted(.circumstance(.unknown))
    case "delivery", "residents", "resident", "employees", "staff", "emergency", "forestry",
      "agricultural", "disabled", "hov", "bus", "psv", "trailer", "hgv", "loading":
      return noted(.circumstance(.no))
    case "weight", "maxweight", "weightrating", "length", "width", "height", "axles", "axleload",
      "wheels", "seats", "speed", "maxweightrating":
      return readSize(into: &selectors)
    default: return false
    }
  }

  /// `weight>7.5`: never holds for walkers and bicycles.
  private mutating func readSize(into selectors: inout OpeningSelectors) -> Bool {
    skip()
    let isLarger = take(">")
    guard isLarger || take("<") else { return false }
    _ = take("=")
    guard case .number? = peek() else { return false }
    skip()
    if take(".") {
      guard case .number? = peek() else { return false }
      skip()
    }
    if case .word("t")? = peek() { skip() }
    if case .word("m")? = peek() { skip() }
    selectors.hours.append(.circumstance(Truth(!isLarger)))
    return true
  }
}
