// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnPlaceDatabase
import TrailData

/// A place before it has a row. The order of its properties leaves few gaps between them in memory.
struct IndexedPlace: Sendable {
  /// The id of its OpenStreetMap object; of several ways or relations, the least one.
  var id: Int64
  /// All names, the one to show first; none twice.
  var names: PlaceNames
  var coordinate: Coordinate
  /// 0…1000.
  var importance: Int
  /// Metres above sea level; nil if neither tagged nor known from the terrain.
  var elevation: Double?
  /// The type of its object.
  var type: OSMObjectType
  var kind: PlaceKind
  var reach: PlaceReach
  /// The warnings before going there, and the more specific type.
  var flags: UInt8 = 0
  /// Metres of the lines; nil for points.
  var length: Double?
  /// The tagged length of a waymarked route in metres, possibly longer than the part here; nil if
  /// not tagged.
  var tagged: Double?
  /// The waymarked route whose tags say more, as an index among the routes of the file.
  var route: UInt32?

  /// `n`, `w` or `r` and the id.
  var osm: String { "\(type.letter)\(id)" }
}

/// Places that have lines, and the ways that these consist of.
struct LinePlace: Sendable {
  var place: IndexedPlace
  /// Ascending.
  var ways: [Int]
}
