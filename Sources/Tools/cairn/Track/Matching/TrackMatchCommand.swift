// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGPX
import CairnMapMatching
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit
import GPXInput
import Presentation
import Requests
import SystemIO

/// `cairn track match`: the ways that a recorded track followed.
struct TrackMatchCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn track match",
    summary: "find the ways that a recorded track followed",
    discussion: """
      Matches each track of the file (or each route, in a file without tracks) to the paths and \
      roads of a routing database. Where a track leaves them, or where nothing was recorded and no \
      way is plausible, there is a gap, never a detour around it. All ways count, in both \
      directions; ways that are closed by the profile count a little less. Exits with 1 if no way \
      lies near any of the tracks. Several databases count as one.
      """,
    positionals: [
      .init("DB", help: DatabaseChoice.positional.help),
      .init("TRACK", repeats: true, help: "a GPX file, plain or gzip, after the last DB"),
    ],
    options: [
      .option(
        "profile", "NAME",
        help: "a profile of the database (default: its first one); cairn profiles DB lists them"),
      .option(
        "accuracy", "METRES",
        help: "radius within which the receiver was with two thirds' probability, 1 to 200 "
          + "(default: estimated from the track)"),
      .option("format", "FORMAT", help: "text, json, geojson or gpx (default text)"),
      .option("output", "FILE", letter: "o", help: "file to write (default stdout)"),
    ],
    examples: [
      "cairn track match valley.routing.db hike.gpx",
      "cairn track match valley.routing.db hike.gpx --format gpx --output cleaned.gpx",
    ])

  private enum Format: String, CaseIterable { case text, json, geojson, gpx }

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let formats = Format.allCases.map(\.rawValue)
    let format = try arguments.choice("format", of: formats).flatMap(Format.init) ?? .text
    let accuracy = try arguments.number("accuracy", in: 1...200)
    let profile = arguments.value("profile")
    let lines = try read(arguments.positionals[arguments.positionals.count - 1])
    let databases = try DatabaseChoice(arguments.positionals.dropLast())
    let tracks = try match(databases, profile, lines, accuracy)
    let text =
      switch format {
      case .text:
        tracks.map { MatchedTrackSheet($0).text(columns: Console.columns) }.joined(separator: "\n")
      case .json: String(decoding: try encodeJSON(MatchRecord(tracks)), as: UTF8.self)
      case .geojson: String(decoding: try encodeJSON(MatchFeatures(tracks)), as: UTF8.self)
      case .gpx: matchedGPX(tracks)
      }
    guard let output = arguments.outputFile else {
      try Console.write(text)
      return .success
    }
    try AtomicOutput.write(Array(text.utf8), to: output) { head in
      switch format {
      // It has no signature.
      case .text: false
      case .json, .geojson: isGeoJSONOfCairn(head)
      case .gpx: isTrackGPX(head: head)
      }
    }
    return .success
  }

  private static func read(_ path: String) throws(CairnError) -> [GPXFile.Line] {
    let file = try GPXFile(path) { Console.note("\(definition.name): \(path): \($0)") }
    let lines = (file.tracks.isEmpty ? file.routes : file.tracks).filter { !$0.points.isEmpty }
    guard !lines.isEmpty else {
      throw CairnError(
        "no-line", .dataError, "has neither tracks nor routes with points",
        at: Location(file: path))
    }
    return lines
  }

  /// Matches all tracks. Throws an error with exit code 1 if none of them can be matched.
  private static func match(
    _ databases: DatabaseChoice, _ profile: String?, _ lines: [GPXFile.Line], _ accuracy: Double?
  ) throws(CairnError) -> [NamedMatch] {
    let (matcher, extent) = try withStore(databases) {
      store -> (MapMatcher, DatabaseExtent) in
      let names = try store.profileNames()
      if let profile, !names.contains(profile) {
        throw RoutingError.profileNotAvailable(profile, available: names)
      }
      let graph = try ProfileGraph(
        RoadNetwork(reading: store), profile: profile ?? names.first, reading: store)
      return (MapMatcher(graph), DatabaseExtent(store))
    }
    var matches: [NamedMatch] = []
    var reasons: [String] = []
    for (index, line) in lines.enumerated() {
      let name = line.name ?? (lines.count > 1 ? "track \(index + 1)" : nil)
      do throws(MapMatchingError) {
        matches.append(
          NamedMatch(
            name: name,
            track: try matcher.match(
              line.points.map { MatchingFix($0) }, accuracyMetres: accuracy)))
      } catch {
        let isOutside = line.points.allSatisfy { extent.excludes($0.coordinate) }
        reasons.append(
          (lines.count > 1 ? name.map { printable($0) + ": " } ?? "" : "") + error.description
            + (isOutside ? ", which lies outside the database" : ""))
      }
    }
    guard !matches.isEmpty else {
      throw CairnError("no-match", .negative, reasons[0], at: Location(file: databases.title))
    }
    for reason in reasons { Console.note("\(definition.name): \(reason)") }
    return matches
  }
}
