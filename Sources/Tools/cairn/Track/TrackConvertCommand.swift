// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnGPX
import CommandLineKit

/// `cairn track convert`: tracks in another format.
struct TrackConvertCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn track convert",
    summary: "convert tracks and journals of recorded fixes to GPX, GeoJSON or CSV",
    discussion: """
      Writes all points as they were recorded. GeoJSON has the times as coordTimes; CSV has one \
      point per line. A journal becomes one track, and is not changed even if its end is cut off.
      """,
    positionals: [.init("FILE", help: "a GPX file or a journal of fixes; - for stdin")],
    options: TrackOutput.options,
    examples: [
      "cairn track convert route.journal --output hike.gpx",
      "cairn track convert hike.gpx --format csv",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let output = try TrackOutput(arguments)
    let input = try readTracks(arguments.positionals[0], definition)
    // GPX keeps routes as routes.
    let lines = try input.lines()
    try output.write(output.format == .gpx ? input.file : input.replacingLines(lines))
    return .success
  }
}
