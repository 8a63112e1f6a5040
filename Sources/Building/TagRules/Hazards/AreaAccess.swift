// SPDX-License-Identifier: Apache-2.0

/// The kinds of areas that may close the ways in them, the most dangerous first.
package enum AreaKind: String, Sendable, CaseIterable {
  /// An area that is closed by its danger, whatever its tags of access: shooting, mines.
  case danger
  /// Other land of the military.
  case military
  /// Protected land: reserves, protected areas, national parks.
  case reserve
  /// A quarry.
  case quarry
}

/// What an area says about who may enter it, as far as that is not everybody.
///
/// Ways in such an area have its tags of access behind ``key(_:)``, in addition to their own, so that they
/// are judged for any day as those are.
package struct AreaAccess: Sendable {
  /// The kind of the area.
  package let kind: AreaKind
  /// Its tags of access; none if it is closed by its kind.
  package let tags: [(key: String, value: String)]

  /// The key of ``WayTags`` that lists the kinds of the areas that a way lies in, separated by semicolons.
  /// OpenStreetMap has no such key: areas are objects of their own there.
  package static let listKey = "within"

  /// The key of ``WayTags`` that has the tag of the area at a position in the list.
  package static func key(_ key: String, ofArea index: Int) -> String {
    "\(listKey):\(index):\(key)"
  }

  /// The key of the area's tag that a key of ``WayTags`` has; itself for any other.
  static func ownKey(_ key: String) -> Substring {
    guard key.hasPrefix(listKey + ":") else { return key[...] }
    return key.split(separator: ":", maxSplits: 2).last ?? key[...]
  }

  /// The keys of areas that count.
  package static let keys: Set<String> = Set(
    ["access", "bicycle", "foot", "vehicle"].flatMap { [$0, "\($0):conditional"] })

  /// Reads the tags of an area; nil if everybody may enter it at all times.
  package init?(_ tags: TagList) {
    if Hazard.all(tags, of: .area).contains(where: \.isClosing) {
      (kind, self.tags) = (.danger, [])
      return
    }
    guard let kind = Self.kinds.first(where: { $0.condition.holds(tags) })?.kind else { return nil }
    self.kind = kind
    self.tags = tags.tags.filter { Self.keys.contains($0.key) }
    let wayTags = TagList(Self.wayTags([self]))
    let isOpen = Vehicle.allCases.allSatisfy {
      Self.limit(TagReader(tags: wayTags, vehicle: $0, judge: ConditionJudge(at: .any))) == nil
    }
    if isOpen, AccessRule(wayTags, isBarrier: false) == nil { return nil }
  }

  fileprivate static let kinds: [(kind: AreaKind, condition: HazardRule.Condition)] = [
    (.military, HazardRule.Condition("landuse", .only(["military"]))),
    (.military, HazardRule.Condition("military", .only(HazardRule.militaryLand))),
    (.reserve, HazardRule.Condition("boundary", .only(["national_park", "protected_area"]))),
    (.reserve, HazardRule.Condition("leisure", .only(["nature_reserve"]))),
    (.quarry, HazardRule.Condition("landuse", .only(["quarry"]))),
  ]

  /// What the tag sets of ways in some areas have of these.
  package static func wayTags(_ areas: [AreaAccess]) -> [(key: String, value: String)] {
    if areas.isEmpty { return [] }
    // Each area is judged by itself: what one of them allows, another one may forbid.
    let tags = areas.enumerated().flatMap { index, area in
      area.tags.map { (key: key($0.key, ofArea: index), value: $0.value) }
    }
    return [(listKey, areas.map(\.kind.rawValue).joined(separator: ";"))] + tags
  }

  /// The access that the areas around a way leave to one that says nothing itself: closed, or
  /// ``AccessClass/destination`` where something limits it, or may do so; nil where nothing does.
  ///
  /// Marked trails lead through many a private reserve: what is not forbidden to all is said and
  /// costs more.
  static func limit(_ reader: TagReader) -> AccessClass? {
    guard let list = reader.tags[listKey] else { return nil }
    var strictest: AccessClass?
    for (index, name) in list.split(separator: ";").enumerated() {
      let limit = limit(reader, AreaKind(rawValue: String(name)) ?? .danger, index)
      strictest = [strictest, limit].compactMap { $0 }.max()
    }
    return strictest
  }

  private static func limit(_ reader: TagReader, _ kind: AreaKind, _ index: Int) -> AccessClass? {
    if kind == .danger { return .closed }
    let keys = reader.vehicle.ownKeys + ["access"]
    switch reader.permission(keys.map { key($0, ofArea: index) }) ?? .open {
    case .closed: return .closed
    case .restricted where kind == .military: return .closed
    case let access where access > .permissive: return .destination
    default: return nil
    }
  }
}

/// Tags of areas that ways lie in.
package enum AreaTags {
  /// The keys by which areas are judged: names and the like make no tag sets of their own.
  package static let keys = HazardRule.keys(of: .area).union(AreaAccess.keys)
    .union(AreaAccess.kinds.map(\.condition.key))

  /// Whether a walker or cyclist in an area with these tags has to be told or kept out.
  package static func matter(_ tags: TagList) -> Bool {
    !Hazard.all(tags, of: .area).isEmpty || AreaAccess(tags) != nil
  }

  /// Whether all that these tags warn of is on the ground: a bridge leads over it.
  package static func areOnTheGround(_ tags: TagList) -> Bool {
    let hazards = Hazard.all(tags, of: .area)
    return AreaAccess(tags) == nil
      && hazards.allSatisfy { [.flood, .glacier, .terrain, .tide].contains($0.kind) }
  }
}

extension Hazard {
  /// The hazards of an area that a route leads through, and whether it is closed or limited to a
  /// traveller, or is so on some days.
  ///
  /// - Parameter date: The day for which conditions are judged, at noon; nil if it is unknown.
  package static func ofArea(_ tags: TagList, for vehicle: Vehicle, on date: CalendarDate?)
    -> [Hazard]
  {
    let access = accessToArea(tags, for: vehicle, on: date)
    return all(tags, of: .area).filter { rule in !access.contains { $0.kind == rule.kind } }
      + access
  }

  private static func accessToArea(
    _ tags: TagList, for vehicle: Vehicle, on date: CalendarDate?
  ) -> [Hazard] {
    guard let area = AreaAccess(tags), !area.tags.isEmpty else { return [] }
    let reader = TagReader(
      tags: TagList(AreaAccess.wayTags([area])), vehicle: vehicle,
      judge: ConditionJudge(at: .noon(of: date)))
    let conditionalKey = conditionalKey(tags, vehicle)
    let key = conditionalKey ?? (vehicle.ownKeys + ["access"]).first { tags[$0] != nil }
    guard let key, let value = tags[key] else { return [] }
    let tag = "\(key)=\(value)"
    switch AreaAccess.limit(reader) {
    case .closed:
      return [Hazard(kind(area), .danger, tag: tag, closedText(area.kind), isClosing: true)]
    case nil where conditionalKey == nil: return []
    case _ where conditionalKey != nil: return [Self.conditional(key, value)]
    default: return [Hazard(kind(area), .caution, tag: tag, "not open to all")]
    }
  }

  private static func kind(_ area: AreaAccess) -> HazardKind {
    area.kind == .military ? .military : .reserve
  }

  private static func closedText(_ kind: AreaKind) -> String {
    switch kind {
    case .military: "military land"
    case .quarry: "quarry that may not be entered"
    case .danger, .reserve: "reserve that may not be entered"
    }
  }
}
