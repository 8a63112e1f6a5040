// SPDX-License-Identifier: Apache-2.0
import Geodesy
import PlaceDatabase
import SystemIO
import TagRules
import TrailData

/// Settlements and points of interest that have a name.
struct PointPlaces {
  /// Two points of one kind and name within so many metres are one place: the node and the outline
  /// of a hut, or the stops on both sides of a road.
  private static let samePlaceMetres = 200.0
  /// At least as far, in 10⁻⁷ degrees of latitude.
  private static let samePlaceUnits = 18_000
  /// How many points a thread takes at a time.
  private static let blockPoints = 1024

  /// A place and its point.
  fileprivate struct Found: Sendable {
    var point: Int
    /// What the name folds to, and the kind: points that may be one place have the same.
    var name: UInt64
    var place: IndexedPlace
    /// Metres by the tag of this point, or of another one of the place; nil without one.
    var tagged: Double?
  }

  /// The places in the order of their points, without duplicates.
  private(set) var places: [IndexedPlace] = []
  /// How many points had no name.
  let namelessCount: Int

  init(_ trails: TrailsFile, _ names: PlaceNames, threads: Int) {
    let reader = PointReader(trails, names)
    let points = trails.pointsOfInterest
    let blocks = mapBlocks(of: points.count, size: Self.blockPoints, threads: threads) { block in
      block.compactMap(reader.find)
    }
    let found = blocks.flatMap { $0 }
    namelessCount = points.count - found.count
    merge(found, points)
  }

  /// Puts points of one place together. The first one stands for it.
  private mutating func merge(_ found: [Found], _ points: PointsOfInterest) {
    var order = found.indices.map { (name: found[$0].name, index: $0) }
    order.sort { ($0.name, $0.index) < ($1.name, $1.index) }
    var found = found
    var isKept = [Bool](repeating: true, count: found.count)
    var start = 0
    for position in order.indices {
      if order[start].name != order[position].name { start = position }
      let index = order[position].index
      let point = found[index].point
      for other in order[start..<position]
      where isKept[other.index] && Self.isNear(found[other.index].point, point, points) {
        found[other.index].merge(found[index])
        isKept[index] = false
        break
      }
    }
    for (index, found) in found.enumerated() where isKept[index] {
      places.append(found.place)
      places[places.count - 1].elevation =
        PointElevation.choose(tagged: found.tagged, modelled: points.elevations?[found.point])
        .metres
    }
  }

  private static func isNear(_ one: Int, _ other: Int, _ points: PointsOfInterest) -> Bool {
    abs(Int(points.latitudes[one]) - Int(points.latitudes[other])) <= samePlaceUnits
      && haversineDistance(points.coordinate(one).degrees, points.coordinate(other).degrees)
        <= samePlaceMetres
  }
}

extension PointPlaces.Found {
  /// Adds what is known from another point of the same place.
  fileprivate mutating func merge(_ other: Self) {
    for name in other.place.names
    where !place.names.contains(where: { $0.folding == name.folding }) {
      place.names.append(name)
    }
    tagged = tagged ?? other.tagged
    place.importance = max(place.importance, other.place.importance)
  }
}

/// Makes places of points of interest.
private struct PointReader: Sendable {
  private let points: PointsOfInterest
  private let strings: StringTable
  private let names: PlaceNames
  private let classifier: PointClassifier
  private let weights: PointWeights
  private let elevationKey: UInt32?

  init(_ trails: TrailsFile, _ names: PlaceNames) {
    points = trails.pointsOfInterest
    strings = trails.strings
    self.names = names
    classifier = PointClassifier(count: strings.count, index: strings.index)
    weights = PointWeights(strings)
    elevationKey = strings.index(of: "ele")
  }

  /// The place of a point; nil if it has no name.
  func find(_ point: Int) -> PointPlaces.Found? {
    var names: [PlaceName] = []
    self.names.add(namesOf: point, in: points.tags, to: &names)
    guard let first = names.first else { return nil }
    let tags = points.tags
    let found = classifier.classify(tags.tags(of: point), key: tags.key, value: tags.value)
    let kind = found?.rule.kind.placeKind ?? .other
    let tagged = elevationKey.flatMap { tags.value(of: $0, on: point) }
      .flatMap { TaggedElevation.metres(strings[Int($0)]) }
    let elevation = PointElevation.choose(tagged: tagged, modelled: points.elevations?[point])
    let (importance, reach) = weights.weigh(kind, tags, point, elevation: elevation.metres)
    return PointPlaces.Found(
      point: point,
      name: UInt64(first.folding) << 8 | UInt64(PlaceKind.allCases.firstIndex(of: kind) ?? 0),
      place: IndexedPlace(
        type: OSMObjectType(rawValue: points.types[point]) ?? .node, id: points.ids[point],
        kind: kind, names: names, coordinate: points.coordinate(point).degrees,
        importance: importance, reach: reach),
      tagged: tagged)
  }
}
