// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import Synchronization
import SystemIO
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
    self = Self.all(graph, [profile], on: date, threads: 1)[0]
  }

  /// Computes the costs of a graph for some profiles; the same for any number of threads.
  package static func all(
    _ graph: GraphFile, _ profiles: [CostProfile], on date: CalendarDate?, threads: Int
  ) -> [EdgeCosts] {
    let terms = TagSetTerms.all(graph, profiles, on: date, threads: threads)
    let ferries = FerryTimes(graph)
    let all = Mutex(
      zip(profiles, terms).map { EdgeCosts(graph, EdgeFormula($0), $1, threads: threads) })
    let queue = WorkQueue(count: profiles.count)
    runWorkers(min(threads, queue.count)) { _ in
      while let profile = queue.next() {
        // Taken out, so that there is no second copy of the columns.
        var costs = EdgeCosts()
        all.withLock { swap(&$0[profile], &costs) }
        costs.applyFerries(graph, ferries, EdgeFormula(profiles[profile]), terms[profile])
        costs.applyBarriers(graph, profiles[profile], date)
        costs.minimumCostPerMetre = costs.leastCostPerMetre(graph)
        all.withLock { swap(&$0[profile], &costs) }
      }
    }
    return all.withLock { $0 }
  }

  private init() {}

  /// The prices of all edges as if they were neither ferries nor barriers.
  private init(
    _ graph: GraphFile, _ formula: EdgeFormula, _ terms: [TagSetTerms], threads: Int
  ) {
    tagSetAccess = terms.map(\.access)
    addPrices(graph, formula, terms, threads: threads)
  }

  /// The number of edges that a worker takes at a time.
  private static let chunkSize = 1 << 14

  private mutating func addPrices(
    _ graph: GraphFile, _ formula: EdgeFormula, _ terms: [TagSetTerms], threads: Int
  ) {
    let count = graph.from.count
    cost = Self.room(for: count)
    reverseCost = Self.room(for: count)
    duration = Self.room(for: count)
    reverseDuration = Self.room(for: count)
    isOneway = Self.room(for: count)
    let queue = WorkQueue(count: (count + Self.chunkSize - 1) / Self.chunkSize)
    withRows { rows in
      runWorkers(min(threads, queue.count)) { [rows] _ in
        while let chunk = queue.next() {
          let edges = chunk * Self.chunkSize..<min((chunk + 1) * Self.chunkSize, count)
          rows.fill(edges, graph, formula, terms)
        }
      }
    }
  }

  /// A column without values. Every one is written before any is read, and so each thread gets its
  /// share of the memory from the system, instead of one thread all of it.
  private static func room<Value: BitwiseCopyable>(for count: Int) -> [Value] {
    [Value](unsafeUninitializedCapacity: count) { _, initializedCount in initializedCount = count }
  }

  /// Calls `body` with the memory of the columns.
  private mutating func withRows(_ body: (Rows) -> Void) {
    cost.withUnsafeMutableBufferPointer { cost in
      reverseCost.withUnsafeMutableBufferPointer { reverseCost in
        duration.withUnsafeMutableBufferPointer { duration in
          reverseDuration.withUnsafeMutableBufferPointer { reverseDuration in
            isOneway.withUnsafeMutableBufferPointer { isOneway in
              body(
                Rows(
                  cost: cost, reverseCost: reverseCost, duration: duration,
                  reverseDuration: reverseDuration, isOneway: isOneway))
            }
          }
        }
      }
    }
  }

  /// The memory of the columns, to be filled by several threads, each with edges of its own.
  private struct Rows: @unchecked Sendable {
    let cost: UnsafeMutableBufferPointer<Double>
    let reverseCost: UnsafeMutableBufferPointer<Double>
    let duration: UnsafeMutableBufferPointer<Double>
    let reverseDuration: UnsafeMutableBufferPointer<Double>
    let isOneway: UnsafeMutableBufferPointer<Bool>

    func fill(
      _ edges: Range<Int>, _ graph: GraphFile, _ formula: EdgeFormula, _ terms: [TagSetTerms]
    ) {
      let (ways, sets) = (graph.ways, graph.wayTagSets)
      let (distances, gains, losses) = (graph.distances, graph.gains, graph.losses)
      for edge in edges {
        let terms = terms[Int(sets[Int(ways[edge])])]
        let (distance, gain, loss) = (distances[edge], gains[edge], losses[edge])
        let there = formula.price(
          terms.forward, slowdown: terms.forwardSlowdown, distance: distance, up: gain, down: loss)
        let back = formula.price(
          terms.backward, slowdown: terms.backwardSlowdown, distance: distance, up: loss,
          down: gain)
        cost[edge] = there.cost
        reverseCost[edge] = back.cost
        duration[edge] = there.seconds
        reverseDuration[edge] = back.seconds
        isOneway[edge] = there.cost.isFinite && back.cost.isInfinite
      }
    }
  }

  private func leastCostPerMetre(_ graph: GraphFile) -> Double {
    var least = Double.infinity
    let distances = graph.distances
    for edge in cost.indices {
      let distance = distances[edge]
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
  /// The tags of a set by name, including the network of waymarked routes and the areas that close or
  /// limit its ways; see ``TagRules/Vehicle/routeKey`` and ``TagRules/AreaAccess/listKey``.
  package func wayTags(ofTagSet set: Int) -> WayTags {
    var tags = tagSets.texts(of: set, in: strings)
    for (key, value) in addedTags(toSet: set) { tags[key] = value }
    return tags
  }

  /// The same as a list.
  func tagList(ofTagSet set: Int) -> TagList {
    let added = addedTags(toSet: set)
    var tags = tagSets.tags(of: set).map {
      (key: strings[Int(tagSets.key($0))], value: strings[Int(tagSets.value($0))])
    }
    tags.removeAll { tag in added.contains { $0.key == tag.key } }
    for (key, value) in added { if let value { tags.append((key, value)) } }
    return TagList(tags)
  }

  /// What replaces tags of a set; nil for none.
  private func addedTags(toSet set: Int) -> [(key: String, value: String?)] {
    let networks = RouteNetworks(rawValue: tagSetNetworks[set])
    let added = [
      (Vehicle.foot.routeKey, networks.onFoot?.name),
      (Vehicle.bicycle.routeKey, networks.byBicycle?.name),
    ]
    if tagSetAreas.isEmpty(set) { return added + [(AreaAccess.listKey, nil)] }
    let areas = tagSetAreas[set].compactMap {
      AreaAccess(TagList(tagSets.texts(of: $0, in: strings)))
    }
    return added + AreaAccess.wayTags(areas).map { ($0.key, $0.value) }
  }
}

extension EdgeCosts {
  /// Closes the edges of barriers that a profile does not pass.
  ///
  /// If it passes, such an edge is a piece of its way with almost no length.
  mutating func applyBarriers(_ graph: GraphFile, _ profile: CostProfile, _ date: CalendarDate?) {
    if graph.barrierEdges.isEmpty { return }
    // Barriers share a few tag sets; each is evaluated once.
    var isClosed = [Bool?](repeating: nil, count: graph.tagSets.count)
    for (index, edge) in graph.barrierEdges.enumerated() {
      let set = Int(graph.barrierTagSets[index])
      let verdict =
        isClosed[set]
        ?? !profile.passes(TagList(graph.tagSets.texts(of: set, in: graph.strings)), on: date)
      isClosed[set] = verdict
      if verdict { close(Int(edge)) }
    }
  }
}
