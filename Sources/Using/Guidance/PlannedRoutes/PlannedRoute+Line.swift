// SPDX-License-Identifier: Apache-2.0
import Geodesy
import Routing
import RoutingDatabase

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PlannedRoute {
  /// A point of a line that was recorded or drawn elsewhere.
  public struct LinePoint: Hashable, Sendable {
    /// Its coordinate.
    public var coordinate: Coordinate
    /// Metres above sea level, if known.
    public var elevation: Double?

    /// Makes a point.
    public init(coordinate: Coordinate, elevation: Double? = nil) {
      self.coordinate = coordinate
      self.elevation = elevation
    }
  }

  /// Smaller rises and falls than this do not count, in metres: recorded elevations have such noise.
  public static let climbThresholdMetres = 5.0

  /// Makes a planned route from a line, such as that of a GPX file; nil if it has no points.
  ///
  /// Instructions come from changes of direction. Points without an elevation are left out of the
  /// elevation profile. The duration is Naismith's rule with climb as an equivalent distance, by the numbers
  /// of ``RoutingCostConfig``.
  public init?(
    line: [LinePoint], name: String, mode: RoutingMode, regionId: String? = nil,
    id: UUID = UUID(), createdAt: Date = Date()
  ) {
    guard let start = line.first, let end = line.last else { return nil }
    var distance = 0.0
    var coordinates: [Coordinate] = []
    var profile: [ElevationPoint] = []
    var climb = ClimbCounter(threshold: Self.climbThresholdMetres)
    // Between two points with an elevation the slope is taken as even.
    var known: ClosedRange<Double>?
    for point in line {
      if let last = coordinates.last { distance += haversineDistance(last, point.coordinate) }
      if coordinates.last != point.coordinate { coordinates.append(point.coordinate) }
      guard let elevation = point.elevation, elevation.isFinite else { continue }
      climb.add(elevation)
      known = (known?.lowerBound ?? distance)...distance
      // Two points at one distance would be a jump that a chart cannot draw.
      guard profile.last?.distance != distance else { continue }
      profile.append(ElevationPoint(distance: distance, elevation: elevation))
    }
    climb.finish()
    self.id = id
    self.name = name
    self.mode = mode
    self.regionId = regionId
    self.createdAt = Self.wholeSeconds(createdAt)
    startCoordinate = start.coordinate
    endCoordinate = end.coordinate
    viaPoints = []
    turnInstructions = TurnInstructionGenerator.generate(along: coordinates)
    self.coordinates = coordinates
    totalDistance = distance
    let unknown = distance - (known.map { $0.upperBound - $0.lowerBound } ?? 0)
    unknownClimbMetres = unknown > 0 ? unknown : nil
    elevationGain = climb.gain
    elevationLoss = climb.loss
    estimatedDuration = mode.seconds(distance: distance, gain: climb.gain)
    elevationProfile = profile.count < 2 ? nil : Self.filled(profile)
  }

  /// The profile with points added on straight lines, so that none are more than 50 m apart; gaps of
  /// a kilometre or more are not filled, since the ground between is unknown.
  private static func filled(_ profile: [ElevationPoint]) -> [ElevationPoint] {
    var filled: [ElevationPoint] = []
    for point in profile {
      if let last = filled.last {
        let length = point.distance - last.distance
        let pieces = length < 1000 ? Int((length / 50).rounded(.up)) : 1
        for piece in 1..<max(pieces, 1) {
          let share = Double(piece) / Double(pieces)
          filled.append(
            ElevationPoint(
              distance: last.distance + share * length,
              elevation: last.elevation + share * (point.elevation - last.elevation)))
        }
      }
      filled.append(point)
    }
    return filled
  }
}

/// Sums up climbs and descents of at least a threshold; gain − loss is the difference of the ends.
struct ClimbCounter {
  private let threshold: Double
  private var settled: Double?
  private var last = 0.0
  private(set) var gain = 0.0
  private(set) var loss = 0.0

  init(threshold: Double) { self.threshold = threshold }

  mutating func add(_ elevation: Double) {
    last = elevation
    guard let settled else {
      settled = elevation
      return
    }
    if abs(elevation - settled) >= threshold { settle(settled, elevation) }
  }

  /// Counts the rest up to the last elevation.
  mutating func finish() {
    if let settled { settle(settled, last) }
  }

  private mutating func settle(_ from: Double, _ to: Double) {
    gain += max(0, to - from)
    loss += max(0, from - to)
    settled = to
  }
}
