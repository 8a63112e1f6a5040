// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules

/// The properties of an edge that preferences ask for, in a few bits.
public struct EdgeTraits: Hashable, Sendable {
  /// The bits, of which the lower 24 are used.
  public private(set) var bits: UInt32

  /// Makes the traits of an edge of which nothing is known.
  public init() { bits = 0 }

  /// Makes traits from the bits of others.
  public init(bits: UInt32) { self.bits = bits & 0x00FF_FFFF }

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

  /// The hardest grade in its `sac_scale`; nil if there is none.
  public var sacScale: SACScale? {
    get { SACScale(number: Int(bits >> 4 & 7) - 1) }
    set { bits = bits & ~0x70 | UInt32(newValue.map { $0.number + 1 } ?? 0) << 4 }
  }

  /// Whether its `sac_scale` cannot be read, so that its grade may be any.
  public var hasUnreadableGrade: Bool {
    get { has(1 << 7) }
    set { set(1 << 7, newValue) }
  }

  /// The largest slope that can be stored.
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

  /// Makes the traits that follow from the tags of an edge.
  init(highway: String?, surface: String?, sacScale: String?) {
    self.init()
    isSteps = Self.isSteps(highway: highway)
    isPaved = Paving.isPaved(highway: highway, surface: surface)
    switch sacScale.map({ GradeReading($0) }) {
    case .grade(let grade)?: self.sacScale = grade
    case .unreadable?: hasUnreadableGrade = true
    case GradeReading.none?, nil: break
    }
  }

  /// Makes the traits of an edge of the database.
  init(_ row: EdgeDescription) {
    self.init(highway: row.highwayType, surface: row.surface, sacScale: row.sacScale)
    add(row.course)
  }

  /// Adds the slope and the waymarked routes of an edge.
  mutating func add(_ course: EdgeCourse) {
    slopePercent = course.slopePercent
    isHikingRoute = course.isHikingRoute
    isCyclingRoute = course.isCyclingRoute
  }

  /// Whether an edge with this `highway_type` is a flight of steps.
  static func isSteps(highway: String?) -> Bool {
    highway.map { WayKind(highway: $0).contains(.steps) } ?? false
  }

  /// The same for the bytes of a value.
  static func isSteps(highway: UnsafeRawBufferPointer) -> Bool {
    // Most values are of another length.
    highway.count == steps.count && isSteps(highway: String(decoding: highway, as: UTF8.self))
  }
  private static let steps = Array("steps".utf8)
}

extension RoutingStore {
  /// The traits of an edge. Throws ``RoutingError/databaseCorrupted(_:)`` if no edge has this id.
  public func traits(ofEdge id: Int64) throws(RoutingError) -> EdgeTraits {
    EdgeTraits(try description(ofEdge: id))
  }
}
