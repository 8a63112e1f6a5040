// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import SystemIO

extension SampleElevationCommand {
  /// The possible finest resolutions of tiles from rasters: metres between posts, and steps a
  /// degree.
  package static let resolutions = [
    "10 m": 10_800, "15 m": 7200, "30 m": 3600, "60 m": 1800, "90 m": 1200,
  ]
  /// The default resolution.
  package static let standardResolution = "30 m"

  static let tileOptions: [CommandDefinition.Option] = [
    .option(
      "tile", "TILE", help: "instead, make this tile, such as N42E001, from rasters"),
    .option(
      "raster", "FILE", repeats: true,
      help: "with --tile: an elevation raster that GDAL reads; the first one takes precedence"),
    .option(
      "resolution", "METRES",
      help: "with --tile: the least spacing of posts, 10, 15, 30, 60 or 90 (default 30)"),
    .option("gdal", "VERSION", help: "with --tile: refuse any other version of GDAL"),
  ]

  /// Makes a tile of a square degree out of rasters.
  static func makeTile(_ name: String, _ stage: StageRun) throws -> ExitCode {
    let arguments = stage.arguments
    guard name.utf8.count == 7, let tile = ElevationTileID(fileStem: name.utf8),
      tile.description == name
    else {
      throw arguments.usageError("--tile takes the name of a tile such as N42E001, not “\(name)”")
    }
    _ = try arguments.required("raster")
    let metres = try arguments.choice(
      "resolution", of: resolutions.keys.sorted().map { String($0.dropLast(2)) })
    let finest = resolutions[metres.map { "\($0) m" } ?? standardResolution] ?? 3600
    let output = try AtomicOutput(arguments.required("output")) { _ in false }
    let gdal = try GDAL()
    if let expected = arguments.value("gdal"), expected != gdal.version {
      throw CairnError(
        .cannotStart, .noInput, "GDAL has version \(gdal.version), but \(expected) was expected",
        hint: "run again; the result depends on the version")
    }
    let rasters = try infos(arguments.all("raster"), gdal, stage)
    let next = arguments.all("hgt")
    let intervals = try RasterTile.intervals(of: rasters, finest: finest)
    try warn(about: rasters, intervals, finest, stage)
    var made = RasterTile(
      tile, intervals: intervals,
      border: next.isEmpty ? 0 : RasterTile.seamPosts(intervals: intervals) + 1)
    // Beside the output, where there is room for it.
    let (folder, name) = splitPath(output.path)
    let scratch = try newFolder(named: joinPath(folder, ".\(name)."))
    defer { removeTree(scratch) }
    stage.progress.begin("warping", total: 0)
    try made.take(rasters, gdal, in: scratch)
    let own = made.knownCount
    if own > 0, !next.isEmpty { try made.fill(from: ElevationDataManager(folders: next)) }
    try made.write(to: output)
    report(made, own, gdal, stage)
    return .success
  }

  private static func infos(_ paths: [String], _ gdal: GDAL, _ stage: StageRun) throws
    -> [RasterInfo]
  {
    stage.progress.begin("reading rasters", total: paths.count)
    return try RasterInfo.all(
      paths, gdal, threads: stage.threads, advance: stage.progress.advance
    ).map { try $0.get() }
  }

  private static func warn(
    about rasters: [RasterInfo], _ intervals: Int, _ finest: Int, _ stage: StageRun
  ) throws {
    let finer = try rasters.filter { raster in
      try RasterTile.intervals(of: [raster], finest: finest) > intervals
    }
    guard let first = finer.first else { return }
    stage.warnings.add(
      "mixed-resolution", count: finer.count,
      examples: [
        "\(first.path) is finer than other rasters of its source; list it as a separate source to "
          + "keep its resolution"
      ])
  }

  private static func report(_ made: RasterTile, _ own: Int, _ gdal: GDAL, _ stage: StageRun) {
    let count = (made.intervals + 1) * (made.intervals + 1)
    stage.input["rasters"] = .integer(stage.arguments.all("raster").count)
    stage.output = [
      "tile": .text(made.tile.description), "intervals": .integer(made.intervals),
      "posts": .integer(count), "known": .integer(made.knownCount),
      "filledFromNext": .integer(made.knownCount - own), "gdal": .text(gdal.version),
    ]
    let spacing = 3600 / Double(made.intervals)
    stage.summary =
      "\(made.tile): \(grouped(made.knownCount)) of \(grouped(count)) posts, "
      + "one every \(decimal(spacing, spacing < 1 ? 2 : 0))″"
  }
}

extension RasterInfo {
  /// Asks about many rasters at a time.
  package static func all(
    _ paths: [String], _ gdal: GDAL, within folder: String? = nil, threads: Int,
    advance: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> [Result<RasterInfo, CairnError>] {
    let queue = WorkQueue(count: paths.count)
    let results = Collector<Result<RasterInfo, CairnError>>(count: paths.count)
    try withWorkers(max(1, min(threads, paths.count))) { _ in
      while let index = queue.next() {
        results.set(
          index,
          Result { () throws(CairnError) in try RasterInfo(paths[index], gdal, within: folder) })
        advance(1)
      }
    }
    return results.values()
  }
}
