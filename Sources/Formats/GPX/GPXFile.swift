// SPDX-License-Identifier: Apache-2.0
import Geodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The tracks, routes and waypoints of a GPX file, version 1.0 or 1.1, plain or compressed with gzip.
public struct GPXFile: Equatable, Sendable {
  /// A point of a line, or a waypoint.
  public struct Point: Equatable, Sendable {
    /// The coordinate.
    public var coordinate: Coordinate
    /// Metres above sea level, if the file states it.
    public var elevation: Double?
    /// When it was recorded, if the file states it.
    public var time: Date?
    /// The name, if it has one.
    public var name: String?

    /// Makes a point.
    public init(
      coordinate: Coordinate, elevation: Double? = nil, time: Date? = nil, name: String? = nil
    ) {
      self.coordinate = coordinate
      self.elevation = elevation
      self.time = time
      self.name = name
    }
  }

  /// A track or a route.
  public struct Line: Equatable, Sendable {
    /// The name, if it has one.
    public var name: String?
    /// Its points: the segments of a track, or a single one for a route.
    public var segments: [[Point]] = []

    /// Makes a line.
    public init(name: String? = nil, segments: [[Point]] = []) {
      self.name = name
      self.segments = segments
    }

    /// All points in order.
    public var points: [Point] { segments.flatMap { $0 } }
  }

  /// The name of the file, if it has one.
  public var name: String?
  /// The time of the file, as written in it.
  public var time: String?
  /// Recorded tracks, `trk`.
  public var tracks: [Line] = []
  /// Planned routes, `rte`.
  public var routes: [Line] = []
  /// Waypoints, `wpt`.
  public var waypoints: [Point] = []

  /// Makes an empty file.
  public init() {}
}
