// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnLocks
import CairnRoutingDatabase
import CairnTagRules

/// The property of the cheapest routes that a matrix holds.
public enum RouteMeasure: String, Sendable, CaseIterable {
  /// The cost, in metres of flat good path.
  case cost
  /// The time, in seconds: the sum of the times of edges, even for a model for the totals of a
  /// route.
  case seconds
  /// The distance, in metres.
  case metres
}

extension ProfileGraph {
  /// The candidates for a point of a matrix: the nearest edge of the network and that of each
  /// island about as near. Nil far from every edge.
  ///
  /// They are the candidates of a single route, except those that need a neighbour near the same
  /// island. Islands further away, but not too far, are a last resort, as when the search for a
  /// single route is repeated.
  func matrixStop(at point: Coordinate, radiusMetres: Double) -> RouteStop? {
    let candidates = snapCandidates(to: point, .chosen, radiusMetres: radiusMetres)
    guard !candidates.isEmpty else { return nil }
    var stop = RouteStop(point, .chosen, candidates, mayMove: false)
    guard hasIslands else { return stop }
    let radius = min(radiusMetres, SnapChoice.otherWayMetres)
    for var other in pointsOnEdges(near: point, .chosen, radiusMetres: radius) {
      guard let island = other.island, !stop.islands.contains(island) else { continue }
      other.isLastResort = other.point.distanceMetres > stop.nearMetres
      stop.add(other)
    }
    return stop
  }
}

extension LinkWeights {
  /// The ends of the edges of all candidates, with their penalties, and the distance of each
  /// candidate from the point, in metres.
  fileprivate func ends(of stop: RouteStop, isGoal: Bool) throws(RoutingError) -> (
    ends: [End], metres: [Double]
  ) {
    var ends: [End] = []
    var metres: [Double] = []
    for (index, candidate) in stop.candidates.enumerated() {
      for var end in try self.ends(of: candidate.point, isGoal: isGoal) {
        end.cost += stop.penalty(index)
        ends.append(end)
        metres.append(candidate.point.distanceMetres)
      }
    }
    return (ends, metres)
  }

  /// Staying on an edge that both stops lie on, with the penalties.
  fileprivate func direct(from start: RouteStop, to goal: RouteStop) throws(RoutingError)
    -> RouteMatrix.Cell?
  {
    var best: RouteMatrix.Cell?
    for (one, from) in start.candidates.enumerated() {
      for (other, to) in goal.candidates.enumerated() {
        guard let direct = try direct(from: from.point, to: to.point) else { continue }
        let cost = direct.cost + start.penalty(one) + goal.penalty(other)
        if cost < best?.cost ?? .infinity {
          best = .init(
            cost: cost, value: direct.value, startMetres: from.point.distanceMetres)
        }
      }
    }
    return best
  }
}

/// A cost, time or distance matrix: the cheapest routes from any point to many destinations, found
/// through a contraction hierarchy. Safe to use from any thread.
///
/// After S. Knopp, P. Sanders, D. Schultes, F. Schulz, D. Wagner, “Computing Many-to-Many Shortest
/// Paths Using Highway Hierarchies”, ALENEX 2007: a search from each destination leaves its cost in
/// a bucket at each node that it reaches, and a search from a start looks into the buckets of the
/// nodes that it reaches.
public final class RouteMatrix: Sendable {
  /// The property of the routes.
  public let measure: RouteMeasure
  /// The number of destinations.
  public var count: Int { stops.count }

  /// The number of destinations with no passable edge within the radius.
  public var unsnappedDestinationCount: Int { stops.count { $0 == nil } }

  /// For each destination the kind of its way if there is no other within reach.
  public var lastResorts: [LastResortWay?] { stops.map { $0?.candidates.first?.point.lastResort } }

  private let hierarchy: ContractionHierarchy
  private let weights: LinkWeights
  private let radiusMetres: Double
  /// The candidates for each destination; nil for one that is far from every edge.
  private let stops: [RouteStop?]
  /// For each rank the index of its first entry, and at the end the number of entries.
  private let starts: [Int32]
  private let entries: [Entry]
  /// Idle searches, with their memory.
  private let idle = Mutex<[HierarchySearch]>([])

  /// The cost and the value from a node to a destination.
  private struct Entry {
    var cost: Double
    var value: Double
    var destination: Int32
  }

  /// The best known route to a destination.
  fileprivate struct Cell {
    var cost = Double.infinity
    var value = Double.infinity
    /// How far from the start's point it begins.
    var startMetres = 0.0
  }

  /// The values from a point to all destinations.
  public struct Row: Equatable, Sendable {
    /// The values in the order of the destinations; nil if there is no route.
    public var values: [Double?]
    /// The greatest distance in metres from the point to the start of these routes; nil if there
    /// are none.
    public var offNetworkMetres: Double?
  }

  /// For up to this many points, searching the graph itself is faster than contracting it first.
  private static let fewPoints = 50

