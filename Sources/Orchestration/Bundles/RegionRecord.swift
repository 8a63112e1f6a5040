// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy
import CommandLineKit
import FoundationEssentials
import SystemIO

/// `region.json`: the app's record of a region.
///
/// It has the keys of the app's `Region` and of its `RegionMetadata`, so that it is read as either, and
/// beside them the names of the databases.
package struct RegionRecord: Codable, Equatable, Sendable {
  /// An area in degrees; one across the antimeridian has a west greater than its east.
  package struct Box: Codable, Equatable, Sendable {
    package var north: Double
    package var south: Double
    package var east: Double
    package var west: Double

    package init(_ box: BoundingBox) {
      (north, south, east, west) = (box.north, box.south, box.east, box.west)
    }

    package var box: BoundingBox { BoundingBox(west: west, south: south, east: east, north: north) }
  }

  package static let fileName = "region.json"
  /// The zooms of the app's base maps.
  package static let standardZooms = [12, 16]

  /// A UUID in capitals; what planned routes of the region have as `regionId`.
  package var id: String
  /// The id of the region in the manifest.
  package var manifestId: String
  package var name: String
  package var boundingBox: Box
  /// The least and the greatest zoom of the base map: of the app's own where none
  /// is in the bundle.
  package var zoomLevels = Self.standardZooms
  package var minZoom = Self.standardZooms[0]
  package var maxZoom = Self.standardZooms[1]
  /// The time of the OpenStreetMap data in seconds since 2001-01-01 00:00 UTC. An app cannot read a
  /// region without a time, so it is 0 where the source does not say it.
  package var createdAt: Double
  /// The tiles of the base map in the bundle.
  package var tileCount = 0
  /// The size of all files of the bundle but the two records.
  package var fileSizeBytes: Int
  var hasRoutingData = true
  package var routingDbFilename: String
  /// The database of waypoints; nil if there is none.
  package var waypointsDbFilename: String?
  /// The database for search; nil if there is none.
  package var placesDbFilename: String?
  /// The vector tiles of trails; nil if there are none.
  var trailTilesFilename: String?
  /// The pictures of the terrain; nil if there are none, like the next two.
  var hillshadeTilesFilename: String?
  var terrainTilesFilename: String?
  var slopeTilesFilename: String?
  /// What must be shown with the data; nil in a record of an earlier version.
  package var attribution: String?
  /// The base map; nil if there is none.
  package var baseMapFilename: String?
  /// The databases with other profiles, by the name of the variant; nil if there are none.
  package var variants: [String: String]?

  /// The record in a folder, or nil if there is none in this form.
  package init?(inFolder folder: String) {
    guard
      let bytes = try? InputFile(joinPath(folder, Self.fileName)).readAll(limit: 16 << 20),
      let record = try? JSONDecoder().decode(Self.self, from: Data(bytes))
    else { return nil }
    self = record
  }

  /// Describes a region.
  ///
  /// - Parameter dataTimestamp: ISO 8601, if it is known.
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

  /// The name of the archive of a kind of tiles; nil if there is none.
  package func filename(of kind: TileLayer.Kind) -> String? { self[keyPath: Self.key(of: kind)] }

  /// Names the archive of a kind of tiles.
  package mutating func setFilename(_ name: String, of kind: TileLayer.Kind) {
    self[keyPath: Self.key(of: kind)] = name
  }

  private static func key(of kind: TileLayer.Kind) -> WritableKeyPath<Self, String?> {
    switch kind {
    case .trails: \.trailTilesFilename
    case .hillshade: \.hillshadeTilesFilename
    case .terrainRGB: \.terrainTilesFilename
    case .slopes: \.slopeTilesFilename
    }
  }
}

/// The UUID by which apps know a region: its id if that is one, otherwise one of version 8 (RFC 9562)
/// that follows from the id and the name of the manifest, so that it is the same in each run and on each
/// machine.
package func regionUUID(_ id: String, manifest name: String) -> UUID {
  if let uuid = UUID(uuidString: id) { return uuid }
  let digest = SHA256Digest()
  digest.update("cairn region\n\(name)\n\(id)\n")
  return UUID(version8: digest)
}

/// The UUID of the region whose bundle a database lies in, by its `region.json`; nil where there is none
/// beside it, or it is about another database.
package func regionUUID(besideDatabase path: String) -> UUID? {
  let (folder, name) = splitPath(path)
  guard let record = RegionRecord(inFolder: folder),
    record.routingDbFilename == name || record.variants?.values.contains(name) == true
  else { return nil }
  return UUID(uuidString: record.id)
}
