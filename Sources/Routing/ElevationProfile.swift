// SPDX-License-Identifier: Apache-2.0
import RoutingDatabase

/// The elevation along a route.
public struct ElevationProfile: Equatable, Sendable {
  /// A place of the route.
  public struct Point: Equatable, Sendable {
    /// Metres from the start.
    public var distanceMetres: Double
    /// Metres above sea level; nil where unknown.
    public var elevationMetres: Double?
  }

  /// Two neighbouring points are no further apart than this, in metres.
  public static let spacingMetres = 50.0

  /// The places in the order of travel, the nodes among them; distances never fall. Between two
  /// places of known elevation the way is taken to rise evenly; a place is unknown unless both
  /// its neighbours in the database are known.
  public internal(set) var points: [Point] = []

  /// Appends a place, and as many before it as ``spacingMetres`` asks for.
  mutating func add(distanceMetres: Double, elevationMetres: Double?) {
    guard let last = points.last else {
      points.append(Point(distanceMetres: distanceMetres, elevationMetres: elevationMetres))
      return
    }
    let length = distanceMetres - last.distanceMetres
    for place in 1..<max(2, Self.intervals(on: length)) {
      let share = Double(place) / Double(Self.intervals(on: length))
      guard share < 1 else { break }
      var elevation: Double?
      if let from = last.elevationMetres, let to = elevationMetres {
        elevation = from + share * (to - from)
      }
      points.append(
        Point(distanceMetres: last.distanceMetres + share * length, elevationMetres: elevation))
    }
    points.append(Point(distanceMetres: distanceMetres, elevationMetres: elevationMetres))
  }

  /// How many intervals a length is cut into; a length beyond reason, which only a broken database
  /// has, stays whole.
  private static func intervals(on length: Double) -> Int {
    let count = (length / spacingMetres).rounded(.up)
    return count >= 1 && count <= 100_000 ? Int(count) : 1
  }
}

extension RoutingEngine {
  /// The elevation along a route of this engine's database: as the database has it along the
  /// edges, otherwise straight from node to node.
  public func elevationProfile(of route: ComputedRoute) throws(RoutingError) -> ElevationProfile {
    var profile = ElevationProfile()
    guard let start = route.nodes.first else { return profile }
    profile.add(distanceMetres: 0, elevationMetres: start.elevation)
    var travelled = 0.0
    for (edge, end) in zip(route.edges, route.nodes.dropFirst()) {
      travelled += edge.distance
      profile.add(distanceMetres: travelled, elevationMetres: end.elevation)
    }
    return profile
  }
}
