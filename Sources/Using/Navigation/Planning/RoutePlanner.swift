// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnBundles
import CairnGeodesy
import CairnRoutingDatabase

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Calculates routes in a routing database, with instructions and elevation profile. Safe to use
/// from any thread.
public struct RoutePlanner: RoutePlanning {
  private let store: RoutingStore
  private let engine: RoutingEngine
  /// The region of the database, stored in its routes; nil if unknown. If the store joins several
  /// databases, a route stores the regions that it needs.
  public let regionId: UUID?

  /// Makes a planner on a store, which must be open when a route is requested.
  ///
  /// - Parameters:
  ///   - engine: An engine on the same database, such as one in memory; nil for one that reads from
  ///     the store.
  ///   - regionId: The region of the database; nil to take it from the `region.json` next to it, or
  ///     from its name if that is `UUID.routing.db`.
  public init(store: RoutingStore, engine: RoutingEngine? = nil, regionId: UUID? = nil) {
    self.store = store
    self.engine = engine ?? RoutingEngine(store: store)
    self.regionId =
      regionId ?? RegionRecord.regionId(ofDatabase: URL(filePath: store.path))
  }

  /// Calculates a route. Throws the errors of the engine. The id is derived from the request and
  /// the line, so the same request gives the same route.
  public func plan(_ request: PlanRequest) throws(RoutingError) -> PlannedRoute {
    let engine = engine(for: request)
    let profile = try profile(request)
    let mode = try profile.flatMap { name throws(RoutingError) in try store.mode(ofProfile: name) }
    if let heading = request.heading {
      return try ahead(request, heading, profile, mode ?? request.mode)
    }
    let route =
      if let profile {
        try engine.findRoute(
          from: request.start, to: request.destination, via: request.via, profile: profile,
          preferences: request.preferences)
      } else {
        try engine.findRoute(
          from: request.start, to: request.destination, via: request.via, mode: request.mode,
          preferences: request.preferences)
      }
    return try planned(route, request, profile, mode ?? request.mode)
  }

  private func engine(for request: PlanRequest) -> RoutingEngine {
    var engine = engine
    engine.nearestNodeSearchRadiusMetres = request.radiusMetres
    engine.fixes = request.fixes
    return engine
  }

  private func planned(
    _ route: ComputedRoute, _ request: PlanRequest, _ profile: String?, _ mode: RoutingMode
  ) throws(RoutingError) -> PlannedRoute {
    var planned = PlannedRoute.from(
      computedRoute: route, name: request.name, mode: mode,
      instructions: try TurnInstructionGenerator.generate(from: route, in: store, profile: profile),
      profile: try engine.elevationProfile(of: route), regionId: regionId, profileName: profile,
      id: Self.id(request, route.coordinates), createdAt: request.createdAt)
    if store.paths.count > 1 {
      let needed = try store.regionIds(of: route)
      planned.regionId = needed.first ?? regionId
      planned.regionIds = needed.count > 1 ? needed : nil
    }
    planned.day = try store.judgedDay(of: route)
    return planned
  }

  /// The greatest distance, in metres, of a walker from the way that they walk on.
  private static let onWayMetres = 40.0
  /// The greatest angle, in degrees, between a walker's course and the direction of their way.
  private static let alongDegrees = 60.0

