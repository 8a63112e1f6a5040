// SPDX-License-Identifier: Apache-2.0
import CairnElevationProfiles
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase

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

  /// Makes a planned route from a line, such as a GPX track; nil if it has no points.
  ///
  /// Instructions come from changes of direction. Points without an elevation are left out of the
  /// elevation profile. Climb is counted after the same smoothing as the elevation stage applies to
  /// ways; between two points with an elevation, the slope is assumed even, however far apart they
  /// are. The duration follows Naismith's rule with climb as an equivalent distance, using the
  /// numbers of `RoutingCostConfig`.
  ///
  /// - Parameters:
  ///   - line: The points of the line in order.
  ///   - name: The name shown to the user.
  ///   - mode: On foot or by bicycle.
  ///   - regionId: The region of its database, if known.
  ///   - smoothing: The noise limits for elevations; `ElevationSmoothing.barometric` for barometric
  ///     ones.
  ///   - instructions: The bends to announce; with `announcesEveryTurn`, those from 15°.
  ///   - id: The id of the planned route.
  ///   - createdAt: The time of planning.
  public init?(
    line: [LinePoint], name: String, mode: RoutingMode, regionId: UUID? = nil,
    smoothing: ElevationSmoothing = .standard, instructions: TurnInstructionConfig = .init(),
    id: UUID = UUID(), createdAt: Date = Date()
  ) {
    guard let start = line.first, let end = line.last else { return nil }
    var distance = 0.0
    var coordinates: [Coordinate] = []
    var profile: [ElevationPoint] = []
    var (metres, elevations): ([Double], [Double]) = ([], [])
    var known: ClosedRange<Double>?
    for point in line {
      if let last = coordinates.last { distance += haversineDistance(last, point.coordinate) }
      if coordinates.last != point.coordinate { coordinates.append(point.coordinate) }
      guard let elevation = point.elevation, elevation.isFinite else { continue }
      metres.append(distance)
      elevations.append(elevation)
      known = (known?.lowerBound ?? distance)...distance
      // Two points at the same distance would be a jump that a chart cannot draw.
      guard profile.last?.distance != distance else { continue }
      profile.append(ElevationPoint(distance: distance, elevation: elevation))
    }
    var smoothing = smoothing
    smoothing.longestGapMetres = .infinity
    let cleaned = CleanedElevations(metres: metres, elevations: elevations, smoothing)
    let climb = cleaned.climb
    self.id = id
    self.name = name
    self.mode = mode
    self.regionId = regionId
    self.createdAt = Self.wholeSeconds(createdAt)
    startCoordinate = start.coordinate
    endCoordinate = end.coordinate
    viaPoints = []
    turnInstructions = TurnInstructionGenerator.generate(along: coordinates, config: instructions)
    self.coordinates = coordinates
    totalDistance = distance
    let unknown = distance - (known.map { $0.upperBound - $0.lowerBound } ?? 0)
    unknownClimbMetres = unknown > 0 ? unknown : nil
    elevationGain = climb.ascent
    elevationLoss = climb.descent
    estimatedDuration = mode.seconds(distance: distance, gain: climb.ascent)
    elevationProfile = profile.count < 2 ? nil : Self.filled(profile)
  }

  /// The profile with points added on straight lines, at most 50 m apart. Gaps of a kilometre or
  /// more are not filled, since the ground between is unknown.
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
