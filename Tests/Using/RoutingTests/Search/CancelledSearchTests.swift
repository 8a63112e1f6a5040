// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules
import Testing

@testable import CairnRouting

/// A line of nodes, one of which cancels the task that reads it.
private final class CancellingGraph: SearchGraph {
  let nodeCount: Int
  private let cancelledAt: Int
  private(set) var reads = 0

  init(nodes: Int, cancelledAt: Int) { (nodeCount, self.cancelledAt) = (nodes, cancelledAt) }

  func position(_ node: Int32) -> SpherePoint {
    SpherePoint(Coordinate(latitude: 47, longitude: 10 + Double(node) * 1e-4))
  }
  func elevation(_ node: Int32) -> Double { 0 }
  func arcs(from node: Int32) throws(RoutingError) -> Range<Int> {
    reads += 1
    if reads == cancelledAt { withUnsafeCurrentTask { $0?.cancel() } }
    return Int(node)..<min(Int(node) + 1, nodeCount - 1)
  }
  func arc(_ index: Int) -> Arc {
    Arc(
      cost: 10, edge: Int64(index + 1), node: Int32(index + 1), isReversed: false,
      traits: EdgeTraits(bits: 0))
  }
}

@Suite("Cancelled searches")
struct CancelledSearchTests {
  private func search(_ graph: CancellingGraph) throws(RoutingError) -> SearchSpace.Outcome {
    var space = SearchSpace()
    let last = Int32(graph.nodeCount - 1)
    return try space.run(
      graph,
      SearchSpace.Query(
        starts: [.init(node: 0, cost: 0)], goals: [.init(node: last, cost: 0)],
        target: graph.position(last), bound: CostBound(metre: 0)), SearchRules())
  }

  @Test("a search ends within 256 nodes after its task was cancelled", arguments: [1, 300, 5000])
  func bounded(node: Int) async {
    let reads = await Task { () -> Int in
      let graph = CancellingGraph(nodes: 20_000, cancelledAt: node)
      #expect(throws: RoutingError.cancelled) { try search(graph) }
      return graph.reads
    }.value
    #expect(reads >= node && reads <= node + Cancellation.stride)
  }

  @Test(
    "a task that was cancelled before reads nothing; without a task a search is never cancelled")
  func before() async throws {
    let reads = await Task { () -> Int in
      withUnsafeCurrentTask { $0?.cancel() }
      let graph = CancellingGraph(nodes: 20_000, cancelledAt: -1)
      #expect(throws: RoutingError.cancelled) { try search(graph) }
      return graph.reads
    }.value
    #expect(reads == 0)
    let graph = CancellingGraph(nodes: 20_000, cancelledAt: -1)
    guard case .path(let path) = try search(graph) else {
      Issue.record("no path")
      return
    }
    #expect(path.steps.count == 19_999)
  }
}
