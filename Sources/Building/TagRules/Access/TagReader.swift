// SPDX-License-Identifier: Apache-2.0

/// Reads tags, conditional ones included, for a vehicle and a day.
struct TagReader {
  let tags: TagList
  let vehicle: Vehicle
  /// The day, or nil if none was given.
  let date: CalendarDate?

  /// The value of the keys for a direction; nil if none is present. The most specific key comes
  /// first and wins; `KEY:forward` is more specific than `KEY`, and `:conditional` than an
  /// unconditional key.
  ///
  /// - Parameters:
  ///   - direction: `forward`, `backward` or nil for an object without one, such as a gate.
  ///   - otherwise: The result if the keys are absent.
  func permission(_ keys: [String], _ direction: String? = nil, otherwise: AccessClass? = nil)
    -> AccessClass?
  {
    // Most tags have no key for a direction.
    let direction = tags.hasColons ? direction : nil
    var readings: [AccessClass] = []
    for key in keys {
      if let direction, let known = read("\(key):\(direction)", &readings) { return known }
      if let known = read(key, &readings) { return known }
    }
    if readings.isEmpty { return otherwise }
    return .strictestOf(readings + [otherwise ?? .open])
  }

  /// Adds what a key may mean to the readings of more specific ones; returns the strictest of all
  /// if less specific keys do not matter then.
  private func read(_ key: String, _ readings: inout [AccessClass]) -> AccessClass? {
    let (conditional, mayNotApply) = conditionalValues(key)
    let isAccessOnFoot = vehicle == .foot && key.hasPrefix("access")
    func kind(_ value: some StringProtocol) -> AccessClass? {
      AccessClass(value: value, isAccessOnFoot: isAccessOnFoot)
    }
    readings += conditional.compactMap { kind($0) }
    if !mayNotApply, !readings.isEmpty { return .strictestOf(readings) }
    return tags[key].flatMap { kind($0) }.flatMap { .strictestOf(readings + [$0]) }
  }

  /// All values that a key may have on the day; `otherwise` if the key is absent.
  func possibleValues(_ key: String, otherwise: @autoclosure () -> [Substring]) -> [Substring] {
    let (conditional, mayNotApply) = conditionalValues(key)
    if !mayNotApply { return conditional }
    return conditional + (tags[key].map { [$0[...]] } ?? otherwise())
  }

  /// Whether a key or its conditional twin is present.
  func has(_ key: String) -> Bool {
    tags[key] != nil || tags.hasConditions && tags["\(key):conditional"] != nil
  }

  private func conditionalValues(_ key: String) -> (values: [Substring], mayNotApply: Bool) {
    guard tags.hasConditions, let text = tags["\(key):conditional"] else { return ([], true) }
    let tag = ConditionalTag(text, on: date)
    return (tag.values, tag.mayNotApply)
  }

  /// A class of access as limited by season and opening hours.
  func limitedBySeason(_ access: AccessClass) -> AccessClass {
    switch seasonHolds() {
    case .yes: access
    case .unknown: max(access, .uncertain)
    case .no: .closed
    }
  }

  private func seasonHolds() -> Truth {
    var truth = Truth.yes
    if let seasons = tags["seasonal"] { truth = min(truth, Self.season(seasons, date).truth) }
    if let hours = tags["opening_hours"] {
      truth = min(truth, OpeningHours(hours, on: date).reading.truth)
    }
    if tags["ice_road"] == "yes" || tags["winter_road"] == "yes" {
      truth = min(truth, Season.winter.holds(on: date))
    }
    return truth
  }

  /// Whether a value of `seasonal`, such as `no`, `summer`, `spring;summer` or `May-Oct`, holds.
  private static func season(_ text: String, _ date: CalendarDate?) -> ConditionReading {
    switch text.trimmed.lowercased() {
    case "no": ConditionReading(truth: .yes)
    case "yes", "dry_season", "wet_season": ConditionReading(truth: .unknown)
    default: OpeningHours(text, on: date).reading
    }
  }

  private static let accessKeys = ["foot", "bicycle", "vehicle", "access"].flatMap {
    [$0, "\($0):forward", "\($0):backward"]
  }

  /// The access tags with unknown values, `KEY=VALUE`, sorted.
  static func unknownValues(_ tags: WayTags) -> [String] {
    tags.filter { key, value in
      accessKeys.contains(key) && !AccessClass.unknownValues(in: value).isEmpty
    }.map { "\($0)=\($1)" }.sorted()
  }

  /// The tags whose conditions cannot be read, `KEY=VALUE`, sorted.
  static func unreadable(_ tags: WayTags) -> [String] {
    let keys = ["foot", "bicycle", "vehicle", "access", "oneway"]
    return tags.filter { key, value in
      if key == "opening_hours" { return !OpeningHours(value, on: nil).reading.isReadable }
      if key == "seasonal" { return !season(value, nil).isReadable }
      guard key.hasSuffix(":conditional"), keys.contains(where: key.hasPrefix) else { return false }
      return !ConditionalTag(value, on: nil).isReadable
    }.map { "\($0)=\($1)" }.sorted()
  }
}
