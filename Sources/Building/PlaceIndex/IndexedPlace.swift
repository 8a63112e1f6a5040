// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnPlaceDatabase
import TrailData

/// A place before it has a row.
struct IndexedPlace: Sendable {
  /// The type and the id of its OpenStreetMap object; of several ways or relations, the least one.
  var type: OSMObjectType
  var id: Int64
  var kind: PlaceKind
  /// All names, the one to show first; none twice.
  var names: [PlaceName]
  var coordinate: Coordinate
  /// Metres above sea level; nil if neither tagged nor known from the terrain.
  var elevation: Double?
  /// Metres of the lines; nil for points.
  var length: Double?
  /// 0…1000.
  var importance: Int
  var reach: PlaceReach
  /// The warnings before going there, and the more specific type.
  var flags: UInt8 = 0
  /// The tagged length of a waymarked route in metres, possibly longer than the part here; nil if
  /// not tagged.
  var tagged: Double?
  /// The waymarked route whose tags say more, as an index among the routes of the file.
  var route: Int?

  /// `n`, `w` or `r` and the id.
  var osm: String { "\(type.letter)\(id)" }
}

/// Places that have lines, and the ways that these consist of.
struct LinePlace: Sendable {
  var place: IndexedPlace
  /// Ascending.
  var ways: [Int]
}
