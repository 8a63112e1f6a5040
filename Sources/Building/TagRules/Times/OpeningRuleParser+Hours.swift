// SPDX-License-Identifier: Apache-2.0

/// Minutes after midnight of a time that depends on the sun: approximate, which is enough to
/// compare it with noon.
func sunTime(_ word: String) -> Int? {
  switch word {
  case "dawn": 5 * 60
  case "sunrise": 6 * 60
  case "sunset": 18 * 60
  case "dusk": 19 * 60
  default: nil
  }
}

extension OpeningRuleParser {
  private static let noon = 12 * 60
  private static let wholeDay = 24 * 60

  /// Reads `10:00-18:00`, `22:00-06:00`, `sunrise-(sunset-01:00)` or `10:00+`.
  mutating func readHours(into selectors: inout OpeningSelectors) -> Bool {
    guard let start = readTime() else { return false }
    let holds: Bool
    if take("+") {
      holds = start <= Self.noon
    } else {
      guard take("-"), let end = readTime() else { return false }
      // An end that is open after it, as in `10:00-18:00+`, changes nothing at noon.
      _ = take("+")
      if end > Self.wholeDay {
        holds = start <= Self.noon || Self.noon < end - Self.wholeDay
      } else if start < end {
        holds = start <= Self.noon && Self.noon < end
      } else {
        holds = start <= Self.noon || Self.noon < end
      }
    }
    selectors.hours = max(selectors.hours ?? .no, Truth(holds))
    return true
  }

  /// Minutes after midnight, 0…2880.
  private mutating func readTime() -> Int? {
    if take("(") {
      guard case .word(let word)? = peek(), let base = sunTime(word) else { return nil }
      skip()
      let isLater = take("+")
      guard isLater || take("-"), let offset = readClock(), take(")") else { return nil }
      return min(max(isLater ? base + offset : base - offset, 0), Self.wholeDay)
    }
    if case .word(let word)? = peek(), let time = sunTime(word) {
      skip()
      return time
    }
    return readClock()
  }

  private mutating func readClock() -> Int? {
    guard case .number(let hour, 1...2)? = peek(), peek(1) == .sign(":"),
      case .number(let minute, 2)? = peek(2), hour <= 48, minute < 60
    else { return nil }
    skip(3)
    return hour * 60 + minute
  }

  /// Reads a condition on users, weather or sizes.
  mutating func readCircumstance(_ word: String, into selectors: inout OpeningSelectors) -> Bool {
    func noted(_ truth: Truth) -> Bool {
      skip()
      selectors.hours = max(selectors.hours ?? .no, truth)
      return true
    }
    switch word {
    case "day", "daytime", "daylight": return noted(.yes)
    case "night", "nighttime", "dark": return noted(.no)
    case "wet", "dry", "rain", "snow", "ice", "fog", "wind", "storm", "avalanche", "flood",
      "flooding", "high_water", "low_water", "tide", "high_tide", "low_tide", "hot", "fire",
      "event", "events", "destination", "customers", "permit", "school_days", "hunting":
      return noted(.unknown)
    case "delivery", "residents", "resident", "employees", "staff", "emergency", "forestry",
      "agricultural", "disabled", "hov", "bus", "psv", "trailer", "hgv", "loading":
      return noted(.no)
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
    selectors.hours = max(selectors.hours ?? .no, Truth(!isLarger))
    return true
  }
}
