// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
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

  /// Checks every rule.
  package consuming func run() throws(CairnError) -> CompanionReport {
    let bounds = checkMetadata()
    let isVector = archive.entries["format"] == TileMetadata.Content.vector.rawValue
    let zooms = (number("minzoom") ?? 0, number("maxzoom") ?? TileID.greatestZoom)
    let (archive, path, layers) = (archive, path, layers)
    let unpacker = try GzipUnpacker(total: TileLimits.unpackedBytes(ofFile: archive.byteCount))
    let ranges = (0...TileID.greatestZoom).map { zoom in
      bounds.map { TileRange(covering: $0, zoom: zoom, margin: Self.boundsMargin) }
    }
    try archive.forEachTile { bytes in
      isVector ? Self.check(bytes, layers, unpacker) : Self.checkPicture(bytes)
    } _: { square, problems throws(CairnError) in
      tiles += square.count
      if square.first.zoom < zooms.0 || square.first.zoom > zooms.1 {
        add(
          .tilePositions, count: square.count,
          "tile \(square.first) is at a zoom outside the metadata")
      } else if let range = ranges[square.first.zoom] {
        let outside = square.count - (range?.count(in: square) ?? 0)
        if outside > 0 { add(.tilePositions, count: outside, Self.outside(square, outside)) }
      }
      for (index, problem) in problems.examples.enumerated() {
        // The first one also stands for those without an example.
        let count = index > 0 ? 1 : problems.count - problems.examples.count + 1
        add(.tileContents, count: count * square.count, "tile \(square.first) \(problem)")
      }
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

  private mutating func add(_ rule: CompanionRule, count: Int = 1, _ example: String) {
    breaches[rule, default: Breaches()].add(count: count, example)
  }

  private func number(_ key: String) -> Int? { archive.entries[key].flatMap { Int($0) } }

  /// Checks the metadata; returns the bounds with some room for rounding.
  private mutating func checkMetadata() -> BoundingBox? {
    let entries = archive.entries
    var keys = ["name", "format", "bounds", "center", "minzoom", "maxzoom", "type"]
    // The source of elevations may be unknown; trails are OpenStreetMap's.
    if entries["format"] == TileMetadata.Content.vector.rawValue { keys.append("attribution") }
    for key in keys where (entries[key] ?? "").isEmpty {
      add(.tileMetadata, "there is no \(key)")
    }
    if let first = number("minzoom"), let last = number("maxzoom"), first > last {
      add(.tileMetadata, "minzoom is greater than maxzoom")
    }
    if entries["format"] == TileMetadata.Content.vector.rawValue {
      layers = Self.layers(entries["json"])
      if layers.isEmpty { add(.tileMetadata, "there are no vector_layers") }
    }
    guard let box = entries["bounds"].flatMap({ BoundingBox(commandLine: $0) }) else {
      if entries["bounds"] != nil { add(.tileMetadata, "the bounds are not a box") }
      return nil
    }
    return box
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

  /// The defect of a vector tile, in words that follow its name.
  private static func check(
    _ bytes: UnsafeRawBufferPointer, _ layers: Set<String>, _ unpacker: GzipUnpacker
  ) -> Breaches {
    var problems = Breaches()
    let tile: VectorTile
    do throws(CairnError) { tile = try VectorTile(bytes, unpacker: unpacker) } catch {
      problems.add(error.message)
      return problems
    }
    for layer in tile.layers {
      if !layers.contains(layer.name) {
        problems.add("has a layer “\(layer.name)” that the metadata does not name")
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
    return problems
  }

  private static func checkPicture(_ bytes: UnsafeRawBufferPointer) -> Breaches {
    let signatures: [[UInt8]] = [
      [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("RIFF".utf8),
    ]
    var problems = Breaches()
    if !signatures.contains(where: { bytes.starts(with: $0) }) { problems.add("is not a picture") }
    return problems
  }
}
