// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit
import CostModel
import Presentation

extension RouteRequest {
  /// Finds the route and explains its costs; for a request that is ``resolved(in:)``. Throws 65 if
  /// the database lacks the inputs of its costs.
  ///
  /// - Parameter engine: The engine of the choice, if kept for many requests.
  package func explanation(_ store: RoutingStore, on engine: RoutingEngine? = nil) throws
    -> RouteExplanation
  {
    guard let profile = try choice.chosen?.definition(in: store) else { throw lacksTags }
    let engine = try engine ?? choice.engine(on: store)
    let route = try choice.findRoute(engine, points)
    let tags = try route.edges.map { edge in
      guard let tags = try store.tags(ofEdge: edge.id) else { throw lacksTags }
      return tags
    }
    let date = try store.judgedDate(choice.day)
    let costs = CostExplanation(
      Array(zip(route.edges, tags)), profile, on: date,
      isClimbKnown: route.isClimbKnown(ofEdge:))
    return try RouteExplanation(
      route, costs, FoundRoute.offNetwork(route, points), JudgedDay(choice.otherDay, store),
      choice.rules(on: route, engine)
    ) { stretches in
      try engine.detours(
        of: route, through: points, profile: profile.name, avoiding: stretches)
    }
  }

  private var lacksTags: CairnError {
    CairnError(
      "no-tags", .dataError, "lacks the profiles or tags of its costs",
      at: Location(file: databases.title),
      hint: "rebuild it with this version of cairn-compute-costs")
  }
}
