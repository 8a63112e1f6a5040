// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnRouting
import CommandLineKit
import Presentation
import Requests

/// `cairn explain`: why a route was chosen.
struct ExplainCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn explain",
    summary: "explain the cost of a route and compare it with alternatives",
    discussion: """
      Prints each stretch of the route with a breakdown of its cost, recomputed from the profile \
      and the tags in the database; the day for which this was judged; and the best routes that \
      avoid its most expensive stretches. Costs are equivalent metres of flat, good path. Exits \
      with 1 if there is no route.
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

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let request = try RouteRequest(arguments)
    try TravelDay.refuseDeparture(arguments)
    let explanation = try withStore(request.databases, request.choice, points: request.points) {
      store in
      try request.resolved(in: store).explanation(store)
    }
    let text =
      arguments.has("json")
      ? String(decoding: try encodeJSON(ExplanationRecord(explanation)), as: UTF8.self)
      : ExplanationSheet(explanation, columns: Console.columns).text
    try Console.write(text)
    return .success
  }
}
