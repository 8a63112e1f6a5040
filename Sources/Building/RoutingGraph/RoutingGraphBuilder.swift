// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnTagRules
import Synchronization
import SystemIO
import TrailData

/// Cuts ways at their junctions and barriers into the edges of a graph.
///
/// A barrier that not everybody passes separates the edges that meet there. The first edge that
/// begins or ends at it keeps the node; each further one gets a copy of the node at the same
/// coordinate, and an edge of zero length joins the copy and the node: that is the barrier, which a
/// profile may pass or not. The outline of an area to walk on goes through: its edges keep the node
/// together, or share a copy if there are several areas.
///
/// Nodes of the graph are the ends of edges, in the order of their ids, and nodes that are the same
/// place on both sides of the antimeridian are one; edges run along their ways'
/// own direction, in the order of way ids and then along the way. Threads take blocks of ways, which
/// are put together in order: nothing depends on the number of threads.
package struct RoutingGraphBuilder {
  private let trails: TrailsFile
  private let threads: Int
  private let blockRefs: Int?
  private let barriers: BarrierNodes
  private let antimeridian: AntimeridianNodes
  private let hazards: NodeHazards
  private let areas: AreaHazards
  /// The keys by which areas are judged: names and the like make no tag sets of their own.
  private let areaKeys: Set<UInt32>

  /// Prepares to build from ways, with or without their elevations.
  ///
  /// - Parameter blockRefs: About how many refs a thread takes at a time, which changes nothing in
  ///   the graph; nil for a number that suits.
  package init(_ trails: TrailsFile, threads: Int = 1, blockRefs: Int? = nil) {
    self.trails = trails
    self.threads = threads
    self.blockRefs = blockRefs
    barriers = BarrierNodes(trails)
    antimeridian = AntimeridianNodes(trails, barriers)
    hazards = NodeHazards(trails)
    areas = AreaHazards(trails)
    areaKeys = Set(AreaTags.keys.compactMap { trails.strings.index(of: $0) })
    // Ids are needed last, and only those of the graph's nodes.
    trails.nodeIDs.releasePages()
    trails.pointsOfInterest.releasePages()
  }

  /// All barriers by kind, and those that stop walkers or cyclists.
  var barrierKinds: [String: BarrierNodes.Tally] { barriers.kinds }

  /// Builds the graph. Throws 65 where a barrier cannot get copies, see ``GraphNodeID``, and where
  /// the graph would be too large for a file.
  package func build() throws -> BuiltGraph {
    var (blocks, tagSets) = try cutWays()
    trails.sampleRefs?.releasePages()
    trails.sampleElevations?.releasePages()
    let endCounts = numberCopies(&blocks)
    let copies = try BarrierCopies(trails, barriers, endCounts)
    if !copies.all.isEmpty { addBarriers(to: &blocks) }
    let barrierTagSets = blocks.flatMap { block in
      block.barriers.map { barrier in
        tagSets.index(of: barriers.tags[barrier.barrier], in: trails.nodeTags) { _ in false }
      }
    }
    let ranges = hazardRanges(blocks, &tagSets)
    // Their sets are there: each of these areas is a hazard on an edge.
    let areas = tagSets.areas.map { areas in areas.map { tagSet(ofArea: Int($0), &tagSets) } }
    var graph = BuiltGraph(
      trails: trails, blocks: blocks, antimeridian: antimeridian, copies: copies,
      tagSets: tagSets, threads: threads)
    (graph.barrierTagSets, graph.hazards, graph.tagSetAreas) = (barrierTagSets, ranges, areas)
    guard graph.profileCount <= EdgeMetrics.profileLimit else {
      throw tooLarge("the ways are too long for elevation profiles")
    }
    guard graph.edgeCount < Int(Int32.max) else { throw tooLarge("the ways have too many edges") }
    return graph
  }

  /// The hazards on all edges, in their order.
  private func hazardRanges(_ blocks: [EdgeBlock], _ tagSets: inout TagSetIndex) -> [HazardRange] {
    var ranges: [HazardRange] = []
    var firstEdge = 0
    for block in blocks {
      for hazard in block.hazards {
        let object = object(hazard.source, &tagSets)
        ranges.append(
          HazardRange(
            edge: UInt32(firstEdge + hazard.edge), start: hazard.start, end: hazard.end,
            type: object.type, id: object.id, tagSet: object.tagSet))
      }
      firstEdge += block.count
    }
    // A way may pass a node twice at the same decimetre.
    var last: HazardRange?
    return ranges.sorted().filter { range in
      defer { last = range }
      return range != last
    }
  }

  /// The object of a hazard, see ``EdgeBlock/Hazard/source``.
  private func object(_ source: Int, _ tagSets: inout TagSetIndex)
    -> (type: OSMObjectType, id: Int64, tagSet: UInt32)
  {
    guard source >= hazards.nodes.count else {
      return (
        .node, trails.nodeIDs[Int(hazards.nodes[source])],
        tagSets.index(of: hazards.tags[source], in: trails.nodeTags) { _ in false }
      )
    }
    let area = source - hazards.nodes.count
    return (
      OSMObjectType(rawValue: trails.areas.types[area]) ?? .way, trails.areas.ids[area],
      tagSet(ofArea: area, &tagSets)
    )
  }

  private func tagSet(ofArea area: Int, _ tagSets: inout TagSetIndex) -> UInt32 {
    tagSets.index(of: area, in: trails.areas.tags) { !areaKeys.contains($0) }
  }

  private func tooLarge(_ problem: String) -> CairnError {
    CairnError(
      "too-large", .dataError, problem, at: Location(file: trails.container.path),
      hint: "cut out a smaller region")
  }

  /// What the workers have cut: their blocks in order, and the tag sets that each of them found.
  private struct Cut: Sendable {
    var blocks: [EdgeBlock?]
    var tagSets: [TagSetIndex?]
  }

  /// Cuts all ways. The barriers are still to be put between the edges.
  private func cutWays() throws -> ([EdgeBlock], TagSetIndex) {
    let columns = WayColumns(trails)
    let ranges = columns.blocks(of: blockRefs)
    var marks = JunctionMarks(
      columns, blocks: ranges, nodeCount: trails.nodeIDs.count, threads: threads)
    marks.add(seam: trails.seam)
    marks.add(barriers)
    marks.add(antimeridian)
    let labels = WayLabels(trails)
    let queue = WorkQueue(count: ranges.count)
    let workers = max(1, min(threads, ranges.count))
    let cut = Mutex(
      Cut(
        blocks: Array(repeating: nil, count: ranges.count),
        tagSets: Array(repeating: nil, count: workers)))
    let profileCount = Atomic(0)
    let wayIDs = trails.wayIDs
    try withWorkers(workers) { [marks, barriers, hazards, areas] worker in
      var cutter = WayCutter(columns, marks, barriers, (hazards, areas), wayIDs: wayIDs)
      var tagSets = TagSetIndex()
      // Filled again and again: growing a new one for each block would cost more than to copy it.
      var block = EdgeBlock()
      block.worker = worker
      while let index = queue.next() {
        block.removeAll()
        for way in ranges[index] {
          add(way: way, cutBy: &cutter, labels, to: &block, &tagSets)
        }
        // Without this check, a file that claims very long ways would fill the memory.
        let count = profileCount.wrappingAdd(
          block.metrics.elevationProfiles.count, ordering: .relaxed
        ).newValue
        guard count <= EdgeMetrics.profileLimit else {
          queue.cancel()
          throw tooLarge("the ways are too long for elevation profiles")
        }
        let done = block.compacted()
        cut.withLock { $0.blocks[index] = done }
      }
      let found = tagSets
      cut.withLock { $0.tagSets[worker] = found }
    }
    return cut.withLock { Self.joined($0) }
  }

  /// Adds the edges of a way with its labels to a block.
  private func add(
    way: Int, cutBy cutter: inout WayCutter, _ labels: WayLabels, to block: inout EdgeBlock,
    _ tagSets: inout TagSetIndex
  ) {
    let (edges, ends, firstHazard) =
      (block.count, block.barrierEnds.count, block.hazards.count)
    cutter.cut(way: way, to: &block)
    if block.count == edges { return }
    if block.barrierEnds.count > ends, let area = labels.area(ofWay: way, cutter.columns) {
      block.markOutline(area, way: way, from: ends, edges: edges..<block.count)
    }
    let firstArea = hazards.nodes.count
    if block.hazards[firstHazard...].contains(where: { $0.source >= firstArea }) {
      let place = labels.place(ofWay: way)
      block.leaveGround(place, from: firstHazard, areas, firstSource: firstArea)
    }
    let name = labels.name(ofWay: way)
    // What an area closes or limits has tags that the rest of the way has not.
    for run in block.takeClosures(ofLast: block.count - edges) {
      block.addWay(
        way, edges: run.edges, name: name,
        tagSet: labels.tagSet(ofWay: way, areas: run.areas, in: &tagSets))
    }
  }

  /// Numbers the tag sets of all workers in the order in which the ways have them.
  private static func joined(_ cut: Cut) -> ([EdgeBlock], TagSetIndex) {
    var blocks = cut.blocks.compactMap { $0 }
    var tagSets = TagSetIndex()
    var numbers = cut.tagSets.map { [UInt32](repeating: .max, count: $0?.networks.count ?? 0) }
    for index in blocks.indices {
      let worker = blocks[index].worker
      guard let found = cut.tagSets[worker] else { continue }
      for way in blocks[index].tagSets.indices {
        let set = Int(blocks[index].tagSets[way])
        if numbers[worker][set] == .max { numbers[worker][set] = tagSets.index(of: set, in: found) }
        blocks[index].tagSets[way] = numbers[worker][set]
      }
    }
    return (blocks, tagSets)
  }

  /// Decides which copy each edge gets that begins or ends at a barrier; returns how many sides each
  /// one has.
  private func numberCopies(_ blocks: inout [EdgeBlock]) -> [UInt32] {
    var numbers = BarrierSides(barriers, blocks)
    // The outlines come first, so that they keep the node.
    for isOutline in [true, false] {
      for block in blocks.indices {
        for end in blocks[block].barrierEnds.indices
        where (blocks[block].barrierEnds[end].outline != .none) == isOutline {
          numbers.assign(&blocks[block].barrierEnds[end])
        }
      }
    }
    return numbers.counts
  }

  /// Puts the barriers between the edges.
  private func addBarriers(to blocks: inout [EdgeBlock]) {
    let columns = WayColumns(trails)
    let queue = WorkQueue(count: blocks.count)
    let all = Mutex(blocks)
    // Otherwise each block would be in memory twice.
    blocks = []
    runWorkers(min(threads, queue.count)) { _ in
      while let index = queue.next() {
        var block = EdgeBlock()
        all.withLock { swap(&$0[index], &block) }
        block.addBarriers(columns)
        all.withLock { swap(&$0[index], &block) }
      }
    }
    blocks = all.withLock { $0 }
  }
}
