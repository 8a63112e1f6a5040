// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase

/// Dijkstra's algorithm by time from one stop: the times of reaching nodes and entering edges.
struct ReachSearch {
  /// An edge in one direction, entered at a time.
  struct Run {
    var edge: Int64
    var isReversed: Bool
    /// The position at which it is entered in the direction of travel, 0…1.
    var share: Double
    /// The time at which it is entered.
    var entrySeconds: Double
    /// The time for the whole edge.
    var edgeSeconds: Double
    /// The time from the entry to its end.
    var restSeconds: Double

    /// Whether a time ends before the edge does.
    func isCut(by limit: Double) -> Bool {
      limit > entrySeconds && limit - entrySeconds < restSeconds
    }

    /// The part of the edge travelled up to a time, in shares of its length in the direction of its
    /// row; nil if there is none.
    ///
    /// - Parameter times: The accumulation of the edge's time, needed if it is cut.
    func part(within limit: Double, _ times: EdgeSpread) -> ClosedRange<Double>? {
      guard limit > entrySeconds else { return nil }
      let end = isCut(by: limit) ? position(at: limit - entrySeconds, times) : 1
      guard end > share else { return nil }
      return isReversed ? 1 - end...1 - share : share...end
    }

    /// The position along it some seconds after entering.
    private func position(at passed: Double, _ times: EdgeSpread) -> Double {
      let times = isReversed ? times.back : times.ahead
      return max(share, times.share(at: times.amount(at: share) + passed / edgeSeconds))
    }
  }

  let mode: RoutingMode
  /// For cycling in a database without a cycling profile.
  let forbidsSteps: Bool
  let limitSeconds: Double
  /// The times at which nodes are reached within the limit, ascending.
  private(set) var nodeSeconds: [Double] = []
  /// The nodes that are reached at these times.
  private(set) var reachedNodes: [Int32] = []
  private var runs: [Run] = []
  private var seconds: [Double] = []
  private var open = NodeQueue()

  init(mode: RoutingMode, forbidsSteps: Bool, limitSeconds: Double) {
    self.mode = mode
    self.forbidsSteps = forbidsSteps
    self.limitSeconds = limitSeconds
  }

  /// Searches from a stop.
  mutating func run<View: RoutingView>(_ view: View, from start: EdgePoint) throws(RoutingError) {
    try begin(view, start)
    while let (time, node) = open.popMinimum(), time <= limitSeconds {
      // An entry of the queue is out of date if its node was reached sooner later on.
      guard time == seconds[Int(node)], time < .infinity else { continue }
      try Cancellation.check(settled: reachedNodes.count)
      nodeSeconds.append(time)
      reachedNodes.append(node)
      for index in try view.arcs(from: node) {
        let arc = view.arc(index)
        if forbidsSteps, arc.traits.isSteps { continue }
        let factors = view.timed?.factors(
          ofEdge: arc.edge, isReversed: arc.isReversed, at: time)
        if factors?.cost == .infinity { continue }
        let times = try view.travelTimes(ofEdge: arc.edge, mode: mode)
        let seconds = (arc.isReversed ? times.back : times.ahead) * (factors?.time ?? 1)
        let run = Run(
          edge: arc.edge, isReversed: arc.isReversed, share: 0, entrySeconds: time,
          edgeSeconds: seconds, restSeconds: seconds)
        enter(run, to: arc.node, view.nodeCount)
      }
    }
  }

  private mutating func begin<View: RoutingView>(_ view: View, _ start: EdgePoint)
    throws(RoutingError)
  {
    if let node = start.node {
      reach(try view.index(ofNode: node), at: 0, view.nodeCount)
      return
    }
    if forbidsSteps, try view.traits(ofEdge: start.edge).isSteps { return }
    let times = try view.travelTimes(ofEdge: start.edge, mode: mode)
    let spread = try view.timeSpread(ofEdge: start.edge, mode: mode)
    func isOpen(_ isReversed: Bool) -> Bool {
      view.timed?.factors(ofEdge: start.edge, isReversed: isReversed, at: 0).cost != .infinity
    }
    if start.cost.isFinite, isOpen(false) {
      let run = Run(
        edge: start.edge, isReversed: false, share: start.share, entrySeconds: 0,
        edgeSeconds: times.ahead,
        restSeconds: times.ahead * spread.share(from: start.share, to: 1))
      enter(run, to: try view.index(ofNode: start.toNode), view.nodeCount)
    }
    if start.reverseCost.isFinite, isOpen(true) {
      let run = Run(
        edge: start.edge, isReversed: true, share: 1 - start.share, entrySeconds: 0,
        edgeSeconds: times.back, restSeconds: times.back * spread.share(from: start.share, to: 0))
      enter(run, to: try view.index(ofNode: start.fromNode), view.nodeCount)
    }
  }

  private mutating func enter(_ run: Run, to node: Int32, _ nodeCount: Int) {
    runs.append(run)
    reach(node, at: run.entrySeconds + run.restSeconds, nodeCount)
  }

  private mutating func reach(_ node: Int32, at time: Double, _ nodeCount: Int) {
    if seconds.count < nodeCount {
      seconds.append(contentsOf: repeatElement(.infinity, count: nodeCount - seconds.count))
    }
    guard time <= limitSeconds, time < seconds[Int(node)] else { return }
    seconds[Int(node)] = time
    open.insert(time, node)
  }

  /// Calls `body` for each edge that is entered, sorted by id, with its runs.
  func forEachEdge<Failure: Error>(_ body: (Int64, ArraySlice<Run>) throws(Failure) -> Void)
    throws(Failure)
  {
    let sorted = runs.sorted { $0.edge < $1.edge }
    var start = 0
    while start < sorted.count {
      var end = start
      while end < sorted.count, sorted[end].edge == sorted[start].edge { end += 1 }
      try body(sorted[start].edge, sorted[start..<end])
      start = end
    }
  }
}
