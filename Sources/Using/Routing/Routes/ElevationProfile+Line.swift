// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// Reads an elevation profile from its start to its end.
package struct ElevationInterpolation {
  /// Positions are equal within this tolerance, since sums of lengths are rounded.
  private static let toleranceMetres = 0.01

  private let points: [ElevationProfile.Point]
  private var index = 0

  /// Begins at the start of a profile, whose distances never decrease.
  package init(_ points: [ElevationProfile.Point]) { self.points = points }

  /// The elevation at a distance in metres, which must not decrease from call to call; nil outside
  /// of the profile and between two points unless both are known.
  package mutating func elevation(at distance: Double) -> Double? {
    while index + 1 < points.count,
      points[index + 1].distanceMetres < distance - Self.toleranceMetres
    { index += 1 }
    var next = index
    while next < points.count, points[next].distanceMetres <= distance + Self.toleranceMetres {
      let isHere = points[next].distanceMetres >= distance - Self.toleranceMetres
      if isHere, let elevation = points[next].elevationMetres { return elevation }
      next += 1
    }
    guard next > 0, next < points.count, let from = points[next - 1].elevationMetres,
      let to = points[next].elevationMetres
    else { return nil }
    let start = points[next - 1].distanceMetres
    let share = (distance - start) / (points[next].distanceMetres - start)
    return from + share * (to - from)
  }
}

/// A point of a line with its position and its elevation.
package struct ProfiledPoint: Equatable, Sendable {
  /// The coordinate.
  package var coordinate: Coordinate
  /// Metres from the start, as the elevation profile counts them.
  package var distanceMetres: Double
  /// Metres above sea level; nil if unknown.
  package var elevationMetres: Double?

  /// Makes a point.
  package init(_ coordinate: Coordinate, distanceMetres: Double, elevationMetres: Double?) {
    self.coordinate = coordinate
    self.distanceMetres = distanceMetres
    self.elevationMetres = elevationMetres
  }

  /// A line with the points of known elevation of its profile added between its own.
  package static func line(_ line: [Self], with profile: [ElevationProfile.Point]) -> [Self] {
    // Nearer points would be the same ones.
    let apart = 1.0
    var (filled, next) = (Array(line.prefix(1)), 0)
    for (start, end) in zip(line, line.dropFirst()) {
      let length = end.distanceMetres - start.distanceMetres
      while next < profile.count, profile[next].distanceMetres < end.distanceMetres - apart {
        let (point, along) = (profile[next], profile[next].distanceMetres - start.distanceMetres)
        next += 1
        guard let elevation = point.elevationMetres, along > apart, length > 0 else { continue }
        filled.append(
          Self(
            interpolated(start.coordinate, end.coordinate, along / length),
            distanceMetres: point.distanceMetres, elevationMetres: elevation))
      }
      filled.append(end)
    }
    return filled
  }
}

extension ElevationProfile {
  /// The elevation of each coordinate of the profile's route; nil if unknown.
  public func elevations(along route: ComputedRoute) -> [Double?] {
    line(along: route).map(\.elevationMetres)
  }

  /// The coordinates of the profile's route.
  package func line(along route: ComputedRoute) -> [ProfiledPoint] {
    guard let start = route.nodes.first else { return [] }
    var reader = ElevationInterpolation(points)
    var line = [
      ProfiledPoint(
        start.coordinate, distanceMetres: 0,
        elevationMetres: reader.elevation(at: 0) ?? start.elevation)
    ]
    var last = start.coordinate
    var travelled = 0.0
    for (edge, end) in zip(route.edges, route.nodes.dropFirst()) {
      // The length of an edge is rounded in the database.
      let lengths = zip([last] + edge.geometry, edge.geometry + [end.coordinate])
        .map { haversineDistance($0, $1) }
      let total = lengths.reduce(0, +)
      let scale = total > 0 ? edge.distance / total : 0
      var length = 0.0
      for (part, coordinate) in zip(lengths, edge.geometry) {
        length += part
        let position = travelled + length * scale
        line.append(
          ProfiledPoint(
            coordinate, distanceMetres: position,
            elevationMetres: reader.elevation(at: position)))
      }
      travelled += edge.distance
      let isRepeated = (edge.geometry.last ?? last) == end.coordinate
      last = end.coordinate
      guard !isRepeated else { continue }
      line.append(
        ProfiledPoint(
          end.coordinate, distanceMetres: travelled,
          elevationMetres: reader.elevation(at: travelled) ?? end.elevation))
    }
    return line
  }
}
