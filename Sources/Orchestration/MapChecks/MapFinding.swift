// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TrailData

/// An object of OpenStreetMap.
package struct MapObject: Hashable, Sendable {
  /// Its type.
  package var type: OSMObjectType
  /// Its id.
  package var id: Int64

  /// Names an object.
  package init(type: OSMObjectType, id: Int64) { (self.type, self.id) = (type, id) }

  /// Such as `w123`.
  var short: String { "\(type.letter)\(id)" }
  /// Such as `way/123`, as overpass turbo and MapRoulette name objects.
  var long: String { "\(type)/\(id)" }
  /// Its page.
  var link: String { "https://www.openstreetmap.org/\(long)" }
}

/// Something in the map that a mapper should look at.
package struct MapFinding: Equatable, Sendable {
  /// The kind of problem.
  package var kind: MapFindingKind
  /// The objects that identify it from run to run.
  package var objects: [MapObject]
  /// Further objects concerned.
  package var others: [MapObject] = []
  /// Its location.
  package var place: Coordinate
  /// A description of the problem, in English.
  package var text: String

  /// The same for the same objects, whatever else is in the map.
  package var id: String { "\(kind.rawValue)/" + objects.map(\.short).joined(separator: ",") }

  static func isBefore(_ one: MapFinding, _ other: MapFinding) -> Bool {
    if one.kind != other.kind { return one.kind < other.kind }
    if one.objects == other.objects { return one.text < other.text }
    return one.objects.lexicographicallyPrecedes(other.objects) {
      ($0.type.rawValue, $0.id) < ($1.type.rawValue, $1.id)
    }
  }
}
