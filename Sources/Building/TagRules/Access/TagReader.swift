// SPDX-License-Identifier: Apache-2.0

/// Reads tags, conditional ones included, for a vehicle and a moment.
struct TagReader {
  let tags: TagList
  let vehicle: Vehicle
  let judge: ConditionJudge

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
    func kind(_ value: some StringProtocol) -> AccessClass? {
      AccessClass(
        value: value,
        isAccessOnFoot: vehicle == .foot && AreaAccess.ownKey(key).hasPrefix("access"))
    }
    if !conditional.isEmpty { readings += conditional.compactMap { kind($0) } }
    if !mayNotApply, !readings.isEmpty { return .strictestOf(readings) }
    return tags[key].flatMap { kind($0) }.flatMap { .strictestOf(readings + [$0]) }
  }

  /// All values that a key may have on the day; `otherwise` if the key is absent.
  func possibleValues(_ key: String, otherwise: @autoclosure () -> [String]) -> [String] {
    let (conditional, mayNotApply) = conditionalValues(key)
    if !mayNotApply { return conditional }
    return conditional + (tags[key].map { [$0] } ?? otherwise())
  }

  /// Whether a key or its conditional twin is present.
  func has(_ key: String) -> Bool {
    tags[key] != nil || tags.hasConditions && tags["\(key):conditional"] != nil
  }

  private func conditionalValues(_ key: String) -> (values: [String], mayNotApply: Bool) {
    guard tags.hasConditions, let text = tags["\(key):conditional"] else { return ([], true) }
    return judge.tag(text).values(judge.truth)
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
    Self.seasonKeys.reduce(.yes) { truth, key in
      guard let condition = judge.season(key, tags) else { return truth }
      return min(truth, judge.truth(condition))
    }
  }

  /// The keys that say when a way or a barrier is open.
  static let seasonKeys = ["seasonal", "opening_hours", "ice_road", "winter_road"]

  /// The condition of one of ``seasonKeys``; nil if it has none.
  static func season(_ key: String, _ tags: TagList) -> Condition? {
    guard let value = tags[key] else { return nil }
    switch key {
    case "opening_hours": return Condition(hours: value)
    // `no`, `summer`, `spring;summer` or `May-Oct`.
    case "seasonal": return season(value)
    default: return value == "yes" ? Condition("winter") : nil
    }
  }

  private static func season(_ text: String) -> Condition? {
    switch text.trimmed.lowercased() {
    case "no": nil
    case "yes", "dry_season", "wet_season": Condition("unknown")
    default: Condition(hours: text)
    }
  }

  private static let accessKeys = ["foot", "bicycle", "vehicle", "access"].flatMap {
    [$0, "\($0):forward", "\($0):backward"]
  }

  /// The access tags with unknown values, `KEY=VALUE`, sorted.
  static func unknownValues(_ tags: TagList) -> [String] {
    accessKeys.compactMap { key in
      tags[key].flatMap { AccessClass.unknownValues(in: $0).isEmpty ? nil : "\(key)=\($0)" }
    }.sorted()
  }

  /// The tags whose conditions cannot be read, `KEY=VALUE`, sorted.
  static func unreadable(_ tags: TagList) -> [String] {
    let seasons = ["seasonal", "opening_hours"].filter {
      season($0, tags).map { !$0.isReadable } ?? false
    }
    let keys = ["foot", "bicycle", "vehicle", "access", "oneway"]
    let conditions = (tags.hasConditions ? tags.tags : []).filter { key, value in
      key.hasSuffix(":conditional") && keys.contains(where: AreaAccess.ownKey(key).hasPrefix)
        && !ConditionalTag(value).isReadable
    }
    return (seasons + conditions.map(\.key)).map { "\($0)=\(tags[$0] ?? "")" }.sorted()
  }
}
