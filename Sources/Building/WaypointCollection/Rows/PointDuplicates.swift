// SPDX-License-Identifier: Apache-2.0
import Geodesy
import TagRules

/// A point of interest that a hiker can use.
struct FoundPoint: Sendable {
  /// Its index among the points of interest.
  var point: Int
  var kind: PointKind
  /// The position of its kind among all kinds.
  var kindNumber: Int
  /// The value of the tag that makes it a point of this kind.
  var value: UInt32
  /// Its name as a text of the file; nil for one without.
  var name: UInt32?
  var coordinate: FixedCoordinate
  /// How many tags it has.
  var tagCount: Int
}

/// A point, and the further ones that stand for the same thing.
struct MergedPoint: Sendable {
  var main: FoundPoint
  /// As indices among the points of interest.
  var others: [Int] = []
}

/// Finds points that stand for one thing: a hut as a node and as a building, the two stops of a bus,
/// a summit drawn twice.
///
/// Points of one kind and one name are one thing if they are near each other, and so are a summit
/// without a name and one beside it. The one with the most tags stands for it; of several, the first.
struct PointDuplicates {
  /// How near points of one name are to be one thing, in metres.
  static let namedMetres = 100.0
  /// How near a summit without a name is to another one, in metres.
  static let summitMetres = 30.0

  /// A square of the map for points of one kind and name.
  private struct Cell: Hashable {
    /// See ``namesake(_:name:)``.
    var namesake: UInt64
    var square: Int
  }

  private let grid = DistanceGrid(metres: namedMetres)
  private var cells: [Cell: [Int]] = [:]
  /// How many points there are of each kind and name.
  private var namesakes: [UInt64: Int] = [:]
  private var places: [MergedPoint] = []

  /// The things that some points stand for, in no particular order that depends on anything but the points.
  static func merged(_ found: [FoundPoint]) -> [MergedPoint] {
    var finder = PointDuplicates()
    let order = found.indices.sorted {
      // Named ones first, so that those without a name can join them.
      (found[$0].name == nil ? 1 : 0, -found[$0].tagCount, $0)
        < (found[$1].name == nil ? 1 : 0, -found[$1].tagCount, $1)
    }
    finder.places.reserveCapacity(found.count)
    for place in found { finder.namesakes[namesake(place, place.name), default: 0] += 1 }
    for index in order { finder.add(found[index]) }
    return finder.places
  }

  private mutating func add(_ place: FoundPoint) {
    let isSummit = place.kind == .peak
    // Most names are there once.
    let isUnique = namesakes[Self.namesake(place, place.name)] == 1
    guard isSummit || place.name != nil && !isUnique else {
      places.append(MergedPoint(main: place))
      return
    }
    let limit = place.name == nil ? Self.summitMetres : Self.namedMetres
    if let known = nearest(place, within: limit) {
      places[known].others.append(place.point)
      return
    }
    let index = places.count
    places.append(MergedPoint(main: place))
    let square = grid.square(of: place.coordinate.degrees)
    cells[Cell(namesake: Self.namesake(place, place.name), square: square), default: []]
      .append(index)
    // Where summits without a name look for others.
    if isSummit, place.name != nil {
      cells[Cell(namesake: Self.namesake(place, nil), square: square), default: []].append(index)
    }
  }

  /// A number for the kind and the name of points that may be one thing.
  private static func namesake(_ place: FoundPoint, _ name: UInt32?) -> UInt64 {
    UInt64(place.kindNumber) << 33 | (name.map { UInt64($0) + 1 } ?? 0)
  }

  /// The nearest known one of a point's kind and name, if one is near.
  private func nearest(_ place: FoundPoint, within metres: Double) -> Int? {
    var best: (index: Int, metres: Double)?
    let namesake = Self.namesake(place, place.name)
    let point = place.coordinate.degrees
    grid.forEachNeighbour(of: point) { squares in
      for square in squares {
        for index in cells[Cell(namesake: namesake, square: square)] ?? [] {
          let distance = haversineDistance(point, places[index].main.coordinate.degrees)
          if distance <= metres, distance < best?.metres ?? .infinity { best = (index, distance) }
        }
      }
    }
    return best?.index
  }
}
