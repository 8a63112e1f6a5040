// SPDX-License-Identifier: Apache-2.0

/// The access to a way without access keys: by its `highway`, its state and its sidewalks.
struct HighwayAccess {
  private let tags: TagList
  private let highway: String
  /// The access to a way that is out of use or dangerous, by ``HazardRule``; nil for any other.
  private let outOfUse: AccessClass?
  /// Whether it is closed whatever other tags say.
  let isNeverOpen: Bool

  init(_ tags: TagList) {
    self.tags = tags
    highway = tags["highway"] ?? ""
    var (access, isBarred): (AccessClass?, Bool) = (nil, false)
    // Few tags of a way have rules.
    for tag in tags.tags.indices {
      for rule in HazardRule.closing[tags.tags[tag].key] ?? [] where rule.holds(tags) {
        // It may be overgrown, or a bridge may be missing.
        access = max(access ?? .designated, rule.effect == .uncertain ? .uncertain : .closed)
        if rule.effect == .barred { isBarred = true }
      }
    }
    outOfUse = access
    isNeverOpen = isBarred || Self.never.contains(highway)
  }

  /// Ordinary ways, open to walkers and cyclists unless something says otherwise.
  private static let open: Set<String> = [
    "", "cycleway", "ford", "living_street", "path", "residential", "road", "secondary",
    "secondary_link",
    "service", "tertiary", "tertiary_link", "track", "unclassified",
  ]
  /// Ways for walkers, where a bicycle is to be pushed unless something says otherwise.
  private static let walkersOnly: Set<String> = [
    "bridleway", "corridor", "elevator", "footway", "lock_gate", "pedestrian", "pier", "platform",
    "steps",
  ]
  /// Ways on which no bicycle can be pushed either.
  private static let climbs: Set<String> = ["ladder", "via_ferrata"]
  /// Ways that are closed whatever other tags say: motorways, and ways that do not exist.
  private static let never: Set<String> = [
    "motorway", "motorway_link", "construction", "proposed", "planned", "abandoned", "disused",
    "razed", "demolished", "removed", "dismantled", "no",
  ]

  /// The access unless a key for the vehicle says otherwise; nil for an ordinary way.
  ///
  /// - Parameters:
  ///   - isAccessSaid: Whether `access` is present.
  ///   - areas: What the areas around it leave, see ``AreaAccess/limit(_:)``.
  ///   - walking: A walker's access.
  func usualAccess(
    for vehicle: Vehicle, isAccessSaid: Bool, areas: () -> AccessClass?,
    walking: () -> AccessClass
  ) -> AccessClass? {
    if let outOfUse { return outOfUse }
    // What is said of the way itself counts more than what is said of the area, and no route is marked
    // where nobody may walk.
    let limit = isAccessSaid ? nil : areas()
    if limit == .closed, tags[vehicle.routeKey] == nil { return .closed }
    let byKind = usualAccess(for: vehicle, isAccessSaid: isAccessSaid, walking: walking)
    return limit == nil ? byKind : max(.destination, byKind ?? .open)
  }

  private func usualAccess(
    for vehicle: Vehicle, isAccessSaid: Bool, walking: () -> AccessClass
  ) -> AccessClass? {
    if tags["motorroad"] == "yes", vehicle == .bicycle || !hasSidewalk { return .closed }
    // Nearly all ferries take walkers; those for cars only say so.
    if tags["route"] == TagSelection.ferryRoute {
      return isAccessSaid || vehicle == .foot ? nil : .uncertain
    }
    switch highway {
    case _ where isTrunk:
      if vehicle == .foot { return onFoot ?? .uncertain }
      return .busyRoad
    case "primary", "primary_link":
      return vehicle == .foot ? onFoot ?? .busyRoad : .busyRoad
    case _ where Self.walkersOnly.contains(highway):
      // Platforms are for passengers: a way round a station is better than one through it.
      if vehicle == .foot { return highway == "platform" ? .destination : nil }
      return walking().isPassable(for: .foot) ? .dismount : .closed
    case _ where Self.climbs.contains(highway):
      return vehicle == .foot ? nil : .closed
    case _ where Self.open.contains(highway):
      return vehicle == .foot && hasSeparateSidewalk ? .sidepath : nil
    default:
      return .closed
    }
  }

  /// A walker's access to a fast road by its sidewalks; nil if they are not tagged.
  private var onFoot: AccessClass? {
    if hasSidewalk { return .open }
    return hasSeparateSidewalk ? .sidepath : nil
  }

  private var isTrunk: Bool { highway == "trunk" || highway == "trunk_link" }

  /// A walker's access to a way that says to use the one beside it.
  ///
  /// If it has a sidewalk, that is meant. A trunk road is too dangerous to be merely expensive.
  var walkingBesideSidepath: AccessClass {
    if hasSidewalk { return .open }
    return isTrunk || tags["motorroad"] == "yes" ? .uncertain : .sidepath
  }

  private static let sides = ["sidewalk", "sidewalk:both", "sidewalk:left", "sidewalk:right"]

  private var hasSidewalk: Bool {
    Self.sides.contains { tags[$0].map { ["both", "left", "right", "yes"].contains($0) } ?? false }
  }

  private var hasSeparateSidewalk: Bool {
    !hasSidewalk && Self.sides.contains { tags[$0] == "separate" }
  }
}
