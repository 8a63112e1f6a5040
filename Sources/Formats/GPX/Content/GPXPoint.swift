// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension GPXFile {
  /// A point of a line, or a waypoint.
  ///
  /// Common values are stored in the point itself; rare ones take memory only if present, in
  /// ``details``.
  public struct Point: Equatable, Sendable {
    /// The coordinate.
    public var coordinate: Coordinate
    /// Metres above sea level.
    public var elevation: Double?
    /// When it was recorded.
    public var time: Date?
    /// The name.
    public var name: String?
    private var box: Box?

    /// Makes a point.
    public init(
      coordinate: Coordinate, elevation: Double? = nil, time: Date? = nil, name: String? = nil
    ) {
      self.coordinate = coordinate
      self.elevation = elevation
      self.time = time
      self.name = name
    }

    /// The rare values; nil if the point has none.
    public var details: Details? {
      get { box?.details }
      set { box = newValue.flatMap { $0 == Details() ? nil : Box($0) } }
    }

    private final class Box: Sendable, Equatable {
      let details: Details

      init(_ details: Details) { self.details = details }

      static func == (left: Box, right: Box) -> Bool { left.details == right.details }
    }
  }
}

extension GPXFile.Point {
  /// The rare values of a point. Names in parentheses are those of the elements.
  public struct Details: Equatable, Sendable {
    /// Degrees between magnetic and true north, at least 0 and below 360 (`magvar`).
    public var magneticVariation: Double?
    /// Metres between the geoid and the WGS 84 ellipsoid (`geoidheight`).
    public var geoidHeight: Double?
    /// A comment (`cmt`), possibly of several lines.
    public var comment: String?
    /// A description (`desc`), possibly of several lines.
    public var description: String?
    /// The source of the data (`src`).
    public var source: String?
    /// Links to more about it (`link`, in version 1.0 `url` and `urlname`).
    public var links: [GPXFile.Link] = []
    /// The name of a symbol for it (`sym`).
    public var symbol: String?
    /// The type of the point (`type`).
    public var type: String?
    /// How the position was found (`fix`).
    public var fix: Fix?
    /// The number of satellites, at least 0 (`sat`).
    public var satellites: Int?
    /// The horizontal dilution of precision (`hdop`).
    public var horizontalDilution: Double?
    /// The vertical dilution of precision (`vdop`).
    public var verticalDilution: Double?
    /// The dilution of precision of the position (`pdop`).
    public var positionDilution: Double?
    /// Seconds since the last correction of a differential receiver (`ageofdgpsdata`).
    public var correctionAge: Double?
    /// The differential station, 0…1023 (`dgpsid`).
    public var stationID: Int?
    /// The direction of movement in degrees clockwise from north: an element of version 1.0, an
    /// extension in 1.1.
    public var course: Double?
    /// Metres a second, at least 0: an element of version 1.0, an extension in 1.1.
    public var speed: Double?
    /// The elements inside of `extensions` as XML: well-formed, without the characters between them,
    /// their prefixes declared by ``GPXFile/namespaces`` or within.
    public var extensions: String?

    /// Makes an empty collection.
    public init() {}
  }

  /// How a position was found.
  public enum Fix: String, CaseIterable, Hashable, Sendable {
    /// It was not.
    case none
    /// From satellites, without the altitude.
    case twoDimensional = "2d"
    /// From satellites, with the altitude.
    case threeDimensional = "3d"
    /// With the corrections of a differential station.
    case differential = "dgps"
    /// By the military signal.
    case military = "pps"
  }
}
