// SPDX-License-Identifier: Apache-2.0
import CairnRouting
import CostModel

/// The reasons for a route: the costs of its stretches, and the best routes without the most
/// expensive ones.
package struct RouteExplanation {
  /// The number of stretches avoided in turn.
  private static let avoidedStretches = 3

  let route: ComputedRoute
  let costs: CostExplanation
  let detours: [RouteDetour]
  /// The stretches counted by ``RouteDetour/avoided``: the most expensive ones, in descending
  /// order.
  let avoidable: [CostExplanation.Stretch]
  let offNetwork: [FoundRoute.OffNetwork]
  let day: JudgedDay
  let rules: RuleTally?

  /// Takes a route with its costs, and looks for detours.
  ///
  /// - Parameters:
  ///   - day: The day of the route.
  ///   - rules: The rules on times that apply to it.
  ///   - detours: Finds the best routes that avoid stretches, given by the ids of their edges; see
  ///     `RoutingEngine.detours(of:through:profile:avoiding:)`.
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

  /// The stretches that a detour avoids.
  func avoided(by detour: RouteDetour) -> [CostExplanation.Stretch] {
    detour.avoided.map { avoidable[$0] }
  }
}
