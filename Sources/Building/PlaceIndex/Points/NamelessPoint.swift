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
    /// Points that count, each with the index of an earlier one in its square, or -1.
    var known: [(kind: PlaceKind, point: LinePoint, earlier: Int)] = []
    var lastOfSquares: [Int64: Int] = [:]
    func add(_ kind: PlaceKind, _ point: LinePoint) {
      let square = grid.square(of: point.coordinate)
      let earlier = lastOfSquares.updateValue(known.count, forKey: square)
      known.append((kind, point, earlier ?? -1))
    }
    for index in places.indices where kinds.contains(places[index].kind) {
      add(places[index].kind, LinePoint(places[index].coordinate))
    }
    return points.filter { item in
      let point = LinePoint(item.point.coordinate)
      var isDouble = false
      grid.forEachNeighbour(of: point.coordinate) { squares in
        for square in squares where !isDouble {
          var index = lastOfSquares[square] ?? -1
          while index >= 0, !isDouble {
            let other = known[index]
            isDouble =
              other.kind == item.kind && !other.point.isBeyond(sameMetres, from: point)
              && other.point.distance(to: point) <= sameMetres
            index = other.earlier
          }
        }
      }
      if !isDouble { add(item.kind, point) }
      return !isDouble
    }
  }
}
