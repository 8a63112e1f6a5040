// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnPlaceDatabase
import Charts
import CommandLineKit
import Elevation
import Presentation
import Requests
import Synchronization
import SystemIO

/// `cairn planned show`: one route as text or as a picture.
struct PlannedShowCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn planned show",
    summary: "print or draw a planned route with its instructions",
    discussion: """
      With --svg, draws a map of the line with start, end, via points and numbered turns, the \
      elevation profile, and the list of instructions. --elevation adds contour lines; --places \
      adds the names of settlements, huts, peaks, passes and lakes.
      """,
    positionals: PlannedRouteArgument.positionals,
    options: [
      .flag("svg", help: "draw the route as SVG"),
      .option("output", "FILE", help: "file to write the drawing to (default stdout)"),
      .option(
        "elevation", "FOLDER", repeats: true,
        help: "a folder of HGT tiles to draw contours from; the first one takes precedence"),
      .option("places", "DB", help: "a .places.db, or a database beside one, for names"),
      LanguageChoice.option,
    ],
    examples: [
      "cairn planned show routes Krähenjoch",
      "cairn planned show krähenjoch.json",
      "cairn planned show routes Krähenjoch --language de",
      "cairn planned show routes Krähenjoch --svg --output hike.svg",
      "cairn planned show routes Krähenjoch --svg --elevation srtm --places build/sample/valley-west",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    for name in ["output", "elevation", "places"]
    where arguments.has(name) && !arguments.has("svg") {
      throw arguments.usageError(
        "--\(name) needs --svg", hint: "cairn planned export writes other formats")
    }
    let language = try LanguageChoice.language(arguments, unless: "svg")
    let route = try PlannedRouteArgument.route(arguments)
    guard arguments.has("svg") else {
      try Console.write(PlannedRouteSheet(route, in: language).text)
      return .success
    }
    let drawing = try signedSVG(svg(of: route.picture, arguments))
    if let output = arguments.outputFile {
      try AtomicOutput.write(Array(drawing.utf8), to: output, replacing: isSVGOfCairn)
    } else {
      try Console.write(drawing)
    }
    return .success
  }
}

extension PlannedShowCommand {
  /// The distance from the line within which names are shown, in metres, and their greatest number.
  private static let (reachMetres, mostNames) = (15_000.0, 120)

  /// Elevations for contours. Errors are kept, since drawing throws none.
  private final class Terrain: Sendable {
    let manager: ElevationDataManager
    let failure = Mutex<CairnError?>(nil)

    init(_ manager: ElevationDataManager) { self.manager = manager }

    func metres(_ point: Coordinate) -> Float? {
      do throws(CairnError) { return try manager.elevation(at: point)?.metres } catch {
        failure.withLock { $0 = error }
        return nil
      }
    }
  }

  /// Draws a route on its ground. Throws the errors of tiles and places.
  private static func svg(of picture: RoutePicture, _ arguments: Arguments) throws -> String {
    var picture = picture
    let folders = arguments.all("elevation")
    let terrain =
      folders.isEmpty ? nil : Terrain(try ElevationDataManager(folders: folders))
    if let terrain { picture.terrain = { terrain.metres($0) } }
    if let places = arguments.value("places"), let box = BoundingBox(around: picture.line) {
      picture.names = try PlaceLabel.read(
        try placesPath(places), in: box.expanded(byMetres: reachMetres), limit: mostNames
      ).map {
        RoutePicture.Name(
          text: printable($0.textOnMaps), coordinate: $0.coordinate,
          isStrong: [.hut, .settlement].contains($0.kind))
      }
      picture.credits = "© OpenStreetMap contributors"
    }
    let drawing = picture.svg
    if let failure = terrain?.failure.withLock({ $0 }) { throw failure }
    return drawing
  }
}
