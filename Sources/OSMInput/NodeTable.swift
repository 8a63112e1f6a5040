// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// Needed nodes from one piece of the input, in its order.
struct NodeBatch: Sendable {
  /// A tag of a node.
  struct Tag: Sendable {
    /// The node, as its place in the batch.
    var place: Int
    var tag: PooledTag
  }

  /// The ranks of the nodes among all needed ones.
  var ranks: [UInt32] = []
  /// Where they lie.
  var positions: [NodePosition] = []
  /// Their tags.
  var tags: [Tag] = []
}

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

  /// Adds the next batch of the file; `numbers` are the numbers of its texts in the pool of all.
  mutating func append(_ batch: NodeBatch, numbers: [UInt32]) {
    for (place, rank) in batch.ranks.enumerated() {
      if positions[Int(rank)] != .missing { noteDuplicate(rank, find: finds + place) }
      positions[Int(rank)] = batch.positions[place]
    }
    for tag in batch.tags {
      let pooled = PooledTag(
        key: numbers[Int(tag.tag.key)], value: numbers[Int(tag.tag.value)])
      collectedTags.append(
        Tag(rank: batch.ranks[tag.place], tag: pooled, find: finds + tag.place))
    }
    finds += batch.ranks.count
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
    collectedTags.filter { lastFinds[$0.rank, default: $0.find] == $0.find }
      .sorted { ($0.rank, $0.find) < ($1.rank, $1.find) }
  }
}
