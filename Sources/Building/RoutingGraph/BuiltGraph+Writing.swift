// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import SystemIO
import TrailData

extension BuiltGraph {
  /// Writes the graph as a `.graph` file; `strings` are those of the file that it was built from.
  ///
  /// All columns have their place before the first of them is written, so that threads write the
  /// rows of some nodes or of a block of edges each, in any order, and none is kept in memory for
  /// the others.
  package func write(to path: String, strings: StringTable, provenance: Provenance) throws {
    let writer = try ContainerWriter(path, kind: .graph)
    let texts = GraphTexts(self, count: strings.count)
    let nodes = NodeColumns(writer, count: nodeCount)
    let edges = try EdgeColumns(writer, count: edgeCount, profiles: profileCount)
    var barrierEdges: [UInt32] = []
    for (block, start) in zip(blocks, starts) {
      barrierEdges += block.barriers.map { UInt32(start.edge + $0.edge) }
    }
    try writer.add("barrier.edge", barrierEdges)
    try writer.add("barrier.tagset", barrierTagSets)
    try GraphHazards.write(hazards, to: writer)
    let points = PointColumns(writer, count: pointCount)
    let ways = WayLabelColumns(writer, count: wayCount, texts)
    try texts.translated(tagSets.sets).write(prefix: "tagset", to: writer)
    try writer.add("tagset.network", tagSets.networks)
    try TagSetAreas.write(tagSetAreas, to: writer)
    try strings.copy(keeping: texts.kept, to: writer)

    let nodeJobs = (ranks.wordCount + Self.wordsPerJob - 1) / Self.wordsPerJob
    let queue = WorkQueue(count: blocks.count + nodeJobs + 1)
    try withWorkers(min(threads, queue.count)) { _ in
      do {
        while let job = queue.next() {
          if job < blocks.count {
            try edges.write(self, block: job)
            try points.write(self, block: job)
            try ways.write(self, block: job)
          } else if job < blocks.count + nodeJobs {
            let start = (job - blocks.count) * Self.wordsPerJob
            let words = start..<min(start + Self.wordsPerJob, ranks.wordCount)
            try nodes.write(trails, ranks, words)
          } else {
            try nodes.write(trails, copies, at: ranks.count)
          }
        }
      } catch {
        queue.cancel()
        throw error
      }
    }
    try writer.commit(provenance)
  }

  private static var wordsPerJob: Int { 4096 }
}

/// The columns `node.*`.
private struct NodeColumns {
  let ids: ReservedColumn<Int64>
  let latitudes: ReservedColumn<Int32>
  let longitudes: ReservedColumn<Int32>
  let elevations: ReservedColumn<Float>

  init(_ writer: ContainerWriter, count: Int) {
    ids = writer.reserve("node.id", count: count)
    latitudes = writer.reserve("node.latitude", count: count)
    longitudes = writer.reserve("node.longitude", count: count)
    elevations = writer.reserve("node.elevation", count: count)
  }

  /// Writes the nodes that are in some words of the set.
  func write(_ trails: TrailsFile, _ ranks: NodeRanks, _ words: Range<Int>) throws(CairnError) {
    let start = ranks.position(ofWord: words.lowerBound)
    var nodes: [Int] = []
    nodes.reserveCapacity(ranks.position(ofWord: words.upperBound) - start)
    ranks.forEach(inWords: words) { nodes.append($0) }
    try write(trails, nodes, nodes.map { trails.nodeIDs[$0] }, at: start)
  }

  /// Writes the copies of barriers' nodes.
  func write(_ trails: TrailsFile, _ copies: BarrierCopies, at start: Int) throws(CairnError) {
    try write(trails, copies.all.map(\.node), copies.all.map(\.id), at: start)
  }

  private func write(_ trails: TrailsFile, _ nodes: [Int], _ ids: [Int64], at start: Int)
    throws(CairnError)
  {
    try self.ids.write(ids, at: start)
    try latitudes.write(nodes.map(values(trails.latitudes)), at: start)
    try longitudes.write(nodes.map(values(trails.longitudes)), at: start)
    try elevations.write(
      trails.elevations.map { nodes.map(values($0)) } ?? nodes.map { _ in .nan }, at: start)
  }

  @inline(__always)
  private func values<Element>(_ column: Column<Element>) -> (Int) -> Element { { column[$0] } }
}

/// The columns `edge.*`.
private struct EdgeColumns {
  let from: ReservedColumn<UInt32>
  let to: ReservedColumn<UInt32>
  let ways: ReservedColumn<UInt32>
  let distances: ReservedColumn<Double>
  let gains: ReservedColumn<Double>
  let losses: ReservedColumn<Double>
  let slopes: ReservedColumn<Double>
  let profileOffsets: ReservedColumn<UInt32>
  let profiles: ReservedColumn<Float>
  let pointOffsets: ReservedColumn<UInt32>

