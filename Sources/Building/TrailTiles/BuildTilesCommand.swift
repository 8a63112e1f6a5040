// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import Formatting
import SystemIO
import Tiles
import TrailData

/// `cairn-build-tiles`: a `.elevated` file becomes an archive of map tiles.
package struct BuildTilesCommand: StageCommand {
  /// Name, options and help.
  package static let stageDefinition = CommandDefinition(
    name: "cairn-build-tiles",
    summary: "draw trails, waymarked routes and points of interest as map tiles",
    discussion: """
      Writes vector tiles with the layers trails, waymarks and pois, to be shown above any base map. \
      What is shown from which zoom on is in the guide's table; lines are simplified to half a pixel \
      and stay connected at junctions.
      """,
    options: [
      .option(
        "input", "FILE.elevated", required: true,
        help: "output of cairn-sample-elevation, or a .trails file to draw without elevations"),
      .option("output", "FILE", required: true, help: "the archive, .mbtiles or .pmtiles"),
      .option(
        "format", "FORMAT",
        help: "mbtiles or pmtiles (default: pmtiles if the output's name ends so, or else mbtiles)"),
      .option("kind", "KIND", help: "what to draw: trails (default trails)"),
      .option("zooms", "FIRST-LAST", help: "the zooms to make, within 5-16 (default 8-14)"),
      .option("region-name", "NAME", help: "the region's name, for the metadata"),
    ],
    examples: [
      "cairn-build-tiles --input valley.elevated --output valley.trails.mbtiles",
      "cairn-build-tiles --input valley.elevated --output valley.trails.pmtiles --zooms 10-14",
    ])

  /// Runs the stage.
  package static func run(_ stage: StageRun) throws -> ExitCode {
    let path = try stage.arguments.required("output")
    let format = try format(stage.arguments, path)
    let zooms = try zooms(stage.arguments)
    _ = try stage.arguments.choice("kind", of: ["trails"])
    let trails = try TrailsFile(
      try stage.arguments.required("input"), kinds: [.elevated, .trails], threads: stage.threads)
    let output = try AtomicOutput(path) { format.recognises(head: $0) }
    stage.input["ways"] = .integer(trails.wayIDs.count)
    stage.input["points"] = .integer(trails.pointsOfInterest.count)
    stage.input["routes"] = .integer(trails.routes.ids.count)
    var builder = TrailTileBuilder(trails, zooms: zooms, threads: stage.threads)
    builder.regionName = stage.arguments.value("region-name")
    stage.progress.begin("drawing", total: 0)
    let tiles = try builder.tiles()
    try format.write(tiles, builder.metadata(), to: output)
    try output.commit()
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
    stage.summary = "\(grouped(tiles.tiles.count)) tiles with \(grouped(bytes)) bytes"
    return .success
  }

  private static func format(_ arguments: Arguments, _ path: String) throws(CairnError)
    -> TileArchiveFormat
  {
    let names = TileArchiveFormat.allCases.map(\.rawValue)
    let chosen = try arguments.choice("format", of: names).flatMap(TileArchiveFormat.init)
    return chosen ?? (path.hasSuffix(".pmtiles") ? .pmtiles : .mbtiles)
  }

  private static func zooms(_ arguments: Arguments) throws(CairnError) -> ClosedRange<Int> {
    guard let text = arguments.value("zooms") else { return ZoomRules.standardZooms }
    let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    if numbers.count == 2, let first = numbers[0], let last = numbers[1], first <= last,
      ZoomRules.possibleZooms ~= first, ZoomRules.possibleZooms ~= last
    {
      return first...last
    }
    throw arguments.usageError("--zooms takes two zooms within 5-16, such as 8-14, not “\(text)”")
  }
}
