// SPDX-License-Identifier: Apache-2.0
import Geodesy
import PlaceDatabase
import TagRules
import TrailData

/// Settlements and points of interest that have a name.
struct PointPlaces {
  /// Two points of one kind and name within so many metres are one place: the node and the outline
  /// of a hut, or the stops on both sides of a road.
  private static let samePlaceMetres = 200.0

  /// The places, without duplicates.
  private(set) var places: [IndexedPlace] = []
  /// How many points had no name.
  private(set) var namelessCount = 0

  init(_ trails: TrailsFile, _ names: PlaceNames) {
    let points = trails.pointsOfInterest
    var known: [FoldedName: [Int]] = [:]
    for point in 0..<points.count {
      let found = names.names(of: point, in: points.tags)
      guard let first = found.first else {
        namelessCount += 1
        continue
      }
      let place = Self.place(point, found, trails)
      let same = known[first.folded, default: []].first {
        places[$0].kind == place.kind
          && haversineDistance(places[$0].coordinate, place.coordinate) <= Self.samePlaceMetres
      }
      if let same {
        merge(place, into: same)
      } else {
        known[first.folded, default: []].append(places.count)
        places.append(place)
      }
    }
  }

  private static func place(_ point: Int, _ names: [PlaceName], _ trails: TrailsFile)
    -> IndexedPlace
  {
    let points = trails.pointsOfInterest
    let tags = points.tags.texts(of: point, in: trails.strings)
    let kind = PointKind.of(tags)
    let elevation = tags["ele"].flatMap(TaggedElevation.metres)
    let rank = PointImportance(kind, tags, elevation: elevation)
    let letter =
      switch OSMObjectType(rawValue: points.types[point]) {
      case .way: "w"
      case .relation: "r"
      default: "n"
      }
    return IndexedPlace(
      osm: "\(letter)\(points.ids[point])", kind: kind, names: names,
      coordinate: points.coordinate(point).degrees, elevation: elevation,
      importance: rank.importance, reach: rank.reach)
  }

  private mutating func merge(_ place: IndexedPlace, into index: Int) {
    places[index].names.merge(place.names)
    places[index].elevation = places[index].elevation ?? place.elevation
    places[index].importance = max(places[index].importance, place.importance)
  }
}
