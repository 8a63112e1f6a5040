// SPDX-License-Identifier: Apache-2.0
import CairnGPX
import CairnGeodesy
import CairnRouting
import CairnTracks
import FoundationEssentials

/// The points of a route that a GPX file needs.
enum RouteLine {
  /// How far other points may lie from the line, to the side and in height; with the rounding of its
  /// points 3 m.
  private static let toleranceMetres = 2.9

  /// The needed points of a line with its elevation profile, always with its ends.
  ///
  /// - Parameters:
  ///   - stops: Further positions on the line, in metres from its start, that need a point.
  ///   - time: The time at a position; nil for no times.
  static func points(
    _ line: [ProfiledPoint], _ profile: [ElevationProfile.Point], keeping stops: [Double],
    time: ((Double) -> Date)?
  ) -> [GPXFile.Point] {
    let filled = ProfiledPoint.line(line, with: profile)
    let kept = stops.compactMap { stop in
      filled.indices.min {
        abs(filled[$0].distanceMetres - stop) < abs(filled[$1].distanceMetres - stop)
      }
    }
    let needed = RouteSimplifier.indices(
      filled.map(\.coordinate), elevations: filled.map(\.elevationMetres),
      toleranceMetres: toleranceMetres, keeping: kept)
    return needed.map {
      var point = GPXFile.Point(
        routeCoordinate: filled[$0].coordinate, elevation: filled[$0].elevationMetres)
      point.time = time?(filled[$0].distanceMetres)
      return point
    }
  }
}
