// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnNavigation
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit
import Presentation
import Requests

/// `cairn trails list`: the waymarked routes of a region.
struct TrailsListCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn trails list",
    summary: "list the waymarked routes with length, climb and time",
    discussion: """
      \(TrailChoice.discussion) Lengths are those within the database; a note says if a large part \
      of the tagged length is missing.
      """,
    positionals: [DatabaseChoice.positional],
    options: TrailChoice.options + [.flag("json", help: "print JSON"), LanguageChoice.option],
    examples: ["cairn trails list valley.routing.db", "cairn trails list build/sample/valley-west"])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let language = try LanguageChoice.language(arguments, unless: "json")
    let choice = try TrailChoice(arguments, arguments.positionals)
    let trails = try withStore(choice.databases) { store in
      var planners: [Bool: (TrailPlanner, RouteChoice)] = [:]
      return try choice.routes.routes.map { route -> WaymarkedTrail in
        if planners[route.isForBicycles] == nil {
          let profile = try choice.profile(for: route, in: store)
          planners[route.isForBicycles] = (
            TrailPlanner(choice.routes, store: store, engine: try profile.inMemory(store)), profile
          )
        }
        guard let (planner, profile) = planners[route.isForBicycles] else {
          return try TrailPlanner(choice.routes, store: store).trail(route)
        }
        return try planner.trail(route, profile: profile.profile, mode: profile.mode)
      }
    }
    if arguments.has("json") {
      let records = trails.map { TrailRecord($0, hasLines: false) }
      try Console.write(String(decoding: try encodeJSON(records), as: UTF8.self))
    } else if !trails.isEmpty {
      try Console.write(TrailSheet.table(trails, columns: Console.columns, in: language))
    } else {
      Console.note("\(definition.name): the database has no waymarked routes")
    }
    return .success
  }
}

/// `cairn trails show`: one waymarked route, and the places along it.
struct TrailsShowCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn trails show",
    summary: "show a waymarked route in order, with places along it",
    discussion: """
      \(TrailChoice.discussion) Lists gaps, branches, ways for the other direction and members \
      missing from the database. Exits with 66 if no route or several have the name, and with 1 if \
      the database has none of its ways.
      """,
    positionals: [DatabaseChoice.positional, TrailChoice.route],
    options: TrailChoice.options + AlongOptions.options + [
      .flag("json", help: "print JSON"), LanguageChoice.option,
    ],
    examples: [
      "cairn trails show valley.routing.db Krähenjochweg",
      "cairn trails show build/sample/valley-west r17000001 --stages 3h",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let language = try LanguageChoice.language(arguments, unless: "json")
    let options = try AlongOptions(arguments)
    let (choice, route) = try TrailChoice.named(arguments)
    let (trail, along) = try withStore(choice.databases) { store in
      let profile = try choice.profile(for: route, in: store)
      let engine = try profile.engine(on: store)
      let trail = try TrailPlanner(choice.routes, store: store, engine: engine)
        .trail(route, profile: profile.profile, mode: profile.mode)
      let pieces = trail.course.pieces.map(\.route)
      return (trail, try options.along(pieces, choice.databases, engine, profile))
    }
    if arguments.has("json") {
      let record = TrailRecord(trail, hasLines: true, along: along)
      try Console.write(String(decoding: try encodeJSON(record), as: UTF8.self))
    } else {
      var text = TrailSheet(trail, in: language).text(columns: Console.columns)
      if !trail.course.pieces.isEmpty {
        text += "\n" + along.text(columns: Console.columns, in: language)
      }
      try Console.write(text)
    }
    return trail.course.pieces.isEmpty ? .negative : .success
  }
}
