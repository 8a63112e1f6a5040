// SPDX-License-Identifier: Apache-2.0
import CairnRouting
import CairnTagRules

/// The meaning of a way's tag set in an audit.
struct AuditedTags {
  enum Way { case path, track, road }

  /// Whether walkers may use it, at least on some day.
  let isOnFoot: Bool
  let way: Way
  let isFerry: Bool
  let isSteps: Bool
  /// Its grade and `trail_visibility`, as keys of the summary; nil if unknown.
  let grade: SACScale?
  let visibility: String?
  /// The findings on its edges.
  private(set) var topics: [(theme: AuditFinding.Theme, severity: HazardSeverity)] = []
  /// The days on which it is closed, if ``topics`` has a closure.
  private(set) var year: AccessYear?
  /// The closure in ``topics``.
  private(set) var closure: AuditFinding.Theme?

  /// Whether it is a path on foot without a grade that might have one.
  var lacksGrade: Bool { isOnFoot && way == .path && !isClimb && grade == nil }
  private let isClimb: Bool

  private static let paths: Set<String> = [
    "bridleway", "footway", "ladder", "path", "steps", "via_ferrata",
  ]

  /// The values of `trail_visibility`, from the best.
  static let visibilities = ["excellent", "good", "intermediate", "bad", "horrible", "no"]

  init(_ tags: WayTags, on date: CalendarDate?) {
    let tags = TagList(tags)
    self.init(tags, Access(tags, for: .foot, on: date), on: date)
  }

  /// - Parameter access: The access of walkers on that day.
  init(_ tags: TagList, _ access: Access, on date: CalendarDate?) {
    let highway = tags["highway"] ?? ""
    isClimb = !WayKind(highway: highway).isDisjoint(with: [.viaFerrata, .ladder])
    isSteps = WayKind(highway: highway).contains(.steps)
    isFerry = tags["route"] == TagSelection.ferryRoute || highway == TagSelection.ferryRoute
    way = Self.paths.contains(highway) ? .path : highway == "track" ? .track : .road
    grade = tags["sac_scale"].flatMap { SACScale(hardestOf: $0) }
    visibility = tags["trail_visibility"].flatMap { Self.visibilities.contains($0) ? $0 : nil }
    let rule = AccessRule(tags, isBarrier: false).flatMap { $0.concerns(.foot) ? $0 : nil }
    isOnFoot = Self.isOnFoot(access, rule)
    let isClosedAtTimes = isOnFoot && rule?.canClose(for: .foot) == true
    for hazard in WayHazards.onFoot(tags, on: date, isAnyHour: true)
    where isOnFoot || hazard.isClosing {
      // The closure says so in detail.
      if isClosedAtTimes, [.conditional, .seasonal].contains(hazard.kind) { continue }
      topics.append((Self.theme(hazard), hazard.severity))
    }
    if isOnFoot {
      for doubt in TagContradiction.all(tags) {
        let tag = doubt.tags.joined(separator: ", ")
        topics.append(
          (.init(category: .suspicious, kind: "tags", text: doubt.text, tag: tag), .notice))
      }
    }
    guard isClosedAtTimes, let rule else { return }
    (closure, year) = (
      Self.theme(rule, of: tags, "way"), date.map { rule.year(for: .foot, from: $0) }
    )
    if let closure { topics.append((closure, .caution)) }
  }

  private static func isOnFoot(_ access: Access, _ rule: AccessRule?) -> Bool {
    var classes: Set = [access.forwardClass, access.backwardClass]
    if let possible = rule?.possibleAccess(for: .foot) {
      classes.formUnion(possible.forward.union(possible.backward))
    }
    return classes.contains { $0.isPassable(for: .foot) || $0 == .uncertain }
  }

  /// The common part of all stretches with a hazard.
  static func theme(_ hazard: Hazard) -> AuditFinding.Theme {
    .init(category: .hazard, kind: hazard.kind.rawValue, text: hazard.text, tag: hazard.tag)
  }

  /// The common part of all stretches under a rule on times.
  static func theme(_ rule: AccessRule, of tags: TagList, _ object: String) -> AuditFinding.Theme {
    // The tags without conditions also decide about the days.
    let otherwise = ["access", "foot", "barrier", "locked"].compactMap { key in
      tags[key].map { "\(key)=\($0)" }
    }
    let untimed = rule.untimedConditions(for: .foot)
    return .init(
      category: .closure, kind: object,
      text: untimed.map { Hazard.perhapsClosed + $0 } ?? "closed at times",
      tag: (rule.texts(for: .foot) + otherwise).joined(separator: ", "))
  }
}
