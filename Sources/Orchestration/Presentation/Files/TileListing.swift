// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import Tiles

/// The contents of an archive of map tiles: the tiles and bytes of each zoom, and the features of
/// each layer.
package struct TileListing: Listing {
  private struct Zoom: Encodable {
    var zoom: Int
    var tiles = 0
    var bytes = 0
    var largestBytes = 0
    /// By layer; empty for pictures.
    var features: [String: Int] = [:]
  }

  /// The content of one or more tiles.
  private struct Content {
    var bytes: Int
    var features: [(layer: String, count: Int)]
  }

  /// A content at a zoom.
  private struct Use: Hashable {
    var zoom: Int
    var content: Int
  }

  private let file: String
  private let zooms: [Zoom]
  private let metadata: [String: String]

  /// Describes a file.
  package init(_ path: String) throws(CairnError) {
    file = path
    let archive = try openTileArchive(path)
    metadata = archive.entries
    let isVector = metadata["format"] == TileMetadata.Content.vector.rawValue
    let unpacker = try GzipUnpacker(total: TileLimits.unpackedBytes(ofFile: archive.byteCount))
    var contents: [Result<Content, CairnError>] = []
    var uses: [Use: Int] = [:]
    try archive.forEachTile(look: { bytes -> Int in
      contents.append(
        Result { () throws(CairnError) in
          let tile = isVector ? try VectorTile(bytes, unpacker: unpacker) : nil
          return Content(
            bytes: bytes.count,
            features: tile?.layers.map { (layer: $0.name, count: $0.features.count) } ?? [])
        })
      return contents.count - 1
    }) { tiles, content throws(CairnError) in
      if case .failure(var error) = contents[content] {
        error.location = Location(file: path, .object("tile \(tiles.first)"))
        throw error
      }
      uses[Use(zoom: tiles.first.zoom, content: content), default: 0] += tiles.count
    }
    var found: [Int: Zoom] = [:]
    for (use, tiles) in uses {
      guard case .success(let content) = contents[use.content] else { continue }
      var zoom = found.removeValue(forKey: use.zoom) ?? Zoom(zoom: use.zoom)
      zoom.tiles += tiles
      zoom.bytes += tiles * content.bytes
      zoom.largestBytes = max(zoom.largestBytes, content.bytes)
      for (layer, count) in content.features { zoom.features[layer, default: 0] += tiles * count }
      found[use.zoom] = zoom
    }
    zooms = found.keys.sorted().compactMap { found[$0] }
  }

  package var lines: [String] {
    let tiles = zooms.reduce(0) { $0 + $1.tiles }
    let bytes = zooms.reduce(0) { $0 + $1.bytes }
    var lines = [
      "\(file): map tiles",
      fact("tiles", "\(grouped(tiles)) with \(byteSize(bytes))"),
    ]
    for zoom in zooms {
      let features = zoom.features.sorted { $0.key < $1.key }
        .map { ", \($0.key) \(grouped($0.value))" }.joined()
      lines.append(
        fact(
          "zoom \(zoom.zoom)",
          "\(counted(zoom.tiles, "tile")) with \(byteSize(zoom.bytes)), at most "
            + "\(byteSize(zoom.largestBytes))\(features)"))
    }
    return lines + ["metadata"]
      + metadata.filter { $0.key != "json" }.sorted { $0.key < $1.key }
      .map { fact($0.key, $0.value) }
  }
}
