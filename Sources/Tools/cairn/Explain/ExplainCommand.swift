// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import CostModel
import Diagnostics
import Geodesy
import Routing
import RoutingDatabase
import TagRules

/// `cairn explain`: why a route goes where it goes.
struct ExplainCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn explain",
    summary: "say why a route goes where it goes, and what else was possible",
    discussion: """
      Prints the stretches of the route with what their costs are made of, worked out anew from \
      the profile and the tags in the database, and the best routes without its most expensive \
      stretches. Costs are metres of flat good path. Ends with 1 where there is no route.
      """,
    positionals: [.init("DB", help: "a routing database")],
    options: [
      .option("from", "LAT,LON", required: true, help: "where to start"),
      .option("to", "LAT,LON", required: true, help: "where to go"),
      .option("profile", "NAME", help: "a profile of the database (default: its first one)"),
      .flag("json", help: "print JSON"),
    ],
    examples: [
      "cairn explain valley.routing.db --from 47.0301,10.0502 --to 47.0512,10.1403"
    ])

  /// A route with all that the database says about it.
  private struct Found {
    var row: RoutingProfile
    var route: ComputedRoute
    /// The tags of its edges; nil where the database does not say.
    var tags: [EdgeTags]?
    /// The day for which access was read; nil where nobody knew one.
    var date: CalendarDate?
  }

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let start = try arguments.coordinate("from")
    let end = try arguments.coordinate("to")
    let path = arguments.positionals[0]
    let wanted = arguments.value("profile")
    let found = try withStore(path) { store throws(RoutingError) in
      try find(store, from: start, to: end, profile: wanted)
    }
    guard let found, let tags = found.tags else {
      throw CairnError(
        "no-tags", .dataError, "does not say what its costs are made of",
        at: Location(file: path), hint: "build it anew with this version of cairn-compute-costs")
    }
    let profile: CostProfile
    do throws(CairnError) { profile = try CostProfile(definition: found.row.definition) } catch {
      throw CairnError(
        "unreadable-profile", .dataError,
        "profile \(found.row.name) cannot be read: \(error.message)", at: Location(file: path),
        hint: "was the database built by a later version?")
    }
    let explanation = RouteExplanation(found.route, profile, tags: tags, on: found.date)
    let dearest = explanation.stretches.sorted { $0.cost > $1.cost }
    let alternatives = try withStore(path) { store throws(RoutingError) in
      var alternatives: [RouteAlternative] = []
      for stretch in dearest.prefix(RouteAlternative.limit) {
        alternatives.append(
          try alternative(store, from: start, to: end, found.row.name, found.route, stretch))
      }
      return alternatives
    }
    let text =
      arguments.has("json")
      ? String(
        decoding: try encodeJSON(ExplanationRecord(explanation, alternatives)), as: UTF8.self)
      : ExplanationSheet(explanation, alternatives).text
    try Console.write(text)
    return .success
  }

  /// The route and its tags; nil for a database without profiles.
  private static func find(
    _ store: RoutingStore, from start: Coordinate, to end: Coordinate, profile: String?
  ) throws(RoutingError) -> Found? {
    let rows = try store.profiles()
    guard let name = profile ?? rows.first?.name else { return nil }
    let route = try RoutingEngine(store: store).findRoute(from: start, to: end, profile: name)
    guard let row = rows.first(where: { $0.name == name }) else { return nil }
    var found = Found(row: row, route: route, tags: [])
    found.date = try store.metadata()[RoutingMetadataKey.accessDate].flatMap { CalendarDate($0) }
    found.date?.isSouthern = try store.isSouthern()
    for edge in route.edges {
      guard let tags = try store.tags(ofEdge: edge.id) else {
        found.tags = nil
        break
      }
      found.tags?.append(tags)
    }
    return found
  }

  private static func alternative(
    _ store: RoutingStore, from start: Coordinate, to end: Coordinate, _ profile: String,
    _ route: ComputedRoute, _ stretch: RouteExplanation.Stretch
  ) throws(RoutingError) -> RouteAlternative {
    var other: ComputedRoute?
    do throws(RoutingError) {
      other = try RoutingEngine(store: store).findRoute(
        from: start, to: end, profile: profile, avoidedEdges: Set(stretch.edgeIDs))
    } catch .noRouteFound {}
    return RouteAlternative(avoiding: stretch, of: route, by: other)
  }
}
