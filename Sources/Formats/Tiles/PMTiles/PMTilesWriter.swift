// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import JSONKit
import SystemIO

/// Writes a clustered PMTiles file: the contents in the order of the tiles on the Hilbert curve, each
/// once.
struct PMTilesWriter {
  /// The number of entries of a leaf directory, which a client reads as a whole.
  private static let leafEntries = 4096

  private let tiles: TileCollection
  private let metadata: TileMetadata
  /// Contents in the order of storage.
  private var order: [Int] = []
  private var entries: [PMTilesDirectory.Entry] = []
  private var header = PMTilesHeader()

  init(_ tiles: TileCollection, _ metadata: TileMetadata) {
    self.tiles = tiles
    self.metadata = metadata
    addEntries()
    header.addressedTiles = UInt64(tiles.tiles.count)
    header.tileEntries = UInt64(entries.count)
    header.tileContents = UInt64(order.count)
    header.tileType =
      metadata.content == .vector ? PMTilesHeader.Code.vector : PMTilesHeader.Code.png
    header.tileCompression =
      metadata.content == .vector ? PMTilesHeader.Code.gzip : PMTilesHeader.Code.plain
    header.zooms = (
      UInt8(clamping: metadata.zooms.lowerBound), UInt8(clamping: metadata.zooms.upperBound)
    )
    let bounds = metadata.bounds
    header.bounds = [bounds.west, bounds.south, bounds.east, bounds.north].map(Self.fixed)
    header.centreZoom = UInt8(clamping: metadata.centreZoom)
    header.centre = [metadata.centre.longitude, metadata.centre.latitude].map(Self.fixed)
  }

  private static func fixed(_ degrees: Double) -> Int32 {
    Int32(exactly: (degrees * 1e7).rounded()) ?? 0
  }

  private mutating func addEntries() {
    var offsets = [UInt64?](repeating: nil, count: tiles.contentCount)
    var end: UInt64 = 0
    let sorted = tiles.tiles.map { (id: $0.id.hilbertID, content: $0.content) }
      .sorted { $0.id < $1.id }
    var last: Int?
    for tile in sorted {
      if let run = entries.last?.run, last == tile.content,
        entries[entries.count - 1].tile + UInt64(run) == tile.id
      {
        entries[entries.count - 1].run += 1
        continue
      }
      let length = tiles.content(tile.content).count
      if offsets[tile.content] == nil {
        offsets[tile.content] = end
        order.append(tile.content)
        end += UInt64(length)
      }
      entries.append(
        .init(
          tile: tile.id, offset: offsets[tile.content] ?? 0, length: UInt32(clamping: length),
          run: 1))
      last = tile.content
    }
    header.tiles.length = end
  }

  consuming func write(to output: AtomicOutput) throws(CairnError) {
    let packer = try GzipPacker()
    let json = Array(packer.pack(try metadataJSON()))
    let (root, leaves) = directories(packer)
    header.root = .init(
      offset: UInt64(PMTilesHeader.byteCount), length: UInt64(root.count))
    header.metadata = .init(
      offset: header.root.offset + header.root.length, length: UInt64(json.count))
    header.leaves = .init(
      offset: header.metadata.offset + header.metadata.length, length: UInt64(leaves.count))
    header.tiles.offset = header.leaves.offset + header.leaves.length
    for part in [header.bytes, root, json, leaves] { try output.write(part) }
    for content in order {
      try tiles.content(content).withUnsafeBufferPointer { bytes throws(CairnError) in
        try output.write(UnsafeRawBufferPointer(bytes))
      }
    }
  }

  /// The root directory, and leaves if it would not fit in the first bytes.
  private func directories(_ packer: GzipPacker) -> (root: [UInt8], leaves: [UInt8]) {
    let single = Array(packer.pack(PMTilesDirectory.encode(entries[...])))
    let limit = PMTilesHeader.firstBytes - PMTilesHeader.byteCount
    if single.count <= limit { return (single, []) }
    var size = Self.leafEntries
    while true {
      var roots: [PMTilesDirectory.Entry] = []
      var leaves: [UInt8] = []
      for start in stride(from: 0, to: entries.count, by: size) {
        let part = entries[start..<min(entries.count, start + size)]
        let leaf = packer.pack(PMTilesDirectory.encode(part))
        roots.append(
          .init(
            tile: entries[start].tile, offset: UInt64(leaves.count),
            length: UInt32(clamping: leaf.count), run: 0))
        leaves += leaf
      }
      let root = Array(packer.pack(PMTilesDirectory.encode(roots[...])))
      if root.count <= limit || size > entries.count { return (root, leaves) }
      size *= 2
    }
  }

  private func metadataJSON() throws(CairnError) -> [UInt8] {
    var object: [String: JSONValue] = metadata.further.mapValues { .text($0) }
    object["name"] = .text(metadata.name)
    object["description"] = .text(metadata.description)
    object["attribution"] = metadata.attribution.map { .text($0) }
    object["type"] = .text(metadata.isOverlay ? "overlay" : "baselayer")
    object["version"] = "1"
    if metadata.content == .vector { object["vector_layers"] = metadata.vectorLayers }
    return try encodeJSON(JSONValue.object(object), pretty: false).dropLast()
  }
}
