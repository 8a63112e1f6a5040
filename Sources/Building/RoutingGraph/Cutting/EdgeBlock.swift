// SPDX-License-Identifier: Apache-2.0
import CairnTagRules

/// The edges of some ways in a row, in columns.
struct EdgeBlock: Sendable {
  /// The ways that have an edge, as indices in the trails.
  var ways: [UInt32] = []
  /// The number of edges of each of ``ways``.
  var edgeCounts: [UInt32] = []
  /// The name of each of ``ways``, see ``GraphFile/wayNames``.
  var names: [UInt32] = []
  /// The tag set of each of ``ways``: an index among those of ``worker``, and in the end of all.
  var tagSets: [UInt32] = []
  /// The worker that cut the ways.
  var worker = 0

  /// The start of each edge, as an index in the trails' refs.
  var firstRefs: [UInt32] = []
  /// Its end; for a barrier, the same ref.
  var lastRefs: [UInt32] = []
  /// The number of points between its ends.
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
    /// The outline that it is a part of, which goes on at the barrier.
    var outline = Outline.none
    /// Which copy of the node it gets, 0 for the node itself.
    var copy: UInt32 = 0
    /// Whether an end before it has the same copy.
    var sharesCopy = false
  }

  /// The outline of an area to walk on.
  enum Outline: Equatable {
    case none
    /// The ring of a way, an index in the trails.
    case ring(way: Int)
    /// A ring of which the way that ends there is a part.
    case parts
  }

  /// The ends at barrier nodes in the order of the edges.
  var barrierEnds: [BarrierEnd] = []
  /// The edges that are barriers, ascending, and their indices in ``BarrierNodes/nodes``.
  var barriers: [(edge: Int, barrier: Int)] = []

  /// A stretch of an edge with a hazard.
  struct Hazard {
    /// The index of the edge in the block.
    var edge: Int
    /// Decimetres from the start of the edge.
    var start: UInt32
    /// Decimetres from the start of the edge.
    var end: UInt32
    /// The index of the hazard in ``NodeHazards/nodes``, or beyond these in
    /// ``AreaHazards/outlines``.
    var source: Int

    /// Metres in decimetres.
    static func decimetres(_ metres: Double) -> UInt32 {
      UInt32(clamping: Int((metres * 10).rounded()))
    }
  }

  /// The edges that areas close or limit, ascending, and these areas as in ``AreaHazards/closing``,
  /// ascending; until their way is added.
  var closures: [(edge: Int, areas: [UInt32])] = []
  /// The hazards in the order of the edges.
  var hazards: [Hazard] = []

  /// The number of edges.
  var count: Int { firstRefs.count }

  /// The runs of the last `count` edges, those of one way, that the same areas close or limit.
  mutating func takeClosures(ofLast count: Int) -> [(areas: [UInt32], edges: Int)] {
    var runs: [(areas: [UInt32], edges: Int)] = []
    var next = 0
    for edge in (self.count - count)..<self.count {
      var areas: [UInt32] = []
      if next < closures.count, closures[next].edge == edge {
        areas = closures[next].areas
        next += 1
      }
      if let last = runs.last, last.areas == areas {
        runs[runs.count - 1].edges += 1
      } else {
        runs.append((areas, 1))
      }
    }
    closures.removeAll(keepingCapacity: true)
    return runs
  }

  /// Takes back what areas do to the last edges if their way does not lie on the ground.
  ///
  /// - Parameter first: The first hazard of these edges.
  mutating func leaveGround(
    _ kind: WayKind, from first: Int, _ areas: AreaHazards, firstSource: Int
  ) {
    if kind.isDisjoint(with: [.bridge, .ferry, .underground]) { return }
    // A ferry's time and access are those of its whole way.
    if !kind.isDisjoint(with: [.ferry, .underground]) {
      closures.removeAll(keepingCapacity: true)
    }
    let kept = hazards[first...].filter { hazard in
      let area = hazard.source - firstSource
      return area < 0 || !kind.contains(.underground) && !areas.areOnTheGround[area]
    }
    hazards.replaceSubrange(first..., with: kept)
  }

  /// Notes that the barrier ends from an index on, those of one way, are on the outline of an area.
  mutating func markOutline(_ area: WalkedArea, way: Int, from first: Int, edges: Range<Int>) {
    for index in barrierEnds.indices[first...] {
      let end = barrierEnds[index]
      let isEndOfWay = end.isLast ? end.edge == edges.upperBound - 1 : end.edge == edges.lowerBound
      barrierEnds[index].outline = area == .part && isEndOfWay ? .parts : .ring(way: way)
    }
  }

  /// Adds a way whose edges were added.
  mutating func addWay(_ way: Int, edges: Int, name: UInt32, tagSet: UInt32) {
    ways.append(UInt32(way))
    edgeCounts.append(UInt32(edges))
    names.append(name)
    tagSets.append(tagSet)
  }

  /// Adds an edge without its metrics.
  mutating func addEdge(from first: Int, to last: Int, points: Int) {
    firstRefs.append(UInt32(first))
    lastRefs.append(UInt32(last))
    pointCounts.append(UInt32(points))
    pointCount += points
  }

  /// The same block in no more memory than it needs.
  func compacted() -> EdgeBlock {
    var block = self
    block.ways = Self.copy(ways)
    block.edgeCounts = Self.copy(edgeCounts)
    block.names = Self.copy(names)
    block.tagSets = Self.copy(tagSets)
    block.firstRefs = Self.copy(firstRefs)
    block.lastRefs = Self.copy(lastRefs)
    block.pointCounts = Self.copy(pointCounts)
    block.metrics = metrics.compacted()
    block.barrierEnds = Self.copy(barrierEnds)
    block.hazards = Self.copy(hazards)
    return block
  }

  /// A column in no more memory than it needs.
  static func copy<Element>(_ column: [Element]) -> [Element] {
    column.withUnsafeBufferPointer { Array($0) }
  }

  /// Removes everything, and keeps the memory for another block.
  mutating func removeAll() {
    ways.removeAll(keepingCapacity: true)
    edgeCounts.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
    tagSets.removeAll(keepingCapacity: true)
    firstRefs.removeAll(keepingCapacity: true)
    lastRefs.removeAll(keepingCapacity: true)
    pointCounts.removeAll(keepingCapacity: true)
    pointCount = 0
    metrics.removeAll()
    barrierEnds.removeAll(keepingCapacity: true)
    hazards.removeAll(keepingCapacity: true)
    closures.removeAll(keepingCapacity: true)
  }
}
