// SPDX-License-Identifier: Apache-2.0

/// A hazard that may stop or hurt a walker on a way.
public enum HazardKind: String, Sendable, CaseIterable, Codable {
  /// Grade T4 or harder on the SAC scale.
  case alpineGrade = "alpine-grade"
  /// A grade that cannot be read, so that it may be any.
  case unknownGrade = "unknown-grade"
  /// A grade from T4 on that other tags of the way contradict.
  case contradictoryGrade = "contradictory-grade"
  /// A via ferrata.
  case viaFerrata = "via-ferrata"
  /// A ladder, rungs, a rope or a chain, which one needs the hands for.
  case equipment
  /// A long drop beside the way.
  case exposed
  /// A path that is hard to see.
  case visibility
  /// A danger of the terrain that is mapped as `hazard`: avalanches, falling rocks.
  case terrain
  /// A glacier.
  case glacier
  /// Water to wade through or to cross on stones.
  case ford
  /// A tunnel without light.
  case darkTunnel = "dark-tunnel"
  /// A road tunnel without a sidewalk.
  case roadTunnel = "road-tunnel"
  /// Ground that the tide covers.
  case tide
  /// Ground that is often under water.
  case flood
  /// A bridge that is damaged or gone.
  case bridge
  /// Something that lies across the way.
  case obstacle
  /// Plants over the way.
  case overgrown
  /// A way that is mapped as impassable for some.
  case impassable
  /// A way that is closed or out of use.
  case closed
  /// Land where the military shoots or trains.
  case military
  /// Protected land or a quarry that may not be entered, or not by everybody.
  case reserve
  /// Access that no tag grants.
  case assumedAccess = "assumed-access"
  /// A way that may be used and is advised against.
  case discouraged
  /// A private way.
  case privateWay = "private"
  /// A way that costs a toll.
  case toll
  /// Access that depends on the day or the hour.
  case conditional
  /// A way that is there, or open, in a part of the year only.
  case seasonal
  /// A ferry, whose hours count.
  case ferry
  /// A steep stretch.
  case steep
  /// Map data of different dates that meet.
  case mixedData = "mixed-data"
}

/// The severity of a hazard, lowest first.
public enum HazardSeverity: String, Sendable, CaseIterable, Comparable, Codable {
  /// Good to know before one leaves.
  case notice
  /// Needs care, or may be impossible on some days.
  case caution
  /// May cost a life, or turns everybody back.
  case danger

  /// Whether the left one matters less.
  public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .notice: 0
    case .caution: 1
    case .danger: 2
    }
  }
}

/// A hazard that the tags of an object name.
package struct Hazard: Hashable, Sendable {
  /// Its kind.
  package let kind: HazardKind
  /// Its severity.
  package let severity: HazardSeverity
  /// The tag that names it, `KEY=VALUE`.
  package let tag: String
  /// It in a few words, in English, such as `ford`.
  package let text: String

  /// Whether it closes a way, unless a key of the vehicle opens it.
  package let isClosing: Bool

  /// Describes a hazard.
  package init(
    _ kind: HazardKind, _ severity: HazardSeverity, tag: String, _ text: String,
    isClosing: Bool = false
  ) {
    self.kind = kind
    self.severity = severity
    self.tag = tag
    self.text = text
    self.isClosing = isClosing
  }
}
