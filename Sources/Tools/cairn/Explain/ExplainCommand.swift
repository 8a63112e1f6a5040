// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CairnTagRules
import CommandLineKit
import CostModel
import Presentation

/// `cairn explain`: why a route was chosen.
struct ExplainCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn explain",
    summary: "explain the cost of a route, and compare it with alternatives",
    discussion: """
      Prints the stretches of the route with a breakdown of their costs, recomputed from the \
      profile and the tags in the database, for which day that was judged, and the best routes that avoid its most expensive \
      stretches, each once. Costs are equivalent metres of flat, good path. Exits with 1 if there \
      is no route.
      """,
    positionals: [DatabaseChoice.positional],
    options: [
      .option("from", "LAT,LON", required: true, help: "start; \(RouteRequest.namedPlace)"),
      .option("to", "LAT,LON", required: true, help: "destination"),
      .option("via", "LAT,LON", repeats: true, help: "via point; several are visited in order"),
      .flag("json", help: "print JSON"),
    ] + RouteChoice.profileOptions,
    examples: [
      "cairn explain valley.routing.db --from 47.0301,10.0502 --to 47.0603,10.0990",
      """
      cairn explain valley.routing.db --from 47.0301,10.0502 --via 47.0508,10.0809 \
      --to 47.0603,10.0990
      """,
    ])

  /// A route with everything that its explanation needs from the database.
  private struct Found {
    var profile: CostProfile
    var route: ComputedRoute
    /// The tags of its edges; nil if the database does not store them.
    var tags: [EdgeTags]?
    /// The date for which access was evaluated; nil if the database does not state it.
    var date: CalendarDate?
    var day: JudgedDay
    var rules: RuleTally?
  }

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let databases = try DatabaseChoice(arguments.positionals)
    let points = try RouteRequest.points(arguments, databases)
    let requested = try RouteChoice(arguments)
    try TravelDay.refuseDeparture(arguments)
    let found = try withStore(databases, requested, points: points) { store in
      try find(store, points, try requested.resolved(in: store))
    }
    guard let found, let tags = found.tags else {
      throw CairnError(
        "no-tags", .dataError, "lacks the profiles or tags that its costs were computed from",
        at: Location(file: databases.title),
        hint: "rebuild it with this version of cairn-compute-costs")
    }
    let costs = CostExplanation(
      Array(zip(found.route.edges, tags)), found.profile, on: found.date,
      isClimbKnown: found.route.isClimbKnown(ofEdge:))
    let offNetwork = FoundRoute.offNetwork(found.route, points)
    let explanation = try withStore(databases, requested, points: points) { store in
      let engine = try requested.resolved(in: store).engine(on: store)
      return try RouteExplanation(found.route, costs, offNetwork, found.day, found.rules) {
        stretches in
        try engine.detours(
          of: found.route, through: points, profile: found.profile.name, avoiding: stretches)
      }
    }
    let text =
      arguments.has("json")
      ? String(decoding: try encodeJSON(ExplanationRecord(explanation)), as: UTF8.self)
      : ExplanationSheet(explanation, columns: Console.columns).text
    try Console.write(text)
    return .success
  }

  /// The route with its profile and tags; nil if the database has no profiles.
  private static func find(
    _ store: RoutingStore, _ points: [Coordinate], _ choice: RouteChoice
  ) throws -> Found? {
    guard let profile = try choice.chosen?.definition(in: store) else { return nil }
    let engine = try choice.engine(on: store)
    let route = try choice.findRoute(engine, points)
    var found = Found(
      profile: profile, route: route, tags: [], day: try JudgedDay(choice.otherDay, store),
      rules: try choice.rules(on: route, engine))
    found.date = try store.judgedDate(choice.day)
    for edge in route.edges {
      guard let tags = try store.tags(ofEdge: edge.id) else {
        found.tags = nil
        break
      }
      found.tags?.append(tags)
    }
    return found
  }
}
