// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A route kept for travelling: its line, instructions, elevation profile and totals. It needs no
/// database.
public struct PlannedRoute: Hashable, Sendable, Identifiable {
  /// Its identity, and the name of its file in a ``PlannedRouteStore``.
  public var id: UUID
  /// The name that the user sees.
  public var name: String
  /// The mode of travel.
  public var mode: RoutingMode
  /// The first coordinate of the line.
  public var startCoordinate: Coordinate
  /// The last coordinate of the line.
  public var endCoordinate: Coordinate
  /// The via points as they were requested.
  public var viaPoints: [Coordinate]
  /// The whole line, including start and end; at least one point.
  public var coordinates: [Coordinate]
  /// The instructions in the order of travel.
  public var turnInstructions: [TurnInstruction]
  /// The length in metres.
  public var totalDistance: Double
  /// The time of travel in seconds, without rests.
  public var estimatedDuration: Double
  /// Metres climbed; 0 if unknown, see ``unknownClimbMetres``.
  public var elevationGain: Double
  /// Metres descended; 0 if unknown.
  public var elevationLoss: Double
  /// When it was planned, in whole seconds.
  public var createdAt: Date
  /// The UUID of the region on whose data it was planned, if known.
  public var regionId: UUID?
  /// The UUIDs of all regions whose data it needs, including ``regionId``. Nil if it needs no
  /// other, if they are unknown, and in files of earlier versions.
  public var regionIds: [UUID]?
  /// The elevation profile, with a point at least every 50 m where it is known; nil if there is
  /// none.
  public var elevationProfile: [ElevationPoint]?
  /// Metres of the route with unknown climb, which its totals and duration leave out. Nil if all
  /// climb is known, and in files of earlier versions.
  public var unknownClimbMetres: Double?
  /// The name of the cost profile that it was computed for; nil for a route made from a line, and
  /// in files of earlier versions.
  public var profile: String?
  /// Metres from the start at which the route passes each of its ``viaPoints``, ascending; nil if
  /// unknown.
  public var viaDistances: [Double]?
  /// The range of times that people need for it, with ``estimatedDuration`` in the middle. Nil if
  /// unknown, and in files of earlier versions.
  public var durationRange: DurationRange?
  /// The warnings along the route, in the order of travel. Nil if unknown, as for a line, and in
  /// files of earlier versions.
  public var warnings: [RouteWarning]?
  /// The day for which its ways were judged, with the departure time if one was given. Nil if
  /// unknown, and in files of earlier versions.
  public var day: TravelDay?
  /// Fields of later versions and of apps.
  public var unknownFields = UnknownFields()

  /// Makes a planned route from its parts. If `coordinates` is empty, the line is the start alone.
  public init(
    id: UUID = UUID(), name: String, mode: RoutingMode, startCoordinate: Coordinate,
    endCoordinate: Coordinate, viaPoints: [Coordinate] = [], coordinates: [Coordinate],
    turnInstructions: [TurnInstruction], totalDistance: Double, estimatedDuration: Double,
    elevationGain: Double, elevationLoss: Double, createdAt: Date = Date(), regionId: UUID? = nil,
    elevationProfile: [ElevationPoint]? = nil, unknownClimbMetres: Double? = nil,
    profile: String? = nil, viaDistances: [Double]? = nil,
    durationRange: DurationRange? = nil
  ) {
    self.id = id
    self.name = name
    self.mode = mode
    self.startCoordinate = startCoordinate
    self.endCoordinate = endCoordinate
    self.viaPoints = viaPoints
    self.coordinates = coordinates.isEmpty ? [startCoordinate] : coordinates
    self.turnInstructions = turnInstructions
    self.totalDistance = totalDistance
    self.estimatedDuration = estimatedDuration
    self.elevationGain = elevationGain
    self.elevationLoss = elevationLoss
    self.createdAt = Self.wholeSeconds(createdAt)
    self.regionId = regionId
    self.elevationProfile = elevationProfile
    self.unknownClimbMetres = unknownClimbMetres
    self.profile = profile
    self.viaDistances = viaDistances
    self.durationRange = durationRange
  }

  /// Whether its fields suggest that it was planned on a map and not imported as a line.
  package var isFromMap: Bool {
    profile != nil || regionId != nil || unknownFields[Self.formerRegionField] != nil
  }

  static func wholeSeconds(_ date: Date) -> Date {
    Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
  }
}
