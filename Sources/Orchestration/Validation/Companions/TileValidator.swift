// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnSQLiteKit
import CommandLineKit
import Tiles

/// Checks an archive of map tiles, MBTiles or PMTiles, against ``CompanionRule``.
package struct TileValidator {
  /// The greatest reach of a vector tile's geometry beyond its tile, as a share of its side.
  private static let greatestBuffer = 0.25
  /// The greatest distance of a tile from the bounds, as a share of its side: the width of its
  /// buffer.
  private static let boundsMargin = 0.125

  private let path: String
  private let archive: any TileArchive
  private var breaches: [CompanionRule: Breaches] = [:]
  private var layers: Set<String> = []
  private var tiles = 0

  /// Opens an archive. Throws 66 if it cannot be read and 65 if it is no archive or damaged.
  package init(_ path: String) throws(CairnError) {
    self.path = path
    archive = try openTileArchive(path)
  }

  /// What was found in a content.
  private struct Look {
    /// Its defects.
    var problems = Breaches()
    /// Whether it was decoded; not if that would have taken more than the size of the archive explains.
    var isDecoded = true

    init() {}

    /// What an error of decoding says, in words that follow the name of a tile.
    init(_ error: CairnError, _ unpacker: GzipUnpacker) {
      isDecoded = !unpacker.isExhausted
      if isDecoded { problems.add(error.message) }
    }
  }

  /// Checks every rule.
  package consuming func run() throws(CairnError) -> CompanionReport {
    try checkStructure()
    let bounds = checkMetadata()
    let zooms = (number("minzoom") ?? 0, number("maxzoom") ?? TileID.greatestZoom)
    var found: Set<Int> = []
    var notDecoded = 0
    let (archive, path, layers) = (archive, path, layers)
    let budget = TileLimits.unpackedBytes(ofFile: archive.byteCount)
    let unpacker = try GzipUnpacker(total: budget)
    let look =
      isVector
      ? { bytes in Self.look(atVectors: bytes, layers, isPacked: archive.isPacked, unpacker) }
      : { bytes in Self.look(atPicture: bytes, isPacked: archive.isPacked, unpacker) }
    let ranges = (0...TileID.greatestZoom).map { zoom in
      bounds.map { TileRange(covering: $0, zoom: zoom, margin: Self.boundsMargin) }
    }
    try archive.forEachTile(look: look) { square, look throws(CairnError) in
      tiles += square.count
      found.insert(square.first.zoom)
      if square.first.zoom < zooms.0 || square.first.zoom > zooms.1 {
        add(
          .tilePositions, count: square.count,
          "tile \(square.first) is at a zoom outside the metadata")
      } else if let range = ranges[square.first.zoom] {
        let outside = square.count - (range?.count(in: square) ?? 0)
        if outside > 0 { add(.tilePositions, count: outside, Self.outside(square, outside)) }
      }
      if !look.isDecoded { notDecoded += square.count }
      let problems = look.problems
      for (index, problem) in problems.examples.enumerated() {
        // The first one also stands for those without an example.
        let count = index > 0 ? 1 : problems.count - problems.examples.count + 1
        add(.tileContents, count: count * square.count, "tile \(square.first) \(problem)")
      }
    }
    if notDecoded > 0 {
      var ended = Breaches()
      ended.add(
        count: notDecoded,
        "\(counted(notDecoded, "tile")) not decoded: the check ended after \(byteSize(budget)) of "
          + "unpacked contents, far more than the size of the archive explains")
      breaches[.tileContents] = ended.followed(by: breaches[.tileContents] ?? Breaches())
    }
    if let last = found.max(), let stated = number("maxzoom"), last < stated {
      add(.tileMetadata, "maxzoom is \(stated), but the greatest zoom with tiles is \(last)")
    }
    var report = CompanionReport(database: path, kind: .tiles)
    report.bytes = archive.byteCount
    report.rows = tiles
    report.checks = CompanionRule.rules(of: .tiles).map { rule in
      let found = breaches[rule]
      return .init(
        rule: rule.rawValue, status: found == nil ? "pass" : "error", count: found?.count ?? 0,
        details: found?.examples ?? [])
    }
    return report
  }

  /// Checks the pages of a database and what an archive says about itself.
  private mutating func checkStructure() throws(CairnError) {
    if archive is MBTilesFile {
      for line in try IntegrityCheck.damages(of: SQLiteConnection(path, .readOnly)) {
        add(.tileStructure, line)
      }
    }
    for line in try archive.contradictions() { add(.tileStructure, line) }
  }

  private mutating func add(_ rule: CompanionRule, count: Int = 1, _ example: String) {
    breaches[rule, default: Breaches()].add(count: count, example)
  }

  private var isVector: Bool { archive.entries["format"] == TileMetadata.Content.vector.rawValue }

  private func number(_ key: String) -> Int? { archive.entries[key].flatMap { Int($0) } }

  /// Checks the metadata; returns the bounds with some room for rounding.
  private mutating func checkMetadata() -> BoundingBox? {
    let entries = archive.entries
    var keys = ["name", "format", "bounds", "center", "minzoom", "maxzoom", "type"]
    // The source of elevations may be unknown; trails are OpenStreetMap's.
    if isVector { keys.append("attribution") }
    for key in keys where (entries[key] ?? "").isEmpty {
      add(.tileMetadata, "there is no \(key)")
    }
    if let format = entries["format"], !isVector, !TilePicture.formats.contains(format) {
      add(.tileMetadata, "the format “\(printable(format))” is neither pbf nor one of pictures")
    }
    for key in ["minzoom", "maxzoom"] where entries[key] != nil {
      guard 0...TileID.greatestZoom ~= number(key) ?? -1 else {
        add(.tileMetadata, "\(key) is not a zoom")
        continue
      }
    }
    if let first = number("minzoom"), let last = number("maxzoom"), first > last {
      add(.tileMetadata, "minzoom is greater than maxzoom")
    }
    if let type = entries["type"], !["overlay", "baselayer"].contains(type) {
      add(.tileMetadata, "the type “\(printable(type))” is neither overlay nor baselayer")
    }
    if isVector {
      layers = Self.layers(entries["json"])
      if layers.isEmpty { add(.tileMetadata, "there are no vector_layers") }
    }
    guard let box = entries["bounds"].flatMap({ BoundingBox(commandLine: $0) }) else {
      if entries["bounds"] != nil { add(.tileMetadata, "the bounds are not a box") }
      return nil
    }
    checkCentre(box)
    return box
  }

  /// Checks that a map that begins at the centre shows tiles.
  private mutating func checkCentre(_ box: BoundingBox) {
    guard let text = archive.entries["center"] else { return }
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 3, let east = numbers[0], let north = numbers[1], let zoom = numbers[2]
    else { return add(.tileMetadata, "the centre is not a point with a zoom") }
    let (first, last) = (number("minzoom") ?? 0, number("maxzoom") ?? TileID.greatestZoom)
    if !box.contains(Coordinate(latitude: north, longitude: east)) {
      add(.tileMetadata, "the centre is outside the bounds")
    }
    if first <= last, !(Double(first)...Double(last)).contains(zoom) {
      add(.tileMetadata, "the zoom of the centre is outside the zooms")
    }
  }

  private static func layers(_ json: String?) -> Set<String> {
    guard let json,
      let layers = JSONValue(json: Array(json.utf8))?.object?["vector_layers"]?.list
    else { return [] }
    return Set(
      layers.compactMap { layer in
        guard case .object(let layer) = layer, case .text(let id)? = layer["id"] else { return nil }
        return id
      })
  }

  private static func outside(_ square: TileSquare, _ count: Int) -> String {
    square.count == 1
      ? "tile \(square.first) is outside the bounds"
      : "\(count) of the \(square.count) tiles from \(square.first) on are outside the bounds"
  }

  /// Looks at a vector tile.
  private static func look(
    atVectors bytes: UnsafeRawBufferPointer, _ layers: Set<String>, isPacked: Bool?,
    _ unpacker: GzipUnpacker
  ) -> Look {
    let tile: VectorTile
    do throws(CairnError) { tile = try VectorTile(bytes, unpacker: unpacker) } catch {
      return Look(error, unpacker)
    }
    var look = Look()
    if let isPacked, isPacked != GzipUnpacker.isPacked(bytes) {
      look.problems.add("is \(isPacked ? "not " : "")packed, against the header")
    }
    if tile.layers.isEmpty { look.problems.add("has no layers") }
    for layer in tile.layers { Self.check(layer, layers, &look.problems) }
    return look
  }

  private static func check(
    _ layer: VectorTile.Layer, _ layers: Set<String>, _ problems: inout Breaches
  ) {
    if !layers.contains(layer.name) {
      problems.add("has a layer “\(layer.name)” that the metadata does not name")
    }
    if !(1...2).contains(layer.version) {
      problems.add("has a layer \(layer.name) of version \(layer.version)")
    }
    let reach = Double(layer.extent) * Self.greatestBuffer
    let range = -reach...Double(layer.extent) + reach
    for feature in layer.features {
      if feature.kind == .unknown || feature.parts.isEmpty {
        problems.add("has a feature without geometry in \(layer.name)")
      } else if feature.parts.contains(where: { part in
        part.contains { !range.contains(Double($0.x)) || !range.contains(Double($0.y)) }
      }) {
        problems.add("has a feature far outside the tile in \(layer.name)")
      }
    }
  }

  /// Looks at a picture.
  private static func look(
    atPicture bytes: UnsafeRawBufferPointer, isPacked: Bool?, _ unpacker: GzipUnpacker
  ) -> Look {
    do throws(CairnError) { try TilePicture.check(bytes, unpacker: unpacker) } catch {
      return Look(error, unpacker)
    }
    var look = Look()
    if isPacked == true { look.problems.add("is not packed, against the header") }
    return look
  }
}
