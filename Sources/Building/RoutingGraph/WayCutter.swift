// SPDX-License-Identifier: Apache-2.0
import Geodesy
import TrailData

/// Cuts ways into edges: at junctions, at barriers, and where an edge gets too long.
///
/// Each ref is visited once: lengths and elevations are collected on the way.
struct WayCutter {
  /// The greatest length of an edge in metres. A single segment between two nodes is never cut.
  static let greatestMetres = 65_000.0
  /// The greatest number of points between the ends of an edge.
  static let greatestPointCount = 10_000

  private let columns: WayColumns
  private let marks: JunctionMarks
  private let barriers: BarrierNodes
  private var walk = EdgeWalk()

  init(_ columns: WayColumns, _ marks: JunctionMarks, _ barriers: BarrierNodes) {
    self.columns = columns
    self.marks = marks
    self.barriers = barriers
  }

  /// Adds the edges of a way to a block. A piece that repeats a single node is none.
  mutating func cut(way: Int, to block: inout EdgeBlock) {
    let refs = columns.refs(ofWay: way)
    guard var start = refs.first else { return }
    var startNode = columns.refs[start]
    var node = startNode
    var point = columns.point(node)
    var hasLeft = false
    walk.begin(elevation: columns.elevation(node))
    for index in refs.dropFirst() {
      let next = columns.refs[index]
      guard hasLeft || next != startNode else {
        start = index
        continue
      }
      hasLeft = true
      let nextPoint = columns.point(next)
      let length = point.distance(to: nextPoint)
      let isTooLong =
        walk.metres + length > Self.greatestMetres || index - start > Self.greatestPointCount + 1
      if isTooLong, startNode != node {
        add(from: start, to: index - 1, to: &block)
        (start, startNode) = (index - 1, node)
        walk.begin(elevation: columns.elevation(node))
      }
      walk.advance(
        to: next, length: length, samples: columns.samples(afterRef: index - 1), in: columns,
        isSame: next == node)
      (node, point) = (next, nextPoint)
      guard marks.isJunction(next) else { continue }
      add(from: start, to: index, to: &block)
      (start, startNode) = (index, next)
      hasLeft = false
      walk.begin(elevation: columns.elevation(next))
    }
  }

  /// Adds the edge that was walked along.
  private mutating func add(from first: Int, to last: Int, to block: inout EdgeBlock) {
    addBarrierEnd(first, isLast: false, to: &block)
    addBarrierEnd(last, isLast: true, to: &block)
    block.addEdge(from: first, to: last, points: walk.pointCount)
    block.metrics.add(walk)
  }

  @inline(__always)
  private func addBarrierEnd(_ ref: Int, isLast: Bool, to block: inout EdgeBlock) {
    let node = columns.refs[ref]
    guard marks.isBarrier(node) else { return }
    block.barrierEnds.append(
      .init(edge: block.count, isLast: isLast, barrier: barriers.index(of: node)))
  }
}
