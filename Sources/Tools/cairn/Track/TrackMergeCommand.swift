// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGPX
import CairnTracks
import CommandLineKit

/// `cairn track merge`: several recordings as one track.
struct TrackMergeCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn track merge",
    summary: "join the tracks of several files into one",
    discussion: """
      Each segment of each track becomes a segment of the new track, ordered by first time; with \
      --keep-order, or if a segment has no times, in the order given. No point is lost or changed; \
      waypoints are kept. Names recordings with overlapping times on stderr.
      """,
    positionals: [
      .init("FILE", repeats: true, help: "a GPX file or a journal of fixes; - for stdin")
    ],
    options: [
      .flag("keep-order", help: "keep the order of the files"),
      .option("name", "NAME", help: "name of the track (default: the name of the first one)"),
    ] + TrackOutput.options,
    examples: ["cairn track merge morning.gpx evening.gpx --output day.gpx"])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let output = try TrackOutput(arguments)
    try checkInputs(arguments)
    var file = GPXFile()
    var segments: [[GPXFile.Point]] = []
    var name = arguments.value("name")
    for word in arguments.positionals {
      let input = try readTracks(word, definition)
      let lines = try input.lines()
      segments += lines.flatMap(\.segments)
      name = name ?? lines[0].name
      file.waypoints += input.file.waypoints
    }
    let merge = TrackMerge(segments, sorting: !arguments.has("keep-order"))
    if !merge.isSorted, !arguments.has("keep-order") {
      Console.note("\(definition.name): some segments have no times; keeping the order given")
    }
    for overlap in merge.overlaps {
      Console.note(
        "\(definition.name): segments \(overlap.segments.lowerBound + 1) and "
          + "\(overlap.segments.upperBound + 1) overlap by \(roughDuration(overlap.seconds))")
    }
    file.tracks = [GPXFile.Line(name: name, segments: merge.segments)]
    try output.write(file)
    return .success
  }
}
