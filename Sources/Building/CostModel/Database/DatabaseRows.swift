// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnGeodesy
import CairnRoutingDatabase
import CairnSQLiteKit
import CairnTagRules
import Synchronization
import SystemIO
import TrailData

/// The rows of the tables of a graph's database: the kept nodes in the order of the graph, and the kept
/// edges by place, with their data.
///
/// A class, so that a build without optimization does not copy the graph's columns for each row.
final class DatabaseRows: Sendable {
  let graph: GraphFile
  let costs: [EdgeCosts]
  let components: [RouteComponents]
  let folding: BarrierFolding
  /// The nodes of the graph that have rows.
  let nodes: [UInt32]
  /// The edges of the graph that have rows, in the order of these.
  let edges: [UInt32]
  /// The hazards on the edges that have rows, ascending.
  let hazards: [EdgeHazard]
  /// The order of the kept nodes and edges by place, both by their positions among these.
  private let order: PlaceOrder
  /// The row of each node of the graph, counted from 0, and of each edge, counted from 1; 0 if it has
  /// none.
  private let nodeRows: [UInt32]
  private let edgeRows: [UInt32]
  private let tagColumns: [TagColumns]

  init(
    _ graph: GraphFile, _ costs: [EdgeCosts], _ components: [RouteComponents],
    _ folding: BarrierFolding
  ) {
    self.graph = graph
    self.costs = costs
    self.components = components
    self.folding = folding
    let nodes = Self.indices(graph.nodeIDs.count, without: folding.mergedNodes)
    let kept = Self.indices(graph.from.count, without: folding.leftOutEdges)
    let nodeRows = Self.rows(of: nodes, among: graph.nodeIDs.count, from: 0)
    order = PlaceOrder(nodeCount: nodes.count, edgeCount: kept.count) { node in
      let node = Int(nodes[node])
      return FixedCoordinate(latitude: graph.latitudes[node], longitude: graph.longitudes[node])
    } from: { edge in
      Int(nodeRows[Int(folding.node(graph.from[Int(kept[edge])]))])
    }
    edges = order.edges.map { kept[Int($0)] }
    edgeRows = Self.rows(of: edges, among: graph.from.count, from: 1)
    (self.nodes, self.nodeRows) = (nodes, nodeRows)
    hazards = Self.hazards(graph, edgeRows)
    tagColumns = Self.tagColumns(graph)
  }

  /// The coordinate of a node of the graph.
  func coordinate(_ node: Int) -> Coordinate {
    FixedCoordinate(latitude: graph.latitudes[node], longitude: graph.longitudes[node]).degrees
  }

  /// The indices below a count except for some, which ascend.
  private static func indices(_ count: Int, without leftOut: [UInt32]) -> [UInt32] {
    var next = 0
    return (0..<count).compactMap { index in
      guard next < leftOut.count, leftOut[next] == index else {
        return UInt32(truncatingIfNeeded: index)
      }
      next += 1
      return nil
    }
  }

  /// The position of each index in a list; 0 for others.
  private static func rows(of indices: [UInt32], among count: Int, from first: UInt32) -> [UInt32] {
    var rows = [UInt32](repeating: 0, count: count)
    var row = first
    for index in indices {
      rows[Int(index)] = row
      row += 1
    }
    return rows
  }

  /// The network by place.
  func graphBlocks() -> GraphBlockRows {
    let ends = edges.map { edge in
      GraphBlockRows.Edge(
        from: nodeRows[Int(folding.node(graph.from[Int(edge)]))],
        to: nodeRows[Int(folding.node(graph.to[Int(edge)]))], metres: graph.distances[Int(edge)])
    }
    return graph.pointLatitudes.withUnsafeElements { latitudes in
      graph.pointLongitudes.withUnsafeElements { longitudes in
        GraphBlockRows(
          order,
          node: { [graph, nodes] node in
            let node = Int(nodes[node])
            return .init(
              id: graph.nodeIDs[node],
              position: FixedCoordinate(
                latitude: graph.latitudes[node], longitude: graph.longitudes[node]),
              elevation: graph.elevations[node])
          }, edges: ends
        ) { box, edge in
          let points = graph.points(ofEdge: Int(edges[edge]))
          box.extend(
            latitudes: UnsafeBufferPointer(rebasing: latitudes[points]),
            longitudes: UnsafeBufferPointer(rebasing: longitudes[points]))
        }
      }
    }
  }

