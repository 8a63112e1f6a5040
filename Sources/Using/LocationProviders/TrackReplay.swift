// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnTracks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The fixes of a track with their times, in order: a sequence for batch use, or a
/// ``ReplayProvider`` for an app that shows them arriving.
public struct TrackReplay: Sequence, Hashable, Sendable {
  /// The fixes.
  public let fixes: [LocationFix]
  /// Points without a time, left out because others have one.
  public let untimedPoints: Int

  /// Replays fixes, such as those of a simulation.
  public init(_ fixes: [LocationFix]) {
    self.fixes = fixes
    untimedPoints = 0
  }

  /// Replays a recording, such as a journal.
  public init(_ route: RecordedRoute) { self.init(route.fixes) }

  /// Replays a track or route of a GPX file. If no point has a time, or most times are not later
  /// than the previous ones, the line is walked at an even pace from a given time.
  ///
  /// - Parameters:
  ///   - metresPerSecond: The pace on a line without times; 1.2 m/s if not above 0.
  ///   - start: The time of the first point of such a line.
  public init(
    _ line: GPXFile.Line, metresPerSecond: Double = 1.2,
    start: Date = Date(timeIntervalSince1970: 0)
  ) {
    let points = line.points
    let timed = points.compactMap { LocationFix($0) }
    let ascents = zip(timed, timed.dropFirst()).count { $0.timestamp < $1.timestamp }
    guard timed.isEmpty || ascents < (timed.count - 1) / 2 else {
      fixes = timed
      untimedPoints = points.count - timed.count
      return
    }
    let pace = metresPerSecond > 0 && metresPerSecond.isFinite ? metresPerSecond : 1.2
    var seconds = 0.0
    var last: Coordinate?
    fixes = points.filter(\.coordinate.isValid).map { point in
      if let last { seconds += haversineDistance(last, point.coordinate) / pace }
      last = point.coordinate
      return LocationFix(
        latitude: point.coordinate.latitude, longitude: point.coordinate.longitude,
        altitude: point.elevation, timestamp: start.addingTimeInterval(seconds))
    }
    untimedPoints = 0
  }

  /// The fixes in order, at once.
  public func makeIterator() -> Array<LocationFix>.Iterator { fixes.makeIterator() }
}
