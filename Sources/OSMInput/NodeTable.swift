// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// The positions and tags of needed nodes, by rank; of several versions the last one in the file
/// wins.
struct NodeTable {
  /// A tag of a node.
  struct Tag {
    var rank: UInt32
    var tag: PooledTag
    /// Which find of all it belongs to, to tell versions of a node apart.
    fileprivate var find: Int
  }

  /// Where each node lies.
  private(set) var positions: [NodePosition]
  /// How many nodes were found more than once.
  private(set) var duplicates = 0
  /// The first ones of them.
  private(set) var firstDuplicates: [UInt32] = []

  private var collectedTags: [Tag] = []
  private var finds = 0
  private var lastFinds: [UInt32: Int] = [:]

  init(_ nodes: NeededNodes) {
    positions = [NodePosition](repeating: .missing, count: nodes.count)
  }

  /// Adds a part of what a worker found; to be called in the order of the file. `numbers` are the
  /// numbers of the worker's texts in the pool of all.
  mutating func add(
    _ found: FoundNodes, from start: FoundNodes.Mark, to end: FoundNodes.Mark, numbers: [UInt32]
  ) {
    let shift = finds - start.node
    for place in start.node..<end.node {
      let rank = found.ranks[place]
      if positions[Int(rank)] != .missing { noteDuplicate(rank, find: place + shift) }
      positions[Int(rank)] = found.positions[place]
    }
    for tag in found.tags[start.tag..<end.tag] {
      let pooled = PooledTag(
        key: numbers[Int(tag.tag.key)], value: numbers[Int(tag.tag.value)])
      collectedTags.append(
        Tag(rank: found.ranks[tag.place], tag: pooled, find: tag.place + shift))
    }
    finds += end.node - start.node
  }

  private mutating func noteDuplicate(_ rank: UInt32, find: Int) {
    duplicates += 1
    if firstDuplicates.count < WarningTally.exampleLimit { firstDuplicates.append(rank) }
    lastFinds[rank] = find
  }

  /// Gives nodes that the file does not hold the places that ways state for them.
  mutating func fill(from implicitNodes: [ImplicitNode], _ nodes: NeededNodes) {
    var cursor = NeededNodes.Cursor(nodes)
    for node in implicitNodes {
      if let rank = cursor.rank(of: node.id), positions[rank] == .missing {
        positions[rank] = node.position
      }
    }
  }

  /// The tags of the nodes, sorted by rank, those of a node in the order of the file.
  func tags() -> [Tag] {
    collectedTags
      .filter {
        lastFinds.isEmpty || lastFinds[$0.rank].map { [find = $0.find] in $0 == find } ?? true
      }
      .sorted { ($0.rank, $0.find) < ($1.rank, $1.find) }
  }
}
