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

/// A cost, time or distance matrix: the cheapest routes from any point to many destinations, found by
/// one search from each start, which ends when it has come to all of them. Safe to use from any
/// thread.
///
/// A cell does not depend on the other points.
public final class RouteMatrix: Sendable {
  /// The property of the routes.
  public var measure: RouteMeasure { pieces.measure }
  /// The number of destinations.
  public var count: Int { stops.count }

  /// The number of destinations with no passable edge within the radius.
  public var unsnappedDestinationCount: Int { stops.count { $0 == nil } }

  /// For each destination the kind of its way if there is no other within reach.
  public var lastResorts: [LastResortWay?] { stops.map { $0?.candidates.first?.point.lastResort } }

  private let graph: ProfileGraph
  private let pieces: StopPieces
  private let radiusMetres: Double
  /// The candidates for each destination; nil for one that is far from every edge.
  private let stops: [RouteStop?]
  /// For each node the index of its first goal, and at the end the number of goals.
  private let firstGoals: [Int32]
  private let goals: [Goal]
  /// The number of nodes that have goals.
  private let goalNodes: Int
  /// Idle searches, with their memory.
  private let idle = Mutex<[Search]>([])

  /// A node from which a destination is reached, with the cost and the value of the rest.
  private struct Goal {
    var cost: Double
    var value: Double
    var destination: Int32
  }

  /// The best known route to a destination.
  private struct Cell {
    var cost = Double.infinity
    var value = Double.infinity
    /// How far from the start's point it begins.
    var startMetres = 0.0
  }

  /// The memory of a search from one start.
  private struct Search {
    var space = SearchSpace()
    /// The path to each node, valid once that is settled.
    var paths: [Path]
  }

  /// The value of a path, and the end of the start's edge at which it begins.
  private struct Path {
    var value: Double
    var end: Int
  }

  /// The values from a point to all destinations.
  public struct Row: Equatable, Sendable {
    /// The values in the order of the destinations; nil if there is no route.
    public var values: [Double?]
    /// The greatest distance in metres from the point to the start of these routes; nil if there
    /// are none.
    public var offNetworkMetres: Double?
  }

  /// Prepares the searches from any number of starts.
  ///
  /// - Parameters:
  ///   - graph: The graph to search.
  ///   - destinations: The ends of the routes.
  ///   - measure: The measure of the values.
  ///   - radiusMetres: The greatest distance of a point from a path or road.
  ///   - mode: The rule of times for edges without a duration in the database.
  ///
  /// Throws `RoutingError.databaseUnusable(_:)` for too many destinations, and
  /// `RoutingError.databaseCorrupted(_:)` for damaged elevations at one.
  public init(
    _ graph: ProfileGraph, to destinations: [Coordinate], measure: RouteMeasure,
    radiusMetres: Double = RoutingCostConfig.nearestNodeSearchRadiusMetres,
    mode: RoutingMode = .hiking
  ) throws(RoutingError) {
    self.graph = graph
    self.radiusMetres = radiusMetres
    pieces = StopPieces(graph: graph, measure: measure, mode: mode)
    stops = destinations.map { graph.matrixStop(at: $0, radiusMetres: radiusMetres) }
    var found: [(node: Int32, goal: Goal)] = []
    for (index, stop) in stops.enumerated() {
      guard let stop else { continue }
      for end in try pieces.ends(of: stop, isGoal: true) {
        let destination = Int32(truncatingIfNeeded: index)
        found.append((end.node, Goal(cost: end.cost, value: end.value, destination: destination)))
      }
      guard found.count < Int(Int32.max) else {
        throw .databaseUnusable("too many destinations for one matrix")
      }
    }
    // By node, then in the order of destinations.
    var counts = [Int32](repeating: 0, count: graph.nodeCount + 1)
    for (node, _) in found { counts[Int(node) + 1] += 1 }
    goalNodes = counts.count { $0 > 0 }
    for node in 1..<counts.count { counts[node] += counts[node - 1] }
    firstGoals = counts
    var goals = found.map(\.goal)
    for (node, goal) in found {
      goals[Int(counts[Int(node)])] = goal
      counts[Int(node)] += 1
    }
    self.goals = goals
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
    if let start = graph.matrixStop(at: point, radiusMetres: radiusMetres) {
      var search = idle.withLock { $0.popLast() } ?? newSearch()
      defer { idle.withLock { $0.append(search) } }
      for (index, stop) in stops.enumerated() {
        guard let stop else { continue }
        cells[index] = try direct(from: start, to: stop)
      }
      try reach(&cells, from: start, &search.space, &search.paths)
      for (index, stop) in stops.enumerated() {
        guard let stop else { continue }
        let reach = max(start.furthestMetres, stop.furthestMetres)
        guard reach > 0, start.reach([stop.coordinate]) <= reach else { continue }
        cells[index] = try closePair(start, stop, &search.space)
      }
    }
    return Row(
      values: cells.map { $0.cost.isFinite ? $0.value : nil },
      offNetworkMetres: cells.filter(\.cost.isFinite).map(\.startMetres).max())
  }

