// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import TestSupport
import Testing

@testable import CairnRouting

@Suite("Contraction hierarchies")
struct HierarchyTests {
  private func graph(_ network: RandomNetwork) throws -> ProfileGraph {
    try ProfileGraph(RoadNetwork(reading: network.store), profile: nil, reading: network.store)
  }

  @Test(
    "routes between all pairs of nodes cost what Dijkstra finds, along edges that join and add up")
  func equalCosts() throws {
    for seed in 0..<60 as Range<UInt64> {
      let graph = try graph(try RandomNetwork(seed: seed))
      let hierarchy = try ContractionHierarchy.contracting(graph)
      var search = HierarchySearch()
      for start in 0..<Int32(graph.nodeCount) {
        let costs = graph.costs(from: start)
        for goal in 0..<Int32(graph.nodeCount) {
          let query = graph.query(start, goal)
          let path = search.run(hierarchy, query)
          let expected = costs[Int(goal)]
          let cost = path?.cost ?? .infinity
          #expect(
            cost.isAbout(expected), "seed \(seed), \(start) to \(goal)")
          guard let path else { continue }
          #expect(
            try graph.cost(of: path, from: start, to: goal).isAbout(expected),
            "seed \(seed), \(start) to \(goal)")
        }
      }
    }
  }

  @Test("a search takes several starts and goals with initial costs, and a limit")
  func manyEnds() throws {
    for seed in 100..<140 as Range<UInt64> {
      let graph = try graph(try RandomNetwork(seed: seed))
      let hierarchy = try ContractionHierarchy.contracting(graph)
      var random = SeededGenerator(seed: seed)
      var search = HierarchySearch()
      var space = SearchSpace()
      for _ in 0..<60 {
        func ends() -> [SearchSpace.End] {
          (0..<Int.random(in: 0...2, using: &random)).map { _ in
            .init(
              node: Int32.random(in: 0..<Int32(graph.nodeCount), using: &random),
              cost: Double.random(in: 0...500, using: &random))
          }
        }
        let query = SearchSpace.Query(
          starts: ends(), goals: ends(), target: SpherePoint(Coordinate(latitude: 0, longitude: 0)),
          limit: Bool.random(using: &random)
            ? .infinity : Double.random(in: 1...2000, using: &random),
          bound: CostBound(metre: 0))
        let found = search.run(hierarchy, query)
        switch try space.run(graph, query, SearchRules()) {
        case .path(let path):
          let cost = found?.cost ?? .infinity
          #expect(cost.isAbout(path.cost), "seed \(seed)")
        case .nothing: #expect(found == nil, "seed \(seed)")
        }
      }
    }
  }

  @Test("the same graph gives the same bytes, and bytes give the same hierarchy")
  func file() throws {
    for seed in 0..<20 as Range<UInt64> {
      let graph = try graph(try RandomNetwork(seed: seed))
      let hierarchy = try ContractionHierarchy.contracting(graph)
      let bytes = HierarchyFile([hierarchy]).encoded()
      #expect(bytes == HierarchyFile([try .contracting(graph)]).encoded(), "seed \(seed)")
      let read = try #require(try HierarchyFile(bytes: bytes).hierarchy(of: graph))
      #expect(read.parts == hierarchy.parts, "seed \(seed)")
      #expect(read.leaving.arcs.map(\.cost) == hierarchy.leaving.arcs.map(\.cost))
    }
  }

  @Test("a hierarchy of another graph is refused, and one for another profile is not found")
  func anotherGraph() throws {
    let network = try RandomNetwork(seed: 4)
    let before = try graph(network)
    let file = HierarchyFile([try .contracting(before)])
    network.store.close()
    try changeDatabase(
      network.store.path,
      [
        """
        UPDATE routing_edges SET cost = cost + 1e-9
        WHERE id = (SELECT max(id) FROM routing_edges WHERE cost < 1e9)
        """
      ])
    try network.store.open()
    let refusal = RoutingError.hierarchyUnusable(
      "it was made from another database or an earlier state of it")
    #expect(throws: refusal) { try file.hierarchy(of: graph(network)) }
    #expect(throws: refusal) { try RoutingEngine.inMemory(network.store, hierarchies: file) }
    #expect(throws: refusal) { try file.hierarchy(of: graph(try RandomNetwork(seed: 5))) }

    let map = try RoutedMap("A--B", "AB")
    let roads = try RoadNetwork(reading: map.store)
    let hiking = try ProfileGraph(roads, profile: "hiking", reading: map.store)
    let cycling = try ProfileGraph(roads, profile: "cycling", reading: map.store)
    let single = HierarchyFile([try .contracting(hiking)])
    #expect(single.profiles == ["hiking"])
    #expect(try single.hierarchy(of: cycling) == nil)
    #expect(try single.hierarchy(of: hiking) != nil)
  }
}

