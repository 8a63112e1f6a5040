// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import SystemIO
import XMLKit

/// The tracks, routes and waypoints of a GPX file, version 1.0 or 1.1, plain or compressed with gzip.
package struct GPXFile: Equatable, Sendable {
  /// A point of a line, or a waypoint.
  package struct Point: Equatable, Sendable {
    /// The coordinate.
    package var coordinate: Coordinate
    /// Metres above sea level, if the file states it.
    package var elevation: Double?
    /// The name, if it has one.
    package var name: String?

    /// Makes a point.
    package init(coordinate: Coordinate, elevation: Double? = nil, name: String? = nil) {
      self.coordinate = coordinate
      self.elevation = elevation
      self.name = name
    }
  }

  /// A track or a route.
  package struct Line: Equatable, Sendable {
    /// The name, if it has one.
    package var name: String?
    /// Its points: the segments of a track, or a single piece for a route.
    package var pieces: [[Point]] = []

    /// Makes a line.
    package init(name: String? = nil, pieces: [[Point]] = []) {
      self.name = name
      self.pieces = pieces
    }

    /// All points in order.
    package var points: [Point] { pieces.flatMap { $0 } }
  }

  /// The name of the file, if it has one.
  package internal(set) var name: String?
  /// The time of the file, as written in it.
  package internal(set) var time: String?
  /// Recorded tracks, `trk`.
  package internal(set) var tracks: [Line] = []
  /// Planned routes, `rte`.
  package internal(set) var routes: [Line] = []
  /// Waypoints, `wpt`.
  package internal(set) var waypoints: [Point] = []

  /// The maximum number of points: two months of recording at one point per second.
  package static let maximumPoints = 5_000_000

  /// Reads a file.
  ///
  /// Throws 66 if it does not exist, 65 with line and column for anything but valid GPX with valid
  /// coordinates, and 74 if reading fails.
  package init(_ path: String) throws(CairnError) {
    do throws(CairnError) {
      let reader = try GPXReader()
      try reader.parse(try XMLSource(try InputFile(path)), file: path) { _ in }
      self = reader.file
    } catch { throw error.located(inFile: path) }
  }

  init() {}
}
