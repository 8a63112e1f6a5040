// SPDX-License-Identifier: Apache-2.0

/// Lists of arcs, one for each node, that grow and shrink: the rest of a graph during contraction.
/// From one node to another there is at most one arc, the cheapest.
struct ArcLists {
  struct Entry {
    var cost: Double
    /// The node at the other end.
    var node: Int32
    var link: ContractionHierarchy.Link
  }

  private struct List {
    var start = 0
    var count: Int32 = 0
    var capacity: Int32 = 0
  }

  private(set) var entries: [Entry] = []
  private var lists: [List]

  init(nodes: Int) { lists = Array(repeating: List(), count: nodes) }

  /// The indices of a node's arcs in ``entries``; valid until the next change.
  @inline(__always)
  func range(_ node: Int32) -> Range<Int> {
    let list = lists[Int(node)]
    return list.start..<list.start + Int(list.count)
  }

  func count(_ node: Int32) -> Int { Int(lists[Int(node)].count) }

  /// Adds an arc, or replaces a more expensive one to the same node. Returns its index among the
  /// node's arcs; nil if an existing one is not more expensive.
  mutating func improve(_ node: Int32, _ entry: Entry) -> Int? {
    let indices = range(node)
    for index in indices where entries[index].node == entry.node {
      guard entry.cost < entries[index].cost else { return nil }
      entries[index] = entry
      return index - indices.lowerBound
    }
    append(node, entry)
    return indices.count
  }

  private mutating func append(_ node: Int32, _ entry: Entry) {
    var list = lists[Int(node)]
    if list.count == list.capacity {
      // Moves to the end, with room to grow; the abandoned space is small compared with the rest.
      let old = range(node)
      list.start = entries.count
      list.capacity = max(4, 2 * list.capacity)
      for index in old { entries.append(entries[index]) }
      entries.append(contentsOf: repeatElement(entry, count: Int(list.capacity - list.count)))
    }
    entries[list.start + Int(list.count)] = entry
    list.count += 1
    lists[Int(node)] = list
  }

  /// Removes all arcs of a node.
  mutating func removeAll(_ node: Int32) { lists[Int(node)] = List() }

  /// Removes the arc between a node and another one, if there is one, and puts the last arc in its
  /// place. Returns the indices of both among the node's arcs.
  mutating func remove(_ node: Int32, to other: Int32) -> (index: Int, last: Int)? {
    let indices = range(node)
    guard let index = indices.first(where: { entries[$0].node == other }) else { return nil }
    entries[index] = entries[indices.upperBound - 1]
    lists[Int(node)].count -= 1
    return (index - indices.lowerBound, indices.count - 1)
  }
}
