// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `region.json`: the app's record of a region.
///
/// It has the keys of the app's `Region` and `RegionMetadata`, so that either can be decoded from
/// it, and the names of the databases.
public struct RegionRecord: Codable, Hashable, Sendable {
  /// An area in degrees. Across the antimeridian, west is greater than east.
  public struct Box: Codable, Hashable, Sendable {
    /// The greatest latitude.
    public var north: Double
    /// The least latitude.
    public var south: Double
    /// The longitude of the eastern edge.
    public var east: Double
    /// The longitude of the western edge.
    public var west: Double

    /// The edges of a box.
    public init(_ box: BoundingBox) {
      (north, south, east, west) = (box.north, box.south, box.east, box.west)
    }

    /// The area as a box.
    public var box: BoundingBox { BoundingBox(west: west, south: south, east: east, north: north) }
  }

  /// The name of the file.
  public static let fileName = "region.json"
  /// The zooms of the app's base maps.
  public static let standardZooms = [12, 16]

  /// A UUID in capitals, used as `regionId` by planned routes of the region. See ``regionId``.
  public var id: String
  /// The id of the region in the manifest.
  public var manifestId: String
  /// The name of the region.
  public var name: String
  /// Its area.
  public var boundingBox: Box
  /// The lowest and highest zoom of the base map; without one in the bundle, those of the app's
  /// own.
  public var zoomLevels = Self.standardZooms
  /// The first of ``zoomLevels``.
  public var minZoom = Self.standardZooms[0]
  /// The second of ``zoomLevels``.
  public var maxZoom = Self.standardZooms[1]
  /// The time of the OpenStreetMap data in seconds since 2001-01-01 00:00 UTC; 0 if the source does
  /// not state it, since an app cannot read a region without a time. See ``dataTime``.
  public var createdAt: Double
  /// The tiles of the base map in the bundle.
  public var tileCount = 0
  /// The size of all files of the bundle except the two records.
  public var fileSizeBytes: Int
  /// Whether there is a routing database. Without one, a region has only map tiles, waypoints and
  /// search.
  public var hasRoutingData = true
  /// The name of the routing database, or the name that it would have.
  public var routingDbFilename: String
  /// The database of waypoints; nil if there is none.
  public var waypointsDbFilename: String?
  /// The database for search; nil if there is none.
  public var placesDbFilename: String?
  /// The vector tiles of trails; nil if there are none.
  public var trailTilesFilename: String?
  /// The hillshade tiles; nil if there are none.
  public var hillshadeTilesFilename: String?
  /// The terrain tiles, with elevations encoded as colours; nil if there are none.
  public var terrainTilesFilename: String?
  /// The slope tiles; nil if there are none.
  public var slopeTilesFilename: String?
  /// The attribution to show with the data; nil in a record of an earlier version.
  public var attribution: String?
  /// The base map; nil if there is none.
  public var baseMapFilename: String?
  /// The databases for other profiles, by the name of the variant; nil if there are none.
  public var variants: [String: String]?

  /// Describes a region.
  ///
  /// - Parameter dataTimestamp: ISO 8601, if known.
  package init(
    uuid: UUID, manifestId: String, name: String, box: BoundingBox, dataTimestamp: String?,
    fileSizeBytes: Int, routingDbFilename: String
  ) {
    id = uuid.uuidString
    self.manifestId = manifestId
    self.name = name
    boundingBox = Box(box)
    createdAt = dataTimestamp.flatMap { parsedTimestamp($0) }?.timeIntervalSinceReferenceDate ?? 0
    self.fileSizeBytes = fileSizeBytes
    self.routingDbFilename = routingDbFilename
  }

  /// The id that apps use; nil if ``id`` is not a UUID.
  public var regionId: UUID? { UUID(uuidString: id) }

  /// The time of the OpenStreetMap data; nil if unknown.
  public var dataTime: Date? {
    createdAt == 0 ? nil : Date(timeIntervalSinceReferenceDate: createdAt)
  }
}
