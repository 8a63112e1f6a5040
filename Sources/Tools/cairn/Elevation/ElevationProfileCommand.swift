// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGPX
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import Charts
import CommandLineKit
import Elevation
import Presentation
import Requests
import SystemIO

/// `cairn elevation-profile`: the elevation profile of a route or a track as a chart or as numbers.
struct ElevationProfileCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn elevation-profile",
    summary: "draw the elevation profile of a route or a track",
    discussion: """
      Finds a route as cairn route does, or takes the track of a GPX file, and draws its elevation \
      over distance, coloured by slope. The curve has gaps where the elevation is unknown. \
      --elevation looks up the elevations that a track lacks. Exits with 1 if there is no route. \
      The former name of this command, cairn profile DB, still works.
      """,
    positionals: [
      .init(
        "DB", repeats: true,
        help: "routing databases, bundles, or an output folder, with --from and --to; or a GPX file"
      )
    ],
    options: RouteRequest.options.map(\.optional) + [
      .option("track", "N", help: "draw this track of a GPX file, counted from 1"),
      .option(
        "elevation", "FOLDER", repeats: true,
        help: "a folder of HGT tiles for a track without elevations; the first one takes precedence"
      ),
      .option("title", "TEXT", help: "title of the chart (default: the names of places or track)"),
      .option("format", "FORMAT", help: "svg, json or csv (default svg)"),
      .option("output", "FILE", help: "file to write (default stdout)"),
    ],
    examples: [
      "cairn elevation-profile valley.routing.db --from 47.0301,10.0502 --to 47.0603,10.0990 "
        + "--output hike.svg",
      "cairn elevation-profile hike.gpx --output track.svg",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let formats = ElevationProfileFormat.allCases.map(\.rawValue)
    let format =
      try arguments.choice("format", of: formats).flatMap(ElevationProfileFormat.init) ?? .svg
    let (profile, notes) =
      try arguments.positionals.contains(where: TrackInput.recognises)
      ? (track(arguments), []) : route(arguments)
    let text = try format.text(profile)
    if let output = arguments.outputFile {
      try AtomicOutput.write(Array(text.utf8), to: output, replacing: format.recognises)
    } else {
      try Console.write(text)
    }
    for note in notes { Console.note("\(definition.name): \(note)") }
    return .success
  }

  /// The profile of a route, with notes for stderr.
  private static func route(_ arguments: Arguments) throws -> (DrawnProfile, [String]) {
    for name in ["track", "elevation"] where arguments.has(name) {
      throw arguments.usageError("--\(name) needs a GPX file")
    }
    let request = try RouteRequest(arguments)
    let (found, profile) = try withStore(request.databases, request.choice, points: request.points)
    {
      store -> (FoundRoute, ElevationProfile) in
      let found = try request.resolved(in: store).findRoute(store)
      return (found, try RoutingEngine(store: store).elevationProfile(of: found.route))
    }
    let isNamed = found.names.contains { $0 != nil }
    let title = arguments.value("title") ?? (isNamed ? found.title : nil)
    return (
      DrawnProfile(found.route, profile, title: title), found.notes(isText: false)
    )
  }

  /// The profile of a track of a GPX file.
  private static func track(_ arguments: Arguments) throws -> DrawnProfile {
    guard arguments.positionals.count == 1 else {
      throw arguments.usageError("a GPX file is drawn alone")
    }
    for option in RouteRequest.options where arguments.has(option.name) {
      throw arguments.usageError("--\(option.name) needs a routing database, not a track")
    }
    let input = try readTracks(arguments.positionals[0], definition)
    var line = try chosen(try input.lines(), arguments, input.name)
    if arguments.has("elevation") {
      try line.addElevations(try ElevationDataManager(folders: arguments.all("elevation")))
    }
    guard line.points.contains(where: { $0.elevation != nil }) else {
      throw CairnError(
        "no-elevations", .dataError,
        arguments.has("elevation")
          ? "no point of the track has an elevation, and no tile has one for it"
          : "no point of the track has an elevation", at: Location(file: input.name),
        hint: arguments.has("elevation")
          ? "give the folder with the tiles of its area"
          : "--elevation FOLDER looks them up in HGT tiles")
    }
    return DrawnProfile(
      line, title: arguments.value("title") ?? line.name ?? input.file.name)
  }

  /// The track that is asked for, or the only one.
  private static func chosen(
    _ lines: [GPXFile.Line], _ arguments: Arguments, _ file: String
  ) throws(CairnError) -> GPXFile.Line {
    if let number = try arguments.integer("track", in: 1...lines.count) { return lines[number - 1] }
    guard lines.count > 1 else { return lines[0] }
    let shown = 6
    let names = lines.prefix(shown).enumerated().map { index, line in
      "\(index + 1)" + (line.name.map { " (\(printable($0)))" } ?? "")
    }
    throw CairnError(
      "several-tracks", .usage, "has \(counted(lines.count, "track"))", at: Location(file: file),
      hint: "choose one with --track: " + names.joined(separator: ", ")
        + (lines.count > shown ? ", …" : ""))
  }
}

extension GPXFile.Line {
  /// The spacing of points that are added where both neighbours have no elevation, in metres.
  private static let spacingMetres = 50.0
  /// Absurdly long lines get no more points than this between two of their own.
  private static let mostAdded = 10_000

  /// Looks up the elevations that are missing, also between points that lack them.
  fileprivate mutating func addElevations(_ tiles: ElevationDataManager) throws(CairnError) {
    func elevation(_ point: Coordinate) throws(CairnError) -> Double? {
      try tiles.elevation(at: point).map { Double($0.metres) }
    }
    for index in segments.indices {
      var points: [GPXFile.Point] = []
      var isLastLookedUp = false
      for var point in segments[index] {
        let isLookedUp = point.elevation == nil
        if isLookedUp, isLastLookedUp, let last = points.last?.coordinate {
          let pieces = haversineDistance(last, point.coordinate) / Self.spacingMetres
          let count = Int(min(pieces.rounded(.up), Double(Self.mostAdded)))
          for piece in 1..<max(count, 1) {
            let between = interpolated(last, point.coordinate, Double(piece) / Double(count))
            points.append(
              GPXFile.Point(coordinate: between, elevation: try elevation(between)))
          }
        }
        if isLookedUp { point.elevation = try elevation(point.coordinate) }
        points.append(point)
        isLastLookedUp = isLookedUp
      }
      segments[index] = points
    }
  }
}
