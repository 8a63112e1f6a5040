// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PlannedRoute {
  /// The title of a route without a name: the places that it was requested through, and for an end
  /// that is none the first or last way, “Unterarven – Krähenjochweg”, with coordinates in place of
  /// missing names.
  ///
  /// - Parameter places: The names of start, via points and destination; a single one for a round
  ///   trip, nil for a point without a name.
  package static func title(of route: ComputedRoute, through places: [String?] = []) -> String {
    func coordinate(_ node: RoutingNode?) -> String {
      node.map { "\(decimal($0.latitude, 4)),\(decimal($0.longitude, 4))" } ?? ""
    }
    let first = route.edges.first { !$0.isBarrier }?.name ?? coordinate(route.nodes.first)
    let last = route.edges.last { !$0.isBarrier }?.name ?? coordinate(route.nodes.last)
    let start = places.first.flatMap { $0 } ?? first
    let end = places.last.flatMap { $0 } ?? last
    var names = [start]
    for name in places.dropFirst().dropLast().compactMap({ $0 }) + [end] where name != names.last {
      names.append(name)
    }
    return names.joined(separator: " – ")
  }

  /// Makes a planned route from a computed one.
  ///
  /// - Parameters:
  ///   - route: The route.
  ///   - name: The name shown to the user.
  ///   - mode: On foot or by bicycle.
  ///   - instructions: Its instructions; see ``TurnInstructionGenerator``.
  ///   - profile: Its elevation profile; see `RoutingEngine.elevationProfile(of:)`.
  ///   - regionId: The UUID of the region.
  ///   - profileName: The name of the cost profile that it was computed for.
  ///   - id: The id of the planned route.
  ///   - createdAt: The time of planning. Fractions of a second are dropped, since the JSON has
  ///     none.
  public static func from(
    computedRoute route: ComputedRoute, name: String, mode: RoutingMode,
    instructions: [TurnInstruction], profile: ElevationProfile? = nil, regionId: UUID? = nil,
    profileName: String? = nil, id: UUID = UUID(), createdAt: Date = Date()
  ) -> PlannedRoute {
    let origin = route.coordinates.first ?? Coordinate(latitude: 0, longitude: 0)
    let known = profile?.points.compactMap { point in
      point.elevationMetres.map {
        ElevationPoint(distance: point.distanceMetres, elevation: $0)
      }
    }
    var planned = PlannedRoute(
      id: id, name: name, mode: mode, startCoordinate: origin,
      endCoordinate: route.coordinates.last ?? origin, viaPoints: route.viaPoints,
      coordinates: route.coordinates,
      turnInstructions: instructions, totalDistance: route.totalDistance,
      estimatedDuration: route.estimatedDuration, elevationGain: route.elevationGain,
      elevationLoss: route.elevationLoss, createdAt: createdAt, regionId: regionId,
      elevationProfile: known.flatMap { $0.count < 2 ? nil : $0 },
      unknownClimbMetres: route.unknownClimbMetres > 0 ? route.unknownClimbMetres : nil,
      profile: profileName, viaDistances: viaDistances(of: route),
      durationRange: route.durationRange)
    planned.warnings = route.warnings
    planned.day = route.day
    return planned
  }

  /// Makes a planned route from a computed one. Its instructions are those of
  /// ``TurnInstructionGenerator/generate(from:in:profile:config:)`` for the database in which the
  /// route was found, or, if that is closed or cannot be read now, of
  /// ``TurnInstructionGenerator/generate(from:config:)``. Its elevation profile is
  /// ``buildElevationProfile(from:)``.
  public static func from(
    computedRoute route: ComputedRoute, name: String, mode: RoutingMode, regionId: UUID? = nil
  ) -> PlannedRoute {
    var planned = from(
      computedRoute: route, name: name, mode: mode,
      instructions: instructions(for: route), regionId: regionId)
    planned.elevationProfile = buildElevationProfile(from: route)
    return planned
  }

  private static func instructions(for route: ComputedRoute) -> [TurnInstruction] {
    if let store = route.origin.store {
      do throws(RoutingError) {
        return try TurnInstructionGenerator.generate(
          from: route, in: store, profile: route.origin.profile)
      } catch {
        // The route itself suffices for instructions, with more of them than needed.
      }
    }
    return TurnInstructionGenerator.generate(from: route)
  }

  /// The elevations of a route's nodes; nil if fewer than two are known.
  ///
  /// Nodes may be far apart. `RoutingEngine.elevationProfile(of:)` also reads the elevations
  /// between them, from the database.
  public static func buildElevationProfile(from route: ComputedRoute) -> [ElevationPoint]? {
    var points: [ElevationPoint] = []
    for (node, distance) in zip(route.nodes, nodeDistances(of: route)) {
      // The two sides of a barrier are one point.
      guard let elevation = node.elevation, points.last?.distance != distance else { continue }
      points.append(ElevationPoint(distance: distance, elevation: elevation))
    }
    return points.count < 2 ? nil : points
  }

  /// Metres from the start to each via point; nil if there are none.
  private static func viaDistances(of route: ComputedRoute) -> [Double]? {
    let distances = nodeDistances(of: route)
    let via = route.viaNodes.filter(distances.indices.contains).map { distances[$0] }
    return via.isEmpty || via.count != route.viaPoints.count ? nil : via
  }

  /// Metres from the start to each node.
  private static func nodeDistances(of route: ComputedRoute) -> [Double] {
    var distances = [0.0]
    for edge in route.edges { distances.append((distances.last ?? 0) + edge.distance) }
    return distances
  }
}
