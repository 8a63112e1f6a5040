// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import SystemIO
import XMLKit

/// The lines and places of a GPX file, version 1.0 or 1.1, plain or packed with gzip.
package struct GPXFile: Equatable, Sendable {
  /// A point of a line, or a place.
  package struct Point: Equatable, Sendable {
    /// Where.
    package var coordinate: Coordinate
    /// Metres above sea level, if the file says it.
    package var elevation: Double?
    /// The name, if it has one.
    package var name: String?

    /// Names a point.
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
    /// Its points; a track has a piece for each time that recording went on, a route one.
    package var pieces: [[Point]] = []

    /// Makes a line.
    package init(name: String? = nil, pieces: [[Point]] = []) {
      self.name = name
      self.pieces = pieces
    }

    /// All points in their order.
    package var points: [Point] { pieces.flatMap { $0 } }
  }

  /// The name of the whole, if it has one.
  package internal(set) var name: String?
  /// When the file was made, as it is written there.
  package internal(set) var time: String?
  /// What was recorded, `trk`.
  package internal(set) var tracks: [Line] = []
  /// What was planned, `rte`.
  package internal(set) var routes: [Line] = []
  /// Single places, `wpt`.
  package internal(set) var waypoints: [Point] = []

  /// A recording of a second a point has so many in two months.
  package static let maximumPoints = 5_000_000

  /// Reads a file.
  ///
  /// Throws 66 if it is not there, 65 with line and column for anything but sound GPX with places
  /// on the Earth, and 74 if reading fails.
  package init(_ path: String) throws(CairnError) {
    do throws(CairnError) {
      let reader = try GPXReader()
      try reader.parse(try XMLSource(try InputFile(path)), file: path) { _ in }
      self = reader.file
    } catch { throw error.located(inFile: path) }
  }

  init() {}
}