  /// Prepares the searches in a graph without a hierarchy: for few destinations by Dijkstra's
  /// algorithm, for many by contracting it.
  public convenience init(
    _ graph: ProfileGraph, to destinations: [Coordinate], measure: RouteMeasure,
    radiusMetres: Double = RoutingCostConfig.nearestNodeSearchRadiusMetres,
    mode: RoutingMode = .hiking
  ) throws(RoutingError) {
    let hierarchy: ContractionHierarchy =
      destinations.count <= Self.fewPoints ? try .uncontracted(graph) : try .contracting(graph)
    try self.init(
      hierarchy, to: destinations, measure: measure, radiusMetres: radiusMetres, mode: mode)
  }

  /// Prepares the searches from any number of starts.
  ///
  /// - Parameters:
  ///   - hierarchy: The hierarchy to search.
  ///   - destinations: The ends of the routes.
  ///   - measure: The measure of the values.
  ///   - radiusMetres: The greatest distance of a point from a path or road.
  ///   - mode: The rule of times for edges without a duration in the database.
  ///
  /// Throws `RoutingError.databaseUnusable(_:)` for too many destinations, and
  /// `RoutingError.databaseCorrupted(_:)` for damaged elevations at one.
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
      hierarchy.graph.matrixStop(at: $0, radiusMetres: radiusMetres)
    }
    var reached: [(rank: Int32, entry: Entry)] = []
    var search = HierarchySearch()
    for (index, stop) in stops.enumerated() {
      guard let stop else { continue }
      let ends = try weights.ends(of: stop, isGoal: true).ends
      search.explore(hierarchy, weights, ends, isBackward: true) { rank, cost, value, _ in
        let destination = Int32(truncatingIfNeeded: index)
        reached.append((rank, Entry(cost: cost, value: value, destination: destination)))
      }
      guard reached.count < Int(Int32.max) else {
        throw .databaseUnusable("too many destinations for one matrix")
      }
    }
    // By rank, then in the order of destinations.
    var starts = [Int32](repeating: 0, count: hierarchy.order.count + 1)
    for (rank, _) in reached { starts[Int(rank) + 1] += 1 }
    for rank in 1..<starts.count { starts[rank] += starts[rank - 1] }
    var next = starts
    var entries = reached.map(\.entry)
    for (rank, entry) in reached {
      entries[Int(next[Int(rank)])] = entry
      next[Int(rank)] += 1
    }
    (self.starts, self.entries) = (starts, entries)
  }

  /// The route between points so close to each other that some of their candidates are too far.
  private func closePair(
    _ start: RouteStop, _ goal: RouteStop, _ search: inout HierarchySearch
  ) throws(RoutingError) -> Cell {
    var (start, goal) = (start, goal)
    let ends = (start.coordinate, goal.coordinate)
    start.dropFar(from: [ends.1])
    goal.dropFar(from: [ends.0])
    var best = try weights.direct(from: start, to: goal) ?? Cell()
    var behind: [Int32: (cost: Double, value: Double)] = [:]
    search.explore(
      hierarchy, weights, try weights.ends(of: goal, isGoal: true).ends, isBackward: true
    ) { rank, cost, value, _ in behind[rank] = (cost, value) }
    let (starts, metres) = try weights.ends(of: start, isGoal: false)
    search.explore(hierarchy, weights, starts, isBackward: false) { rank, cost, value, end in
      guard let rest = behind[rank], cost + rest.cost < best.cost else { return }
      best = Cell(
        cost: cost + rest.cost, value: value + rest.value, startMetres: metres[Int(end)])
    }
    return best
  }

  /// The values from a point to all destinations, in order; nil if there is no route. Throws like
  /// ``cells(from:)``.
  public func row(from point: Coordinate) throws(RoutingError) -> [Double?] {
    try cells(from: point).values
  }

  /// The values from a point to all destinations, and how far from the point the routes begin.
  /// Throws `RoutingError.databaseCorrupted(_:)` if the elevations of an edge at an end are damaged.
  public func cells(from point: Coordinate) throws(RoutingError) -> Row {
    var cells = [Cell](repeating: Cell(), count: stops.count)
    if let start = hierarchy.graph.matrixStop(at: point, radiusMetres: radiusMetres) {
      for (index, stop) in stops.enumerated() {
        guard let stop, let direct = try weights.direct(from: start, to: stop) else { continue }
        cells[index] = direct
      }
      let (ends, metres) = try weights.ends(of: start, isGoal: false)
      var search = idle.withLock { $0.popLast() } ?? HierarchySearch()
      search.explore(hierarchy, weights, ends, isBackward: false) { rank, cost, value, end in
        for index in Int(starts[Int(rank)])..<Int(starts[Int(rank) + 1]) {
          let entry = entries[index]
          let destination = Int(entry.destination)
          guard cost + entry.cost < cells[destination].cost else { continue }
          cells[destination] = Cell(
            cost: cost + entry.cost, value: value + entry.value, startMetres: metres[Int(end)])
        }
      }
      for (index, stop) in stops.enumerated() {
        guard let stop else { continue }
        let reach = max(start.furthestMetres, stop.furthestMetres)
        guard reach > 0, start.reach([stop.coordinate]) <= reach else { continue }
        cells[index] = try closePair(start, stop, &search)
      }
      idle.withLock { $0.append(search) }
    }
    return Row(
      values: cells.map { $0.cost.isFinite ? $0.value : nil },
      offNetworkMetres: cells.filter(\.cost.isFinite).map(\.startMetres).max())
  }
}
