// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import StageKit
import TrailData

/// `cairn-sample-elevation`: gives every node of a `.trails` file its elevation.
public enum SampleElevationCommand: StageCommand {
  /// Below this share of nodes with an elevation the stage warns.
  static let expectedCoverage = 0.95

  /// Name, options and help.
  public static let stageDefinition = CommandDefinition(
    name: "cairn-sample-elevation",
    summary: "give every node of a .trails file its elevation from HGT tiles",
    discussion: """
      Each folder holds tiles such as N42E001.hgt, .hgt.gz or .hgt.zip, 3″ or 1″. A point is \
      looked up in the folders in their order; the first that knows it answers, bilinear between \
      four posts. A point that none knows has no elevation and is counted.
      """,
    options: [
      .option("input", "FILE.trails", required: true, help: "the ways and nodes of a region"),
      .option(
        "hgt", "FOLDER", repeats: true, required: true,
        help: "a folder of HGT tiles, the preferred one first"),
      .option(
        "output", "FILE.elevated", required: true,
        help: "the same with an elevation for every node"),
      .option(
        "tile-cache-mib", "N",
        help: "memory for tiles that may be needed again, in MiB (default 128)"),
    ],
    examples: [
      "cairn-sample-elevation --input valley.trails --hgt sonny --hgt srtm --output valley.elevated"
    ])

  /// Does the work and fills in the report.
  public static func run(_ stage: StageRun) throws -> ExitCode {
    let cacheMiB = try stage.arguments.integer("tile-cache-mib", in: 0...(1 << 20))
    let trails = try TrailsFile(try stage.arguments.required("input"))
    stage.input = [
      "nodes": .integer(trails.nodeIDs.count), "ways": .integer(trails.wayIDs.count),
    ]
    let manager = try ElevationDataManager(
      folders: stage.arguments.all("hgt"),
      cacheBytes: cacheMiB.map { $0 << 20 } ?? ElevationDataManager.defaultCacheBytes)
    let batch = try sample(trails, manager, stage)
    warn(about: batch, of: manager, stage)
    var provenance = trails.container.provenance
    provenance.tool = "cairn \(cairnVersion)"
    provenance.elevationTiles = Set(batch.tiles.map(\.file)).sorted()
    provenance.counts["nodesWithElevation"] = batch.knownCount
    try trails.writeElevated(
      batch.elevations, to: try stage.arguments.required("output"), provenance: provenance)
    report(batch, stage)
    return .success
  }

  private static func sample(
    _ trails: TrailsFile, _ manager: ElevationDataManager, _ stage: StageRun
  ) throws(CairnError) -> ElevationBatch {
    let progress = stage.progress
    progress.begin("sampling elevation", total: trails.nodeIDs.count)
    return try trails.latitudes.withUnsafeElements { latitudes throws(CairnError) in
      try trails.longitudes.withUnsafeElements { longitudes throws(CairnError) in
        try manager.elevations(
          latitudes: latitudes, longitudes: longitudes, threads: stage.threads,
          advance: progress.advance)
      }
    }
  }

  private static func warn(
    about batch: ElevationBatch, of manager: ElevationDataManager, _ stage: StageRun
  ) {
    let nodes = batch.elevations.count
    let needed = Set(batch.tiles.map(\.tile) + batch.gaps.map(\.tile))
    for source in manager.sources {
      stage.warnings.merge(source.warnings)
      if nodes > 0, source.tiles.allSatisfy({ !needed.contains($0) }) {
        stage.warnings.add("no-tile", "\(source.folder) has no tile of this region")
      }
    }
    stage.warnings.merge(batch.warnings)
    for gap in batch.gaps {
      if gap.isMissing {
        stage.warnings.add("missing-tile", "\(gap.tile), \(grouped(gap.points)) nodes")
      } else {
        stage.warnings.add(
          "void", count: gap.points, examples: ["\(grouped(gap.points)) nodes in \(gap.tile)"])
      }
    }
    if batch.knownCount == 0, nodes > 0 {
      stage.warnings.add(
        "no-elevation", count: nodes,
        examples: ["NO NODE HAS AN ELEVATION: gain, loss and slopes will be unknown"])
    } else if batch.coverage < expectedCoverage {
      stage.warnings.add(
        "low-coverage", count: nodes - batch.knownCount,
        examples: ["only \(percent(batch.coverage)) of the nodes have an elevation"])
    }
  }

  private static func report(_ batch: ElevationBatch, _ stage: StageRun) {
    let nodes = batch.elevations.count
    let range = batch.range
    stage.output = [
      "withElevation": .integer(batch.knownCount),
      "withoutElevation": .integer(nodes - batch.knownCount),
      "coverage": .number(batch.coverage),
      "minimumMetres": centimetres(range?.lowerBound),
      "maximumMetres": centimetres(range?.upperBound),
      "tiles": .list(
        batch.tiles.map {
          .object([
            "tile": .text($0.tile.description), "file": .text($0.file),
            "source": .integer($0.source), "nodes": .integer($0.points),
          ])
        }),
    ]
    var parts = ["\(grouped(batch.knownCount)) of \(grouped(nodes)) nodes have an elevation"]
    if let range {
      parts.append("\(wholeMetres(range.lowerBound))…\(wholeMetres(range.upperBound)) m")
      parts.append(
        "from \(grouped(batch.tiles.count)) \(batch.tiles.count == 1 ? "tile" : "tiles")")
    }
    stage.summary = parts.joined(separator: ", ")
  }

  /// To the centimetre: more digits would only show how a Float is stored.
  private static func centimetres(_ metres: Float?) -> JSONValue {
    metres.map { .number((Double($0) * 100).rounded() / 100) } ?? .null
  }

  private static func wholeMetres(_ metres: Float) -> String { grouped(Int(metres.rounded())) }

  /// Rounded down, so that only everything is 100 %.
  private static func percent(_ share: Double) -> String { "\(Int(share * 100)) %" }
}
