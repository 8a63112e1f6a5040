// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CommandLineKit
import Elevation
import SystemIO
import TerrainTiles
import Tiles
import TrailData

/// `cairn-build-tiles`: makes an archive of map tiles from a `.trails` file, with or without its
/// `.elevated` file, or of the ground of a box.
package struct BuildTilesCommand: StageCommand {
  private static let trailsKind = "trails"
  private static let trailsOptions = ["input", "trails"]

  /// Name, options and help.
  package static let stageDefinition = CommandDefinition(
    name: "cairn-build-tiles",
    summary: "draw trails with points of interest, or the terrain, as map tiles",
    discussion: """
      Trails are vector tiles with the layers trails, waymarks and pois, for display above any \
      base map. docs/tiles.md lists the zoom from which each object is shown; lines are simplified \
      to half a pixel and stay connected at junctions.

      Terrain is drawn as PNG from elevation tiles: a hillshade; terrain-rgb, elevations as \
      colours; or slopes, the classes 27, 30, 35 and 40°, which show the terrain alone and are not \
      an avalanche forecast.
      """,
    options: [
      .option("output", "FILE", required: true, help: "the archive, .mbtiles or .pmtiles"),
      .option(
        "kind", "KIND",
        help: "what to draw: trails, hillshade, terrain-rgb or slopes (default trails)"),
    ] + TrailsFile.inputOptions(for: "trails", withoutElevations: "to draw without elevations") + [
      .option(
        "hgt", "FOLDER", repeats: true,
        help: "for the terrain: a folder of HGT tiles; the first one takes precedence"),
      .option("bbox", "W,S,E,N", help: "for the terrain: the box to draw, in degrees"),
      .option(
        "format", "FORMAT",
        help: "mbtiles or pmtiles (default: by the output's name, or mbtiles)"),
      .option(
        "zooms", "FIRST-LAST",
        help: "zooms to draw, within 5-16 (default 8-14); terrain has none above 12, slopes none "
          + "below 10"),
      .option("region-name", "NAME", help: "the region's name, for the metadata"),
      .option(
        "attribution", "TEXT",
        help: "for the terrain: the attribution of the elevations, for the metadata"),
    ],
    examples: [
      "cairn-build-tiles --input valley.elevated --trails valley.trails "
        + "--output valley.trails.mbtiles",
      "cairn-build-tiles --input valley.elevated --trails valley.trails "
        + "--output valley.trails.pmtiles --zooms 10-14",
      "cairn-build-tiles --kind slopes --hgt hgt --bbox 10,47,10.1,47.1 --output slopes.mbtiles",
    ])

  /// Runs the stage.
  package static func run(_ stage: StageRun) throws -> ExitCode {
    let arguments = stage.arguments
    let path = try arguments.required("output")
    let format = try format(arguments, path)
    let kinds = [trailsKind] + TerrainKind.allCases.map(\.rawValue)
    let terrain = try arguments.choice("kind", of: kinds).flatMap(TerrainKind.init)
    try refuse(terrain == nil ? ["hgt", "bbox", "attribution"] : trailsOptions, arguments)
    let zooms = try zooms(arguments, terrain?.zooms)
    let output = try AtomicOutput(path) { format.recognises(head: $0) }
    let tiles: TileCollection
    let metadata: TileMetadata
    if let terrain {
      (tiles, metadata) = try draw(terrain, zooms, stage)
    } else {
      (tiles, metadata) = try drawTrails(zooms ?? ZoomRules.standardZooms, stage)
    }
    try format.write(tiles, metadata, to: output)
    try output.commit()
    report(tiles, stage)
    return .success
  }

  private static func drawTrails(_ zooms: ClosedRange<Int>, _ stage: StageRun) throws
    -> (TileCollection, TileMetadata)
  {
    let trails = try TrailsFile(stage.arguments, threads: stage.threads)
    stage.input["ways"] = .integer(trails.wayIDs.count)
    stage.input["points"] = .integer(trails.pointsOfInterest.count)
    stage.input["routes"] = .integer(trails.routes.ids.count)
    var builder = TrailTileBuilder(trails, zooms: zooms, threads: stage.threads)
    builder.regionName = stage.arguments.value("region-name")
    stage.progress.begin("drawing", total: 0)
    return (try builder.tiles(), builder.metadata())
  }

  private static func draw(_ kind: TerrainKind, _ zooms: ClosedRange<Int>?, _ stage: StageRun)
    throws -> (TileCollection, TileMetadata)
  {
    let arguments = stage.arguments
    let text = try arguments.required("bbox")
    guard let box = BoundingBox(commandLine: text) else {
      throw arguments.usageError(
        "--bbox takes W,S,E,N in degrees, not “\(text)”",
        hint: BoundingBox.problem(commandLine: text))
    }
    _ = try arguments.required("hgt")
    let terrain = try ElevationDataManager(folders: arguments.all("hgt"))
    var builder = TerrainTileBuilder(
      kind, of: terrain, in: box, zooms: zooms, threads: stage.threads)
    builder.regionName = arguments.value("region-name")
    builder.attribution = arguments.value("attribution")
    stage.progress.begin("drawing", total: 0)
    let tiles = try builder.tiles()
    if tiles.tiles.isEmpty {
      stage.warnings.add(
        "no-elevation", "no elevation is known within \(box); no tiles were drawn")
    }
    return (tiles, builder.metadata())
  }

  private static func report(_ tiles: TileCollection, _ stage: StageRun) {
    let sizes = tiles.sizes
    stage.output["tiles"] = .integer(tiles.tiles.count)
    stage.output["contents"] = .integer(tiles.contentCount)
    stage.output["zooms"] = .list(
      sizes.keys.sorted().map { zoom in
        .object([
          "zoom": .integer(zoom), "tiles": .integer(sizes[zoom]?.tiles ?? 0),
          "bytes": .integer(sizes[zoom]?.bytes ?? 0),
        ])
      })
    let bytes = sizes.values.reduce(0) { $0 + $1.bytes }
    stage.summary = "\(counted(tiles.tiles.count, "tile")) with \(byteSize(bytes))"
  }

  /// Refuses options that do not apply to the kind of tiles.
  private static func refuse(_ names: [String], _ arguments: Arguments) throws(CairnError) {
    guard let name = names.first(where: { arguments.value($0) != nil }) else { return }
    throw arguments.usageError(
      "--\(name) is for "
        + (trailsOptions.contains(name) ? "trails, not for the terrain" : "the terrain only"),
      hint: trailsOptions.contains(name)
        ? "give --bbox and --hgt"
        : "give --kind hillshade, terrain-rgb or "
          + "slopes"
    )
  }

  private static func format(_ arguments: Arguments, _ path: String) throws(CairnError)
    -> TileArchiveFormat
  {
    let names = TileArchiveFormat.allCases.map(\.rawValue)
    let chosen = try arguments.choice("format", of: names).flatMap(TileArchiveFormat.init)
    return chosen ?? (path.hasSuffix(".pmtiles") ? .pmtiles : .mbtiles)
  }

  /// The requested zooms, as far as the terrain has them; nil for the default.
  private static func zooms(_ arguments: Arguments, _ possible: ClosedRange<Int>?)
    throws(CairnError) -> ClosedRange<Int>?
  {
    guard let text = arguments.value("zooms") else { return nil }
    let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let first = numbers[0], let last = numbers[1], first <= last,
      ZoomRules.possibleZooms ~= first, ZoomRules.possibleZooms ~= last
    else {
      throw arguments.usageError(
        "--zooms takes two zooms within 5-16, such as 8-14, not “\(text)”")
    }
    guard let possible, !possible.overlaps(first...last) else { return first...last }
    throw arguments.usageError(
      "--zooms \(text) has none of the possible zooms, \(possible.lowerBound)-"
        + "\(possible.upperBound)")
  }
}