  init(_ writer: ContainerWriter, count: Int, profiles profileCount: Int) throws(CairnError) {
    from = writer.reserve("edge.from", count: count)
    to = writer.reserve("edge.to", count: count)
    ways = writer.reserve("edge.way", count: count)
    distances = writer.reserve("edge.distance", count: count)
    gains = writer.reserve("edge.gain", count: count)
    losses = writer.reserve("edge.loss", count: count)
    slopes = writer.reserve("edge.slope", count: count)
    profileOffsets = writer.reserve("edge.profile.offset", count: count + 1)
    profiles = writer.reserve("edge.profile", count: profileCount)
    pointOffsets = writer.reserve("edge.point.offset", count: count + 1)
    try profileOffsets.write([0], at: 0)
    try pointOffsets.write([0], at: 0)
  }

  func write(_ graph: BuiltGraph, block index: Int) throws(CairnError) {
    let (block, start) = (graph.blocks[index], graph.starts[index])
    let ends = graph.ends(ofBlock: index)
    try from.write(ends.from, at: start.edge)
    try to.write(ends.to, at: start.edge)
    try ways.write(wayIndices(block, from: start.way), at: start.edge)
    try distances.write(block.metrics.distances, at: start.edge)
    try gains.write(block.metrics.gains, at: start.edge)
    try losses.write(block.metrics.losses, at: start.edge)
    try slopes.write(block.metrics.slopes, at: start.edge)
    try profileOffsets.write(
      sums(block.metrics.profileCounts, from: start.profile), at: start.edge + 1)
    try profiles.write(block.metrics.elevationProfiles, at: start.profile)
    try pointOffsets.write(sums(block.pointCounts, from: start.point), at: start.edge + 1)
  }

  private func wayIndices(_ block: EdgeBlock, from start: Int) -> [UInt32] {
    var indices: [UInt32] = []
    indices.reserveCapacity(block.count)
    for (way, count) in block.edgeCounts.enumerated() {
      indices.append(contentsOf: repeatElement(UInt32(start + way), count: Int(count)))
    }
    return indices
  }

  /// Where the next element begins after each count.
  private func sums(_ counts: [UInt32], from start: Int) -> [UInt32] {
    var sum = UInt32(start)
    return counts.map { count in
      sum += count
      return sum
    }
  }
}

/// The columns `point.*`.
private struct PointColumns {
  let latitudes: ReservedColumn<Int32>
  let longitudes: ReservedColumn<Int32>

  init(_ writer: ContainerWriter, count: Int) {
    latitudes = writer.reserve("point.latitude", count: count)
    longitudes = writer.reserve("point.longitude", count: count)
  }

  func write(_ graph: BuiltGraph, block index: Int) throws(CairnError) {
    let nodes = nodes(graph.trails.refs, graph.blocks[index])
    let start = graph.starts[index].point
    for (column, units) in [
      (latitudes, graph.trails.latitudes), (longitudes, graph.trails.longitudes),
    ] {
      try column.write(nodes.map { units[Int($0)] }, at: start)
    }
  }

  /// The nodes between the ends of each edge; a node that directly follows itself is one point.
  private func nodes(_ refs: Column<UInt32>, _ block: EdgeBlock) -> [UInt32] {
    var nodes: [UInt32] = []
    nodes.reserveCapacity(block.pointCount)
    for edge in 0..<block.count where block.pointCounts[edge] > 0 {
      let (first, last) = (Int(block.firstRefs[edge]), Int(block.lastRefs[edge]))
      var previous = refs[first]
      for ref in (first + 1)..<last {
        let node = refs[ref]
        if node != previous { nodes.append(node) }
        previous = node
      }
    }
    return nodes
  }
}

/// The columns `way.*`.
private struct WayLabelColumns {
  let ids: ReservedColumn<Int64>
  let names: ReservedColumn<UInt32>
  let tagSets: ReservedColumn<UInt32>
  private let texts: GraphTexts

  init(_ writer: ContainerWriter, count: Int, _ texts: GraphTexts) {
    self.texts = texts
    ids = writer.reserve("way.id", count: count)
    names = writer.reserve("way.name", count: count)
    tagSets = writer.reserve("way.tagset", count: count)
  }

  func write(_ graph: BuiltGraph, block index: Int) throws(CairnError) {
    let (block, start) = (graph.blocks[index], graph.starts[index].way)
    let wayIDs = graph.trails.wayIDs
    try ids.write(block.ways.map { wayIDs[Int($0)] }, at: start)
    try names.write(block.names.map(texts.index), at: start)
    try tagSets.write(block.tagSets, at: start)
  }
}