  /// Calculates a route that continues along the way at its start: over the next junction there,
  /// and from it without that way. Throws an error for no route if the start lies on no way, or on
  /// one that leads elsewhere.
  private func ahead(
    _ request: PlanRequest, _ heading: Double, _ profile: String?, _ mode: RoutingMode
  ) throws(RoutingError) -> PlannedRoute {
    let none = RoutingError.noRouteFound(exploredNodes: 0, closestApproachMetres: 0)
    let place = try store.nearestPointOnEdge(
      to: request.start, radiusMetres: Self.onWayMetres, profile: profile)
    guard let profile, let place, place.node == nil,
      let edge = try store.getEdge(place.edge, profile: profile),
      let from = try store.getNode(edge.fromNode)?.coordinate,
      let to = try store.getNode(edge.toNode)?.coordinate,
      let direction = Self.bearing([from] + edge.geometry + [to], at: place.coordinate)
    else { throw none }
    let change = abs(BearingCalculator.normalizedChange(direction - heading))
    let isForwards = change <= Self.alongDegrees
    guard isForwards || change >= 180 - Self.alongDegrees else { throw none }
    var engine = engine(for: request)
    // Nobody chose the junction.
    engine.fixes = Set([1] + request.fixes.map { $0 == 0 ? 0 : $0 + 1 })
    let route = try engine.findRoute(
      from: request.start, to: request.destination, via: [isForwards ? to : from] + request.via,
      profile: profile, avoidedEdges: [place.edge], preferences: request.preferences)
    var result = try planned(route, request, profile, mode)
    // The junction was not asked for.
    result.viaPoints = Array(result.viaPoints.dropFirst())
    result.viaDistances = result.viaDistances.map { Array($0.dropFirst()) }
    if result.viaPoints.isEmpty { result.viaDistances = nil }
    return result
  }

  /// The direction of a line at its nearest point to a place.
  private static func bearing(_ line: [Coordinate], at place: Coordinate) -> Double? {
    zip(line, line.dropFirst()).filter { $0 != $1 }
      .min { one, other in distance(place, one) < distance(place, other) }
      .map { BearingCalculator.bearing(from: $0, to: $1) }
  }

  private static func distance(_ place: Coordinate, _ segment: (Coordinate, Coordinate)) -> Double {
    LineProjection(place).nearest(on: [segment.0, segment.1])?.distanceMetres ?? .infinity
  }

  /// The profiles for which the database has costs.
  public func profileNames() throws(RoutingError) -> [String] { try store.profileNames() }

  /// The node nearest to the destination of all that can be reached from the start; see
  /// `RoutingEngine.nearestReachable(to:from:profile:mode:)`.
  public func nearestReachable(_ request: PlanRequest) throws(RoutingError) -> Coordinate {
    try engine(for: request).nearestReachable(
      to: request.destination, from: request.start, profile: try profile(request),
      mode: request.mode)
  }

  /// Whether a place lies in the bounding box of the database; nil if it has none.
  public func covers(_ place: Coordinate) -> Bool? {
    guard let text = (try? store.metadata())?[RoutingMetadataKey.boundingBox] else { return nil }
    return BoundingBox(commandLine: text)?.contains(place)
  }

  /// The profile that a request means; nil for the core columns.
  private func profile(_ request: PlanRequest) throws(RoutingError) -> String? {
    let names = try store.profileNames()
    if let profile = request.profile {
      guard names.contains(profile) else {
        throw .profileNotAvailable(profile, available: names)
      }
      return profile
    }
    let name = try store.profileName(for: request.mode)
    guard name != nil || names.isEmpty else {
      throw .profileNotAvailable(request.mode.rawValue, available: names)
    }
    return name
  }

  /// A custom UUID (version 8 of RFC 9562) derived from the route, so that equal routes have equal
  /// ids.
  static func id(_ request: PlanRequest, _ line: [Coordinate]) -> UUID {
    var halves: (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03)
    func mix(_ word: UInt64) {
      var (one, two) = (SplitMix64(seed: halves.0 ^ word), SplitMix64(seed: halves.1 &+ word))
      halves = (one.next(), two.next())
    }
    for byte in request.name.utf8 { mix(UInt64(byte)) }
    mix(request.createdAt.timeIntervalSince1970.bitPattern)
    for point in line {
      mix(point.latitude.bitPattern)
      mix(point.longitude.bitPattern)
    }
    var bytes = [UInt8]()
    for half in [halves.0, halves.1] {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: half >> UInt64(shift)))
      }
    }
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8],
        bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      ))
  }
}

extension RoutingStore {
  /// The UUIDs of the regions that a route needs, as far as the files next to the databases state
  /// them.
  package func regionIds(of route: ComputedRoute) throws(RoutingError) -> [UUID] {
    let regions = try regions()
    return route.regions.compactMap { region in
      regions.firstIndex(of: region).flatMap {
        RegionRecord.regionId(ofDatabase: URL(filePath: paths[$0]))
      }
    }
  }
}
