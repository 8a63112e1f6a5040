// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnPlaceDatabase
import CairnTagRules
import SystemIO
import TrailData

/// Settlements and points of interest that have a name.
struct PointPlaces {
  /// The number of points that a thread takes at a time.
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

  /// The role of a point in a search.
  fileprivate enum Reading: Sendable {
    case named(Found)
    case nameless(NamelessPoint)
  }

  /// The places in the order of their points, without duplicates.
  private(set) var places: [IndexedPlace] = []
  /// Those without a name that one looks for by their kind, in the order of their points.
  private(set) var nameless: [NamelessPoint] = []
  /// The number of points without a name.
  let namelessCount: Int

  init(_ trails: TrailsFile, _ names: NameCollector, threads: Int) {
    let reader = PointReader(trails, names)
    let points = trails.pointsOfInterest
    let blocks = mapBlocks(of: points.count, size: Self.blockPoints, threads: threads) { block in
      block.compactMap(reader.find)
    }
    var found: [Found] = []
    for reading in blocks.joined() {
      switch reading {
      case .named(let point): found.append(point)
      case .nameless(let point): nameless.append(point)
      }
    }
    namelessCount = points.count - found.count
    merge(&found, points, foldingCount: names.table.folded.count)
    nameless = NamelessPoint.withoutDoubles(nameless, beside: places)
  }

  /// Takes the places out, which are not copied so.
  mutating func takePlaces() -> [IndexedPlace] {
    defer { places = [] }
    return places
  }

  /// Puts points of one place together. The first one stands for it.
  private mutating func merge(
    _ found: inout [Found], _ points: PointsOfInterest, foldingCount: Int
  ) {
    var namesakes = [UInt32](repeating: 0, count: foldingCount)
    for index in found.indices { namesakes[found[index].folding] += 1 }
    var isKept = [Bool](repeating: true, count: found.count)
    var search = SamePlaceSearch(
      mostlyAt: found.indices.map { found[$0].place.coordinate.latitude })
    var foldings: [Int: Set<UInt32>] = [:]
    // Most names are there once.
    for index in found.indices where namesakes[found[index].folding] > 1 {
      guard let first = search.add(index, found[index].name, at: found[index].place.coordinate)
      else { continue }
      var known = foldings.removeValue(forKey: first) ?? found[first].foldings
      found[first].merge(found[index], &known)
      foldings[first] = known
      isKept[index] = false
    }
    places.reserveCapacity(found.count)
    for index in found.indices where isKept[index] {
      var place = found[index].place
      place.elevation =
        PointElevation.choose(
          tagged: found[index].tagged, modelled: points.elevations?[found[index].point]
        ).metres
      places.append(place)
    }
  }
}

extension PointPlaces.Found {
  /// What the name that is shown folds to.
  fileprivate var folding: Int { Int(place.names[0].folding) }

  /// What its names fold to.
  fileprivate var foldings: Set<UInt32> { Set(place.names.map(\.folding)) }

  /// Adds what is known from another point of the same place.
  ///
  /// - Parameter known: See ``foldings``.
  fileprivate mutating func merge(_ other: Self, _ known: inout Set<UInt32>) {
    for name in other.place.names where known.insert(name.folding).inserted {
      place.names.append(name)
    }
    tagged = tagged ?? other.tagged
    place.importance = max(place.importance, other.place.importance)
  }
}

/// Finds, of points of one kind and name, those that are one place: a hut's node and outline, or the
/// stops on both sides of a road.
///
/// Points that stand for a place are further from each other than that, so that a square of the grid
/// has a few of them only: n points take a number of steps that is proportional to n.
struct SamePlaceSearch {
  /// Points no further apart than this are one place, in metres.
  private static let samePlaceMetres = 200.0

  private let grid: DistanceGrid
  /// The number of distances computed.
  private(set) var comparisonCount = 0
  /// The points that stand for a place, and their positions here by squares and names.
  private var standing: [(index: Int, point: LinePoint)] = []
  private var lists = SquareLists()

