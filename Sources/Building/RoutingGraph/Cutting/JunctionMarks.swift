// SPDX-License-Identifier: Apache-2.0
import Synchronization
import SystemIO
import TrailData

/// Which nodes become nodes of the graph: those in two or more ways, ways beyond the region among
/// them, twice in one way, the ends of ways, barriers that not everybody passes, and places on both
/// sides of the antimeridian. Ways with a single node do not count.
struct JunctionMarks: Sendable {
  private var junctions: NodeSet
  private var barriers: NodeSet
  private var antimeridian: AntimeridianNodes?

  /// Each worker has two bits for every node of the file: more workers would take more memory than
  /// the rest of the stage, and soon wait for it.
  private static let workerLimit = 4

  /// Counts how often each node occurs. A node that directly follows itself counts once: such a
  /// segment of zero length is not a crossing.
  init(_ columns: WayColumns, blocks: [Range<Int>], nodeCount: Int, threads: Int) {
    let found = Mutex((seen: NodeSet(count: nodeCount), junctions: NodeSet(count: nodeCount)))
    let queue = WorkQueue(count: blocks.count)
    runWorkers(min(threads, Self.workerLimit, blocks.count)) { _ in
      var seen = NodeSet(count: nodeCount)
      var junctions = NodeSet(count: nodeCount)
      while let block = queue.next() {
        seen.withWords { seen in
          junctions.withWords { junctions in
            for way in blocks[block] { Self.mark(columns, way, seen, junctions) }
          }
        }
      }
      // The order of the workers makes no difference.
      found.withLock { all in
        all.junctions.formUnion(junctions)
        all.junctions.formUnion(ofCommon: all.seen, seen)
        all.seen.formUnion(seen)
      }
    }
    junctions = found.withLock { $0.junctions }
    barriers = NodeSet(count: nodeCount)
  }

  @inline(__always)
  private static func mark(
    _ columns: WayColumns, _ way: Int, _ seen: UnsafeMutableBufferPointer<UInt64>,
    _ junctions: UnsafeMutableBufferPointer<UInt64>
  ) {
    let indices = columns.refs(ofWay: way)
    columns.refs.withUnsafeElements { refs in
      guard let first = indices.first, let last = indices.last,
        indices.contains(where: { refs[$0] != refs[first] })
      else { return }
      junctions[Int(refs[first] >> 6)] |= 1 << UInt64(refs[first] & 63)
      junctions[Int(refs[last] >> 6)] |= 1 << UInt64(refs[last] & 63)
      var previous = -1
      for index in indices {
        let node = refs[index]
        if Int(node) == previous { continue }
        previous = Int(node)
        let word = Int(node >> 6)
        let bit: UInt64 = 1 << UInt64(node & 63)
        if seen[word] & bit == 0 { seen[word] |= bit } else { junctions[word] |= bit }
      }
    }
  }

  /// Adds nodes at which other ways meet those that were counted.
  mutating func add(seam nodes: Column<UInt32>) {
    for node in nodes { junctions.insert(node) }
  }

  /// Adds the nodes that not everybody passes.
  mutating func add(_ barriers: BarrierNodes) {
    for node in barriers.nodes {
      junctions.insert(node)
      self.barriers.insert(node)
    }
  }

  /// Adds the nodes that are the same place on both sides of the antimeridian.
  mutating func add(_ antimeridian: AntimeridianNodes) {
    for node in antimeridian.nodes { junctions.insert(node) }
    self.antimeridian = antimeridian
  }

  /// Whether two nodes at which ways are cut are the same place.
  func isSamePlace(_ one: UInt32, _ other: UInt32) -> Bool {
    guard let antimeridian else { return one == other }
    return antimeridian.place(of: one) == antimeridian.place(of: other)
  }

  /// Whether ways are cut at a node.
  @inline(__always)
  func isJunction(_ node: UInt32) -> Bool { junctions.contains(node) }

  /// Whether a node is a barrier that not everybody passes.
  @inline(__always)
  func isBarrier(_ node: UInt32) -> Bool { barriers.contains(node) }
}
