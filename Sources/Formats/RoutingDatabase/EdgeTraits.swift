// SPDX-License-Identifier: Apache-2.0

/// The grades of the SAC hiking scale, as `sac_scale` names them.
public enum SACGrade: Int, Sendable, CaseIterable, Comparable {
  /// T1, `hiking`; `strolling` counts as this one, too.
  case t1 = 1
  /// T2, `mountain_hiking`.
  case t2
  /// T3, `demanding_mountain_hiking`.
  case t3
  /// T4, `alpine_hiking`.
  case t4
  /// T5, `demanding_alpine_hiking`.
  case t5
  /// T6, `difficult_alpine_hiking`.
  case t6

  /// Reads a value of `sac_scale`; nil for any that the scale does not have.
  public init?(tag: some StringProtocol) {
    switch tag {
    case "strolling", "hiking": self = .t1
    case "mountain_hiking": self = .t2
    case "demanding_mountain_hiking": self = .t3
    case "alpine_hiking": self = .t4
    case "demanding_alpine_hiking": self = .t5
    case "difficult_alpine_hiking": self = .t6
    default: return nil
    }
  }

  /// The order of difficulty.
  public static func < (left: SACGrade, right: SACGrade) -> Bool { left.rawValue < right.rawValue }
}

/// What preferences ask of an edge, in few bits.
public struct EdgeTraits: Hashable, Sendable {
  /// The bits, of which the lower 24 are used.
  public private(set) var bits: UInt32

  /// An edge of which nothing is known.
  public init() { bits = 0 }

  /// Takes the bits of traits that were kept elsewhere.
  @inlinable
  public init(bits: UInt32) { self.init(checked: bits & 0x00FF_FFFF) }

  @usableFromInline
  init(checked bits: UInt32) { self.bits = bits }

  private func has(_ bit: UInt32) -> Bool { bits & bit != 0 }

  private mutating func set(_ bit: UInt32, _ isSet: Bool) {
    bits = isSet ? bits | bit : bits & ~bit
  }

  /// Whether it is a flight of steps.
  public var isSteps: Bool {
    get { has(1) }
    set { set(1, newValue) }
  }

  /// Whether its surface is paved, by `surface` or, where that is missing, by the kind of road.
  public var isPaved: Bool {
    get { has(2) }
    set { set(2, newValue) }
  }

  /// Whether a waymarked hiking route follows it.
  public var isHikingRoute: Bool {
    get { has(4) }
    set { set(4, newValue) }
  }

  /// Whether a waymarked cycling route follows it.
  public var isCyclingRoute: Bool {
    get { has(8) }
    set { set(8, newValue) }
  }

  /// Its SAC grade, nil where it has none.
  public var sacGrade: SACGrade? {
    get { SACGrade(rawValue: Int(bits >> 4 & 7)) }
    set { bits = bits & ~0x70 | UInt32(newValue?.rawValue ?? 0) << 4 }
  }

  /// The largest slope that can be kept.
  public static let greatestSlopePercent = 255.0

  /// The slope of its steepest stretch in whole percent, up or down, rounded up and at most
  /// ``greatestSlopePercent``.
  public var slopePercent: Double {
    get { Double(bits >> 8 & 0xFF) }
    set {
      let slope = newValue.isFinite ? min(abs(newValue), Self.greatestSlopePercent) : 0
      bits = bits & ~0xFF00 | UInt32(slope.rounded(.up)) << 8
    }
  }

  /// Values of `surface` that are paved.
  private static let pavedSurfaces: Set<String> = [
    "paved", "asphalt", "concrete", "concrete:plates", "concrete:lanes", "paving_stones", "sett",
    "cobblestone", "unhewn_cobblestone", "bricks", "chipseal", "metal",
  ]
  /// Values of `highway` that are taken for paved where `surface` is missing.
  private static let pavedRoads: Set<String> = [
    "motorway", "motorway_link", "trunk", "trunk_link", "primary", "primary_link", "secondary",
    "secondary_link", "tertiary", "tertiary_link", "unclassified", "residential", "living_street",
    "pedestrian", "service", "cycleway",
  ]

  /// Reads what tags say.
  mutating func read(highway: String?, surface: String?, sacScale: String?) {
    isSteps = highway == "steps"
    isPaved =
      surface.map(Self.pavedSurfaces.contains) ?? highway.map(Self.pavedRoads.contains) ?? false
    sacGrade = sacScale.flatMap { SACGrade(tag: $0) }
  }
}
