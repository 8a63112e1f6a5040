import Geodesy
import RoutingDatabase
import Synchronization
// SPDX-License-Identifier: Apache-2.0
import TagRules

/// What a matrix tells of the cheapest route between two points.
public enum RouteMeasure: String, Sendable, CaseIterable {
  /// What it costs, in metres of flat good path.
  case cost
  /// How long it takes, in seconds.
  case seconds
  /// How long it is, in metres.
  case metres
}

/// What the cheapest routes from any point to many points are like, through a contraction
/// hierarchy. May be used from any thread.
///
/// After S. Knopp, P. Sanders, D. Schultes, F. Schulz, D. Wagner, “Computing Many-to-Many Shortest
/// Paths Using Highway Hierarchies”, ALENEX 2007: a search from each destination leaves its cost in
/// a bucket at each place that it comes to, and a search from a start looks into the buckets of the
/// places that it comes to.
public final class RouteMatrix: Sendable {
  /// What is told of a route.
  public let measure: RouteMeasure
  /// How many destinations there are.
  public var count: Int { stops.count }

  /// How many destinations lie far from every passable edge.
  public var strandedDestinations: Int { stops.count { $0 == nil } }

  private let hierarchy: ContractionHierarchy
  private let weights: LinkWeights
  private let radiusMetres: Double
  /// The destinations on their edges; nil for one that is far from every edge.
  private let stops: [EdgePoint?]
  /// Where the entries of a place begin among all; one more than there are places.
  private let starts: [Int32]
  private let entries: [Entry]
  /// Searches that are not at work, with their memory.
  private let idle = Mutex<[HierarchySearch]>([])

  /// What it is from a place to a destination.
  private struct Entry {
    var cost: Double
    var value: Double
    var destination: Int32
  }

  /// Prepares for many starts.
  ///
  /// - Parameters:
  ///   - destinations: Where the routes end.
  ///   - radiusMetres: How far from a path or road a point may lie.
  ///
  /// Throws ``RoutingError/databaseUnusable(_:)`` for more destinations than can be counted.
  public init(
    _ hierarchy: ContractionHierarchy, to destinations: [Coordinate], measure: RouteMeasure,
    radiusMetres: Double = RoutingCostConfig.nearestNodeSearchRadiusMetres,
    mode: RoutingMode = .hiking
  ) throws(RoutingError) {
    self.hierarchy = hierarchy
    self.measure = measure
    self.radiusMetres = radiusMetres
    weights = LinkWeights(hierarchy, measure, mode: mode)
    stops = destinations.map {
      hierarchy.graph.nearestPoint(to: $0, radiusMetres: radiusMetres)
    }
    var reached: [(place: Int32, entry: Entry)] = []
    var search = HierarchySearch()
    for (number, stop) in stops.enumerated() {
      guard let stop else { continue }
      let ends = weights.ends(of: stop, isGoal: true)
      search.explore(hierarchy, weights, ends, isBackward: true) { place, cost, value in
        let destination = Int32(truncatingIfNeeded: number)
        reached.append((place, Entry(cost: cost, value: value, destination: destination)))
      }
      guard reached.count < Int(Int32.max) else {
        throw .databaseUnusable("so many destinations are too much for one matrix")
      }
    }
    // By places, those of one place in the order of destinations.
    var starts = [Int32](repeating: 0, count: hierarchy.order.count + 1)
    for (place, _) in reached { starts[Int(place) + 1] += 1 }
    for place in 1..<starts.count { starts[place] += starts[place - 1] }
    var next = starts
    var entries = reached.map(\.entry)
    for (place, entry) in reached {
      entries[Int(next[Int(place)])] = entry
      next[Int(place)] += 1
    }
    (self.starts, self.entries) = (starts, entries)
  }

  /// The routes from a point to all destinations, in their order; nil where there is none.
  public func row(from point: Coordinate) -> [Double?] {
    var costs = [Double](repeating: .infinity, count: stops.count)
    var values = costs
    if let start = hierarchy.graph.nearestPoint(to: point, radiusMetres: radiusMetres) {
      for (number, stop) in stops.enumerated() {
        guard let stop, let direct = weights.direct(from: start, to: stop) else { continue }
        (costs[number], values[number]) = (direct.cost, direct.value)
      }
      let ends = weights.ends(of: start, isGoal: false)
      var search = idle.withLock { $0.popLast() } ?? HierarchySearch()
      search.explore(hierarchy, weights, ends, isBackward: false) { place, cost, value in
        for number in Int(starts[Int(place)])..<Int(starts[Int(place) + 1]) {
          let entry = entries[number]
          let destination = Int(entry.destination)
          guard cost + entry.cost < costs[destination] else { continue }
          costs[destination] = cost + entry.cost
          values[destination] = value + entry.value
        }
      }
      idle.withLock { $0.append(search) }
    }
    return zip(costs, values).map { $0.isFinite ? $1 : nil }
  }
}
