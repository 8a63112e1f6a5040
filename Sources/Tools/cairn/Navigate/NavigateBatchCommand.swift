// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGuidance
import CairnLocationProviders
import CommandLineKit
import Presentation
import Requests
import SystemIO

/// `cairn navigate batch`: the quality of guidance on many walks.
struct NavigateBatchCommand: Command {
  private enum Format: String, CaseIterable { case table, json }

  static let definition = CommandDefinition(
    name: "cairn navigate batch",
    summary: "measure guidance on many simulated or recorded walks",
    discussion: """
      Without TRACKS, walks all planned routes of a folder with each receiver noise, and prints \
      false alarms, missed and repeated turns, late warnings, and how many wrong turns of more \
      than 80 m were noticed within 60 s of walking. The same --seed gives the same walks.

      With TRACKS, a folder of GPX files and journals, replays each track along the route of its \
      name, or else along the route that it follows most, for at least half of the track. \
      The truth is unknown then: an alarm counts as false if the track stays within --on-route of \
      its route for a minute before and after it; a turn counts as missed if the track passes \
      closely without an announcement.
      """,
    positionals: [
      .init("ROUTES", help: "a folder of planned routes"),
      .init("TRACKS", required: false, help: "a folder of recorded walks"),
    ],
    options: [
      .option(
        "noise", "LIST",
        help: "standard deviations of the receiver along each axis in metres (default 5,10,25)"),
      .option("walks", "N", help: "walks per route (default 1)"),
    ] + SimulationChoice.walkOptions + GuidanceChoice.options + [
      .option("format", "FORMAT", help: "table or json (default table)"),
      .option("threads", "N", letter: "j", help: "worker threads (default: one per processor)"),
    ],
    examples: [
      "cairn navigate batch routes --wrong-turns 2",
      "cairn navigate batch routes tracks --off-route 40",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let format =
      try arguments.choice("format", of: Format.allCases.map(\.rawValue)).flatMap(Format.init)
      ?? .table
    let config = try GuidanceChoice(arguments).config
    let threads = try arguments.integer("threads", in: 1...256) ?? availableProcessors()
    let isRecorded = arguments.positionals.count > 1
    for option in ["noise", "walks"] + SimulationChoice.walkOptions.map(\.name)
    where isRecorded && arguments.has(option) {
      throw arguments.usageError("--\(option) works only with simulated walks")
    }
    let noises = try noises(arguments)
    let walks = try arguments.integer("walks", in: 1...1000) ?? 1
    let choice = try SimulationChoice(withoutNoise: arguments)
    let routes = try plannedRoutes(arguments.positionals[0]).routes
    guard !routes.isEmpty else {
      throw CairnError(
        "no-planned-routes", .noInput, "has no planned routes",
        at: Location(file: arguments.positionals[0]))
    }
    if isRecorded {
      let report = try RecordedWalkSheet(
        in: arguments.positionals[1], along: routes, config, threads: threads, definition)
      try Console.write(format == .table ? report.text : try report.json)
      return .success
    }
    let report = try SimulatedWalkSheet(
      routes, noises: noises, walks: walks, choice, config, threads: threads)
    try Console.write(format == .table ? report.text : try report.json)
    return .success
  }

  private static func noises(_ arguments: Arguments) throws(CairnError) -> [Double] {
    guard let text = arguments.value("noise") else { return [5, 10, 25] }
    var noises: [Double] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let noise = Double(part), (0...1000).contains(noise), noises.count < 20 else {
        throw arguments.usageError(
          "--noise takes up to 20 numbers from 0 to 1000, such as 5,10,25, not “\(printable(text))”"
        )
      }
      noises.append(noise)
    }
    return noises
  }
}
