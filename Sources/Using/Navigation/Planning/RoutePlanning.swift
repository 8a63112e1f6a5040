// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The parameters of a route.
public struct PlanRequest: Sendable {
  /// The start.
  public var start: Coordinate
  /// The destination.
  public var destination: Coordinate
  /// The via points, in order.
  public var via: [Coordinate] = []
  /// The indices of those of these points that nobody chose, such as the position of the traveller: 0
  /// is the start, followed by the via points and the destination. See `RoutingEngine.fixes`.
  public var fixes: Set<Int> = []
  /// The mode of travel, which chooses the profile unless one is named.
  public var mode: RoutingMode = .hiking
  /// The name of the cost profile; nil for the mode's.
  public var profile: String?
  /// Preferences applied on top of the profile.
  public var preferences = RoutingPreferences()
  /// The direction of travel at the start, in degrees clockwise from north. The route continues
  /// along the way in that direction, and must go on from its next junction without that way. Nil
  /// for any.
  public var heading: Double?
  /// The greatest distance from each point to a passable edge, in metres.
  public var radiusMetres = RoutingCostConfig.nearestNodeSearchRadiusMetres
  /// The name of the route.
  public var name: String
  /// The time of planning.
  public var createdAt: Date

  /// Asks for a route on foot.
  public init(from start: Coordinate, to destination: Coordinate, name: String, createdAt: Date) {
    self.start = start
    self.destination = destination
    self.name = name
    self.createdAt = createdAt
  }
}

/// Calculates planned routes.
public protocol RoutePlanning: Sendable {
  /// Calculates a route.
  func plan(_ request: PlanRequest) throws(RoutingError) -> PlannedRoute
  /// The available profiles.
  func profileNames() throws(RoutingError) -> [String]
  /// The place nearest to the destination of all that can be reached from the start of a request.
  func nearestReachable(_ request: PlanRequest) throws(RoutingError) -> Coordinate
  /// Whether there is data around a place; nil if unknown.
  func covers(_ place: Coordinate) -> Bool?
}

/// Plans nothing, since there is no database.
struct NoPlanner: RoutePlanning {
  func plan(_ request: PlanRequest) throws(RoutingError) -> PlannedRoute { throw .databaseNotOpen }
  func profileNames() throws(RoutingError) -> [String] { throw .databaseNotOpen }
  func nearestReachable(_ request: PlanRequest) throws(RoutingError) -> Coordinate {
    throw .databaseNotOpen
  }
  func covers(_ place: Coordinate) -> Bool? { nil }
}
