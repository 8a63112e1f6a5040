// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import PlaceDatabase
import TrailData

/// Collects all places of a `.trails` or `.elevated` file and writes them as a `.places.db`.
package struct PlaceIndexBuilder {
  private let trails: TrailsFile
  /// All places, the most important ones first.
  private let places: [IndexedPlace]
  private let lines: LinePieces
  /// How many points of interest had no name.
  package let namelessCount: Int
  /// The region's id and name, if they are known.
  package var regionID: String?
  package var regionName: String?

  /// Collects the places.
  package init(_ trails: TrailsFile) {
    self.trails = trails
    let names = PlaceNames(trails.strings)
    let points = PointPlaces(trails, names)
    let ways = NamedWays(trails, names).groups
    let routes = RoutePlaces(trails, names).groups
    namelessCount = points.namelessCount
    let all = points.places + ways.map(\.place) + routes.map(\.place)
    let order = all.indices.sorted { Self.precedes(all[$0], all[$1]) }
    places = order.map { all[$0] }
    var ids = [Int](repeating: 0, count: all.count)
    for (index, place) in order.enumerated() { ids[place] = index + 1 }
    lines = Self.lines(
      trails, ways.map(\.ways) + routes.map(\.ways), ids: Array(ids[points.places.count...]))
  }

  /// The order of importance; of equally important places, that of their names and ids.
  private static func precedes(_ left: IndexedPlace, _ right: IndexedPlace) -> Bool {
    if left.importance != right.importance { return left.importance > right.importance }
    if left.name != right.name {
      return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
    return left.osm.utf8.lexicographicallyPrecedes(right.osm.utf8)
  }

  /// The lines of the ways of each place; ways of several places are there once.
  private static func lines(_ trails: TrailsFile, _ waysOfPlaces: [[Int]], ids: [Int])
    -> LinePieces
  {
    var placesOfWays: [Int: [Int]] = [:]
    for (place, ways) in waysOfPlaces.enumerated() {
      for way in ways { placesOfWays[way, default: []].append(ids[place]) }
    }
    var pieces = LinePieces()
    let source = WayLines(trails)
    for way in placesOfWays.keys.sorted() {
      pieces.add(source.points(way), places: (placesOfWays[way] ?? []).sorted())
    }
    pieces.sort()
    return pieces
  }

  /// The number of places, by kind.
  package var counts: [PlaceKind: Int] {
    places.reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }
  }

  /// The number of names.
  package var nameCount: Int { places.reduce(0) { $0 + $1.names.count } }

  /// Writes the database into an empty file.
  package func write(to path: String) throws(CairnError) {
    let writer = try PlaceDatabaseWriter(path)
    try writer.addMetadata(metadata())
    try writer.addPlaces(places, cells: lines.cells)
    try writer.addNames(places)
    try writer.addLines(lines.pieces)
    try writer.finish()
  }

  private func metadata() -> [(key: String, value: String)] {
    let provenance = trails.container.provenance
    var entries = [
      (PlaceMetadataKey.version, "\(PlaceSchema.version)"),
      (PlaceMetadataKey.osmDataDate, provenance.dataTimestamp ?? "unknown"),
      (PlaceMetadataKey.placeCount, "\(places.count)"),
      (PlaceMetadataKey.nameCount, "\(nameCount)"),
      (PlaceMetadataKey.generator, provenance.tool),
      (PlaceMetadataKey.attribution, Provenance.attribution),
      (PlaceMetadataKey.licence, Provenance.licence),
      (PlaceMetadataKey.region, provenance.region ?? "everything"),
    ]
    if let box = boundingBox() { entries.append((PlaceMetadataKey.boundingBox, box.description)) }
    if let regionID { entries.append((PlaceMetadataKey.regionID, regionID)) }
    if let regionName { entries.append((PlaceMetadataKey.regionName, regionName)) }
    if let source = provenance.source {
      entries.append((PlaceMetadataKey.sourceDigest, source.sha256))
    }
    return entries.sorted { $0.0 < $1.0 }.map { (key: $0.0, value: $0.1) }
  }

  private func boundingBox() -> BoundingBox? {
    BoundingBox(around: places.map(\.coordinate) + lines.pieces.flatMap(\.points))
  }
}
