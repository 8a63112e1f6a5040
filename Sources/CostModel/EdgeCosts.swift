// SPDX-License-Identifier: Apache-2.0
import TrailData

/// Costs and durations of all edges of a graph by one profile.
public struct EdgeCosts: Equatable, Sendable {
  /// Cost of each edge in its own direction, ``CostProfile/impassable`` where there is no way.
  public private(set) var cost: [Double] = []
  /// Cost of each edge in the other direction.
  public private(set) var reverseCost: [Double] = []
  /// Seconds in its own direction, infinite where there is no way.
  public private(set) var duration: [Double] = []
  /// Seconds in the other direction.
  public private(set) var reverseDuration: [Double] = []
  /// Whether an edge is passable in its own direction only.
  public private(set) var isOneway: [Bool] = []
  /// The least cost of a metre in any passable direction: no route between two points can cost
  /// less than this times their distance. 0 where nothing is passable.
  public private(set) var minimumCostPerMetre = 0.0

  /// What the tags of an edge contribute: the same for all edges of a tag set.
  private struct TagSetCost {
    var multiplier: Double
    var forward: Bool
    var backward: Bool

    init(_ tags: WayTags, _ profile: CostProfile) {
      let factors = TagFactors(tags, profile)
      multiplier = factors.multiplier
      forward = factors.access.forward && multiplier.isFinite
      backward = factors.access.backward && multiplier.isFinite
    }
  }

  /// Works out the costs of a graph.
  public init(_ graph: GraphFile, _ profile: CostProfile) {
    let tagSets = (0..<graph.tagSets.count).map {
      TagSetCost(graph.wayTags(ofTagSet: $0), profile)
    }
    let formula = EdgeFormula(profile)
    let count = graph.from.count
    cost.reserveCapacity(count)
    reverseCost.reserveCapacity(count)
    duration.reserveCapacity(count)
    reverseDuration.reserveCapacity(count)
    isOneway.reserveCapacity(count)
    var minimum = Double.infinity
    for edge in 0..<count {
      let tags = tagSets[Int(graph.wayTagSets[Int(graph.ways[edge])])]
      let distance = graph.distances[edge]
      let gain = graph.gains[edge]
      let loss = graph.losses[edge]
      let there =
        tags.forward
        ? formula.cost(tags.multiplier, distance: distance, up: gain, down: loss) : .infinity
      let back =
        tags.backward
        ? formula.cost(tags.multiplier, distance: distance, up: loss, down: gain) : .infinity
      cost.append(there)
      reverseCost.append(back)
      duration.append(
        there.isFinite ? formula.seconds(distance: distance, up: gain, down: loss) : .infinity)
      reverseDuration.append(
        back.isFinite ? formula.seconds(distance: distance, up: loss, down: gain) : .infinity)
      isOneway.append(there.isFinite && back.isInfinite)
      if distance > 0 { minimum = min(minimum, there / distance, back / distance) }
    }
    minimumCostPerMetre = minimum.isFinite ? minimum : 0
  }
}

extension CostProfile.Vehicle {
  /// The key of ``WayTags`` that names the network of the most important waymarked route of this
  /// vehicle along a way. OpenStreetMap has no such key: routes are relations there.
  public var routeKey: String {
    switch self {
    case .foot: "route:foot"
    case .bicycle: "route:bicycle"
    }
  }
}

extension GraphFile {
  /// The tags of a set by name, with those that stand for waymarked routes; see
  /// ``CostProfile/Vehicle/routeKey``.
  public func wayTags(ofTagSet set: Int) -> WayTags {
    var tags: WayTags = [:]
    for place in tagSets.tags(of: set) {
      tags[strings[Int(tagSets.key(place))]] = strings[Int(tagSets.value(place))]
    }
    let networks = RouteNetworks(rawValue: tagSetNetworks[set])
    tags[CostProfile.Vehicle.foot.routeKey] = networks.onFoot?.name
    tags[CostProfile.Vehicle.bicycle.routeKey] = networks.byBicycle?.name
    return tags
  }
}
