// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a route is asked for with.
public struct PlanRequest: Sendable {
  /// Where it begins.
  public var start: Coordinate
  /// Where it leads.
  public var destination: Coordinate
  /// What it passes, in order.
  public var via: [Coordinate] = []
  /// How one travels; it chooses the profile where none is named.
  public var mode: RoutingMode = .hiking
  /// The name of the profile; nil for the one of the mode.
  public var profile: String?
  /// What is preferred on top of the profile.
  public var preferences = RoutingPreferences()
  /// The direction in degrees clockwise from north that the start is walked through in: the route goes on
  /// along the way that leads there, and has to lead on from its next junction without it. Nil for any.
  public var heading: Double?
  /// How far from a passable edge each point may be, in metres.
  public var radiusMetres = RoutingCostConfig.nearestNodeSearchRadiusMetres
  /// What the route is called.
  public var name: String
  /// When it is planned.
  public var createdAt: Date

  /// Asks for a route on foot.
  public init(from start: Coordinate, to destination: Coordinate, name: String, createdAt: Date) {
    self.start = start
    self.destination = destination
    self.name = name
    self.createdAt = createdAt
  }
}

/// What calculates routes to be travelled.
public protocol RoutePlanning: Sendable {
  /// Calculates a route.
  func plan(_ request: PlanRequest) throws(RoutingError) -> PlannedRoute
  /// The profiles that there are.
  func profileNames() throws(RoutingError) -> [String]
  /// Of all places that can be reached from the start of a request, the one nearest to its
  /// destination.
  func nearestReachable(_ request: PlanRequest) throws(RoutingError) -> Coordinate
  /// Whether there is data around a place; nil where that is not known.
  func covers(_ place: Coordinate) -> Bool?
}
