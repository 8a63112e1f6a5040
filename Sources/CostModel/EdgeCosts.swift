// SPDX-License-Identifier: Apache-2.0
import TrailData
import TravelRules

/// Costs and durations of all edges of a graph by one profile.
public struct EdgeCosts: Equatable, Sendable {
  /// The least cost of an edge. It only counts where two nodes lie on the same spot: a cost of 0
  /// would make a circle that costs nothing.
  public static let leastCost = 0.001

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
    var access: Access
  }

  /// Works out the costs of a graph.
  ///
  /// - Parameter date: The day for which seasons and conditional access are read. Without one,
  ///   whatever depends on it is closed.
  public init(_ graph: GraphFile, _ profile: CostProfile, on date: CalendarDate? = nil) {
    let tagSets = (0..<graph.tagSets.count).map {
      Self.tagSetCost(graph.wayTags(ofTagSet: $0), profile, date)
    }
    let count = graph.from.count
    cost.reserveCapacity(count)
    reverseCost.reserveCapacity(count)
    duration.reserveCapacity(count)
    reverseDuration.reserveCapacity(count)
    isOneway.reserveCapacity(count)
    for edge in 0..<count {
      let tags = tagSets[Int(graph.wayTagSets[Int(graph.ways[edge])])]
      let distance = graph.distances[edge]
      let gain = graph.gains[edge]
      let loss = graph.losses[edge]
      let isPassable = tags.multiplier < CostProfile.impassable
      let forward = isPassable && tags.access.forward
      let backward = isPassable && tags.access.backward
      let flat = distance * tags.multiplier
      let there = forward ? profile.cost(flat, distance, up: gain, down: loss) : .infinity
      let back = backward ? profile.cost(flat, distance, up: loss, down: gain) : .infinity
      cost.append(there)
      reverseCost.append(back)
      duration.append(forward ? profile.seconds(distance, up: gain) : .infinity)
      reverseDuration.append(backward ? profile.seconds(distance, up: loss) : .infinity)
      isOneway.append(forward && !backward)
    }
    applyFerries(graph, profile)
    applyBarriers(graph, profile.vehicle, date)
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
    cost[edge] = .infinity
    reverseCost[edge] = .infinity
    duration[edge] = .infinity
    reverseDuration[edge] = .infinity
    isOneway[edge] = false
  }

  /// Gives an edge another cost and time in the directions in which it is passable.
  mutating func set(_ edge: Int, cost newCost: Double, seconds: Double) {
    guard newCost < .infinity else { return close(edge) }
    if cost[edge] < .infinity { (cost[edge], duration[edge]) = (newCost, seconds) }
    if reverseCost[edge] < .infinity {
      (reverseCost[edge], reverseDuration[edge]) = (newCost, seconds)
    }
  }

  private static func tagSetCost(
    _ tags: WayTags, _ profile: CostProfile, _ date: CalendarDate?
  ) -> TagSetCost {
    let surface =
      tags["surface"].flatMap { profile.surfaces[$0] } ?? profile.unknownSurface
    let sac = tags["sac_scale"].flatMap { profile.sacScale[$0] } ?? 1
    var highway = tags["highway"].flatMap { profile.highways[$0] } ?? 1
    // A via ferrata is none the less one where the way is drawn as a path.
    if let equipment = Equipment(tags) {
      highway = max(highway, profile.highways[equipment.rawValue] ?? CostProfile.impassable)
    }
    return TagSetCost(
      multiplier: surface * sac * highway, access: Access(tags, for: profile.vehicle, on: date))
  }
}

extension CostProfile {
  /// The cost of an edge in one direction; see ``CostProfile`` for the formula.
  @inline(__always)
  func cost(_ weightedDistance: Double, _ distance: Double, up: Double, down: Double) -> Double {
    let gradePercent = distance > 0 ? down / distance * 100 : 0
    let cost =
      weightedDistance + up * climbFactor + down * climbFactor * descent(gradePercent: gradePercent)
    return max(cost, EdgeCosts.leastCost)
  }

  /// The seconds of an edge in one direction.
  @inline(__always)
  func seconds(_ distance: Double, up: Double) -> Double {
    (distance + up * climbFactor) / (speedKilometresPerHour / 3.6)
  }
}

extension GraphFile {
  /// The tags of a set by name.
  func wayTags(ofTagSet set: Int) -> WayTags {
    var tags: WayTags = [:]
    for place in tagSets.tags(of: set) {
      tags[strings[Int(tagSets.key(place))]] = strings[Int(tagSets.value(place))]
    }
    return tags
  }
}
