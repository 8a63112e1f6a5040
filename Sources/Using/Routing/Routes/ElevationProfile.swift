// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase

/// The elevations along a route.
public struct ElevationProfile: Equatable, Sendable {
  /// A point of the route.
  public struct Point: Equatable, Sendable {
    /// Metres from the start.
    public var distanceMetres: Double
    /// Metres above sea level; nil if unknown.
    public var elevationMetres: Double?

    /// Makes a point.
    public init(distanceMetres: Double, elevationMetres: Double?) {
      self.distanceMetres = distanceMetres
      self.elevationMetres = elevationMetres
    }
  }

  /// Neighbouring points are at most this many metres apart.
  public static let spacingMetres = 50.0

  /// The points in the order of travel, including the nodes; distances never decrease. The slope
  /// between two points of known elevation is assumed to be even.
  public internal(set) var points: [Point] = []

  /// Appends a point, preceded by as many as ``spacingMetres`` requires, whose elevation is unknown
  /// unless those of this point and the last one are known.
  mutating func add(distanceMetres: Double, elevationMetres: Double?) {
    if let last = points.last {
      let length = distanceMetres - last.distanceMetres
      let intervals = intervals(on: length)
      for index in 1..<max(intervals, 1) {
        let share = Double(index) / Double(intervals)
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

  /// Appends an edge that begins at the last point: evenly spaced elevations from its start to its
  /// end, at least two.
  mutating func add(lengthMetres: Double, elevations: [Float]) {
    let start = points.last?.distanceMetres ?? 0
    // The start is the last point already, unless its elevation was unknown.
    if let first = elevations.first, points.last?.elevationMetres == nil {
      points.append(Point(distanceMetres: start, elevationMetres: Double(first)))
    }
    let intervals = Double(elevations.count - 1)
    for (index, metres) in elevations.enumerated().dropFirst() {
      let share = Double(index) / intervals
      add(distanceMetres: start + share * lengthMetres, elevationMetres: Double(metres))
    }
  }

  /// Appends a part of an edge that begins at the last point.
  mutating func add(_ part: EdgePart, of climb: EdgeElevation) {
    let start = points.last?.distanceMetres ?? 0
    let shares = climb.shares(from: part.start, to: part.end)
    if points.last?.elevationMetres == nil {
      points.append(
        Point(distanceMetres: start, elevationMetres: climb.elevation(at: part.start)))
    }
    for share in shares.dropFirst() {
      add(
        distanceMetres: start + (share - part.start) * part.wholeDistance,
        elevationMetres: climb.elevation(at: share))
    }
  }

  /// As many points as reach halfway round the Earth at this spacing.
  private static let mostFilledPoints = 400_000.0

  /// The number of intervals into which a length is divided; absurd lengths, which only a broken
  /// database has, are not divided.
  private func intervals(on length: Double) -> Int {
    let count = (length / Self.spacingMetres).rounded(.up)
    let isReasonable = count >= 1 && Double(points.count) + count <= Self.mostFilledPoints
    return isReasonable ? Int(count) : 1
  }
}

extension RoutingEngine {
  /// The elevation along a route of this engine's database.
  ///
  /// In a database with elevation profiles of edges, an edge without one is a gap. In other
  /// databases the slope is even from node to node.
  ///
  /// Throws `RoutingError.databaseCorrupted(_:)` if a profile is damaged.
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
