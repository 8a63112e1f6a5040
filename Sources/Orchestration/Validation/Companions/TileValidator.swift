// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import FoundationEssentials
import Geodesy
import SystemIO
import Tiles

/// Checks an archive of map tiles, MBTiles or PMTiles, against ``CompanionRule``.
package struct TileValidator {
  /// How far the geometry of a vector tile may reach beyond its tile, in parts of its side.
  private static let greatestBuffer = 0.25

  private let path: String
  private let archive: any TileArchive
  private var breaches: [CompanionRule: Breaches] = [:]
  private var layers: Set<String> = []
  private var tiles = 0

  /// Opens an archive. Throws 66 if it cannot be read and 65 if it is none or a damaged one.
  package init(_ path: String) throws(CairnError) {
    self.path = path
    archive = try openTileArchive(path)
  }

  /// Checks every rule.
  package consuming func run() throws(CairnError) -> CompanionReport {
    let bounds = checkMetadata()
    let isVector = archive.entries["format"] == TileMetadata.Content.vector.rawValue
    let zooms = (number("minzoom") ?? 0, number("maxzoom") ?? TileID.greatestZoom)
    let unpacker = try GzipUnpacker()
    let (archive, path) = (archive, path)
    try archive.forEachTile { id, bytes throws(CairnError) in
      tiles += 1
      if id.zoom < zooms.0 || id.zoom > zooms.1 {
        add(.tilePositions, "tile \(id) is at a zoom that the metadata does not have")
      } else if let bounds, !Self.touches(id.boundingBox, bounds) {
        add(.tilePositions, "tile \(id) is outside the bounds")
      }
      if isVector { check(id, bytes, unpacker) } else { checkPicture(id, bytes) }
    }
    var report = CompanionReport(database: path, kind: .tiles)
    report.bytes = (try? InputFile(path))?.size ?? 0
    report.rows = tiles
    report.checks = CompanionRule.rules(of: .tiles).map { rule in
      let found = breaches[rule]
      return .init(
        rule: rule.rawValue, status: found == nil ? "pass" : "error", count: found?.count ?? 0,
        details: found?.examples ?? [])
    }
    return report
  }

  private mutating func add(_ rule: CompanionRule, _ example: String) {
    breaches[rule, default: Breaches()].add(example)
  }

  private func number(_ key: String) -> Int? { archive.entries[key].flatMap { Int($0) } }

  /// Checks the metadata; returns the bounds with some room for rounding.
  private mutating func checkMetadata() -> BoundingBox? {
    let entries = archive.entries
    var keys = ["name", "format", "bounds", "center", "minzoom", "maxzoom", "type"]
    // Who made the elevations below a picture may not be known; trails are OpenStreetMap's.
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
      if entries["bounds"] != nil { add(.tileMetadata, "the bounds are no box") }
      return nil
    }
    return box
  }

  private static func layers(_ json: String?) -> Set<String> {
    guard let json,
      case .object(let object)? = try? JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)),
      case .list(let layers)? = object["vector_layers"]
    else { return [] }
    return Set(
      layers.compactMap { layer in
        guard case .object(let layer) = layer, case .text(let id)? = layer["id"] else { return nil }
        return id
      })
  }

  /// Whether two boxes have a point in common, a buffer of an eighth of a tile included.
  private static func touches(_ tile: BoundingBox, _ bounds: BoundingBox) -> Bool {
    let roomX = (tile.east - tile.west) / 8
    let roomY = (tile.north - tile.south) / 8
    return tile.west - roomX <= bounds.east && tile.east + roomX >= bounds.west
      && tile.south - roomY <= bounds.north && tile.north + roomY >= bounds.south
  }

  private mutating func check(
    _ id: TileID, _ bytes: UnsafeRawBufferPointer, _ unpacker: GzipUnpacker
  ) {
    let tile: VectorTile
    do throws(CairnError) { tile = try VectorTile(bytes, unpacker: unpacker) } catch {
      return add(.tileContents, "tile \(id) \(error.message)")
    }
    for layer in tile.layers {
      if !layers.contains(layer.name) {
        add(.tileContents, "tile \(id) has a layer “\(layer.name)” that the metadata does not name")
      }
      let reach = Double(layer.extent) * Self.greatestBuffer
      let range = -reach...Double(layer.extent) + reach
      for feature in layer.features {
        if feature.kind == .unknown || feature.parts.isEmpty {
          add(.tileContents, "tile \(id) has a feature without geometry in \(layer.name)")
        } else if feature.parts.contains(where: { part in
          part.contains { !range.contains(Double($0.x)) || !range.contains(Double($0.y)) }
        }) {
          add(.tileContents, "tile \(id) has a feature far outside of it in \(layer.name)")
        }
      }
    }
  }

  private mutating func checkPicture(_ id: TileID, _ bytes: UnsafeRawBufferPointer) {
    let signatures: [[UInt8]] = [
      [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("RIFF".utf8),
    ]
    if !signatures.contains(where: { bytes.starts(with: $0) }) {
      add(.tileContents, "tile \(id) is no picture")
    }
  }
}
