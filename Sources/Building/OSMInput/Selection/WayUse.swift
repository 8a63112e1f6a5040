// SPDX-License-Identifier: Apache-2.0

/// The use of a way.
struct WayUse: OptionSet, Sendable {
  let rawValue: UInt8

  /// To route on.
  static let routable = WayUse(rawValue: 1)
  /// As a point of interest, if it bounds an area.
  static let point = WayUse(rawValue: 2)
  /// As a line that is found by its name, as a lift, or as one of interpolated house numbers, if it
  /// bounds no area; always with ``point``.
  static let line = WayUse(rawValue: 16)
  /// As an area that may be a hazard, if it bounds one.
  static let area = WayUse(rawValue: 8)
  /// As a part of the outline of a relation that is a point of interest.
  static let outline = WayUse(rawValue: 4)
}

/// Determines the use of a way from the classes of its tags.
struct WayUseFinder {
  private var found: WayUse = []
  private var walkway = WalkwayFinder()
  private var area = HazardAreaFinder()
  private var isFerry = false
  private var isHighway = false
  private var hasSACScale = false
  private var mayBeLine = false
  /// The classes of all keys.
  private var keys: WordClass = []

  /// Adds a tag. If a key appears twice, the last value counts.
  @inline(__always)
  mutating func add(key: WordClass, value: WordClass) {
    keys.formUnion(key)
    if key.contains(.highwayKey) {
      isHighway = true
      if value.contains(.routableHighway) {
        found.insert(.routable)
      } else {
        found.remove(.routable)
      }
    }
    walkway.add(key: key, value: value)
    area.add(key: key, value: value)
    if key.contains(.routeKindKey) { isFerry = value.contains(.ferryRoute) }
    if key.contains(.sacScaleKey) { hasSACScale = true }
    if WordClass.makesPoint(key: key, value: value) { found.insert(.point) }
    if key.contains(.nameKey) || key.contains(.namelessLineKey) { mayBeLine = true }
  }

  /// The use of a way with the tags so far; with `keepsAll`, every `highway` is kept.
  func use(keepsAll: Bool = false) -> WayUse {
    let found = keepsAll && isHighway ? found.union(.routable) : found
    return use(found)
  }

  private func use(_ found: WayUse) -> WayUse {
    let found = mayBeLine && found.contains(.point) ? found.union(.line) : found
    let use = isFerry || walkway.highway != nil ? found.union(.routable) : found
    return area.mayBeHazard ? use.union(.area) : use
  }

  /// The `highway` that the way gets, if it is one of ``TagSelection/walkways``.
  var givenHighway: String? { isFerry ? nil : walkway.highway }

  /// Whether the way is a building, a shore or another thing that is not the course of a ferry, though
  /// a ferry line may have it as a member.
  var isOtherThing: Bool { !keys.isDisjoint(with: WordClasses.shared.thingKeys) }

  /// Counts the way's tags.
  func count(in counts: inout OSMCounts) {
    if isHighway { counts.highways += 1 }
    if hasSACScale { counts.sacScales += 1 }
  }
}

/// Ends ways in the two batches that collect them, and records when a later version of a way
/// removes an earlier one.
struct WayVersions {
  private var lastRoutable: Int64?
  private var lastArea: Int64?

  /// Ends a way whose parts were added to the batches; with `isGone` it is removed from a
  /// batch that it does not belong in, even if no earlier version of it was seen.
  mutating func end(
    _ id: Int64, _ use: WayUse, _ ways: inout WayBatch, _ areas: inout WayBatch, isGone: Bool
  ) {
    if use.contains(.routable) {
      ways.endWay(id: id)
      lastRoutable = id
    } else if isGone || id == lastRoutable {
      ways.endWay(id: id)
    }
    if !use.isDisjoint(with: [.outline, .line])
      || !use.isDisjoint(with: [.point, .area]) && areas.isRing
    {
      areas.endWay(id: id)
      lastArea = id
    } else {
      areas.abandonWay()
      if isGone || id == lastArea { areas.endWay(id: id) }
    }
  }
}
