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
    let latitudes = points.map(\.point.coordinate.latitude)
    guard let south = latitudes.min(), let north = latitudes.max() else { return [] }
    let grid = DistanceGrid(metres: sameMetres, mostlyWithin: south...north)
    var known: [Int64: [(kind: PlaceKind, point: Coordinate)]] = [:]
    for index in places.indices where kinds.contains(places[index].kind) {
      let point = places[index].coordinate
      known[grid.square(of: point), default: []].append((places[index].kind, point))
    }
    return points.filter { item in
      let point = item.point.coordinate
      var isDouble = false
      grid.forEachNeighbour(of: point) { squares in
        for square in squares where !isDouble {
          isDouble =
            known[square]?.contains {
              $0.kind == item.kind && haversineDistance($0.point, point) <= sameMetres
            } ?? false
        }
      }
      if !isDouble {
        known[grid.square(of: point), default: []].append((item.kind, point))
      }
      return !isDouble
    }
  }
}
