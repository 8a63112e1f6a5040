// SPDX-License-Identifier: Apache-2.0
import CairnTagRules

/// The contribution of one tag to the cost of a way.
package struct CostFactor: Equatable, Sendable {
  /// The key of the tag, such as `surface`; `route` for a waymarked route, `equipment` for
  /// equipment to climb and `access` for the class of access.
  package var key: String
  /// The value of the key; nil if the way does not have it.
  package var value: String?
  /// The factor, > 0; ``CostProfile/impassable`` if it closes the way.
  package var factor: Double

  /// Names a factor.
  package init(key: String, value: String?, factor: Double) {
    self.key = key
    self.value = value
    self.factor = factor
  }
}

/// The factors of a profile for the tags of a way, the same for all edges of a tag set.
package struct TagFactors: Equatable, Sendable {
  /// The bounds of the product of all factors, so that the costs of whole routes neither vanish nor
  /// overflow.
  package static let multiplierRange = 0.001...1e6

  /// The factors that apply in both directions, including those of 1, in the order of
  /// multiplication.
  package private(set) var factors: [CostFactor] = []
  /// The classes of access of both directions.
  package let access: Access
  /// The factor of the class of access in the direction of the way.
  package let forwardAccess: CostFactor
  /// The factor of the class of access against it.
  package let backwardAccess: CostFactor
  /// Whether this is a ferry, whose cost comes from its time; see ``EdgeFormula/ferryCost(_:distance:seconds:)``.
  package let isFerry: Bool
  /// The slowdown of the way in its direction compared with the time model, ≥ 1.
  package let forwardSlowdown: Double
  /// The same against its direction.
  package let backwardSlowdown: Double
  private var product = 1.0

  /// The product of all factors in the direction of the way, ``CostProfile/impassable`` if one
  /// of them closes it.
  package var forward: Double { bounded(product * forwardAccess.factor) }
  /// The product of all factors against the direction of the way.
  package var backward: Double { bounded(product * backwardAccess.factor) }

  /// The product of all factors in one direction.
  package func multiplier(isReversed: Bool) -> Double { isReversed ? backward : forward }

  /// The slowdown of the way in one direction compared with the time model, ≥ 1.
  package func slowdown(isReversed: Bool) -> Double {
    isReversed ? backwardSlowdown : forwardSlowdown
  }

  /// All factors in one direction.
  package func factors(isReversed: Bool) -> [CostFactor] {
    factors + [isReversed ? backwardAccess : forwardAccess]
  }

  /// Looks the tags up in the tables of a profile.
  ///
  /// - Parameter date: The day for which seasons and conditional access are evaluated. Without one,
  ///   whatever depends on it is closed.
  package init(_ tags: WayTags, _ profile: CostProfile, on date: CalendarDate? = nil) {
    self.init(TagList(tags), profile, on: date)
  }

  /// Looks the tags up in the tables of a profile.
  package init(_ tags: TagList, _ profile: CostProfile, on date: CalendarDate?) {
    self.init(tags, profile, Access(tags, for: profile.vehicle, on: date))
  }

  /// Looks the tags up in the tables of a profile, with the access that they give.
  package init(_ tags: TagList, _ profile: CostProfile, _ access: Access) {
    self.access = access
    forwardAccess = profile.factor(access.forwardClass)
    backwardAccess = profile.factor(access.backwardClass)
    let kind = WayKind(tags)
    isFerry = kind.contains(.ferry)
    let grade = profile.grade(tags)
    forwardSlowdown =
      isFerry ? 1 : profile.slowdown.factor(tags, grade, access: access.forwardClass)
    backwardSlowdown =
      isFerry || access.backwardClass == access.forwardClass
      ? forwardSlowdown : profile.slowdown.factor(tags, grade, access: access.backwardClass)
    guard !isFerry else {
      add("route", TagSelection.ferryRoute, profile.highways[TagSelection.ferryRoute] ?? 1)
      return
    }
    factors.reserveCapacity(8)
    addSurface(tags, profile)
    addSACScale(tags, grade, profile)
    addHighway(tags, kind, profile)
    addTunnel(tags, kind, profile)
    add("trail_visibility", tags, profile.trailVisibility)
    add("smoothness", tags, profile.smoothness)
    addMTBScale(tags, profile)
    addRoute(tags, profile)
  }

  private func bounded(_ product: Double) -> Double {
    guard product.isFinite else { return CostProfile.impassable }
    return min(max(product, Self.multiplierRange.lowerBound), Self.multiplierRange.upperBound)
  }

  private mutating func add(_ key: String, _ value: String?, _ factor: Double) {
    factors.append(CostFactor(key: key, value: value, factor: factor))
    product *= factor
  }

  /// Adds the factor of a key that the way has.
  private mutating func add(_ key: String, _ tags: TagList, _ table: [String: Double]) {
    guard let value = tags[key] else { return }
    add(key, value, table[value] ?? 1)
  }

  /// Adds the factor of the grade that the way counts as.
  private mutating func addSACScale(_ tags: TagList, _ grade: SACScale?, _ profile: CostProfile) {
    guard let value = tags["sac_scale"] else { return }
    let isClosed = profile.maximumSACScale.map { limit in
      grade.map { $0 > limit } ?? GradeReading(value).mayExceed(limit)
    }
    if isClosed == true { return add("sac_scale", value, CostProfile.impassable) }
    add("sac_scale", value, grade.flatMap { profile.sacScale[$0.rawValue] } ?? 1)
  }

  private mutating func addSurface(_ tags: TagList, _ profile: CostProfile) {
    let surface = tags["surface"]
    if let surface, let factor = profile.surfaces[surface] {
      add("surface", surface, factor)
    } else if let tracktype = tags["tracktype"], let factor = profile.tracktypes[tracktype] {
      add("tracktype", tracktype, factor)
    } else {
      let byHighway = tags["highway"].flatMap { profile.unknownSurfaces[$0] }
      add("surface", surface, byHighway ?? profile.unknownSurface)
    }
  }

  private mutating func addTunnel(_ tags: TagList, _ kind: WayKind, _ profile: CostProfile) {
    guard kind.contains(.underground) else { return }
    let isRoad = tags["highway"].map(ProfileKeys.roads.contains) ?? false
    add(
      "tunnel", tags["tunnel"] ?? tags["location"], profile.tunnels[isRoad ? "road" : "path"] ?? 1)
  }

  private mutating func addHighway(_ tags: TagList, _ kind: WayKind, _ profile: CostProfile) {
    let factor = tags["highway"].flatMap { profile.highways[$0] } ?? 1
    // A via ferrata counts as one even if the way is mapped as a path.
    if let equipment = Equipment(kind) {
      let climbing = equipment.factor(in: profile.highways)
      if climbing > factor { return add("equipment", equipment.rawValue, climbing) }
    }
    add("highway", tags["highway"], factor)
  }

  private mutating func addMTBScale(_ tags: TagList, _ profile: CostProfile) {
    // `2+` and `2-` count as 2.
    guard let value = tags["mtb:scale"], let digit = value.first.flatMap({ Int(String($0)) })
    else { return }
    let isClosed = digit > profile.maximumMTBScale ?? .max
    add("mtb:scale", value, isClosed ? CostProfile.impassable : profile.mtbScale["\(digit)"] ?? 1)
  }

  private mutating func addRoute(_ tags: TagList, _ profile: CostProfile) {
    guard let network = tags[profile.vehicle.routeKey] else {
      if let factor = profile.routes["none"] { add("route", "none", factor) }
      return
    }
    add("route", network, profile.routes[network] ?? profile.routes["any"] ?? 1)
  }
}

extension CostProfile {
  /// The effective grade of a way; nil if it has none.
  fileprivate func grade(_ tags: TagList) -> SACScale? {
    switch contradictedGrades {
    case .asTagged: tags["sac_scale"].flatMap { SACScale(hardestOf: $0) }
    case .judged: SACScale(judging: tags)
    }
  }

  /// The factor of a class of access: the profile's, otherwise the usual one.
  fileprivate func factor(_ kind: AccessClass) -> CostFactor {
    let usual = kind.usualFactor(for: vehicle) ?? Self.impassable
    return CostFactor(key: "access", value: kind.rawValue, factor: access[kind.rawValue] ?? usual)
  }

  /// Whether a node with these tags is passable, as a way of its class of access would be.
  func passes(_ barrier: TagList, on date: CalendarDate?) -> Bool {
    passes(BarrierPassage(barrier, for: vehicle, on: date).access)
  }

  /// Whether a node of a class of access is passable.
  func passes(_ kind: AccessClass) -> Bool { factor(kind).factor < Self.impassable }
}
