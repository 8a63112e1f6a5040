// SPDX-License-Identifier: Apache-2.0

extension JoinedStores {
  /// More nodes than this are no island.
  private static let mostIslandNodes = 4096

  /// The island that a node lies on in the union: an island in each database that has it, without a
  /// way into the network of any of them and back.
  func island(ofNode node: Int64, _ profile: String?) throws(RoutingError) -> Island? {
    guard try head().knowsIslands else { return nil }
    let key = IslandKey(node: node, profile: profile)
    if let known = knownIsland(key) { return known }
    if try isInNetwork(node, profile) {
      keep(nil, key)
      return nil
    }
    let ahead = try reach(from: node, isBackward: false, profile)
    let back = try reach(from: node, isBackward: true, profile)
    let members = ahead.nodes.intersection(back.nodes)
    guard !(ahead.isInNetwork && back.isInNetwork), let least = members.min(),
      try metres(of: members, profile) < head().islandMetres
    else {
      keep(nil, key)
      return nil
    }
    let island = Island(component: least ^ least >> 31)
    for member in members { keep(island, IslandKey(node: member, profile: profile)) }
    return island
  }

  /// Whether a node lies in the network of one of the databases.
  private func isInNetwork(_ node: Int64, _ profile: String?) throws(RoutingError) -> Bool {
    for part in try parts(mayHave: node) {
      guard let own = try self.node(node, in: part) else { continue }
      let isThere = try reading(part) { store throws(RoutingError) in
        guard try store.getNode(own) != nil else { return false }
        return try store.island(ofNode: own, profile: profile) == nil
      }
      if isThere { return true }
    }
    return false
  }

  /// The nodes reachable from one, or from which it is reachable, without entering the network, and
  /// whether the network can be reached, or reaches it.
  private func reach(from node: Int64, isBackward: Bool, _ profile: String?) throws(RoutingError)
    -> (nodes: Set<Int64>, isInNetwork: Bool)
  {
    var nodes: Set<Int64> = [node]
    var open = [node]
    var isInNetwork = false
    while let next = open.popLast() {
      for edge in try allEdges(at: next, profile) {
        let back = edge.isOneway && !edge.isReversed ? .infinity : edge.reverseCost
        guard isBackward ? back.isFinite : edge.cost.isFinite, !nodes.contains(edge.toNode) else {
          continue
        }
        if try self.isInNetwork(edge.toNode, profile) {
          isInNetwork = true
          continue
        }
        guard nodes.count < Self.mostIslandNodes else { return (nodes, true) }
        nodes.insert(edge.toNode)
        open.append(edge.toNode)
      }
    }
    return (nodes, isInNetwork)
  }

  /// The length of the passable edges between some nodes, each counted once.
  private func metres(of nodes: Set<Int64>, _ profile: String?) throws(RoutingError) -> Double {
    var sum = 0.0
    var seen: Set<Int64> = []
    for node in nodes {
      for edge in try allEdges(at: node, profile)
      where nodes.contains(edge.toNode) && (edge.cost.isFinite || edge.reverseCost.isFinite) {
        if seen.insert(edge.id).inserted { sum += edge.distance }
      }
    }
    return sum
  }

  /// All nodes on islands, in the order of their ids.
  func islandNodes(_ profile: String?) throws(RoutingError) -> [(node: Int64, island: Island)] {
    var candidates: Set<Int64> = []
    for part in stores.indices {
      let nodes = try reading(part) { store throws(RoutingError) in
        try store.islandNodes(profile: profile)
      }
      for (node, _) in nodes { candidates.insert(try nodeID(part, node)) }
    }
    var found: [(node: Int64, island: Island)] = []
    for node in candidates.sorted() {
      if let island = try island(ofNode: node, profile) { found.append((node, island)) }
    }
    return found
  }
}
