// SPDX-License-Identifier: Apache-2.0
import Geodesy
import PlaceDatabase

/// A place before it has a row.
struct IndexedPlace {
  /// `n`, `w` or `r` and the OpenStreetMap id; of several ways, the least one.
  var osm: String
  var kind: PlaceKind
  /// All names, the one to show first; none twice.
  var names: [PlaceName]
  var coordinate: Coordinate
  /// Metres above sea level; nil where it is not tagged.
  var elevation: Double?
  /// Metres of the lines; nil for points.
  var length: Double?
  /// 0…1000.
  var importance: Int
  var reach: PlaceReach
  /// What else is known of a waymarked route.
  var route: RouteTags?

  /// The name to show.
  var name: String { names[0].text }
}

/// What a waymarked route's tags say about it.
struct RouteTags {
  var ref: String?
  var network: String?
  var from: String?
  var to: String?
  var symbol: String?
}

/// A name and the key that it is the value of.
struct PlaceName {
  var key: String
  var text: String
  var folded: FoldedName
}
