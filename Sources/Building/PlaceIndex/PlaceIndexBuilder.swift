// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnPlaceDatabase
import CairnSQLiteKit
import SystemIO
import TrailData

/// Collects all places of a `.trails` file, with or without its elevations, and writes them as a
/// `.places.db`. Nothing depends on the number of threads.
package struct PlaceIndexBuilder {
  private let trails: TrailsFile
  private let threads: Int
  private let names: NameTable
  /// All places, the most important ones first.
  private let places: [IndexedPlace]
  /// The ways that are lines of places.
  private let lines: LinePieces.Lines
  private let others: Others
  /// The number of names.
  package let nameCount: Int
  /// The number of house numbers.
  package var addressCount: Int { others.addresses.values.reduce(0) { $0 + $1.count } }
  /// The number of points of interest without a name.
  package let namelessCount: Int
  /// The region's id and name, if they are known.
  package var regionID: String?
  package var regionName: String?

  /// Collects the places.
  package init(_ trails: TrailsFile, threads: Int = 1) {
    self.trails = trails
    self.threads = threads
    let names = NameCollector(trails, threads: threads)
    var (points, lines) = concurrently(threads: threads) {
      PointPlaces(trails, names, threads: threads)
    } _: {
      var lines = NamedWays.places(trails, names, threads: threads)
      lines += RoutePlaces.places(trails, names)
      lines += NamedLines.places(trails, names)
      return lines
    }
    self.names = names.table
    namelessCount = points.namelessCount
    let firstLine = points.places.count
    var all = points.takePlaces()
    for line in lines { all.append(line.place) }
    let streets = StreetNumbers(trails, names.table, places: all)
    all += streets.newStreets
    let order = PlaceOrder(all, names.table).order
    var ids = [Int](repeating: 0, count: all.count)
    for (index, place) in order.enumerated() { ids[place] = index + 1 }
    Self.sort(&all, by: ids)
    places = all
    nameCount = all.indices.reduce(0) { $0 + all[$1].names.count }
    self.lines = Self.lines(lines, ids: ids[firstLine..<firstLine + lines.count])
    others = Others(
      nameless: points.nameless,
      addresses: Dictionary(
        uniqueKeysWithValues: streets.numbers.map { (ids[$0.key] - 1, $0.value) }))
  }

  /// Moves each place to where its id, from 1 on, belongs.
  private static func sort(_ places: inout [IndexedPlace], by ids: [Int]) {
    var ids = ids
    // An array's own swap would count references.
    places.withUnsafeMutableBufferPointer { places in
      for index in places.indices {
        while ids[index] != index + 1 {
          let other = ids[index] - 1
          places.swapAt(index, other)
          ids.swapAt(index, other)
        }
      }
    }
  }

  /// The ways of all places; those of several places are there once.
  private static func lines(_ places: [LinePlace], ids: ArraySlice<Int>) -> LinePieces.Lines {
    var pairs: [(way: Int, id: Int)] = []
    for (place, id) in zip(places, ids) {
      for way in place.ways { pairs.append((way, id)) }
    }
    return LinePieces.Lines(pairs)
  }

  /// The number of places, by kind.
  package var counts: [PlaceKind: Int] {
    places.indices.reduce(into: [:]) { $0[places[$1].kind, default: 0] += 1 }
  }

  /// Writes the database into an empty file.
  package func write(to output: AtomicOutput) throws(CairnError) {
    let (places, names, trails, lines, threads) = (places, names, trails, lines, threads)
    let others = others
    let words = PlaceWords(places, names.folded)
    let (textIndexes, content) = try concurrently(threads: threads) { () throws(CairnError) in
      try Self.textIndexes(places, names, words)
    } _: {
      let pieces = LinePieces(lines, of: WayLines(trails), threads: threads)
      let rows = PlaceRows(places, others, pieces, names, trails, threads: threads)
      return (rows, pieces.box)
    }
    let database = PlaceDatabaseContent(
      content.0, words, textIndexes, metadata: metadata(linesBox: content.1))
    try DatabasePages(database.content).writeAll { bytes, offset throws(CairnError) in
      try output.write(bytes, at: offset)
    }
  }

  private static func textIndexes(_ places: [IndexedPlace], _ names: NameTable, _ words: PlaceWords)
    throws(CairnError) -> TextIndexes
  {
    try TextIndexes { add throws(CairnError) in
      var id = 0
      for index in places.indices {
        for name in places[index].names {
          id += 1
          try add(id, names.folded.text(Int(name.folding)))
        }
      }
    } words: { add throws(CairnError) in
      for position in 0..<words.count {
        try add(position + 1, words.text(position))
      }
    }
  }

  private func metadata(linesBox: BoundingBox?) -> [(key: String, value: String)] {
    let provenance = trails.provenance
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
    if let box = boundingBox(linesBox) {
      entries.append((PlaceMetadataKey.boundingBox, box.description))
    }
    if let regionID { entries.append((PlaceMetadataKey.regionID, regionID)) }
    if let regionName { entries.append((PlaceMetadataKey.regionName, regionName)) }
    if let source = provenance.source {
      entries.append((PlaceMetadataKey.sourceDigest, source.sha256))
    }
    return entries.sorted { $0.0 < $1.0 }.map { (key: $0.0, value: $0.1) }
  }

  /// The box around all places and their lines.
  private func boundingBox(_ lines: BoundingBox?) -> BoundingBox? {
    guard var box = lines ?? places.first.map({ BoundingBox(at: $0.coordinate) }) else {
      return nil
    }
    for index in places.indices { box = box.extended(to: places[index].coordinate) }
    return box
  }
}
