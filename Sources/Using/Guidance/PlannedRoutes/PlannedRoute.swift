// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A route that is kept to be travelled: its line, instructions, elevation profile and totals. It
/// needs no database.
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
  /// Metres climbed; 0 where nothing is known, see ``unknownClimbMetres``.
  public var elevationGain: Double
  /// Metres descended; 0 where nothing is known.
  public var elevationLoss: Double
  /// When it was planned, in whole seconds.
  public var createdAt: Date
  /// The UUID of the region whose data it was planned on, if known.
  public var regionId: UUID?
  /// The UUIDs of all regions whose data it needs, ``regionId`` among them; nil where it needs no other
  /// one, where they are unknown, and in files of earlier versions.
  public var regionIds: [UUID]?
  /// The elevation profile, with a point at least every 50 m where it is known; nil where there is
  /// none.
  public var elevationProfile: [ElevationPoint]?
  /// Metres of the route whose climb is unknown, and is not part of its totals and its duration; nil
  /// where all is known, and in files of earlier versions.
  public var unknownClimbMetres: Double?
  /// The name of the profile that it was computed for; nil where it was made of a line, and in files
  /// of earlier versions.
  public var profile: String?
  /// Metres from the start at which the route passes each of its ``viaPoints``, ascending; nil where
  /// they are unknown.
  public var viaDistances: [Double]?
  /// The times that people need for it; ``estimatedDuration`` is the middle one. Nil where that is
  /// unknown, and in files of earlier versions.
  public var durationRange: DurationRange?
  /// What the route is to be warned of, in the order of travel; nil where that is unknown, as for a
  /// line, and in files of earlier versions.
  public var warnings: [RouteWarning]?
  /// The day for which its ways were judged, with the time of the departure where one was given; nil
  /// where that is unknown, and in files of earlier versions.
  public var day: TravelDay?
  /// Fields of later versions and of apps.
  public var unknownFields = UnknownFields()

  /// Makes a planned route of its parts. A line without points becomes that of the start alone.
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

  /// Whether it was planned on a map and not imported as a line, as far as its fields say.
  package var isFromMap: Bool {
    profile != nil || regionId != nil || unknownFields[Self.formerRegionField] != nil
  }

  static func wholeSeconds(_ date: Date) -> Date {
    Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
  }
}
