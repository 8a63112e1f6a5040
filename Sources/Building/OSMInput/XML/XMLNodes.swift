// SPDX-License-Identifier: Apache-2.0

/// The nodes of an XML file, in its order.
struct XMLNodes: ObjectBatch, Sendable {
  private(set) var ids: [Int64] = []
  private var coordinates: [NodeCoordinate] = []
  /// The tags that ways may need, by the indices of their nodes.
  private var tags: [(node: Int, tag: PooledTag)] = []

  /// Adds the next node.
  mutating func add(_ id: Int64, _ coordinate: NodeCoordinate) {
    ids.append(id)
    coordinates.append(coordinate)
  }

  /// The coordinate of the last node.
  var lastCoordinate: NodeCoordinate { coordinates.last ?? .missing }

  /// Adds a tag of the last node.
  mutating func add(tag: PooledTag) { tags.append((ids.count - 1, tag)) }

  var size: Int { ids.count + tags.count }

  mutating func keep(_ indices: [Int]) {
    var kept: [(node: Int, tag: PooledTag)] = []
    var tag = 0
    for (new, node) in indices.enumerated() {
      while tag < tags.count, tags[tag].node < node { tag += 1 }
      while tag < tags.count, tags[tag].node == node {
        kept.append((new, tags[tag].tag))
        tag += 1
      }
    }
    (ids, coordinates, tags) = (indices.map { ids[$0] }, indices.map { coordinates[$0] }, kept)
  }

  mutating func replaceTags(_ new: (PooledTag) -> PooledTag) {
    for index in tags.indices { tags[index].tag = new(tags[index].tag) }
  }

  /// Adds those that are needed to a table; returns their tags. `willAdd` is called with the index of
  /// each before.
  func add(
    to nodes: inout NodeTable, _ needed: NeededNodes,
    willAdd: (Int, NodeTable) -> Void = { _, _ in }
  ) -> [NodeTag] {
    var found: [NodeTag] = []
    var cursor = NeededNodes.Cursor(needed)
    var tag = 0
    for (node, id) in ids.enumerated() {
      while tag < tags.count, tags[tag].node < node { tag += 1 }
      guard let index = cursor.index(of: id) else { continue }
      willAdd(index, nodes)
      let occurrence = nodes.add(index, coordinates[node])
      while tag < tags.count, tags[tag].node == node {
        found.append(
          NodeTag(
            node: UInt32(truncatingIfNeeded: index), tag: tags[tag].tag, occurrence: occurrence))
        tag += 1
      }
    }
    return found
  }
}
