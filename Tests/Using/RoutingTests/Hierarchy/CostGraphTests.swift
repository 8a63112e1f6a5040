// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import TestSupport
import Testing

@testable import CairnRouting

@Suite("The graphs that hierarchies are made from")
struct CostGraphTests {
  /// Expects that reading only the costs gives what reading everything gives.
  private func expectSame(_ store: RoutingStore, _ profiles: [String?], _ comment: Comment) throws {
    let network = try RoadNetwork(reading: store)
    let graphs = try CostGraph.reading(store, profiles: profiles)
    #expect(graphs.map(\.profile) == profiles, comment)
    for read in graphs {
      let whole = try ProfileGraph(network, profile: read.profile, reading: store)
      #expect(read.nodes == whole.nodeCount, comment)
      #expect(read.edges == network.edges.count, comment)
      #expect(read.arcs == whole.outgoing.arcs.count, comment)
      #expect(read.digest == CostGraph(whole).digest, comment)
      #expect(
        HierarchyFile([try .init(contracting: read)]).encoded()
          == HierarchyFile([try ContractionHierarchy.contracting(whole)]).encoded(), comment)
    }
  }

  @Test("have the ends and costs of the whole graph, by the core columns")
  func core() throws {
    for seed in 0..<20 as Range<UInt64> {
      try expectSame(try RandomNetwork(seed: seed).store, [nil], "seed \(seed)")
    }
  }

  @Test("have them by each profile, also where ids have gaps")
  func profiles() throws {
    let map = try RoutedMap("A--B--C\n|  |\nD--E", "AB", "BC", "ADEB")
    try expectSame(map.store, ["hiking", "cycling", nil], "all edges")
    map.store.close()
    try changeDatabase(map.store.path, ["DELETE FROM routing_edges WHERE id = 2"])
    try map.store.open()
    try expectSame(map.store, ["cycling", "hiking"], "without one")
  }

  @Test("have them of joined databases")
  func joined() throws {
    let map = AsciiMap("A--B--C--D\n   |  |\n   E--F", ways: [.init("ABCD"), .init("BEFC")])
    let joined = try JoinedMap(map, regions: ["ABEF", "BCDF"])
    try expectSame(joined.store, ["hiking", "cycling", nil], "regions")
  }

  @Test("an edge to a missing node is an error")
  func missingNode() throws {
    let network = try RandomNetwork(seed: 3)
    network.store.close()
    try changeDatabase(
      network.store.path,
      [
        "PRAGMA foreign_keys = OFF",
        "DELETE FROM routing_nodes WHERE id = (SELECT to_node FROM routing_edges WHERE id = 1)",
      ])
    try network.store.open()
    #expect(throws: RoutingError.self) {
      try CostGraph.reading(network.store, profiles: [nil])
    }
  }
}
