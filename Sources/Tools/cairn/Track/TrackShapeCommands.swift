// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGPX
import CairnTracks
import CommandLineKit

/// `cairn track smooth`: tracks with round corners.
struct TrackSmoothCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn track smooth",
    summary: "round the corners of tracks, for display",
    discussion: """
      Uses Chaikin's corner cutting: each round replaces each corner by two points, a quarter of \
      the way to its neighbours, with elevations and times weighted alike. Both ends of each \
      segment are kept. Each round doubles the points and shortens the line: keep the recorded \
      track.
      """,
    positionals: [.init("FILE", help: "a GPX file or a journal of fixes; - for stdin")],
    options: [
      .option("iterations", "N", help: "rounds, 0 to 8 (default 2)")
    ] + TrackOutput.options,
    examples: ["cairn track smooth hike.gpx --output smooth.gpx"])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let rounds =
      try arguments.integer("iterations", in: 0...8) ?? RouteSmoother.standardIterations
    try reshape(arguments, definition) { RouteSmoother.smooth($0, iterations: rounds) }
    return .success
  }
}

/// `cairn track simplify`: tracks with fewer points.
struct TrackSimplifyCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn track simplify",
    summary: "drop points that a track does not need",
    discussion: """
      Uses the Douglas–Peucker algorithm: no dropped point is farther than the tolerance from the \
      remaining line. The remaining points are unchanged.
      """,
    positionals: [.init("FILE", help: "a GPX file or a journal of fixes; - for stdin")],
    options: [
      .option("tolerance", "METRES", help: "how far the line may move, 0 to 100000 (default 10)")
    ] + TrackOutput.options,
    examples: ["cairn track simplify hike.gpx --tolerance 5 --output small.gpx"])

  private static let standardToleranceMetres = 10.0

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let tolerance =
      try arguments.number("tolerance", in: 0...100_000) ?? standardToleranceMetres
    let counts = try reshape(arguments, definition) {
      RouteSimplifier.simplify($0, toleranceMetres: tolerance)
    }
    Console.note(
      "\(definition.name): kept \(grouped(counts.after)) of \(grouped(counts.before)) points")
    return .success
  }
}

/// Changes the segments of a file one by one, writes it, and returns the numbers of points before
/// and after.
@discardableResult
private func reshape(
  _ arguments: Arguments, _ definition: CommandDefinition,
  _ change: ([GPXFile.Point]) -> [GPXFile.Point]
) throws(CairnError) -> (before: Int, after: Int) {
  let output = try TrackOutput(arguments)
  let input = try readTracks(arguments.positionals[0], definition)
  var lines = try input.lines()
  var counts = (before: 0, after: 0)
  for line in lines.indices {
    for segment in lines[line].segments.indices {
      counts.before += lines[line].segments[segment].count
      lines[line].segments[segment] = change(lines[line].segments[segment])
      counts.after += lines[line].segments[segment].count
    }
  }
  try output.write(input.replacingLines(lines))
  return counts
}
