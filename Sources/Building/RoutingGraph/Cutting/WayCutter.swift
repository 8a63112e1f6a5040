// SPDX-License-Identifier: Apache-2.0
import TrailData

/// Cuts ways into edges: at junctions, at barriers, and where an edge gets too long.
///
/// A way is read once: its edges get their lengths and elevations as they are cut.
struct WayCutter {
  /// The greatest length of an edge in metres. A single segment between two nodes is never cut.
  static let greatestMetres = 65_000.0
  /// The greatest number of points between the ends of an edge.
  static let greatestPointCount = 10_000

  let columns: WayColumns
  private let marks: JunctionMarks
  private let barriers: BarrierNodes
  private let hazards: NodeHazards
  private let wayIDs: Column<Int64>
  private var areas: AreaRanges
  private var line = WayLine()

  init(
    _ columns: WayColumns, _ marks: JunctionMarks, _ barriers: BarrierNodes,
    _ hazards: (nodes: NodeHazards, areas: AreaHazards), wayIDs: Column<Int64>
  ) {
    self.columns = columns
    self.marks = marks
    self.barriers = barriers
    self.hazards = hazards.nodes
    self.wayIDs = wayIDs
    areas = AreaRanges(hazards.areas)
  }

  /// Adds the edges of a way to a block. A piece that repeats a single node is skipped.
  mutating func cut(way: Int, to block: inout EdgeBlock) {
    let refs = columns.refs(ofWay: way)
    line.load(refs, of: columns)
    areas.begin(line, id: wayIDs[way])
    guard var start = refs.first else { return }
    var startNode = columns.refs[start]
    var node = startNode
    var hasLeft = false
    var metres = 0.0
    for index in refs.dropFirst() {
      let previous = node
      node = columns.refs[index]
      guard hasLeft || node != startNode else {
        start = index
        continue
      }
      hasLeft = true
      let length = line.length(to: index)
      let isTooLong =
        metres + length > Self.greatestMetres || index - start > Self.greatestPointCount + 1
      if isTooLong, startNode != previous {
        add(from: start, to: index - 1, to: &block)
        (start, startNode, metres) = (index - 1, previous, 0)
      }
      metres += length
      guard marks.isJunction(node) else { continue }
      // Across the antimeridian from a node to the same place on the other side is no edge.
      if index > start + 1 || !marks.isSamePlace(node, startNode) {
        add(from: start, to: index, to: &block)
      }
      (start, startNode, metres) = (index, node, 0)
      hasLeft = false
    }
  }

  /// Adds the edge between two refs of the way.
  private mutating func add(from first: Int, to last: Int, to block: inout EdgeBlock) {
    addBarrierEnd(first, isLast: false, to: &block)
    addBarrierEnd(last, isLast: true, to: &block)
    if !hazards.nodes.isEmpty { addHazards(from: first, to: last, to: &block) }
    areas.add(line, from: first, to: last, firstSource: hazards.nodes.count, to: &block)
    block.addEdge(from: first, to: last, points: pointCount(from: first, to: last))
    line.withStations(from: first, to: last, of: columns) { block.metrics.add($0) }
  }

  /// Adds the hazards at the nodes of the edge that is about to be added. One at a junction is on
  /// each of the edges that meet there.
  private func addHazards(from first: Int, to last: Int, to block: inout EdgeBlock) {
    var metres = 0.0
    var previous: UInt32?
    for ref in first...last {
      if ref > first { metres += line.length(to: ref) }
      let node = columns.refs[ref]
      if node != previous, let hazard = hazards.index(of: node) {
        let point = EdgeBlock.Hazard.decimetres(metres)
        block.hazards.append(.init(edge: block.count, start: point, end: point, source: hazard))
      }
      previous = node
    }
  }

  /// The number of points between two refs; a node that directly follows itself is one point.
  private func pointCount(from first: Int, to last: Int) -> Int {
    var count = 0
    var previous = columns.refs[first]
    for ref in (first + 1)..<max(first + 1, last) {
      let node = columns.refs[ref]
      if node != previous { count += 1 }
      previous = node
    }
    return count
  }

  @inline(__always)
  private func addBarrierEnd(_ ref: Int, isLast: Bool, to block: inout EdgeBlock) {
    let node = columns.refs[ref]
    guard marks.isBarrier(node) else { return }
    block.barrierEnds.append(
      .init(edge: block.count, isLast: isLast, barrier: barriers.index(of: node)))
  }
}
