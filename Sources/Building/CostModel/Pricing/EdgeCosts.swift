// SPDX-License-Identifier: Apache-2.0
import TagRules
import TrailData

/// Costs and durations of all edges of a graph for one profile.
package struct EdgeCosts: Equatable, Sendable {
  /// Cost of each edge in its own direction, ``CostProfile/impassable`` if it is closed.
  package private(set) var cost: [Double] = []
  /// Cost of each edge in the other direction.
  package private(set) var reverseCost: [Double] = []
  /// Seconds in its own direction, infinite if it is closed.
  package private(set) var duration: [Double] = []
  /// Seconds in the other direction.
  package private(set) var reverseDuration: [Double] = []
  /// Whether an edge is passable in its own direction only.
  package private(set) var isOneway: [Bool] = []
  /// The least cost per metre in any passable direction: no route between two points can cost less
  /// than this times their distance. 0 if nothing is passable.
  package private(set) var minimumCostPerMetre = 0.0
  /// The class of access of each tag set in its more welcoming direction.
  private(set) var tagSetAccess: [AccessClass] = []

  /// Computes the costs of a graph.
  ///
  /// - Parameter date: The day for which seasons and conditional access are evaluated. Without one,
  ///   whatever depends on it is closed.
  package init(_ graph: GraphFile, _ profile: CostProfile, on date: CalendarDate? = nil) {
    // The products of the factors of each tag set and their slowdowns, in both directions.
    var tagSets: [(forward: Double, backward: Double)] = []
    var slowdowns: [(forward: Double, backward: Double)] = []
    for set in 0..<graph.tagSets.count {
      let factors = TagFactors(graph.wayTags(ofTagSet: set), profile, on: date)
      tagSets.append((factors.forward, factors.backward))
      slowdowns.append((factors.forwardSlowdown, factors.backwardSlowdown))
      tagSetAccess.append(min(factors.access.forwardClass, factors.access.backwardClass))
    }
    let formula = EdgeFormula(profile)
    let count = graph.from.count
    cost.reserveCapacity(count)
    reverseCost.reserveCapacity(count)
    duration.reserveCapacity(count)
    reverseDuration.reserveCapacity(count)
    isOneway.reserveCapacity(count)
    for edge in 0..<count {
      let set = Int(graph.wayTagSets[Int(graph.ways[edge])])
      let (multiplier, slowdown) = (tagSets[set], slowdowns[set])
      let (distance, gain, loss) = (graph.distances[edge], graph.gains[edge], graph.losses[edge])
      let there = formula.cost(multiplier.forward, distance: distance, up: gain, down: loss)
      let back = formula.cost(multiplier.backward, distance: distance, up: loss, down: gain)
      cost.append(there)
      reverseCost.append(back)
      duration.append(
        there.isFinite
          ? formula.seconds(slowdown.forward, distance: distance, up: gain, down: loss) : .infinity)
      reverseDuration.append(
        back.isFinite
          ? formula.seconds(slowdown.backward, distance: distance, up: loss, down: gain) : .infinity
      )
      isOneway.append(there.isFinite && back.isInfinite)
    }
    applyFerries(graph, profile, formula, tagSets)
    applyBarriers(graph, profile, date)
    minimumCostPerMetre = leastCostPerMetre(graph)
  }

  private func leastCostPerMetre(_ graph: GraphFile) -> Double {
    var least = Double.infinity
    for edge in cost.indices {
      let distance = graph.distances[edge]
      if distance > 0 { least = min(least, min(cost[edge], reverseCost[edge]) / distance) }
    }
    return least.isFinite ? least : 0
  }

  /// Makes an edge impassable.
  mutating func close(_ edge: Int) {
    set(edge, cost: .infinity, reverseCost: .infinity, seconds: 0)
  }

  /// Replaces the costs of an edge, and its times by the same one for both directions.
  mutating func set(
    _ edge: Int, cost newCost: Double, reverseCost newReverseCost: Double, seconds: Double
  ) {
    cost[edge] = newCost
    reverseCost[edge] = newReverseCost
    duration[edge] = newCost < .infinity ? seconds : .infinity
    reverseDuration[edge] = newReverseCost < .infinity ? seconds : .infinity
    isOneway[edge] = newCost < .infinity && newReverseCost == .infinity
  }
}

extension GraphFile {
  /// The tags of a set by name, including the network of waymarked routes; see
  /// ``TagRules/Vehicle/routeKey``.
  package func wayTags(ofTagSet set: Int) -> WayTags {
    var tags = tagSets.texts(of: set, in: strings)
    let networks = RouteNetworks(rawValue: tagSetNetworks[set])
    tags[Vehicle.foot.routeKey] = networks.onFoot?.name
    tags[Vehicle.bicycle.routeKey] = networks.byBicycle?.name
    return tags
  }
}
