// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGuidance
import CairnLocationProviders
import CommandLineKit
import Presentation
import SystemIO

/// `cairn navigate batch`: how well guidance serves on many walks.
struct NavigateBatchCommand: Command {
  private enum Format: String, CaseIterable { case table, json }

  static let definition = CommandDefinition(
    name: "cairn navigate batch",
    summary: "measure guidance on many simulated or recorded walks",
    discussion: """
      Without TRACKS, walks all planned routes of a folder at each noise of the receiver, and prints \
      false alarms, missed and repeated turns, late warnings, and how many wrong turns of more than \
      80 m were noticed within 60 s of walking. The same --seed gives the same walks.

      With TRACKS, a folder of GPX files and journals, each track is replayed along the route of its \
      name, or else along the one that it follows most, if that is at least half of it. The truth is \
      not known then: a track that keeps within the distance of --on-route of its route for a minute \
      before and after an alarm makes it a false one, and a turn that it passes closely without being \
      told is missed.
      """,
    positionals: [
      .init("ROUTES", help: "a folder of planned routes"),
      .init("TRACKS", required: false, help: "a folder of recorded walks"),
    ],
    options: [
      .option(
        "noise", "LIST",
        help: "the receiver's standard deviations along each axis in metres (default 5,10,25)"),
      .option("walks", "N", help: "how often each route is walked (default 1)"),
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
      throw arguments.usageError("--\(option) is for simulated walks, not for recorded ones")
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
