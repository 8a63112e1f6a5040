// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnPlaceDatabase

/// A point without a name that one looks for by its kind: a tap, a bus stop, a shelter.
struct NamelessPoint: Sendable {
  /// The kinds of which those without a name count, too.
  static let kinds: [PlaceKind] = [
    .campsite, .cave, .food, .health, .hut, .lodging, .parking, .picnicSite, .rescue, .shelter,
    .toilets, .transport, .viewpoint, .water, .waterfall,
  ]

  /// Points of one kind no further apart than this are one, in metres.
  private static let sameMetres = 20.0

  var kind: PlaceKind
  var point: PackedPoint

  /// The points except those next to an earlier one of their kind, or next to a named place.
  static func withoutDoubles(_ points: [Self], beside places: [IndexedPlace]) -> [Self] {
    let grid = DistanceGrid(
      metres: sameMetres, mostlyAt: points.map(\.point.coordinate.latitude))
    /// Points that count, and their indices by squares.
    var known: [(kind: PlaceKind, point: LinePoint)] = []
    var lists = SquareLists()
    func add(_ kind: PlaceKind, _ point: LinePoint) {
      lists.add(known.count, to: grid.square(of: point.coordinate))
      known.append((kind, point))
    }
    for index in places.indices where kinds.contains(places[index].kind) {
      add(places[index].kind, LinePoint(places[index].coordinate))
    }
    return points.filter { item in
      let point = LinePoint(item.point.coordinate)
      var isDouble = false
      grid.forEachNeighbour(of: point.coordinate) { squares in
        lists.forEach(in: squares) { index in
          guard !isDouble, known[index].kind == item.kind else { return }
          let other = known[index].point
          isDouble =
            !other.isBeyond(sameMetres, from: point) && other.distance(to: point) <= sameMetres
        }
      }
      if !isDouble { add(item.kind, point) }
      return !isDouble
    }
  }
}
