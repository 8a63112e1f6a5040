// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting
import Tiles

/// The contents of an archive of map tiles: how many tiles and bytes each zoom has, and how many
/// features of each layer.
struct TileListing: Listing {
  private struct Zoom: Encodable {
    var zoom: Int
    var tiles = 0
    var bytes = 0
    var largestBytes = 0
    /// By layer; empty for pictures.
    var features: [String: Int] = [:]
  }

  private let file: String
  private let zooms: [Zoom]
  private let metadata: [String: String]

  init(_ path: String) throws(CairnError) {
    file = path
    let archive = try openTileArchive(path)
    metadata = archive.entries
    let isVector = metadata["format"] == TileMetadata.Content.vector.rawValue
    let unpacker = try GzipUnpacker()
    var found: [Int: Zoom] = [:]
    try archive.forEachTile { id, bytes throws(CairnError) in
      var zoom = found[id.zoom] ?? Zoom(zoom: id.zoom)
      zoom.tiles += 1
      zoom.bytes += bytes.count
      zoom.largestBytes = max(zoom.largestBytes, bytes.count)
      if isVector {
        do throws(CairnError) {
          for layer in try VectorTile(bytes, unpacker: unpacker).layers {
            zoom.features[layer.name, default: 0] += layer.features.count
          }
        } catch {
          var error = error
          error.location = Location(file: path, .object("tile \(id)"))
          throw error
        }
      }
      found[id.zoom] = zoom
    }
    zooms = found.keys.sorted().compactMap { found[$0] }
  }

  var lines: [String] {
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
