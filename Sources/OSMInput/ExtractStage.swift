// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import StageKit
import SystemIO
import TrailData

/// What the two commands that read OpenStreetMap files have in common.
enum ExtractStage {
  static func options(input: String) -> [CommandDefinition.Option] {
    [
      .option("input", "FILE", letter: "i", required: true, help: input),
      .option("output", "FILE", letter: "o", required: true, help: "the .trails file to write"),
      .option(
        "bbox", "W,S,E,N",
        help: "keep the ways that touch this box; where W is greater than E it crosses the "
          + "antimeridian"),
      .option(
        "polygon", "FILE.geojson", help: "keep the ways that touch the polygons of this file"),
    ]
  }

  private static func region(_ arguments: Arguments) throws(CairnError) -> Region {
    if let text = arguments.value("bbox") {
      guard arguments.value("polygon") == nil else {
        throw arguments.usageError("--bbox and --polygon exclude each other")
      }
      guard let box = BoundingBox(commandLine: text) else {
        throw arguments.usageError(
          "--bbox takes west,south,east,north in degrees, not “\(text)”")
      }
      return Region(box)
    }
    if let path = arguments.value("polygon") { return try RegionFile.read(path) }
    return .everything
  }

  /// Runs such a command: `open` opens the input and returns what reads it.
  static func run(
    _ stage: StageRun,
    _ open: (String, Region) throws(CairnError) -> (
      @Sendable () throws(CairnError) -> OSMExtract
    )
  ) throws(CairnError) -> ExitCode {
    let path = try stage.arguments.required("input")
    let region = try region(stage.arguments)
    let parse = try open(path, region)
    let bytes = try InputFile(path).size
    let (extract, digest) = try concurrently(
      threads: stage.threads, parse, { () throws(CairnError) in try SHA256Digest.ofFile(path) })
    let source = Provenance.Source(name: splitPath(path).name, sha256: digest, bytes: bytes)
    return try finish(stage, extract, from: source, region: region)
  }

  /// Writes an extract and fills in the report.
  private static func finish(
    _ stage: StageRun, _ extract: OSMExtract, from source: Provenance.Source, region: Region
  ) throws(CairnError) -> ExitCode {
    let content = extract.content
    let counts = extract.counts
    stage.input = [
      "bytes": .integer(source.bytes), "nodes": .integer(counts.nodes),
      "ways": .integer(counts.ways), "relations": .integer(counts.relations),
      "highways": .integer(counts.highways), "sacScales": .integer(counts.sacScales),
    ]
    stage.input["dataTimestamp"] = extract.dataTimestamp.map { .text($0) }
    stage.output = [
      "nodes": .integer(content.nodeIDs.count), "ways": .integer(content.wayIDs.count),
      "refs": .integer(content.refs.count),
      "taggedNodes": .integer(content.taggedNodes.count),
    ]
    stage.warnings.merge(extract.warnings)
    let provenance = Provenance(
      tool: "cairn \(cairnVersion)", source: source, dataTimestamp: extract.dataTimestamp,
      region: region.name,
      counts: ["ways": content.wayIDs.count, "nodes": content.nodeIDs.count])
    try content.write(to: try stage.arguments.required("output"), provenance: provenance)
    stage.summary =
      "kept \(grouped(content.wayIDs.count)) of \(grouped(counts.ways)) ways and "
      + "\(grouped(content.nodeIDs.count)) of \(grouped(counts.nodes)) nodes"
    return .success
  }
}
