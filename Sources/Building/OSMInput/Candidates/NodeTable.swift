// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// Needed nodes from one piece of the input, in its order.
struct NodeBatch: Sendable {
  /// Nodes whose ranks follow one another, as they do in a file with ascending ids.
  struct Run: Equatable, Sendable {
    var firstRank: UInt32
    var count: UInt32
  }

  /// A tag of a node.
  struct Tag: Sendable {
    /// The rank of the node among all needed ones.
    var rank: UInt32
    /// The node, as its place in the batch.
    var place: Int
    var tag: PooledTag
  }

  /// The ranks of the nodes.
  private(set) var runs: [Run] = []
  /// How many nodes there are.
  private(set) var count = 0
  /// Where the nodes lie.
  var positions: [NodePosition] = []
  /// Their tags.
  var tags: [Tag] = []

  /// Adds a node; its position is to follow.
  @inline(__always)
  mutating func add(rank: Int) {
    let rank = UInt32(truncatingIfNeeded: rank)
    count &+= 1
    if let last = runs.indices.last, runs[last].firstRank &+ runs[last].count == rank {
      runs[last].count &+= 1
    } else {
      runs.append(Run(firstRank: rank, count: 1))
    }
  }
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
    var place = 0
    for run in batch.runs {
      for rank in run.firstRank..<(run.firstRank + run.count) {
        if positions[Int(rank)] != .missing { noteDuplicate(rank, find: finds + place) }
        positions[Int(rank)] = batch.positions[place]
        place += 1
      }
    }
    for tag in batch.tags {
      let pooled = PooledTag(
        key: numbers[Int(tag.tag.key)], value: numbers[Int(tag.tag.value)])
      collectedTags.append(
        Tag(rank: tag.rank, tag: pooled, find: finds + tag.place))
    }
    finds += batch.count
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
