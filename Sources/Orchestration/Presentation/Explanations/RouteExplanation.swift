// SPDX-License-Identifier: Apache-2.0
import CairnRouting
import CostModel

/// Why a route was chosen: what its stretches cost, and the best routes without the most expensive
/// ones.
package struct RouteExplanation {
  /// How many stretches are avoided in turn.
  private static let avoidedStretches = 3

  let route: ComputedRoute
  let costs: CostExplanation
  let detours: [RouteDetour]
  /// What ``RouteDetour/avoided`` counts: the most expensive stretches, the dearest first.
  let avoidable: [CostExplanation.Stretch]
  let offNetwork: [FoundRoute.OffNetwork]
  let day: JudgedDay
  let rules: RuleTally?

  /// Takes a route with its costs, and looks for detours.
  ///
  /// - Parameters:
  ///   - day: For which day it was found.
  ///   - rules: The rules on times that it is under.
  ///   - detours: Finds the best routes that avoid stretches, given by the ids of their edges;
  ///     see `RoutingEngine.detours(of:through:profile:avoiding:)`.
  package init(
    _ route: ComputedRoute, _ costs: CostExplanation, _ offNetwork: [FoundRoute.OffNetwork],
    _ day: JudgedDay, _ rules: RuleTally?, detours: ([[Int64]]) throws -> [RouteDetour]
  ) rethrows {
    (self.day, self.rules) = (day, rules)
    self.route = route
    self.costs = costs
    self.offNetwork = offNetwork
    avoidable = Array(costs.stretches.sorted { $0.cost > $1.cost }.prefix(Self.avoidedStretches))
    self.detours = try detours(avoidable.map(\.edgeIDs))
  }

  /// The stretches without any of which a detour is the best route.
  func avoided(by detour: RouteDetour) -> [CostExplanation.Stretch] {
    detour.avoided.map { avoidable[$0] }
  }
}