@Suite("Files of hierarchies that are broken")
struct HostileHierarchyTests {
  @Test("each kind of damage is refused with its reason")
  func damage() throws {
    let network = try RandomNetwork(seed: 2)
    let graph = try ProfileGraph(
      RoadNetwork(reading: network.store), profile: nil, reading: network.store)
    let whole = HierarchyFile([try .contracting(graph)]).encoded()
    func reason(_ bytes: [UInt8]) -> String {
      do { _ = try HierarchyFile(bytes: bytes) } catch RoutingError.hierarchyUnusable(let reason) {
        return reason
      } catch { return "\(error)" }
      return "none"
    }
    #expect(reason([]) == "not a .hierarchy file")
    #expect(reason(Array("SQLite format 3".utf8)) == "not a .hierarchy file")
    var bytes = whole
    bytes[8] = 9
    #expect(reason(bytes) == "it has version 9 of the format, this build reads versions 1 and 2")
    for count in 8..<whole.count where count % 7 == 0 || count < 40 {
      #expect(
        reason(Array(whole[..<count])) == "it is damaged: it is truncated or has extra bytes")
    }
    #expect(reason(whole + [0]) == "it is damaged: it is truncated or has extra bytes")
    for place in stride(from: 24, to: whole.count, by: 5) {
      bytes = whole
      bytes[place] ^= 4
      #expect(reason(bytes) == "it is damaged: its digest does not match")
    }
  }

  @Test("a file with changed bytes and a correct digest is refused or used and never traps")
  func changedBytes() throws {
    let network = try RandomNetwork(seed: 1)
    let graph = try ProfileGraph(
      RoadNetwork(reading: network.store), profile: nil, reading: network.store)
    let whole = HierarchyFile([try .contracting(graph)]).encoded()
    var refusals: Set<String> = []
    var used = 0
    for seed in 0..<3000 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var bytes = whole
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 32..<bytes.count, using: &random)
        // Small numbers are what most places hold.
        bytes[place] =
          Bool.random(using: &random)
          ? UInt8.random(in: 0...255, using: &random) : bytes[place] ^ 1
      }
      if Int.random(in: 0..<6, using: &random) == 0 {
        bytes.removeLast(Int.random(in: 1..<bytes.count - 32, using: &random))
      }
      // What a hostile writer would do: say the right size and digest.
      withUnsafeBytes(of: UInt64(bytes.count).littleEndian) {
        bytes.replaceSubrange(16..<24, with: $0)
      }
      var digest = WordDigest()
      bytes[32...].withUnsafeBytes { digest.add($0) }
      withUnsafeBytes(of: digest.value.littleEndian) { bytes.replaceSubrange(24..<32, with: $0) }
      do {
        guard let hierarchy = try HierarchyFile(bytes: bytes).hierarchy(of: graph) else { continue }
        used += 1
        var search = HierarchySearch()
        for goal in 0..<Int32(graph.nodeCount) {
          // A bad order may hide a way, but what is found is one.
          if let path = search.run(hierarchy, graph.query(0, goal)) {
            #expect(try graph.cost(of: path, from: 0, to: goal).isAbout(path.cost), "seed \(seed)")
          }
        }
      } catch RoutingError.hierarchyUnusable(let reason) {
        refusals.insert(reason.filter { !$0.isNumber })
      }
    }
    #expect(used > 0)
    #expect(refusals.count >= 6, "\(refusals)")
  }

  @Test("shortcuts of shortcuts of shortcuts do not unpack for ever")
  func bomb() throws {
    let network = try RandomNetwork(seed: 1)
    let graph = try ProfileGraph(
      RoadNetwork(reading: network.store), profile: nil, reading: network.store)
    let edge = try #require(
      graph.costs.indices.first {
        graph.costs[$0].isFinite && graph.reverseCosts[$0].isFinite
          && graph.network.edges[$0].from != graph.network.edges[$0].to
      })
    var parts = try ContractionHierarchy.contracting(graph).parts
    // There and back is a way of this graph, and doubling it again and again is one, too.
    parts.shortcuts = [Int32(2 * edge), Int32(2 * edge + 1)]
    var last = 0
    while 2 << last < graph.nodeCount { last += 1 }
    for number in 0..<30 { parts.shortcuts += [~Int32(number), ~Int32(number)] }
    #expect(throws: ContractionHierarchy.BadParts("shortcut \(last) is not a path of this graph")) {
      try ContractionHierarchy(graph, parts)
    }
  }
}

extension HierarchyFile {
  init(bytes: [UInt8]) throws {
    self = try bytes.withUnsafeBytes { try HierarchyFile(reading: $0) }
  }
}

extension Double {
  /// Whether it is the same cost but for rounding.
  func isAbout(_ other: Double) -> Bool {
    self == other || abs(self - other) <= 1e-9 * abs(other)
  }
}

extension ProfileGraph {
  /// A query from a node to another one.
  func query(_ start: Int32, _ goal: Int32) -> SearchSpace.Query {
    SearchSpace.Query(
      starts: [.init(node: start, cost: 0)], goals: [.init(node: goal, cost: 0)],
      target: position(goal), bound: CostBound(metre: 0))
  }

  /// The costs from a node to all others by plain Dijkstra.
  func costs(from start: Int32) -> [Double] {
    var costs = [Double](repeating: .infinity, count: nodeCount)
    costs[Int(start)] = 0
    var queue = NodeQueue()
    queue.insert(0, start)
    while let (cost, node) = queue.popMinimum() {
      guard cost == costs[Int(node)] else { continue }
      for arc in outgoing.arcs[outgoing.range(node)] where cost + arc.cost < costs[Int(arc.node)] {
        costs[Int(arc.node)] = cost + arc.cost
        queue.insert(cost + arc.cost, arc.node)
      }
    }
    return costs
  }

  /// What a path costs edge by edge. Fails where it does not lead from one node to the other.
  func cost(of path: SearchSpace.Path, from start: Int32, to goal: Int32) throws -> Double {
    var (cost, node) = (0.0, start)
    for step in path.steps {
      guard let index = network.index(ofEdge: step.edge) else {
        throw TestFailure("edge \(step.edge) is not there")
      }
      let edge = network.edges[index]
      let (from, to) = step.isReversed ? (edge.to, edge.from) : (edge.from, edge.to)
      guard from == node, to == step.node else {
        throw TestFailure("edge \(step.edge) does not lead on from node \(node)")
      }
      cost += step.isReversed ? reverseCosts[index] : costs[index]
      node = to
    }
    guard node == goal else { throw TestFailure("ends at node \(node)") }
    return cost
  }
}