  /// The edges of each way.
  func ways() -> WayBlockRows {
    let kept = edgeRows.indices.filter { edgeRows[$0] > 0 }
    return WayBlockRows(edgeCount: kept.count) {
      graph.wayIDs[Int(graph.ways[kept[$0]])]
    } edge: {
      Int64(edgeRows[kept[$0]])
    }
  }

  private static func hazards(_ graph: GraphFile, _ rows: [UInt32]) -> [EdgeHazard] {
    var hazards: [EdgeHazard] = []
    for index in 0..<graph.hazards.count {
      let hazard = graph.hazards[index]
      let row = rows[Int(hazard.edge)]
      // Edges that are left out have no length, and what is at their node is on others, too.
      guard row > 0 else { continue }
      hazards.append(
        EdgeHazard(
          edge: Int64(row), start: Int64(hazard.start), end: Int64(hazard.end),
          type: Int64(hazard.type.rawValue), id: hazard.id, tagSet: Int64(hazard.tagSet) + 1))
    }
    return hazards.sorted()
  }

  func addHazards(_ rows: Range<Int>, _ part: inout TreePart) throws(CairnError) {
    for hazard in hazards[rows] { try part.addHazard(hazard) }
  }

  func addNodes(_ rows: Range<Int>, _ part: inout TreePart) throws(CairnError) {
    for node in nodes[rows] {
      let node = Int(node)
      let elevation = graph.elevations[node]
      try part.addNode(
        id: graph.nodeIDs[node], at: coordinate(node),
        elevation: elevation.isNaN ? nil : Double(elevation))
    }
  }

  /// The tags of a set that have a column of their own. The texts are the graph's.
  private struct TagColumns: @unchecked Sendable {
    var surface: UnsafeBufferPointer<UInt8>?
    var highway: UnsafeBufferPointer<UInt8>?
    var sacScale: UnsafeBufferPointer<UInt8>?
    var visibility: UnsafeBufferPointer<UInt8>?
  }

  private static func tagColumns(_ graph: GraphFile) -> [TagColumns] {
    let keys = ["surface", "highway", "sac_scale", "trail_visibility"].map {
      graph.strings.index(of: $0)
    }
    let route = graph.strings.index(of: "route")
    let ferry = graph.strings.index(of: TagSelection.ferryRoute)
    return (0..<graph.tagSets.count).map { set in
      let texts = keys.map { key in
        key.flatMap { graph.tagSets.value(of: $0, on: set) }.map { graph.strings.utf8(Int($0)) }
      }
      let isFerry = route.flatMap { graph.tagSets.value(of: $0, on: set) }.map { $0 == ferry }
      let highway = isFerry == true ? ferry.map { graph.strings.utf8(Int($0)) } : texts[1]
      return TagColumns(
        surface: texts[0], highway: highway, sacScale: texts[2], visibility: texts[3])
    }
  }

  func addEdges(_ rows: Range<Int>, _ part: inout TreePart) throws(CairnError) {
    try graph.pointLatitudes.withUnsafeElements { latitudes throws(CairnError) in
      try graph.pointLongitudes.withUnsafeElements { longitudes throws(CairnError) in
        for id in rows {
          let edge = Int(edges[id])
          let points = graph.points(ofEdge: edge)
          try part.addEdge(
            row(edge), id: id + 1, latitudes: UnsafeBufferPointer(rebasing: latitudes[points]),
            longitudes: UnsafeBufferPointer(rebasing: longitudes[points]))
        }
      }
    }
  }

  /// What climbing costs at least in each profile.
  func climbCosts(threads: Int) -> [ClimbCosts] {
    let found = Mutex([ClimbCosts](repeating: .none, count: costs.count))
    let queue = WorkQueue(count: costs.count)
    runWorkers(min(threads, queue.count)) { [self] _ in
      while let profile = queue.next() {
        let climb = climbCosts(costs[profile])
        found.withLock { $0[profile] = climb }
      }
    }
    return found.withLock { $0 }
  }

  private func climbCosts(_ costs: EdgeCosts) -> ClimbCosts {
    var least = ClimbCosts.Least(perMetre: costs.minimumCostPerMetre)
    let (from, to, elevations) = (graph.from, graph.to, graph.elevations)
    let distances = graph.distances
    for edge in edges {
      let edge = Int(edge)
      let rise =
        Double(elevations[Int(folding.node(to[edge]))])
        - Double(elevations[Int(folding.node(from[edge]))])
      least.add(cost: costs.cost[edge], metres: distances[edge], rise: rise)
      least.add(cost: costs.reverseCost[edge], metres: distances[edge], rise: -rise)
    }
    return least.costs
  }

