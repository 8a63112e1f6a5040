// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import SystemIO
import Tiles

/// `cairn sample`: writes the sample data to a folder.
package struct SampleCommand: Command {
  /// The options of the command.
  package static let definition = CommandDefinition(
    name: "cairn sample",
    summary: "write synthetic sample data of a fictional alpine valley",
    discussion:
      "Writes the same map as valley.osm.pbf and valley.osm.gz, its terrain as "
      + "hgt/N47E010.hgt.zip (and, coarser but without voids, hgt-coarse/N47E010.hgt.zip), and the "
      + "boundary of its eastern region as east.geojson, and a base map, valley.mbtiles. The same seed gives the same bytes on "
      + "every machine. Earlier sample data in the folder is overwritten; other files are never "
      + "touched.",
    options: [
      .option("output", "DIR", required: true, help: "folder to write to; created if missing"),
      .option("seed", "N", help: "seed of the terrain (default 1)"),
    ],
    examples: ["cairn sample --output sample-data"])

  /// Generates the data and writes it. Throws 64, 73 or 74.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let folder = try arguments.required("output")
    let seed = try arguments.integer("seed", in: 0...Int(Int32.max)) ?? 1
    let world = SampleWorld(seed: UInt64(seed))
    let files = try SampleFile.all(of: world)
    for file in files { try file.write(to: folder) }
    let total = files.reduce(0) { $0 + $1.bytes.count }
    Console.note(
      "cairn sample: \(grouped(world.nodes.count)) nodes, \(grouped(world.ways.count)) ways, "
        + "\(grouped(world.relations.count)) relations, \(byteSize(total)) in \(folder)")
    return .success
  }
}

/// One file of the sample data.
struct SampleFile: Sendable {
  /// Its path within the folder.
  let name: String
  let bytes: [UInt8]
  /// Whether a file with these first bytes is an earlier version of this file.
  let recognises: @Sendable ([UInt8]) -> Bool

  /// Writes it to a folder, replacing an earlier version. Throws 73 or 74.
  func write(to folder: String) throws(CairnError) {
    let path = joinPath(folder, name)
    try makeFolders(splitPath(path).folder)
    try AtomicOutput.write(bytes, to: path, replacing: recognises)
  }

  /// All files of a world.
  static func all(of world: SampleWorld) throws(CairnError) -> [SampleFile] {
    let tile = "\(TileWriter.memberName).zip"
    return [
      SampleFile(name: "valley.osm.pbf", bytes: PBFWriter.file(world)) { head in
        contains(head, "OSMHeader") && contains(head, PBFWriter.programName)
      },
      SampleFile(
        name: "valley.osm.gz",
        bytes: Deflate.gzipFile(OverpassWriter.file(world), name: "valley.osm")
      ) { $0.starts(with: Deflate.gzipHead(name: "valley.osm")) },
      SampleFile(
        name: "hgt/\(tile)", bytes: TileWriter.zipFile(TileWriter.fineTile(world.terrain)),
        recognises: TileWriter.isZip),
      SampleFile(
        name: "hgt-coarse/\(tile)",
        bytes: TileWriter.zipFile(TileWriter.coarseTile(world.terrain)),
        recognises: TileWriter.isZip),
      SampleFile(name: "east.geojson", bytes: Array(eastGeoJSON.utf8)) {
        contains($0, "\"Feature\"") && contains($0, "valley-east")
      },
      SampleFile(
        name: "valley.mbtiles", bytes: try BaseMapWriter.file(world),
        recognises: MBTiles.recognises),
    ]
  }

  private static func contains(_ head: [UInt8], _ text: String) -> Bool {
    head.firstRange(of: Array(text.utf8)) != nil
  }

  /// The eastern box as a polygon; RFC 7946 requires a closed, counter-clockwise ring.
  private static var eastGeoJSON: String {
    let box = SampleWorld.eastBox
    let corners = [
      (box.west, box.south), (box.east, box.south), (box.east, box.north), (box.west, box.north),
      (box.west, box.south),
    ]
    let ring = corners.map { "[\($0.0), \($0.1)]" }.joined(separator: ", ")
    return """
      {
        "type": "Feature",
        "properties": { "id": "valley-east", "name": "Valley East" },
        "geometry": { "type": "Polygon", "coordinates": [[\(ring)]] }
      }

      """
  }
}
