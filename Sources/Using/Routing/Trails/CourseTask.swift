// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// Makes routes of edges that follow each other.
struct CourseTask: SearchTask {
  /// The edges of each route.
  var pieces: [[CourseStep]]
  var mode: RoutingMode

  func run<View: RoutingView>(_ view: View) throws(RoutingError) -> [ComputedRoute] {
    try view.begin()
    var routes: [ComputedRoute] = []
    for steps in pieces {
      var nodes: [RoutingNode] = []
      var edges: [RoutingEdge] = []
      nodes.reserveCapacity(steps.count + 1)
      edges.reserveCapacity(steps.count)
      func add(_ edge: RoutingEdge) throws(RoutingError) {
        if nodes.isEmpty { nodes.append(try view.node(try view.index(ofNode: edge.fromNode))) }
        edges.append(edge)
        nodes.append(try view.node(try view.index(ofNode: edge.toNode)))
      }
      for step in steps {
        let edge = step.isReversed ? try view.edge(step.edge).reversed() : try view.edge(step.edge)
        if let last = nodes.last, last.id != edge.fromNode {
          for barrier in try barriers(view, from: last.id, to: edge.fromNode) { try add(barrier) }
        }
        try add(edge)
      }
      let route = ComputedRoute(
        nodes: nodes, edges: edges, viaPoints: [], viaNodes: [], mode: mode)
      routes.append(try view.finished(route, mode: mode))
    }
    return routes
  }

  /// The edges without length from a node to another side of its barrier; empty if no profile
  /// passes.
  private func barriers<View: RoutingView>(
    _ view: View, from start: Int64, to end: Int64
  ) throws(RoutingError) -> [RoutingEdge] {
    for edge in try view.allEdges(at: start) where edge.isBarrier {
      if edge.toNode == end { return [edge] }
      for next in try view.allEdges(at: edge.toNode) where next.isBarrier && next.toNode == end {
        return [edge, next]
      }
    }
    return []
  }
}

/// A course before its routes are known.
struct CourseDraft {
  struct Piece {
    var steps: [CourseStep]
    var metres: Double
    var bridges: [WayCourse.Bridge] = []
    var firstWay: Int
    var lastWay: Int
    var head: Int64
    var tail: Int64
  }

  private(set) var pieces: [Piece] = []
  private let ways: [CourseWay]
  private let segments: [CourseSegment]
  private var attempts = 0

  init(_ ways: [CourseWay], _ segments: [CourseSegment]) {
    self.ways = ways
    self.segments = segments
  }

  /// Adds a piece, joining it to the previous one if a short way closes the gap between them.
  mutating func add(
    _ chain: CourseChain, _ place: (Int64) throws(RoutingError) -> Coordinate,
    bridge: (Coordinate, Coordinate, Double) throws(RoutingError) -> (
      steps: [CourseStep], metres: Double
    )?
  ) throws(RoutingError) {
    let members = chain.links.map { segments[$0.segment].way }
    var piece = Piece(
      steps: chain.steps, metres: chain.metres, firstWay: members.min() ?? 0,
      lastWay: members.max() ?? 0, head: chain.head, tail: chain.tail)
    if var last = pieces.last, attempts < RoutingEngine.mostBridges {
      attempts += 1
      let (start, end) = (try place(last.tail), try place(piece.head))
      let gap = haversineDistance(start, end)
      if let way = try bridge(start, end, gap) {
        last.bridges.append(
          .init(fromMetres: last.metres, lengthMetres: way.metres, gapMetres: gap))
        last.steps += way.steps + piece.steps
        last.metres += way.metres + piece.metres
        last.lastWay = max(last.lastWay, piece.lastWay)
        last.tail = piece.tail
        piece = last
        pieces.removeLast()
      }
    }
    pieces.append(piece)
  }

  /// The course with the routes of its pieces.
  func course(
    _ routes: [ComputedRoute], _ order: CourseOrder,
    _ place: (Int64) throws(RoutingError) -> Coordinate, _ edges: [Int64: [WayEdge]]
  ) throws(RoutingError) -> WayCourse {
    let isMissing = ways.map { edges[$0.id] == nil }
    var gaps: [WayCourse.Gap] = []
    for (last, next) in zip(pieces, pieces.dropFirst()) {
      let (from, to) = (try place(last.tail), try place(next.head))
      let between = last.lastWay < next.firstWay ? last.lastWay..<next.firstWay : 0..<0
      gaps.append(
        .init(
          metres: haversineDistance(from, to), from: from, to: to,
          missingWays: between.count { isMissing[$0] }))
    }
    func branch(_ chain: CourseChain) throws(RoutingError) -> WayCourse.Branch {
      .init(
        metres: chain.metres, from: try place(chain.head), to: try place(chain.tail),
        ways: chain.links.map { ways[segments[$0.segment].way].id })
    }
    var branches: [WayCourse.Branch] = []
    for chain in order.branches { branches.append(try branch(chain)) }
    var chains = branches
    for chain in order.pieces { chains.append(try branch(chain)) }
    let missing = ways.indices.filter { isMissing[$0] }.map { ways[$0].id }
    let opposite = order.opposite.map { segments[$0] }
    return WayCourse(
      pieces: zip(routes, pieces).map { .init(route: $0, bridges: $1.bridges) }, gaps: gaps,
      branches: branches,
      opposite: (opposite.map { ways[$0.way].id }, opposite.reduce(0) { $0 + $1.length }),
      missing: missing,
      wayMetres: ways.map { way in (edges[way.id] ?? []).reduce(0) { $0 + $1.distance } },
      chains: chains)
  }
}
