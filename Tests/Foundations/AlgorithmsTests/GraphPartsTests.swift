// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import Testing

@testable import CairnAlgorithms

@Suite("Parts of a graph")
struct GraphPartsTests {
  private typealias Edge = (from: UInt32, to: UInt32, forward: Bool, backward: Bool)

  @Test("joining two-way edges first gives the components that a search of all arcs finds")
  func agreesWithSearch() {
    for seed in UInt64(0)..<400 {
      var random = SeededGenerator(seed: seed)
      let nodeCount = 1 + Int(random.next() % 40)
      let edges: [Edge] = (0..<Int(random.next() % 70)).map { _ in
        let way = random.next() % 5
        return (
          UInt32(random.next() % UInt64(nodeCount)), UInt32(random.next() % UInt64(nodeCount)),
          way != 0, way > 1 || way == 0
        )
      }
      let oneWay = edges.map { edge in
        random.next() % 2 == 0 ? edge : (edge.from, edge.to, edge.forward, !edge.forward)
      }
      for edges in [edges, oneWay] { check(nodeCount, edges, seed) }
    }
  }

  private func check(_ nodeCount: Int, _ edges: [Edge], _ seed: UInt64) {
    var parts = GraphParts(nodeCount: nodeCount)
    for edge in edges {
      parts.join(edge.from, edge.to, forward: edge.forward, backward: edge.backward)
    }
    let count = parts.finish()
    let searched = StronglyConnected(
      ArcsByTail(nodeCount: nodeCount) { add in
        for edge in edges {
          if edge.forward { add(edge.from, edge.to) }
          if edge.backward { add(edge.to, edge.from) }
        }
      })
    let touched = Set(edges.flatMap { [$0.from, $0.to] })
    for node in 0..<UInt32(nodeCount) {
      #expect((parts.part(of: node) != nil) == touched.contains(node), "seed \(seed)")
      for other in touched where touched.contains(node) {
        #expect(
          (parts.part(of: node) == parts.part(of: other))
            == (searched.components[Int(node)] == searched.components[Int(other)]),
          "seed \(seed): \(node) and \(other)")
      }
    }
    // Every part has a node.
    #expect(Set((0..<UInt32(nodeCount)).compactMap(parts.part)) == Set(0..<count), "seed \(seed)")
  }
}
