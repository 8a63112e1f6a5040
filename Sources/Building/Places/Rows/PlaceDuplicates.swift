// SPDX-License-Identifier: Apache-2.0
import Geodesy

/// A point of interest that is a place.
struct FoundPlace {
  /// Its index among the points of interest.
  var point: Int
  var kind: PlaceKind
  /// The position of its kind among all kinds.
  var kindNumber: Int
  /// The label of its kind.
  var kindLabel: String
  /// The value of the tag that makes it a place of this kind.
  var value: UInt32
  /// Its name as a text of the file; nil for one without.
  var name: UInt32?
  var coordinate: FixedCoordinate
  /// How many tags it has.
  var tagCount: Int
}

/// A place, and the further points that stand for the same one.
struct MergedPlace {
  var main: FoundPlace
  /// As indices among the points of interest.
  var others: [Int] = []
}

/// Finds points that stand for one place: a hut as a node and as a building, the two stops of a bus,
/// a summit drawn twice.
///
/// Points of one kind and one name are one place if they are near each other, and so are a summit
/// without a name and one beside it. The one with the most tags stands for it; of several, the first.
struct PlaceDuplicates {
  /// How near points of one name are to be one place, in metres.
  static let namedMetres = 100.0
  /// How near a summit without a name is to another one, in metres.
  static let summitMetres = 30.0

  /// A square of the map, somewhat larger than ``namedMetres``, for points of one kind and name.
  private struct Cell: Hashable {
    var kind: Int
    var name: UInt32?
    var row: Int
    var column: Int
  }

  private var cells: [Cell: [Int]] = [:]
  private var places: [MergedPlace] = []

  /// The places of some points, in no particular order that depends on anything but the points.
  static func merged(_ found: [FoundPlace]) -> [MergedPlace] {
    var finder = PlaceDuplicates()
    let order = found.indices.sorted {
      // Named ones first, so that those without a name can join them.
      (found[$0].name == nil ? 1 : 0, -found[$0].tagCount, $0)
        < (found[$1].name == nil ? 1 : 0, -found[$1].tagCount, $1)
    }
    finder.places.reserveCapacity(found.count)
    for index in order { finder.add(found[index]) }
    return finder.places
  }

  private mutating func add(_ place: FoundPlace) {
    let isSummit = place.kind == .peak
    guard place.name != nil || isSummit else {
      places.append(MergedPlace(main: place))
      return
    }
    let limit = place.name == nil ? Self.summitMetres : Self.namedMetres
    if let known = nearest(place, within: limit) {
      places[known].others.append(place.point)
      return
    }
    let index = places.count
    places.append(MergedPlace(main: place))
    cells[cell(place, name: place.name), default: []].append(index)
    // Where summits without a name look for others.
    if isSummit, place.name != nil { cells[cell(place, name: nil), default: []].append(index) }
  }

  /// The nearest place of a point's kind and name, if one is near.
  private func nearest(_ place: FoundPlace, within metres: Double) -> Int? {
    var best: (index: Int, metres: Double)?
    for row in -1...1 {
      for column in -1...1 {
        let cell = cell(place, name: place.name, rows: row, columns: column)
        for index in cells[cell] ?? [] {
          let distance = haversineDistance(
            place.coordinate.degrees, places[index].main.coordinate.degrees)
          if distance <= metres, distance < best?.metres ?? .infinity { best = (index, distance) }
        }
      }
    }
    return best?.index
  }

  /// The cell of a point, or one beside it.
  private func cell(_ place: FoundPlace, name: UInt32?, rows: Int = 0, columns: Int = 0) -> Cell {
    let units = Self.namedMetres / (earthRadiusMetres * .pi / 180 / 1e7)
    let row = Int((Double(place.coordinate.latitude) / units).rounded(.down)) + rows
    // Wide enough at either edge of the row; a row has a whole number of columns around the globe,
    // and that at a pole has one.
    let latitude = (Double(abs(row)) + 1) * units / 1e7
    let shrinking = latitude < 90 ? longitudeShrinking(atLatitude: latitude) : 0
    let count = max(1, Int(3.6e9 * shrinking / units))
    let east = (Double(place.coordinate.longitude) + 1.8e9) / 3.6e9
    let column = (Int(east * Double(count)) + columns + count) % count
    return Cell(kind: place.kindNumber, name: name, row: row, column: column)
  }
}
