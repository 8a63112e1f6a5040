// SPDX-License-Identifier: Apache-2.0

/// The strongly connected components of a directed graph.
///
/// Tarjan's algorithm (1972, *Depth-first search and linear graph algorithms*) with an explicit
/// stack instead of recursion: time and memory are linear in nodes and arcs, whatever their shape.
struct StronglyConnected {
  /// The component of each node, in an order that depends on the graph alone.
  private(set) var components: [UInt32]
  /// The number of components.
  private(set) var count = 0

  /// - Parameter arcs: The arcs of the graph; both ends are below `arcs.nodeCount`.
  init(_ arcs: ArcsByTail) {
    let unknown = UInt32.max
    components = [UInt32](repeating: unknown, count: arcs.nodeCount)
    // When each node was discovered, and the earliest discovery that it leads back to.
    var discovery = [UInt32](repeating: unknown, count: arcs.nodeCount)
    var earliest = [UInt32](repeating: 0, count: arcs.nodeCount)
    var nextArcs = arcs.offsets
    var path: [UInt32] = []
    var open: [UInt32] = []
    var discoveredCount: UInt32 = 0
    for root in 0..<arcs.nodeCount where discovery[root] == unknown {
      path.append(UInt32(root))
      while let top = path.last {
        let node = Int(top)
        if discovery[node] == unknown {
          discovery[node] = discoveredCount
          earliest[node] = discoveredCount
          discoveredCount += 1
          open.append(top)
        }
        if nextArcs[node] < arcs.offsets[node + 1] {
          let head = arcs.heads[nextArcs[node]]
          nextArcs[node] += 1
          if discovery[Int(head)] == unknown {
            path.append(head)
          } else if components[Int(head)] == unknown {
            earliest[node] = min(earliest[node], discovery[Int(head)])
          }
          continue
        }
        path.removeLast()
        if let parent = path.last {
          earliest[Int(parent)] = min(earliest[Int(parent)], earliest[node])
        }
        guard earliest[node] == discovery[node] else { continue }
        while let member = open.popLast() {
          components[Int(member)] = UInt32(count)
          if member == top { break }
        }
        count += 1
      }
    }
  }
}

/// The arcs of a directed graph, grouped by the node that they leave.
struct ArcsByTail {
  /// The number of nodes.
  let nodeCount: Int
  /// The index in ``heads`` of each node's first arc, and finally the count.
  private(set) var offsets: [Int]
  /// The nodes that arcs lead to.
  private(set) var heads: [UInt32]

  /// Sorts arcs by their tail: `forEach` calls its argument with the ends of each arc, twice in the
  /// same order.
  init(nodeCount: Int, forEach: ((_ tail: UInt32, _ head: UInt32) -> Void) -> Void) {
    var offsets = [Int](repeating: 0, count: nodeCount + 1)
    forEach { tail, _ in offsets[Int(tail) + 1] += 1 }
    for node in 0..<nodeCount { offsets[node + 1] += offsets[node] }
    var next = offsets
    var heads = [UInt32](repeating: 0, count: offsets[nodeCount])
    forEach { tail, head in
      heads[next[Int(tail)]] = head
      next[Int(tail)] += 1
    }
    self.nodeCount = nodeCount
    self.offsets = offsets
    self.heads = heads
  }
}
