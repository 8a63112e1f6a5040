// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGPX
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Rounds the corners of a line for display, by Chaikin's corner cutting.
///
/// Each pair of neighbours P0, P1 gives 0.75·P0 + 0.25·P1 and 0.25·P0 + 0.75·P1; the first and the
/// last point are kept. Altitudes, times and all other numbers have the same weights. A value
/// unknown at P0 or P1 is unknown between them. Longitudes are taken the shorter way round.
///
/// Measure, store and export the recorded line: smoothing cuts corners and so shortens it.
public enum RouteSmoother {
  /// The default number of rounds: the line looks smooth, with four times as many points.
  public static let standardIterations = 2
  /// Rounds that would give more points than this are left out.
  public static let maximumPoints = 5_000_000

  /// Smooths a line of coordinates.
  ///
  /// - Parameters:
  ///   - coordinates: The points of the line in order.
  ///   - iterations: The number of rounds, each of which doubles the points. None for 0 or less.
  public static func smooth(
    _ coordinates: [Coordinate], iterations: Int = standardIterations
  ) -> [Coordinate] {
    smooth(coordinates, iterations) { interpolated($0, $1, $2) }
  }

  /// Smooths a line of fixes. See ``smooth(_:iterations:)-([Coordinate],_)``.
  public static func smooth(
    _ fixes: [LocationFix], iterations: Int = standardIterations
  ) -> [LocationFix] {
    smooth(fixes, iterations) { one, other, share in
      let point = interpolated(one.coordinate, other.coordinate, share)
      return LocationFix(
        latitude: point.latitude, longitude: point.longitude,
        altitude: between(one.altitude, other.altitude, share),
        horizontalAccuracy: between(one.horizontalAccuracy, other.horizontalAccuracy, share),
        verticalAccuracy: between(one.verticalAccuracy, other.verticalAccuracy, share),
        course: course(one.course, other.course, share),
        speed: between(one.speed, other.speed, share),
        timestamp: time(one.timestamp, other.timestamp, share))
    }
  }

  /// Smooths a line of points. New points have only a coordinate, an elevation and a time. See
  /// ``smooth(_:iterations:)-([Coordinate],_)``.
  public static func smooth(
    _ points: [GPXFile.Point], iterations: Int = standardIterations
  ) -> [GPXFile.Point] {
    smooth(points, iterations) { one, other, share in
      var moment: Date?
      if let start = one.time, let end = other.time { moment = time(start, end, share) }
      return GPXFile.Point(
        coordinate: interpolated(one.coordinate, other.coordinate, share),
        elevation: between(one.elevation, other.elevation, share), time: moment)
    }
  }

  private static func smooth<Point>(
    _ line: [Point], _ iterations: Int, _ between: (Point, Point, Double) -> Point
  ) -> [Point] {
    var line = line
    var rounds = iterations
    while rounds > 0, line.count > 1, line.count <= maximumPoints / 2 {
      line = cuttingCorners(line, between)
      rounds -= 1
    }
    return line
  }

  private static func between(_ one: Double?, _ other: Double?, _ share: Double) -> Double? {
    guard let one, let other else { return nil }
    return one + share * (other - one)
  }

  private static func time(_ one: Date, _ other: Date, _ share: Double) -> Date {
    one.addingTimeInterval(share * other.timeIntervalSince(one))
  }

  /// A direction between two others, the shorter way round.
  private static func course(_ one: Double?, _ other: Double?, _ share: Double) -> Double? {
    guard let one, let other else { return nil }
    var turn = (other - one).truncatingRemainder(dividingBy: 360)
    if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
    let course = (one + share * turn).truncatingRemainder(dividingBy: 360)
    return course < 0 ? course + 360 : course
  }
}
