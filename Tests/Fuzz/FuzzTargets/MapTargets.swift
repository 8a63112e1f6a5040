// SPDX-License-Identifier: Apache-2.0
import OSMInput
import TrailData

/// Map data, regions and the containers between stages.
let mapTargets: [FuzzTarget] = [
  // A whole PBF file: framing, blobs, and their content.
  FuzzTarget("pbf") { bytes in
    try withFile(bytes, named: "map.osm.pbf") { try readPBF($0) }
  },
  // The content of one block, so that the fuzzer needs neither compression nor sizes of blobs.
  FuzzTarget("block") { bytes in
    try withFile(bytes, named: "map.osm.pbf", prefix: blockPrefix(bytes.count)) { extract in
      try readPBF(extract)
      try smallChange.withUnsafeBytes { smallChange in
        try withFile(smallChange, named: "1.osc") { path in
          try expectTypedError { try PBFParser(extract, changes: [path], threads: 2).parse() }
        }
      }
    }
  },
  FuzzTarget("xml") { bytes in
    try withFile(bytes, named: "map.osm") { path in
      try expectTypedError { try OverpassParser(path).parse() }
    }
  },
  FuzzTarget("changes") { bytes in
    try smallExtract.withUnsafeBytes { smallExtract in
      try withFile(smallExtract, named: "map.osm.pbf") { extract in
        try withFile(bytes, named: "1.osc") { path in
          try expectTypedError { try PBFParser(extract, changes: [path], threads: 2).parse() }
        }
      }
    }
  },
  FuzzTarget("region") { bytes in
    try withFile(bytes, named: "region.geojson") { path in
      try expectTypedError { try RegionFile.read(path) }
    }
  },
  FuzzTarget("container") { bytes in
    try withFile(bytes, named: "map.trails") { path in
      try expectTypedError { try TrailsFile(path) }
      try expectTypedError { try GraphFile(path) }
    }
  },
]

/// Extract and survey decode the same file by code of their own; both must count the same objects.
private func readPBF(_ path: String) throws {
  let extract = try expectTypedError { try PBFParser(path, threads: 2).parse() }
  let survey = try expectTypedError {
    try PBFSurvey(path, tallying: ["highway"], threads: 2)
  }
  guard let extract, let survey else { return }
  try expect(extract.counts.nodes == survey.nodes.count, "nodes are counted differently")
  try expect(extract.counts.ways == survey.ways.count, "ways are counted differently")
  try expect(
    extract.counts.relations == survey.relations.count, "relations are counted differently")
}

/// Changes of a node, a way and a relation, whose ids are 1, 3 and 4, in version 2.
private let smallChange = Array(
  """
  <osmChange><modify><node id="1" version="2" lat="1" lon="1"/><way id="3" version="2"/>
  <relation id="4" version="2"/></modify></osmChange>
  """.utf8)

/// An extract of one path between two nodes, whose ids are 1, 2 and 3, all in version 2.
private let smallExtract: [UInt8] = {
  let texts = field(1, ["", "highway", "path"].flatMap { field(1, Array($0.utf8)) })
  let nodes =
    field(1, [2, 2]) + field(5, field(1, [2, 2])) + field(8, [2, 2]) + field(9, [2, 2])
  let way =
    [0x08, 3] + field(2, [1]) + field(3, [2]) + field(4, [0x08, 2]) + field(8, [2, 2])
  let block = texts + field(2, field(2, nodes)) + field(2, field(3, way))
  return blockPrefix(block.count) + block
}()

/// What precedes the content of a block of `count` bytes in a PBF file: the header blob, and the
/// framing of a blob that is not compressed.
private func blockPrefix(_ count: Int) -> [UInt8] {
  let header = field(4, Array("OsmSchema-V0.6".utf8)) + field(4, Array("DenseNodes".utf8))
  let blob = [0x0a] + varint(count)
  return frame("OSMHeader", field(1, header), size: field(1, header).count)
    + frame("OSMData", blob, size: blob.count + count)
}

private func frame(_ type: String, _ blob: [UInt8], size: Int) -> [UInt8] {
  let header = field(1, Array(type.utf8)) + [0x18] + varint(size)
  return [0, 0, 0, UInt8(truncatingIfNeeded: header.count)] + header + blob
}

private func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
  [number << 3 | 2] + varint(content.count) + content
}

private func varint(_ value: Int) -> [UInt8] {
  var rest = value
  var bytes: [UInt8] = []
  while rest >= 0x80 {
    bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
    rest >>= 7
  }
  return bytes + [UInt8(truncatingIfNeeded: rest)]
}
