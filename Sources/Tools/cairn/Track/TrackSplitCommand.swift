// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGPX
import CairnTracks
import CommandLineKit
import SystemIO

/// `cairn track split`: one track as several.
struct TrackSplitCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn track split",
    summary: "split tracks at gaps, at rests, by distance or by day",
    discussion: """
      The parts become tracks of one file, named after the track with a number; with --folder, one \
      file each, NAME-1.gpx and so on. No point is lost or changed. With --distance, a part ends \
      with the point that the next one begins with; with --rest, a rest belongs to the part before \
      it. Days begin at midnight UTC, or in another time zone with --utc-offset.
      """,
    positionals: [.init("FILE", help: "a GPX file or a journal of fixes; - for stdin")],
    options: [
      .option("gap", "MINUTES", help: "split where this many minutes passed without a point"),
      .option("rest", "MINUTES", help: "split after each rest of this many minutes"),
      .option("distance", "KM", help: "split after this many kilometres"),
      .flag("day", help: "split at midnight"),
      .option(
        "utc-offset", "HOURS", help: "with --day: hours east of UTC, −14 to 14 (default 0)"),
      .option("folder", "FOLDER", help: "write one file per part to this folder"),
    ] + TrackOutput.options,
    examples: [
      "cairn track split holiday.gpx --day --folder days",
      "cairn track split hike.gpx --gap 30 --output parts.gpx",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let division = try division(arguments)
    let output = try TrackOutput(arguments)
    let folder = arguments.value("folder")
    guard folder == nil || output.path == nil else {
      throw arguments.usageError("--folder and --output cannot be combined")
    }
    let input = try readTracks(arguments.positionals[0], definition)
    let stem = fileStem(input.name)
    var lines: [GPXFile.Line] = []
    for line in try input.lines() {
      let parts = division.parts(of: line.segments)
      for (index, part) in parts.enumerated() {
        var piece = line
        piece.segments = part
        if parts.count > 1 { piece.name = "\(line.name ?? input.file.name ?? stem) \(index + 1)" }
        lines.append(piece)
      }
    }
    guard let folder else {
      try output.write(input.replacingLines(lines))
      Console.note("\(definition.name): \(lines.count == 1 ? "1 part" : "\(lines.count) parts")")
      return .success
    }
    try makeFolders(folder)
    for (index, line) in lines.enumerated() {
      var file = GPXFile()
      file.tracks = [line]
      let path = joinPath(folder, "\(stem)-\(index + 1).\(output.format.rawValue)")
      try output.write(file, to: path)
      try Console.write("\(printable(path))\n")
    }
    return .success
  }

  private static func division(_ arguments: Arguments) throws(CairnError) -> TrackDivision {
    let names = ["gap", "rest", "distance", "day"].filter(arguments.has)
    guard names.count == 1 else {
      throw arguments.usageError("give one of --gap, --rest, --distance or --day")
    }
    let offset = try arguments.number("utc-offset", in: -14...14)
    guard offset == nil || names == ["day"] else {
      throw arguments.usageError("--utc-offset needs --day")
    }
    if let minutes = try arguments.number("gap", in: 0.01...10_000_000) {
      return .gaps(seconds: minutes * 60)
    }
    if let minutes = try arguments.number("rest", in: 1...10_000_000) {
      return .rests(seconds: minutes * 60)
    }
    if let kilometres = try arguments.number("distance", in: 0.001...100_000) {
      return .distance(metres: kilometres * 1000)
    }
    return .days(secondsEastOfUTC: Int(((offset ?? 0) * 3600).rounded()))
  }
}

/// The name of a file without folder and endings, for the names of new files.
func fileStem(_ path: String) -> String {
  splitPath(path).name.split(separator: ".").first.map(String.init) ?? "track"
}
