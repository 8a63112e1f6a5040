// SPDX-License-Identifier: Apache-2.0

import CairnAlgorithms
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CommandLineKit
import SystemIO
import TrailData

/// `cairn-sample-elevation`: adds elevations to the ways of a `.trails` file, or makes the tiles for that
/// out of rasters.
package enum SampleElevationCommand: StageCommand {
  /// Below this share of nodes with an elevation the stage warns.
  static let expectedCoverage = 0.95

  /// Name, options and help.
  package static let stageDefinition = CommandDefinition(
    name: "cairn-sample-elevation",
    summary: "add elevations from HGT tiles to the ways of a .trails file",
    discussion: """
      Each folder contains tiles such as N42E001.hgt, .hgt.gz or .hgt.zip, 3″ or 1″. A point gets \
      the elevation from the first folder with data, interpolated bilinearly between four posts. \
      Points without data have no elevation and are counted.

      Samples are added between distant nodes, so that no step is longer than --step-metres. \
      Elevations of bridges, tunnels and ferries are interpolated linearly from end to end. All \
      elevations are smoothed along the way over ± --smoothing-metres; rises and falls below \
      --threshold-metres, or up to four times that where the terrain is steep across the way, are \
      removed. Terrain around peaks with an ele tag is raised to that elevation.

      With --tile, makes an HGT tile from rasters of any format and projection that GDAL \
      (gdal-bin) reads, such as GeoTIFFs. Applies their unit, scale and missing values, and never \
      produces finer tiles than the rasters. With --hgt, the tile blends into these tiles where \
      the rasters end.
      """,
    options: [
      .option("input", "FILE.trails", help: "the .trails file of a region"),
      .option(
        "hgt", "FOLDER", repeats: true,
        help: "a folder of HGT tiles, or the file of one; the first one takes precedence"),
      .option(
        "output", "FILE", required: true,
        help: "the file to write: .elevated, with elevations for all nodes and samples, or .hgt"),
      .option(
        "smoothing-metres", "M",
        help: "distance along the way to smooth elevations over, 0 for none "
          + "(default \(plain(ElevationCleaning.standard.smoothingMetres)))"),
      .option(
        "threshold-metres", "M",
        help: "smallest rise or fall to keep on gentle terrain, 0 for all "
          + "(default \(plain(ElevationCleaning.standard.thresholdMetres)))"),
      .option(
        "step-metres", "M",
        help: "maximum distance between two samples "
          + "(default \(plain(ElevationCleaning.standard.stepMetres)))"),
      .option(
        "tile-cache-mib", "N",
        help: "memory for cached tiles in MiB (default 128)"),
      .flag("every-tile", help: "fail if a way on the ground lies in a missing tile"),
    ] + tileOptions,
    examples: [
      "cairn-sample-elevation --input valley.trails --hgt sonny --hgt srtm --output valley.elevated",
      "cairn-sample-elevation --tile N47E010 --raster dem.tif --output N47E010.hgt",
    ])

  /// The options of ways alone.
  private static let wayOptions = [
    "input", "smoothing-metres", "threshold-metres", "step-metres", "tile-cache-mib",
    "every-tile",
  ]

  /// Refuses options of the other kind of output.
  private static func check(_ arguments: Arguments) throws(CairnError) {
    let isOfTile = arguments.has("tile")
    let others = isOfTile ? wayOptions : tileOptions.map(\.name)
    if let other = others.first(where: arguments.has) {
      throw arguments.usageError(
        "--\(other) is for \(isOfTile ? "ways, without" : "tiles, with") --tile")
    }
    if !isOfTile {
      for name in ["input", "hgt"] { _ = try arguments.required(name) }
    }
  }

  private static func plain(_ metres: Double) -> String {
    Int(exactly: metres).map { "\($0)" } ?? "\(metres)"
  }

  /// Runs the stage and fills in the report.
  package static func run(_ stage: StageRun) throws -> ExitCode {
    try check(stage.arguments)
    if let tile = stage.arguments.value("tile") { return try makeTile(tile, stage) }
    let cacheMiB = try stage.arguments.integer("tile-cache-mib", in: 0...(1 << 20))
    let cleaning = try cleaning(stage.arguments)
    let trails = try TrailsFile(
      try stage.arguments.required("input"), threads: stage.threads)
    stage.input = [
      "nodes": .integer(trails.nodeIDs.count), "ways": .integer(trails.wayIDs.count),
    ]
    let manager = try ElevationDataManager(
      folders: stage.arguments.all("hgt"),
      cacheBytes: cacheMiB.map { $0 << 20 } ?? ElevationDataManager.defaultCacheBytes)
    let writer = try ElevatedWriter(trails, to: try stage.arguments.required("output"))
    let region = try SampledRegion.prepare(
      trails, manager, stepMetres: cleaning.stepMetres, threads: stage.threads)
    let cpuBefore = ResourceUse.current().cpuSeconds
    stage.progress.begin("sampling elevation", total: region.points.count)
    let coverage = try region.sample(manager, stage.threads, stage.progress.advance)
    if stage.arguments.has("every-tile") { try coverage.requireEveryTile(trails) }
    let lookupSeconds = ResourceUse.current().cpuSeconds - cpuBefore
    let peaks = region.summits.raise(region.terrain.elevations.elements)
    var cleaner = ElevationCleaner(
      region.network, region.samplePoints, cleaning, threads: stage.threads)
    cleaner.clean(region.terrain)
    let statistics = try ElevationOutput(region).write(
      to: writer, unknownBefore: coverage.unknown, threads: stage.threads)
    let outcome = Outcome(
      nodes: trails.nodeIDs.count, statistics: statistics,
      samples: region.samplePoints.regionCount(region.network),
      tooSteepSteps: cleaner.excessSteps.count, structureNodes: cleaner.structureNodes)
    warn(about: coverage, of: manager, outcome, stage, trails)
    stage.warnings.addTooSteep(cleaner.excessSteps, trails)
    var provenance = trails.container.provenance
    provenance.tool = "cairn \(cairnVersion)"
    provenance.elevationTiles = Set(coverage.tiles.map(\.file)).sorted()
    provenance.counts["nodesWithElevation"] = statistics.knownCount
    provenance.counts["elevationSamples"] = outcome.samples
    try writer.commit(provenance)
    report(coverage, outcome, cleaning, stage)
    stage.output["missingTiles"] = .list(
      coverage.missingTiles(trails).map { .text($0.tile.description) })
    stage.output["lookupCPUSeconds"] = .number(lookupSeconds)
    stage.output["raisedPeaks"] = .integer(peaks.raised)
    stage.output["refusedPeaks"] = .integer(peaks.refused)
    return .success
  }

  private static func cleaning(_ arguments: Arguments) throws(CairnError) -> ElevationCleaning {
    var cleaning = ElevationCleaning.standard
    cleaning.smoothingMetres =
      try arguments.number("smoothing-metres", in: ElevationCleaning.range)
      ?? cleaning.smoothingMetres
    cleaning.thresholdMetres =
      try arguments.number("threshold-metres", in: ElevationCleaning.range)
      ?? cleaning.thresholdMetres
    cleaning.stepMetres =
      try arguments.number("step-metres", in: ElevationCleaning.stepRange) ?? cleaning.stepMetres
    return cleaning
  }

  /// The cleaned elevations of the nodes, and statistics.
  private struct Outcome {
    let nodes: Int
    let statistics: ElevationOutput.Statistics
    let samples: Int
    let tooSteepSteps: Int
    let structureNodes: Int

    var knownCount: Int { statistics.knownCount }
    /// The share of nodes with an elevation, 0…1.
    var coverage: Double { nodes == 0 ? 1 : Double(knownCount) / Double(nodes) }
  }

  private static func warn(
    about batch: TileCoverage, of manager: ElevationDataManager, _ outcome: Outcome,
    _ stage: StageRun, _ trails: TrailsFile
  ) {
    let nodesInGaps = Self.nodes(batch.unknown, trails)
    let nodes = outcome.nodes
    let needed = Set(batch.tiles.map(\.tile) + batch.gaps.map(\.tile))
    for source in manager.sources {
      stage.warnings.merge(source.warnings)
      if nodes > 0, source.isFolder, source.tiles.allSatisfy({ !needed.contains($0) }) {
        stage.warnings.add("no-tile", "\(source.folder) has no tile in this region")
      }
    }
    stage.warnings.merge(batch.warnings)
    for gap in batch.gaps {
      let example = nodesInGaps[gap.tile].map { ", such as \($0)" } ?? ""
      if gap.isMissing {
        stage.warnings.add(
          "missing-tile", severity: Double(gap.points),
          "\(gap.tile): \(Self.pointCount(gap.points))\(example)")
      } else {
        stage.warnings.add(
          "void", count: gap.points, severity: Double(gap.points),
          "\(Self.pointCount(gap.points)) in \(gap.tile)\(example)")
      }
    }
    if outcome.knownCount == 0, nodes > 0 {
      stage.warnings.add(
        "no-elevation", count: nodes,
        examples: ["NO NODE HAS AN ELEVATION: gain, loss and slopes will be unknown"])
    } else if outcome.coverage < expectedCoverage {
      stage.warnings.add(
        "low-coverage", count: nodes - outcome.knownCount,
        examples: [
          "only \(percent(outcome.coverage, comparedWith: expectedCoverage)) of the nodes have an elevation"
        ])
    }
  }

  /// The first node without an elevation in each tile, `node ID at LAT,LON`.
  ///
  /// - Parameter unknown: The points without an elevation, of which those below the number of nodes are
  ///   nodes.
  private static func nodes(_ unknown: [UInt32], _ trails: TrailsFile) -> [ElevationTileID: String]
  {
    var first: [ElevationTileID: Int] = [:]
    for node in unknown.lazy.map(Int.init) where node < trails.nodeIDs.count {
      let tile = ElevationTileID(containing: trails.coordinate(node))
      if let tile, node < first[tile] ?? .max { first[tile] = node }
    }
    return first.mapValues { "node \(trails.nodeIDs[$0]) at \(trails.coordinate($0).text)" }
  }

  private static func pointCount(_ count: Int) -> String {
    "\(grouped(count)) \(count == 1 ? "point" : "points")"
  }

  private static func report(
    _ batch: TileCoverage, _ outcome: Outcome, _ cleaning: ElevationCleaning, _ stage: StageRun
  ) {
    let nodes = outcome.nodes
    stage.output = [
      "withElevation": .integer(outcome.knownCount),
      "withoutElevation": .integer(nodes - outcome.knownCount),
      "coverage": .number(outcome.coverage),
      "minimumMetres": centimetres(outcome.statistics.range?.lowerBound),
      "maximumMetres": centimetres(outcome.statistics.range?.upperBound),
      "samples": .integer(outcome.samples),
      "filledNodes": .integer(outcome.statistics.filledCount),
      "structureNodes": .integer(outcome.structureNodes),
      "tooSteepSteps": .integer(outcome.tooSteepSteps),
      "smoothingMetres": .number(cleaning.smoothingMetres),
      "thresholdMetres": .number(cleaning.thresholdMetres),
      "stepMetres": .number(cleaning.stepMetres),
      "tiles": .list(
        batch.tiles.map {
          .object([
            "tile": .text($0.tile.description), "file": .text($0.file),
            "source": .integer($0.source), "places": .integer($0.points),
          ])
        }),
    ]
    var parts = ["\(grouped(outcome.knownCount)) of \(grouped(nodes)) nodes have an elevation"]
    if let range = outcome.statistics.range {
      parts.append("\(wholeMetres(range.lowerBound))…\(wholeMetres(range.upperBound)) m")
      parts.append(
        "from \(grouped(batch.tiles.count)) \(batch.tiles.count == 1 ? "tile" : "tiles")")
    }
    stage.summary = parts.joined(separator: ", ")
  }

  /// Rounded to the centimetre; further digits would only show Float32 rounding.
  private static func centimetres(_ metres: Float?) -> JSONValue {
    metres.map { .number((Double($0) * 100).rounded() / 100) } ?? .null
  }

  private static func wholeMetres(_ metres: Float) -> String { grouped(Int(metres.rounded())) }
}

extension WarningTally {
  /// Adds the flattened steps, each way by its worst: the one that exceeds a path's possible rise
  /// the most.
  fileprivate mutating func addTooSteep(_ steps: [SlopeLimit.Excess], _ trails: TrailsFile) {
    guard !steps.isEmpty else { return }
    var worst: [Int: SlopeLimit.Excess] = [:]
    for step in steps {
      // The last way that begins at or before the ref.
      let way = (0..<trails.wayIDs.count).partitioningIndex {
        trails.refOffsets[$0 + 1] > step.ref
      }
      if let known = worst[way], known.rise - known.run >= step.rise - step.run { continue }
      worst[way] = step
    }
    add("too-steep", count: steps.count - worst.count, examples: [])
    for (way, step) in worst.sorted(by: { $0.key < $1.key }) {
      let node = trails.coordinate(Int(trails.refs[step.ref]))
      add(
        "too-steep", severity: step.rise - step.run,
        "way \(trails.wayIDs[way]) at \(node.text): \(decimal(step.rise, 1)) m up in "
          + "\(decimal(step.run, 1)) m, flattened to 100 %")
    }
  }
}
