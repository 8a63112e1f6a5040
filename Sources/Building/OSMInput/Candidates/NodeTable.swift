// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// Needed nodes from one piece of the input, in its order.
struct NodeBatch: Sendable {
  /// Consecutive needed nodes, as they occur in a file with ascending ids.
  struct Run: Equatable, Sendable {
    var firstNode: UInt32
    var count: UInt32
  }

  /// A tag of a node.
  struct Tag: Sendable {
    /// The node as an index into all needed nodes.
    var node: UInt32
    /// The node as an index into the batch.
    var batchIndex: Int
    var tag: PooledTag
  }

  /// The nodes as indices into all needed nodes.
  private(set) var runs: [Run] = []
  /// The number of nodes.
  private(set) var count = 0
  /// The coordinates of the nodes.
  var coordinates: [NodeCoordinate] = []
  /// Their tags.
  var tags: [Tag] = []

  /// Adds a node, whose coordinate must be appended afterwards.
  @inline(__always)
  mutating func add(node: Int) {
    let node = UInt32(truncatingIfNeeded: node)
    count &+= 1
    if let last = runs.indices.last, runs[last].firstNode &+ runs[last].count == node {
      runs[last].count &+= 1
    } else {
      runs.append(Run(firstNode: node, count: 1))
    }
  }
}

/// The coordinates and tags of the needed nodes. Of several versions of a node, the last one in the
/// file counts.
struct NodeTable {
  /// A tag of a node.
  struct Tag {
    var node: UInt32
    var tag: PooledTag
    /// The occurrence of the node that it belongs to, to distinguish versions of a node.
    fileprivate var occurrence: Int
  }

  /// The coordinate of each node.
  private(set) var coordinates: [NodeCoordinate]
  /// How often a node appeared again.
  private(set) var duplicates = 0
  /// The first nodes that appeared again.
  private(set) var firstDuplicates: [UInt32] = []

  private var collectedTags: [Tag] = []
  private var occurrences = 0
  private var lastOccurrences: [UInt32: Int] = [:]

  init(_ nodes: NeededNodes) {
    coordinates = [NodeCoordinate](repeating: .missing, count: nodes.count)
  }

  /// Adds the next batch of the file; `textIndices` are the indices of its texts in the common
  /// pool.
  mutating func append(_ batch: NodeBatch, textIndices: [UInt32]) {
    var index = 0
    for run in batch.runs {
      for node in run.firstNode..<(run.firstNode + run.count) {
        if coordinates[Int(node)] != .missing {
          recordDuplicate(node, occurrence: occurrences + index)
        }
        coordinates[Int(node)] = batch.coordinates[index]
        index += 1
      }
    }
    for tag in batch.tags {
      let pooled = PooledTag(
        key: textIndices[Int(tag.tag.key)], value: textIndices[Int(tag.tag.value)])
      collectedTags.append(
        Tag(node: tag.node, tag: pooled, occurrence: occurrences + tag.batchIndex))
    }
    occurrences += batch.count
  }

  private mutating func recordDuplicate(_ node: UInt32, occurrence: Int) {
    duplicates += 1
    if firstDuplicates.count < WarningTally.exampleLimit { firstDuplicates.append(node) }
    lastOccurrences[node] = occurrence
  }

  /// Gives nodes that are missing in the file the coordinates that are stored on ways.
  mutating func fill(from implicitNodes: [ImplicitNode], _ nodes: NeededNodes) {
    var cursor = NeededNodes.Cursor(nodes)
    for implicit in implicitNodes {
      if let node = cursor.index(of: implicit.id), coordinates[node] == .missing {
        coordinates[node] = implicit.coordinate
      }
    }
  }

  /// The tags of the nodes, sorted by node, those of a node in the order of the file.
  func tags() -> [Tag] {
    collectedTags.filter { lastOccurrences[$0.node, default: $0.occurrence] == $0.occurrence }
      .sorted { ($0.node, $0.occurrence) < ($1.node, $1.occurrence) }
  }
}