  private func row(_ edge: Int) -> RoutingDatabaseWriter.Edge {
    let way = Int(graph.ways[edge])
    let tags = tagColumns[Int(graph.wayTagSets[way])]
    let name = graph.wayNames[way]
    var row = RoutingDatabaseWriter.Edge()
    row.fromNode = graph.nodeIDs[Int(folding.node(graph.from[edge]))]
    row.toNode = graph.nodeIDs[Int(folding.node(graph.to[edge]))]
    row.distance = graph.distances[edge]
    row.elevationGain = graph.gains[edge]
    row.elevationLoss = graph.losses[edge]
    row.surface = tags.surface
    row.highwayType = tags.highway
    row.sacScale = tags.sacScale
    row.trailVisibility = tags.visibility
    row.name = name == GraphFile.noText ? nil : graph.strings.utf8(Int(name))
    row.osmWayID = graph.wayIDs[way]
    row.cost = costs[0].cost[edge]
    row.reverseCost = costs[0].reverseCost[edge]
    row.isOneway = costs[0].isOneway[edge]
    return row
  }

  func addCosts(_ profile: Int, _ rows: Range<Int>, _ part: inout TreePart) throws(CairnError) {
    let costs = costs[profile]
    try part.addCosts(
      profile: profile + 1, block: rows.lowerBound / RoutingSchema.edgesPerBlock,
      edges: edges[rows], costs: (costs.cost, costs.reverseCost),
      seconds: (costs.duration, costs.reverseDuration))
  }

  func addElevations(_ rows: Range<Int>, _ part: inout TreePart) throws(CairnError) {
    var block = BlockElevations()
    try graph.elevationProfiles.withUnsafeElements { elevations throws(CairnError) in
      for edge in edges[rows] {
        let edge = Int(edge)
        try block.add(
          slope: graph.slopes[edge],
          profile: UnsafeBufferPointer(rebasing: elevations[graph.elevationProfile(ofEdge: edge)]))
      }
    }
    try part.addElevations(block, block: rows.lowerBound / ElevationBlock.edges)
  }

  func addIslands(_ profiles: Range<Int>, _ part: inout TreePart) throws(CairnError) {
    for profile in profiles {
      let parts = components[profile]
      for (node, component) in zip(parts.islandNodes, parts.islandComponents) {
        try part.addIslandNode(
          profile: profile + 1, node: graph.nodeIDs[Int(node)], component: Int(component) + 1)
      }
    }
  }

  func addTags(_ sets: Range<Int>, _ part: inout TreePart) throws(CairnError) {
    let routeKeys = [Vehicle.foot.routeKey, Vehicle.bicycle.routeKey].compactMap {
      graph.strings.index(of: $0)
    }
    for set in sets {
      let tags = graph.tagSets.tags(of: set)
      // Most sets are as the table has them: sorted, without networks, and of keys that stay what
      // they are as texts.
      let isPlain =
        graph.tagSetNetworks[set] == 0 && graph.tagSetAreas.isEmpty(set)
        && tags.allSatisfy {
          let key = graph.tagSets.key($0)
          return !routeKeys.contains(key) && graph.strings.utf8(Int(key)).allSatisfy { $0 < 0x80 }
            && ($0 == tags.lowerBound || graph.tagSets.key($0 - 1) < key)
        }
      guard isPlain else {
        try part.addTags(graph.wayTags(ofTagSet: set), set: set + 1)
        continue
      }
      for tag in tags {
        try part.addTag(
          set: set + 1, key: graph.strings[Int(graph.tagSets.key(tag))],
          value: graph.strings[Int(graph.tagSets.value(tag))])
      }
    }
  }

  func addEdgeTags(_ rows: Range<Int>, _ part: inout TreePart) throws(CairnError) {
    var (ways, barriers): ([Int], [Int]) = ([], [])
    for edge in edges[rows] {
      ways.append(Int(graph.wayTagSets[Int(graph.ways[Int(edge)])]) + 1)
      // Barriers are in the order of their edges.
      let barrier = graph.barrierEdges.partitioningIndex { $0 >= edge }
      let isBarrier =
        barrier < graph.barrierEdges.count && graph.barrierEdges[barrier] == edge
      barriers.append(isBarrier ? Int(graph.barrierTagSets[barrier]) + 1 : 0)
    }
    try part.addTagSets(
      block: rows.lowerBound / RoutingSchema.edgesPerBlock, ways: ways, barriers: barriers)
  }
}
