// SPDX-License-Identifier: Apache-2.0
import PNG
import Tiles
import Validation

/// Vector tiles and directories of archives.
let tileTargets: [FuzzTarget] = [
  FuzzTarget("vectortile", seeds: { [vectorTile()] }) { bytes in
    let unpacker = try GzipUnpacker()
    try expectTypedError { try VectorTile(bytes, unpacker: unpacker) }
  },
  FuzzTarget("tilepicture", seeds: pictures) { bytes in
    let unpacker = try GzipUnpacker(total: 1 << 24)
    try expectTypedError { try TilePicture.check(bytes, unpacker: unpacker) }
  },
  FuzzTarget("tiledirectory", seeds: { [PMTilesDirectory.encode(directory[...])] }) { bytes in
    guard let entries = PMTilesDirectory.decode(bytes) else { return }
    let again = PMTilesDirectory.encode(entries[...]).withUnsafeBytes(PMTilesDirectory.decode)
    try expect(again == entries, "written and read again, it differs")
  },
  FuzzTarget("pmtiles") { bytes in
    try withFile(bytes, named: "map.pmtiles") { try validate($0) }
  },
  FuzzTarget("mbtiles", seeds: { [try smallArchive()] }) { bytes in
    try withFile(bytes, named: "map.mbtiles") { try validate($0) }
  },
]

/// Checks an archive by all rules, and looks a tile up.
private func validate(_ path: String) throws {
  try expectTypedError {
    let report = try TileValidator(path).run()
    try expect(report.checks.allSatisfy { $0.count >= 0 }, "a rule is breached less than never")
  }
  try expectTypedError {
    guard let id = TileID(zoom: 1, column: 1, row: 0) else { return }
    try openTileArchive(path).withTile(id) { _ in }
  }
}

/// A picture with opacity and one of few colours.
@Sendable private func pictures() -> [[UInt8]] {
  let colours = (0..<9).map { PNGImage.Colour(red: $0, green: 100, blue: 200) }
  return [PNGImage.Form.greyAlpha, .palette(colours)].compactMap { form in
    let pixels = (0..<20 * 5 * form.channels).map { UInt8($0 % 9) }
    return PNGImage(width: 20, height: 5, form: form, pixels: pixels)?.file
  }
}

/// An MBTiles file of two tiles with one content.
private func smallArchive() throws -> [UInt8] {
  var tiles = TileCollection()
  for row in 0...1 {
    guard let id = TileID(zoom: 1, column: 1, row: row) else { continue }
    vectorTile().withUnsafeBytes { tiles.add(id, $0) }
  }
  var metadata = TileMetadata(
    name: "Valley", description: "A seed", content: .vector, bounds: .world, zooms: 1...1,
    attribution: "Nobody")
  metadata.layers = [.init(id: "trails", description: "Ways", zooms: 1...1, fields: [:])]
  return try MBTiles.file(tiles, metadata)
}

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
