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
  /// places of known elevation the way is taken to rise evenly.
  public internal(set) var points: [Point] = []

  /// Appends a place, and as many before it as ``spacingMetres`` asks for; these are unknown unless
  /// both this place and the last one are known.
  mutating func add(distanceMetres: Double, elevationMetres: Double?) {
    if let last = points.last {
      let length = distanceMetres - last.distanceMetres
      let intervals = intervals(on: length)
      for place in 1..<max(intervals, 1) {
        let share = Double(place) / Double(intervals)
        var elevation: Double?
        if let from = last.elevationMetres, let to = elevationMetres {
          elevation = from + share * (to - from)
        }
        points.append(
          Point(distanceMetres: last.distanceMetres + share * length, elevationMetres: elevation))
      }
    }
    points.append(Point(distanceMetres: distanceMetres, elevationMetres: elevationMetres))
  }

  /// Appends an edge that begins at the last place: evenly spaced elevations from its start to its
  /// end, two at least.
  mutating func add(lengthMetres: Double, elevations: [Float]) {
    let start = points.last?.distanceMetres ?? 0
    // The start is there already, unless nobody knew its elevation.
    if let first = elevations.first, points.last?.elevationMetres == nil {
      points.append(Point(distanceMetres: start, elevationMetres: Double(first)))
    }
    let intervals = Double(elevations.count - 1)
    for (place, metres) in elevations.enumerated().dropFirst() {
      let share = Double(place) / intervals
      add(distanceMetres: start + share * lengthMetres, elevationMetres: Double(metres))
    }
  }

  /// Appends a part of an edge that begins at the last place.
  mutating func add(_ part: EdgePart, of climb: EdgeElevation) {
    let start = points.last?.distanceMetres ?? 0
    let places = climb.places(from: part.start, to: part.end)
    if points.last?.elevationMetres == nil {
      points.append(
        Point(distanceMetres: start, elevationMetres: climb.elevation(at: part.start)))
    }
    for place in places.dropFirst() {
      add(
        distanceMetres: start + (place - part.start) * part.wholeDistance,
        elevationMetres: climb.elevation(at: place))
    }
  }

  /// A way of so many points is half round the Earth.
  private static let mostFilledPoints = 400_000.0

  /// How many intervals a length is cut into; where lengths are beyond reason, as only a broken
  /// database has them, they stay whole.
  private func intervals(on length: Double) -> Int {
    let count = (length / Self.spacingMetres).rounded(.up)
    let isReasonable = count >= 1 && Double(points.count) + count <= Self.mostFilledPoints
    return isReasonable ? Int(count) : 1
  }
}

extension RoutingEngine {
  /// The elevation along a route of this engine's database.
  ///
  /// A database that says how its edges climb is believed, and an edge of which it does not say so
  /// is a gap. In other databases the way rises evenly from node to node.
  ///
  /// Throws ``RoutingError/databaseCorrupted(_:)`` where a profile is damaged.
  public func elevationProfile(of route: ComputedRoute) throws(RoutingError) -> ElevationProfile {
    var profile = ElevationProfile()
    guard let start = route.nodes.first else { return profile }
    let hasProfiles = try hasElevationProfiles()
    profile.add(distanceMetres: 0, elevationMetres: start.elevation)
    var travelled = 0.0
    for (edge, end) in zip(route.edges, route.nodes.dropFirst()) {
      if let known = try elevations(ofEdge: edge.id) {
        let climb = edge.isReversed ? known.reversed() : known
        if let part = edge.part {
          profile.add(part, of: climb)
        } else {
          profile.add(lengthMetres: edge.distance, elevations: climb.elevations)
        }
      } else {
        if hasProfiles {
          profile.add(distanceMetres: travelled + edge.distance / 2, elevationMetres: nil)
        }
        profile.add(distanceMetres: travelled + edge.distance, elevationMetres: end.elevation)
      }
      travelled += edge.distance
    }
    return profile
  }
}
