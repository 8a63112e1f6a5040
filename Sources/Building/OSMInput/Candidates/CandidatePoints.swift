// SPDX-License-Identifier: Apache-2.0

/// Nodes that are points of interest, from one piece of the input, in its order.
///
/// A node without any tags says that the node of this id was deleted or is no point of interest
/// any more.
struct PointBatch: Sendable {
  private(set) var ids: [Int64] = []
  private(set) var positions: [NodePosition] = []
  private(set) var tagEnds: [Int] = []
  /// The tags of all nodes; to be added before the nodes themselves.
  var tags: [PooledTag] = []

  /// Adds a node with all tags up to `tagEnd` that do not belong to the node before.
  mutating func add(id: Int64, _ position: NodePosition, tagEnd: Int) {
    ids.append(id)
    positions.append(position)
    tagEnds.append(tagEnd)
  }

  /// Notes that a node is no point of interest any more.
  mutating func addGone(id: Int64) { add(id: id, .deleted, tagEnd: tagEnds.last ?? 0) }
}

/// All nodes that are points of interest, in the order of the file.
struct CandidatePoints: Sendable {
  /// OpenStreetMap ids, those of nodes that are none any more among them.
  private(set) var ids: [Int64] = []
  /// Where they lie.
  private(set) var positions: [NodePosition] = []
  private var tags: [PooledTag] = []
  private var tagEnds: [Int] = []

  /// The tags of a node, in the order of the file.
  func tags(of point: Int) -> ArraySlice<PooledTag> {
    tags[(point == 0 ? 0 : tagEnds[point - 1])..<tagEnds[point]]
  }

  /// Adds the next batch; `numbers` are the numbers of its texts in the pool of all.
  mutating func append(_ batch: PointBatch, numbers: [UInt32]) {
    let firstTag = tags.count
    ids += batch.ids
    positions += batch.positions
    for end in batch.tagEnds { tagEnds.append(firstTag + end) }
    for tag in batch.tags {
      tags.append(PooledTag(key: numbers[Int(tag.key)], value: numbers[Int(tag.value)]))
    }
  }
}

/// The places that a file states for areas itself (`out center`), by the areas' ids.
struct StatedCentres: Sendable {
  var ways: [Int64: NodePosition] = [:]
  var relations: [Int64: NodePosition] = [:]
}
