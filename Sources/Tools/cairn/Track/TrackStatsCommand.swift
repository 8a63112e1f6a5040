// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnElevationProfiles
import CairnFormatting
import CairnGPX
import CairnTracks
import CommandLineKit
import Presentation

/// `cairn track stats`: the figures of recorded tracks.
struct TrackStatsCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn track stats",
    summary: "print length, times, climb and speeds of recorded tracks",
    discussion: """
      Reads GPX, plain or gzip, and journals of recorded fixes. A file without tracks is measured \
      by its routes. Lengths are horizontal, on a sphere of 6 371 000 m, with receiver noise \
      removed where the track shows it; if the plain sum between the points differs, it is \
      printed, too. A rest is a minute or more in which neither place nor height moves beyond what \
      noise explains, or a gap in the recording without much movement. Climb is counted after \
      smoothing over 60 m, ignoring rises below 5 m; with --barometric, for recorders with a \
      barometer, over 20 m and 2 m. Top speed is a speed kept up for most of a minute. With --json, \
      prints an array with one object per file, in metres, seconds and metres per second.
      """,
    positionals: [
      .init("FILE", repeats: true, help: "a GPX file or a journal; - for stdin")
    ],
    options: [
      .flag("barometric", help: "elevations are from a barometer: smooth less"),
      .flag("splits", help: "also print a line per kilometre"),
      .option("split-metres", "METRES", help: "length of splits (default 1000)"),
      .flag("json", help: "print JSON"),
    ],
    examples: [
      "cairn track stats hike.gpx", "cairn track stats --splits --barometric hike.gpx",
      "gunzip -c hikes.gpx.gz | cairn track stats --json -",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let smoothing: ElevationSmoothing = arguments.has("barometric") ? .barometric : .standard
    let splitMetres = try arguments.number("split-metres", in: 1...1_000_000)
    let length = splitMetres ?? TrackReport.standardSplitMetres
    let hasSplits = arguments.has("splits") || splitMetres != nil
    try checkInputs(arguments)
    var records: [TrackFileRecord] = []
    for (index, word) in arguments.positionals.enumerated() {
      let input = try readTracks(word, definition)
      let lines = try input.lines()
      let figures = TrackFigures(
        lines, smoothing: smoothing, splitMetres: hasSplits || arguments.has("json") ? length : nil)
      if arguments.has("json") {
        records.append(TrackFileRecord(input.name, figures))
        continue
      }
      let title =
        arguments.positionals.count > 1
        ? (index > 0 ? "\n" : "") + "\(printable(input.name))\n" : ""
      try Console.write(title + TrackSheet(figures, hasSplits: hasSplits).text)
    }
    if arguments.has("json") {
      try Console.write(String(decoding: try encodeJSON(records), as: UTF8.self))
    }
    return .success
  }
}

/// Reads a file of tracks, with a note on stderr about its defects.
func readTracks(_ word: String, _ definition: CommandDefinition) throws(CairnError) -> TrackInput {
  let input = try TrackInput(word)
  for note in input.notes { Console.note("\(definition.name): \(input.name): \(note)") }
  return input
}

/// Throws 64 if stdin is to be read twice.
func checkInputs(_ arguments: Arguments) throws(CairnError) {
  guard arguments.positionals.count(where: { $0 == "-" }) <= 1 else {
    throw arguments.usageError("- may be given only once")
  }
}
