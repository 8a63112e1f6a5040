// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnPlaceDatabase

/// A point without a name that one looks for by its kind: a tap, a bus stop, a shelter.
struct NamelessPoint: Sendable {
  /// The kinds of which those without a name count, too.
  static let kinds: Set<PlaceKind> = [
    .campsite, .cave, .food, .health, .hut, .lodging, .parking, .picnicSite, .rescue, .shelter,
    .toilets, .transport, .viewpoint, .water, .waterfall,
  ]

  /// Points of one kind no further apart than this are one, in metres.
  private static let sameMetres = 20.0

  var kind: PlaceKind
  var point: PackedPoint

  /// The points except those next to an earlier one of their kind, or next to a named place.
  static func withoutDoubles(_ points: [Self], beside places: [IndexedPlace]) -> [Self] {
    let grid = DistanceGrid(metres: sameMetres)
    var known: [PlaceKind: [Int64: [Coordinate]]] = [:]
    for index in places.indices where kinds.contains(places[index].kind) {
      let point = places[index].coordinate
      known[places[index].kind, default: [:]][grid.square(of: point), default: []].append(point)
    }
    return points.filter { item in
      let point = item.point.coordinate
      var isDouble = false
      grid.forEachNeighbour(of: point) { squares in
        for square in squares where !isDouble {
          isDouble =
            known[item.kind]?[square]?.contains { haversineDistance($0, point) <= sameMetres }
            ?? false
        }
      }
      if !isDouble {
        known[item.kind, default: [:]][grid.square(of: point), default: []].append(point)
      }
      return !isDouble
    }
  }
}
