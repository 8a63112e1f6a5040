// SPDX-License-Identifier: Apache-2.0

/// The edges of some ways in a row, in columns.
struct EdgeBlock: Sendable {
  /// The ways that have an edge, as indices in the trails.
  var ways: [UInt32] = []
  /// How many edges each of ``ways`` has.
  var edgeCounts: [UInt32] = []
  /// The name of each of ``ways``, see ``GraphFile/wayNames``.
  var names: [UInt32] = []
  /// The tag set of each of ``ways``: an index among those of ``worker``, and in the end of all.
  var tagSets: [UInt32] = []
  /// Who cut the ways.
  var worker = 0

  /// Where each edge begins, as an index in the trails' refs.
  var firstRefs: [UInt32] = []
  /// Where it ends; for a barrier at the same ref.
  var lastRefs: [UInt32] = []
  /// How many points it has between its ends.
  var pointCounts: [UInt32] = []
  /// The sum of ``pointCounts``.
  var pointCount = 0
  /// Lengths, climbs and elevation profiles.
  var metrics = EdgeMetrics()

  /// An edge that begins or ends at a barrier node.
  struct BarrierEnd {
    /// The index of the edge in the block.
    var edge: Int
    /// Whether it ends there.
    var isLast: Bool
    /// The index of the barrier in ``BarrierNodes/nodes``.
    var barrier: Int
    /// Which copy of the node it gets, 0 for the node itself.
    var copy: UInt32 = 0
  }

  /// The ends at barrier nodes in the order of the edges.
  var barrierEnds: [BarrierEnd] = []
  /// The edges that are barriers, ascending, and their indices in ``BarrierNodes/nodes``.
  var barriers: [(edge: Int, barrier: Int)] = []

  /// How many edges there are.
  var count: Int { firstRefs.count }

  /// Adds a way whose edges were added.
  mutating func addWay(_ way: Int, edges: Int, name: UInt32, tagSet: UInt32) {
    ways.append(UInt32(way))
    edgeCounts.append(UInt32(edges))
    names.append(name)
    tagSets.append(tagSet)
  }

  /// Adds an edge but for its metrics.
  mutating func addEdge(from first: Int, to last: Int, points: Int) {
    firstRefs.append(UInt32(first))
    lastRefs.append(UInt32(last))
    pointCounts.append(UInt32(points))
    pointCount += points
  }

  /// The block with an edge of zero length between each copy of a barrier's node and the node: right
  /// before the edge that begins at the copy, or right after the one that ends there.
  func withBarriers(_ elevation: (_ ref: Int) -> Float) -> EdgeBlock {
    guard barrierEnds.contains(where: { $0.copy > 0 }) else { return self }
    var block = EdgeBlock()
    (block.ways, block.names, block.tagSets) = (ways, names, tagSets)
    block.worker = worker
    var end = 0
    var edge = 0
    var profile = 0
    for edgeCount in edgeCounts {
      let before = block.count
      for _ in 0..<edgeCount {
        let first = end
        while end < barrierEnds.count, barrierEnds[end].edge == edge { end += 1 }
        block.add(edge, of: self, &profile, barrierEnds[first..<end], elevation)
        edge += 1
      }
      block.edgeCounts.append(UInt32(block.count - before))
    }
    return block
  }

  private mutating func add(
    _ edge: Int, of block: EdgeBlock, _ profile: inout Int, _ ends: ArraySlice<BarrierEnd>,
    _ elevation: (_ ref: Int) -> Float
  ) {
    func addBarrier(_ end: BarrierEnd, _ ref: UInt32) {
      barriers.append((count, end.barrier))
      var atCopy = end
      // It leads from the node to the copy, or from the copy to the node.
      (atCopy.edge, atCopy.isLast) = (count, !end.isLast)
      barrierEnds.append(atCopy)
      addEdge(from: Int(ref), to: Int(ref), points: 0)
      metrics.addBarrier(elevation: elevation(Int(ref)))
    }
    if let first = ends.first(where: { !$0.isLast && $0.copy > 0 }) {
      addBarrier(first, block.firstRefs[edge])
    }
    for var end in ends where end.copy > 0 {
      end.edge = count
      barrierEnds.append(end)
    }
    addEdge(
      from: Int(block.firstRefs[edge]), to: Int(block.lastRefs[edge]),
      points: Int(block.pointCounts[edge]))
    metrics.add(edge, of: block.metrics, &profile)
    if let last = ends.first(where: { $0.isLast && $0.copy > 0 }) {
      addBarrier(last, block.lastRefs[edge])
    }
  }
}