  /// Begins without points, which will mostly be at some latitudes.
  init(mostlyAt latitudes: [Double]) {
    grid = DistanceGrid(metres: Self.samePlaceMetres, mostlyAt: latitudes)
  }

  /// The least index of a point of a name near enough that stands for a place; without one, this point
  /// does, and there is none. Points come in ascending order of their indices.
  mutating func add(_ index: Int, _ name: UInt64, at point: Coordinate) -> Int? {
    let point = LinePoint(point)
    let (first, comparisons) = first(name, point, before: index)
    comparisonCount += comparisons
    if first == nil {
      lists.add(standing.count, to: grid.square(of: point.coordinate), of: name)
      standing.append((index, point))
    }
    return first
  }

  /// The least index of a known point of a name near a point, and the number of distances computed.
  private func first(_ name: UInt64, _ point: LinePoint, before index: Int) -> (Int?, Int) {
    var first: Int?
    var comparisons = 0
    grid.forEachNeighbour(of: point.coordinate) { squares in
      lists.forEach(in: squares, of: name) { position in
        let known = standing[position]
        guard known.index < first ?? index else { return }
        comparisons += 1
        if !known.point.isBeyond(Self.samePlaceMetres, from: point),
          known.point.distance(to: point) <= Self.samePlaceMetres
        {
          first = known.index
        }
      }
    }
    return (first, comparisons)
  }
}

/// Makes places of points of interest.
private struct PointReader: Sendable {
  private let points: PointsOfInterest
  private let strings: StringTable
  private let names: NameCollector
  private let classifier: PointClassifier
  private let weights: PointWeights
  private let elevationKey: UInt32?
  private let state: PointState
  /// The position of each kind of place among all kinds.
  private let kindNumbers: [PlaceKind: UInt64]

  init(_ trails: TrailsFile, _ names: NameCollector) {
    points = trails.pointsOfInterest
    strings = trails.strings
    self.names = names
    classifier = PointClassifier(count: strings.count, index: strings.index)
    weights = PointWeights(strings)
    elevationKey = strings.index(of: "ele")
    state = PointState(index: strings.index)
    kindNumbers = Dictionary(
      uniqueKeysWithValues: PlaceKind.allCases.enumerated().map { ($1, UInt64($0)) })
  }

  /// The role of a point; nil if it is useless for a search.
  func find(_ point: Int) -> PointPlaces.Reading? {
    let tags = points.tags
    let range = tags.tags(of: point)
    guard let rule = classifier.classify(range, key: tags.key, value: tags.value)?.rule,
      let state = state.flags(rule.kind, range, key: tags.key, value: tags.value)
    else { return nil }
    let kind = rule.kind.placeKind
    let flags = PlaceFlags(rawValue: state.rawValue).bits(rule.kind.placeDetail)
    let tagged = elevationKey.flatMap { tags.value(of: $0, on: point) }
      .flatMap { TaggedElevation.metres(strings[Int($0)]) }
    let elevation = PointElevation.choose(tagged: tagged, modelled: points.elevations?[point])
    let type = OSMObjectType(rawValue: points.types[point]) ?? .node
    var names = PlaceNames()
    self.names.add(namesOf: point, in: points.tags, to: &names)
    guard let first = names.first else {
      guard NamelessPoint.kinds.contains(kind) else { return nil }
      return .nameless(
        NamelessPoint(
          kind: kind,
          point: PackedPoint(
            type: type.rawValue, id: points.ids[point],
            coordinate: points.coordinate(point).degrees,
            elevation: elevation.metres.map { Int($0.rounded()) }, flags: flags)))
    }
    let (importance, reach) = weights.weigh(kind, tags, point, elevation: elevation.metres)
    return .named(
      PointPlaces.Found(
        point: point,
        name: UInt64(first.folding) << 8 | (kindNumbers[kind] ?? 0),
        place: IndexedPlace(
          id: points.ids[point], names: names, coordinate: points.coordinate(point).degrees,
          importance: importance, type: type, kind: kind, reach: reach, flags: flags),
        tagged: tagged))
  }
}
