// SPDX-License-Identifier: Apache-2.0
import Tiles

/// Vector tiles and directories of archives.
let tileTargets: [FuzzTarget] = [
  FuzzTarget("vectortile", seeds: { [vectorTile()] }) { bytes in
    let unpacker = try GzipUnpacker()
    try expectTypedError { try VectorTile(bytes, unpacker: unpacker) }
  },
  FuzzTarget("tiledirectory", seeds: { [PMTilesDirectory.encode(directory[...])] }) { bytes in
    guard let entries = PMTilesDirectory.decode(bytes) else { return }
    let again = PMTilesDirectory.encode(entries[...]).withUnsafeBytes(PMTilesDirectory.decode)
    try expect(again == entries, "written and read again, it differs")
  },
  FuzzTarget("pmtiles") { bytes in
    try withFile(bytes, named: "map.pmtiles") { path in
      try expectTypedError {
        var tiles = 0
        let file = try PMTilesFile(path)
        // A forged run may have any number of tiles.
        guard file.directory.reduce(0, { $0 + Int($1.run) }) < 10_000 else { return }
        try file.forEachTile { _, _ in tiles += 1 }
      }
    }
  },
]

private let directory: [PMTilesDirectory.Entry] = [
  .init(tile: 0, offset: 0, length: 10, run: 1), .init(tile: 5, offset: 10, length: 300, run: 4),
  .init(tile: 70_000, offset: 0, length: 10, run: 1),
  .init(tile: 70_002, offset: 4000, length: 1, run: 0),
]

private func vectorTile() -> [UInt8] {
  var words = TileVocabulary()
  let attributes = [
    (words.key("highway"), words.value("path")), (words.key("ele"), words.value(7)),
  ]
  var encoder = VectorTileEncoder(words)
  encoder.beginLayer()
  encoder.beginFeature(.lines, attributes: attributes)
  [TilePoint(x: -3, y: 0), .init(x: 10, y: 4160), .init(x: 500, y: 2)]
    .withUnsafeBufferPointer { encoder.addLine($0) }
  encoder.endFeature()
  encoder.endLayer("trails")
  return encoder.finish()
}
