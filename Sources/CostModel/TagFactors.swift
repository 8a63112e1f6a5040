// SPDX-License-Identifier: Apache-2.0

/// What one tag contributes to the cost of a way.
public struct CostFactor: Equatable, Sendable {
  /// The key that decided, such as `surface`; `route` for a waymarked route.
  public var key: String
  /// The value of the key; nil where the way does not have it.
  public var value: String?
  /// The factor, > 0, ``CostProfile/impassable`` where the way is closed by it.
  public var factor: Double

  /// Names a factor.
  public init(key: String, value: String?, factor: Double) {
    self.key = key
    self.value = value
    self.factor = factor
  }
}

/// What a profile makes of the tags of a way: the same for all edges of a tag set.
public struct TagFactors: Equatable, Sendable {
  /// Between which bounds the product of all factors stays, so that costs of whole routes neither
  /// vanish nor overflow.
  public static let multiplierRange = 0.001...1e6

  /// The factors, those of 1 included, in the order in which they are multiplied.
  public private(set) var factors: [CostFactor] = []
  /// Their product, or ``CostProfile/impassable``.
  public private(set) var multiplier = 1.0
  /// In which directions the profile's vehicle may go.
  public let access: Access

  /// Looks the tags up in the tables of a profile.
  public init(_ tags: WayTags, _ profile: CostProfile) {
    access = Access(tags, for: profile.vehicle)
    addSurface(tags, profile)
    add("sac_scale", tags, profile.sacScale, isClosed: profile.closesSACScale(tags["sac_scale"]))
    addHighway(tags, profile)
    add("trail_visibility", tags, profile.trailVisibility)
    add("smoothness", tags, profile.smoothness)
    addMTBScale(tags, profile)
    addRoute(tags, profile)
    if multiplier.isFinite {
      let range = Self.multiplierRange
      multiplier = min(max(multiplier, range.lowerBound), range.upperBound)
    }
  }

  private mutating func add(_ key: String, _ value: String?, _ factor: Double) {
    factors.append(CostFactor(key: key, value: value, factor: factor))
    multiplier *= factor
  }

  /// Adds the factor of a key that the way has.
  private mutating func add(
    _ key: String, _ tags: WayTags, _ table: [String: Double], isClosed: Bool = false
  ) {
    guard let value = tags[key] else { return }
    add(key, value, isClosed ? CostProfile.impassable : table[value] ?? 1)
  }

  private mutating func addSurface(_ tags: WayTags, _ profile: CostProfile) {
    let surface = tags["surface"]
    if let surface, let factor = profile.surfaces[surface] {
      add("surface", surface, factor)
    } else if let tracktype = tags["tracktype"], let factor = profile.tracktypes[tracktype] {
      add("tracktype", tracktype, factor)
    } else {
      add("surface", surface, profile.unknownSurface)
    }
  }

  private mutating func addHighway(_ tags: WayTags, _ profile: CostProfile) {
    let factor = tags["highway"].flatMap { profile.highways[$0] } ?? 1
    // A via ferrata is none the less one where the way is drawn as a path.
    if let scale = tags["via_ferrata_scale"], !["0", "no"].contains(scale) {
      let climbing = profile.highways["via_ferrata"] ?? CostProfile.impassable
      if climbing > factor { return add("via_ferrata_scale", scale, climbing) }
    }
    add("highway", tags["highway"], factor)
  }

  private mutating func addMTBScale(_ tags: WayTags, _ profile: CostProfile) {
    // `2+` and `2-` are shades of 2.
    guard let value = tags["mtb:scale"], let digit = value.first.flatMap({ Int(String($0)) })
    else { return }
    let isClosed = digit > profile.maximumMTBScale ?? .max
    add("mtb:scale", value, isClosed ? CostProfile.impassable : profile.mtbScale["\(digit)"] ?? 1)
  }

  private mutating func addRoute(_ tags: WayTags, _ profile: CostProfile) {
    guard let network = tags[profile.vehicle.routeKey] else { return }
    add("route", network, profile.routes[network] ?? profile.routes["any"] ?? 1)
  }
}

extension CostProfile {
  /// Whether a way of this `sac_scale` is harder than the profile allows. Of several values the
  /// hardest counts.
  fileprivate func closesSACScale(_ value: String?) -> Bool {
    guard let value, let limit = maximumSACScale.flatMap(ProfileKeys.sacScale.firstIndex)
    else { return false }
    return value.split(separator: ";").contains { part in
      let grade = part.trimmingPrefix { $0 == " " }
      return (ProfileKeys.sacScale.firstIndex { $0 == grade } ?? 0) > limit
    }
  }
}
