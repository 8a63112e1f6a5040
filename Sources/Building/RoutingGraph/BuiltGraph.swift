// SPDX-License-Identifier: Apache-2.0
import SystemIO
import TrailData

/// A graph whose edges were cut: blocks of edges in their order, and the numbers of its nodes.
package struct BuiltGraph: Sendable {
  let trails: TrailsFile
  let blocks: [EdgeBlock]
  let copies: BarrierCopies
  let tagSets: TagSetIndex
  /// The tag sets of the areas that close or limit the ways of each set.
  var tagSetAreas: [[UInt32]] = []
  var barrierTagSets: [UInt32] = []
  /// The hazards on the edges, ascending.
  var hazards: [HazardRange] = []
  let threads: Int
  /// The position in the graph of each node of the trails that is in it.
  let ranks: NodeRanks
  /// The start of each block.
  let starts: [Start]
  private let antimeridian: AntimeridianNodes

  /// The indices of the first row of a block in the columns of a file.
  struct Start: Sendable {
    var way = 0
    var edge = 0
    var point = 0
    var profile = 0
  }

  init(
    trails: TrailsFile, blocks: [EdgeBlock], antimeridian: AntimeridianNodes,
    copies: BarrierCopies, tagSets: TagSetIndex, threads: Int
  ) {
    self.trails = trails
    self.antimeridian = antimeridian
    self.blocks = blocks
    self.copies = copies
    self.tagSets = tagSets
    self.threads = threads
    var starts = [Start()]
    var start = Start()
    for block in blocks {
      start.way += block.ways.count
      start.edge += block.count
      start.point += block.pointCount
      start.profile += block.metrics.elevationProfiles.count
      starts.append(start)
    }
    self.starts = starts
    total = start
    ranks = NodeRanks(Self.ends(trails, blocks, antimeridian))
  }

  private static func ends(
    _ trails: TrailsFile, _ blocks: [EdgeBlock], _ antimeridian: AntimeridianNodes
  ) -> NodeSet {
    var ends = NodeSet(count: trails.nodeIDs.count)
    let refs = trails.refs
    for block in blocks {
      for edge in 0..<block.count {
        ends.insert(antimeridian.place(of: refs[Int(block.firstRefs[edge])]))
        ends.insert(antimeridian.place(of: refs[Int(block.lastRefs[edge])]))
      }
    }
    return ends
  }

  /// The number of rows of all blocks.
  private let total: Start

  /// The number of ways with an edge.
  var wayCount: Int { total.way }
  /// The number of edges, including barriers.
  var edgeCount: Int { total.edge }
  /// The number of points between the ends of edges.
  var pointCount: Int { total.point }
  /// The number of elevations in the elevation profiles.
  var profileCount: Int { total.profile }
  /// The number of nodes, including copies.
  var nodeCount: Int { ranks.count + copies.all.count }

  /// The length of all edges in metres, added up in their order.
  var metres: Double {
    var sum = 0.0
    for block in blocks { for distance in block.metrics.distances { sum += distance } }
    return sum
  }

  /// The nodes that the edges of a block begin and end at.
  func ends(ofBlock index: Int) -> (from: [UInt32], to: [UInt32]) {
    let block = blocks[index]
    let refs = trails.refs
    func position(_ ref: UInt32) -> UInt32 {
      ranks.position(of: antimeridian.place(of: refs[Int(ref)]))
    }
    var from = block.firstRefs.map(position)
    var to = block.lastRefs.map(position)
    for end in block.barrierEnds where end.copy > 0 {
      let copy = copies.index(ofCopy: end.copy, ofBarrier: end.barrier)
      let position = UInt32(ranks.count + copy)
      if end.isLast { to[end.edge] = position } else { from[end.edge] = position }
    }
    return (from, to)
  }
}
