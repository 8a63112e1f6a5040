// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import SystemIO
import Tiles
import TrailData

/// Makes vector tiles of ways, waymarked routes and points of interest, the same for any number of
/// threads.
package struct TrailTileBuilder {
  /// The number of tiles that a thread encodes at a time.
  private static let blockTiles = 16

  private let trails: TrailsFile
  private let zooms: ClosedRange<Int>
  private let threads: Int
  /// The region's name, if known.
  package var regionName: String?

  /// Prepares to make tiles for zooms within ``ZoomRules/possibleZooms``.
  package init(
    _ trails: TrailsFile, zooms: ClosedRange<Int> = ZoomRules.standardZooms, threads: Int = 1
  ) {
    self.trails = trails
    self.zooms = zooms.clamped(to: ZoomRules.possibleZooms)
    self.threads = threads
  }

  /// The tiles, in the order of their zooms, columns and rows.
  package func tiles() throws(CairnError) -> TileCollection {
    let features = TileFeatures(trails, zooms: zooms)
    let ways = TileWays(trails, threads: threads)
    // The highest zoom takes longest and begins first.
    let order = Array(zooms.reversed())
    let pieces = mapBlocks(of: order.count, size: 1, threads: threads) { block in
      block.map { ZoomPieces(zoom: order[$0], features, ways) }
    }
    let zooms = pieces.flatMap { $0 }.reversed() as [ZoomPieces]
    let tiles = zooms.indices.flatMap { zoom in
      (0..<zooms[zoom].tileCount).map { (zoom: zoom, tile: $0) }
    }
    let blocks = mapBlocks(of: tiles.count, size: Self.blockTiles, threads: threads) { block in
      Result { () throws(CairnError) in
        var encoder = TileEncoding(features)
        let packer = try GzipPacker()
        var ends: [Int] = []
        var bytes: [UInt8] = []
        for index in block {
          bytes += packer.pack(encoder.encode(tiles[index].tile, of: zooms[tiles[index].zoom]))
          ends.append(bytes.count)
        }
        return (bytes: bytes, ends: ends)
      }
    }
    var collection = TileCollection()
    var index = 0
    for block in blocks {
      let (bytes, ends) = try block.get()
      var start = 0
      for end in ends {
        let zoom = zooms[tiles[index].zoom]
        let tile = zoom.pieces[zoom.tileStarts[tiles[index].tile]].tile
        if let id = TileID(zoom: zoom.zoom, column: Int(tile >> 16), row: Int(tile & 0xFFFF)) {
          bytes[start..<end].withUnsafeBytes { collection.add(id, $0) }
        }
        start = end
        index += 1
      }
    }
    return collection
  }

  /// The metadata of the archive.
  package func metadata() -> TileMetadata {
    let provenance = trails.container.provenance
    let name = regionName.map { "\($0): trails" } ?? "Trails"
    var metadata = TileMetadata(
      name: name,
      description: "Trails, waymarked routes and points of interest, for hiking maps",
      content: .vector, bounds: box(), zooms: zooms, attribution: Provenance.attribution)
    metadata.layers = TileFeatures.metadata(zooms: zooms)
    metadata.further = [
      "generator": provenance.tool, "license": Provenance.licence,
      "osm_data_date": provenance.dataTimestamp ?? "unknown",
    ]
    return metadata
  }

  /// The box around everything; nil if there is nothing.
  private func box() -> BoundingBox? {
    let points = trails.pointsOfInterest
    var box = GrowingBox()
    for (latitudes, longitudes) in [
      (trails.latitudes, trails.longitudes), (points.latitudes, points.longitudes),
    ] {
      for index in latitudes.indices {
        box.add(
          FixedCoordinate(latitude: latitudes[index], longitude: longitudes[index]).degrees)
      }
    }
    return box.box
  }
}

/// Encodes tiles one after another.
private struct TileEncoding {
  private let features: TileFeatures
  private var encoder: VectorTileEncoder

  init(_ features: TileFeatures) {
    self.features = features
    encoder = VectorTileEncoder(features.vocabulary)
  }

  /// A tile without compression.
  mutating func encode(_ tile: Int, of zoom: ZoomPieces) -> [UInt8] {
    let pieces = zoom.pieces[zoom.tileStarts[tile]..<zoom.tileStarts[tile + 1]]
    var index = pieces.startIndex
    for (layer, name) in TileFeatures.layers.enumerated() {
      encoder.beginLayer()
      while index < pieces.endIndex, pieces[index].feature >> TilePiece.layerShift == layer {
        let feature = pieces[index].feature
        encoder.beginFeature(
          layer == 2 ? .points : .lines,
          attributes: features.tables[layer].attributes(
            feature & (1 << TilePiece.layerShift - 1)))
        index = add(pieces, from: index, feature, isPoints: layer == 2, zoom.points)
        encoder.endFeature()
      }
      encoder.endLayer(name)
    }
    return encoder.finish()
  }

  /// Adds the geometry of all pieces of a feature; returns the index of the next piece.
  private mutating func add(
    _ pieces: ArraySlice<TilePiece>, from start: Int, _ feature: UInt32, isPoints: Bool,
    _ points: [TilePoint]
  ) -> Int {
    var index = start
    while index < pieces.endIndex, pieces[index].feature == feature { index += 1 }
    points.withUnsafeBufferPointer { points in
      if isPoints {
        let all = pieces[start..<index].map { points[$0.start] }
        all.withUnsafeBufferPointer { encoder.addPoints($0) }
        return
      }
      for piece in pieces[start..<index] {
        encoder.addLine(
          UnsafeBufferPointer(rebasing: points[piece.start..<piece.start + piece.count]))
      }
    }
    return index
  }
}
