// SPDX-License-Identifier: Apache-2.0
import CairnGPX
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A position measured by a receiver at one time. Unknown values are nil, never 0 or −1.
public struct LocationFix: Hashable, Sendable, Codable {
  /// Degrees north, −90…90.
  public var latitude: Double
  /// Degrees east, −180…180.
  public var longitude: Double
  /// Metres above sea level.
  public var altitude: Double?
  /// The radius in metres that contains the position with about two thirds' probability, at least
  /// 0.
  public var horizontalAccuracy: Double?
  /// The same for the altitude.
  public var verticalAccuracy: Double?
  /// The direction of movement in degrees clockwise from north, at least 0 and below 360.
  public var course: Double?
  /// Metres a second, at least 0.
  public var speed: Double?
  /// When it was there.
  public var timestamp: Date

  /// Makes a fix.
  public init(
    latitude: Double, longitude: Double, altitude: Double? = nil,
    horizontalAccuracy: Double? = nil, verticalAccuracy: Double? = nil, course: Double? = nil,
    speed: Double? = nil, timestamp: Date
  ) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
    self.horizontalAccuracy = horizontalAccuracy
    self.verticalAccuracy = verticalAccuracy
    self.course = course
    self.speed = speed
    self.timestamp = timestamp
  }

  /// Makes a fix.
  public init(
    coordinate: Coordinate, altitude: Double? = nil, horizontalAccuracy: Double? = nil,
    verticalAccuracy: Double? = nil, course: Double? = nil, speed: Double? = nil, timestamp: Date
  ) {
    self.init(
      latitude: coordinate.latitude, longitude: coordinate.longitude, altitude: altitude,
      horizontalAccuracy: horizontalAccuracy, verticalAccuracy: verticalAccuracy, course: course,
      speed: speed, timestamp: timestamp)
  }

  /// The position.
  public var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }

  /// Makes a fix from a recorded point; nil if it has no time.
  public init?(_ point: GPXFile.Point) {
    guard let time = point.time else { return nil }
    self.init(
      latitude: point.coordinate.latitude, longitude: point.coordinate.longitude,
      altitude: point.elevation, timestamp: time)
  }
}

extension GPXFile.Point {
  /// A fix as a recorded point: its position, its altitude and its time.
  public init(_ fix: LocationFix) {
    self.init(coordinate: fix.coordinate, elevation: fix.altitude, time: fix.timestamp)
  }
}
