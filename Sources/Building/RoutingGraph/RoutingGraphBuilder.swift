// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import Synchronization
import SystemIO
import TrailData

/// Cuts ways at their junctions and barriers into the edges of a graph.
///
/// Nodes of the graph are the ends of edges, in the order of their ids; edges run along their ways'
/// own direction, in the order of way ids and then along the way. Nothing depends on the number of
/// threads.
package struct RoutingGraphBuilder {
  private let trails: TrailsFile
  private let threads: Int
  private let barriers: BarrierNodes

  /// Prepares to build from a `.elevated` file.
  package init(_ trails: TrailsFile, threads: Int = 1) {
    self.trails = trails
    self.threads = threads
    barriers = BarrierNodes(trails)
  }

  /// All barriers by kind, and whom they stop.
  var barrierKinds: [String: BarrierNodes.Tally] { barriers.kinds }

  /// Builds the graph. Throws 65 where a barrier cannot get copies, see ``GraphNodeID``.
  package func build() throws -> GraphContent {
    var cutter = WayCutter(trails, barriers)
    var graph = GraphContent()
    var tagSets = TagSetIndex()
    addWays(&cutter, &tagSets, to: &graph)
    addBarriers(cutter.barriers, &tagSets, to: &graph)
    graph.tagSets = tagSets.sets
    graph.tagSetNetworks = tagSets.networks
    try addNodes(cutter, to: &graph)
    addPoints(cutter.pieces, to: &graph)
    try addMetrics(cutter.pieces, to: &graph)
    return graph
  }

  /// Cuts the ways and adds those that have an edge.
  private func addWays(
    _ cutter: inout WayCutter, _ tagSets: inout TagSetIndex, to graph: inout GraphContent
  ) {
    let nameKey = trails.strings.index(of: "name")
    let refKey = trails.strings.index(of: "ref")
    let routes = RouteIndex(trails)
    for way in trails.wayIDs.indices {
      let before = cutter.pieces.count
      cutter.cut(way: way)
      let count = cutter.pieces.count - before
      guard count > 0 else { continue }
      let index = UInt32(graph.wayIDs.count)
      graph.ways.append(contentsOf: repeatElement(index, count: count))
      graph.wayIDs.append(trails.wayIDs[way])
      graph.wayNames.append(
        text(of: nameKey, way) ?? text(of: refKey, way) ?? GraphFile.noText)
      graph.wayTagSets.append(
        tagSets.index(of: way, in: trails.wayTags, routes: routes.networks(ofWay: way)) {
          $0 == nameKey || $0 == refKey
        })
    }
  }

  private func text(of key: UInt32?, _ way: Int) -> UInt32? {
    key.flatMap { trails.wayTags.value(of: $0, on: way) }
  }

  private func addBarriers(
    _ found: [(piece: Int, node: Int)], _ tagSets: inout TagSetIndex, to graph: inout GraphContent
  ) {
    for (piece, node) in found {
      graph.barrierEdges.append(UInt32(piece))
      graph.barrierTagSets.append(
        tagSets.index(of: barriers.tags[node], in: trails.nodeTags) { _ in false })
    }
  }

  /// Adds the nodes that edges begin or end at, and the ends of the edges.
  private func addNodes(_ cutter: WayCutter, to graph: inout GraphContent) throws(CairnError) {
    // The index in the graph of each node of the trails; at first only whether it has one.
    var indices = [UInt32](repeating: .max, count: trails.nodeIDs.count)
    for piece in cutter.pieces {
      indices[Int(trails.refs[piece.first])] = 0
      indices[Int(trails.refs[piece.last])] = 0
    }
    for node in trails.nodeIDs.indices where indices[node] == 0 {
      indices[node] = UInt32(graph.nodeIDs.count)
      addNode(node, id: trails.nodeIDs[node], to: &graph)
    }
    let copies = try BarrierCopies(trails, barriers, cutter.endCounts)
    let firstCopy = graph.nodeIDs.count
    for copy in copies.all { addNode(copy.node, id: copy.id, to: &graph) }
    func index(_ ref: Int, _ copy: UInt32) -> UInt32 {
      let node = trails.refs[ref]
      if copy == 0 { return indices[Int(node)] }
      return UInt32(firstCopy + copies.index(ofCopy: copy, ofBarrier: barriers.index(of: node)))
    }
    graph.from.reserveCapacity(cutter.pieces.count)
    graph.to.reserveCapacity(cutter.pieces.count)
    for piece in cutter.pieces {
      graph.from.append(index(piece.first, piece.firstCopy))
      graph.to.append(index(piece.last, piece.lastCopy))
    }
  }

  private func addNode(_ node: Int, id: Int64, to graph: inout GraphContent) {
    graph.nodeIDs.append(id)
    graph.latitudes.append(trails.latitudes[node])
    graph.longitudes.append(trails.longitudes[node])
    graph.elevations.append(trails.elevations?[node] ?? .nan)
  }

  /// Adds the points between the ends of each edge; a node that directly follows itself is one
  /// point.
  private func addPoints(_ pieces: [WayPiece], to graph: inout GraphContent) {
    graph.pointOffsets.reserveCapacity(pieces.count + 1)
    for piece in pieces {
      var previous = trails.refs[piece.first]
      var index = piece.first + 1
      while index < piece.last {
        let node = trails.refs[index]
        index += 1
        if node == previous { continue }
        graph.pointLatitudes.append(trails.latitudes[Int(node)])
        graph.pointLongitudes.append(trails.longitudes[Int(node)])
        previous = node
      }
      graph.pointOffsets.append(UInt32(graph.pointLatitudes.count))
    }
  }

  /// How many edges a worker takes at a time.
  private static let chunkSize = 4096

  /// Adds the metrics of each edge.
  private func addMetrics(_ pieces: [WayPiece], to graph: inout GraphContent) throws {
    let queue = WorkQueue(count: (pieces.count + Self.chunkSize - 1) / Self.chunkSize)
    let done = Collector<EdgeMetrics>(count: queue.count)
    let budget = Atomic(EdgeMetrics.profileLimit)
    try withWorkers(min(threads, queue.count)) { [trails] _ in
      while let chunk = queue.next() {
        var metrics = EdgeMetrics()
        for piece in pieces[(chunk * Self.chunkSize)...].prefix(Self.chunkSize) {
          metrics.add(trails, from: piece.first, to: piece.last, budget: budget)
        }
        done.set(chunk, metrics)
      }
    }
    guard budget.load(ordering: .relaxed) >= 0 else {
      throw CairnError(
        "too-large", .dataError, "the ways are too long for elevation profiles",
        at: Location(file: trails.container.path), hint: "cut out a smaller region")
    }
    for metrics in done.values() {
      graph.distances += metrics.distances
      graph.gains += metrics.gains
      graph.losses += metrics.losses
      graph.slopes += metrics.slopes
      for count in metrics.profileCounts {
        graph.elevationProfileOffsets.append((graph.elevationProfileOffsets.last ?? 0) + count)
      }
      graph.elevationProfiles += metrics.elevationProfiles
    }
  }
}