  private func newSearch() -> Search {
    Search(paths: Array(repeating: Path(value: 0, end: 0), count: graph.nodeCount))
  }

  private func direct(from start: RouteStop, to goal: RouteStop) throws(RoutingError) -> Cell {
    guard let direct = try pieces.direct(from: start, to: goal) else { return Cell() }
    return Cell(cost: direct.cost, value: direct.value, startMetres: direct.startMetres)
  }

  /// Searches from a stop until it has come to all nodes with goals.
  private func reach(
    _ cells: inout [Cell], from start: RouteStop, _ space: inout SearchSpace,
    _ paths: inout [Path]
  ) throws(RoutingError) {
    let starts = try pieces.ends(of: start, isGoal: false)
    var missing = goalNodes
    try space.explore(graph, from: starts.map(\.ofSearch)) { arrival in
      let node = Int(arrival.node)
      var path: Path
      if arrival.parent >= 0 {
        path = paths[Int(arrival.parent)]
        path.value += pieces.value(ofEdge: arrival.edge, isReversed: arrival.isReversed)
      } else {
        let end = Int(arrival.edge)
        path = Path(value: starts[end].value, end: end)
      }
      paths[node] = path
      let here = Int(firstGoals[node])..<Int(firstGoals[node + 1])
      for goal in goals[here] {
        let (cost, index) = (arrival.cost + goal.cost, Int(goal.destination))
        guard cost < cells[index].cost else { continue }
        cells[index] = Cell(
          cost: cost, value: path.value + goal.value, startMetres: starts[path.end].metres)
      }
      if !here.isEmpty { missing -= 1 }
      return missing > 0
    }
  }

  /// The route between points so close to each other that some of their candidates are too far.
  private func closePair(_ start: RouteStop, _ goal: RouteStop, _ space: inout SearchSpace)
    throws(RoutingError) -> Cell
  {
    var (start, goal) = (start, goal)
    let places = (start.coordinate, goal.coordinate)
    start.dropFar(from: [places.1])
    goal.dropFar(from: [places.0])
    let direct = try direct(from: start, to: goal)
    let starts = try pieces.ends(of: start, isGoal: false)
    let goals = try pieces.ends(of: goal, isGoal: true)
    let query = SearchSpace.Query(
      starts: starts.map(\.ofSearch), goals: goals.map(\.ofSearch),
      target: SpherePoint(goal.coordinate), limit: direct.cost, bound: graph.bound)
    guard case .path(let path) = try space.run(graph, query, SearchRules()) else { return direct }
    let between = path.steps.reduce(0) {
      $0 + pieces.value(ofEdge: $1.edge, isReversed: $1.isReversed)
    }
    return Cell(
      cost: path.cost, value: starts[path.start].value + between + goals[path.goal].value,
      startMetres: starts[path.start].metres)
  }
}
