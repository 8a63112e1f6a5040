// SPDX-License-Identifier: Apache-2.0

/// The parts of a directed graph within which each node is reached from each other one.
///
/// Tarjan's algorithm (1972, *Depth-first search and linear graph algorithms*) with a stack of its
/// own in place of recursion: time and memory are linear in nodes and arcs, whatever their shape.
struct StronglyConnected {
  /// The component of each node, in an order that depends on the graph alone.
  private(set) var components: [UInt32]
  /// How many components there are.
  private(set) var count = 0

  /// - Parameter arcs: The arcs of the graph; both ends are below `arcs.nodeCount`.
  init(_ arcs: ArcLists) {
    let unknown = UInt32.max
    components = [UInt32](repeating: unknown, count: arcs.nodeCount)
    // The number of each node in the order of discovery, and the least one that it leads back to.
    var numbers = [UInt32](repeating: unknown, count: arcs.nodeCount)
    var lowest = [UInt32](repeating: 0, count: arcs.nodeCount)
    var nextArcs = arcs.offsets
    var path: [UInt32] = []
    var open: [UInt32] = []
    var discovered: UInt32 = 0
    for root in 0..<arcs.nodeCount where numbers[root] == unknown {
      path.append(UInt32(root))
      while let top = path.last {
        let node = Int(top)
        if numbers[node] == unknown {
          numbers[node] = discovered
          lowest[node] = discovered
          discovered += 1
          open.append(top)
        }
        if nextArcs[node] < arcs.offsets[node + 1] {
          let head = arcs.heads[nextArcs[node]]
          nextArcs[node] += 1
          if numbers[Int(head)] == unknown {
            path.append(head)
          } else if components[Int(head)] == unknown {
            lowest[node] = min(lowest[node], numbers[Int(head)])
          }
          continue
        }
        path.removeLast()
        if let parent = path.last {
          lowest[Int(parent)] = min(lowest[Int(parent)], lowest[node])
        }
        guard lowest[node] == numbers[node] else { continue }
        while let member = open.popLast() {
          components[Int(member)] = UInt32(count)
          if member == top { break }
        }
        count += 1
      }
    }
  }
}

/// The arcs of a directed graph, those that leave a node side by side.
struct ArcLists {
  /// How many nodes there are.
  let nodeCount: Int
  /// Where the arcs of each node begin in ``heads``, and at last the end.
  private(set) var offsets: [Int]
  /// The nodes that arcs lead to.
  private(set) var heads: [UInt32]

  /// Sorts arcs by the node that they leave: `forEach` calls its argument with the ends of each
  /// arc, twice in the same order.
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
