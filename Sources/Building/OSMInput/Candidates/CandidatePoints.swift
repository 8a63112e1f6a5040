// SPDX-License-Identifier: Apache-2.0

/// Nodes that are points of interest, from one piece of the input, in its order.
///
/// A node without tags means that this node was deleted or is no longer a point of interest.
struct PointBatch: ObjectBatch, Sendable {
  private(set) var ids: [Int64] = []
  private(set) var coordinates: [NodeCoordinate] = []
  private(set) var tagEnds: [Int] = []
  /// The tags of all nodes; those of a node must be added before the node.
  var tags: [PooledTag] = []

  /// Adds a node with the tags from the end of the previous node's up to `tagEnd`.
  mutating func add(id: Int64, _ coordinate: NodeCoordinate, tagEnd: Int) {
    ids.append(id)
    coordinates.append(coordinate)
    tagEnds.append(tagEnd)
  }

  /// Records that a node is no longer a point of interest.
  mutating func addGone(id: Int64) { add(id: id, .deleted, tagEnd: tagEnds.last ?? 0) }

  var size: Int { ids.count + tags.count }

  mutating func keep(_ indices: [Int]) {
    keepRuns(indices, of: &tags, &tagEnds)
    (ids, coordinates) = (indices.map { ids[$0] }, indices.map { coordinates[$0] })
  }

  mutating func replaceTags(_ new: (PooledTag) -> PooledTag) { tags = tags.map(new) }
}

/// All nodes that are points of interest, in the order of the file.
struct CandidatePoints: Sendable {
  /// OpenStreetMap ids, including those of nodes that are no longer points of interest.
  private(set) var ids: [Int64] = []
  /// Their coordinates.
  private(set) var coordinates: [NodeCoordinate] = []
  private var tags: [PooledTag] = []
  private var tagEnds: [Int] = []

  /// The tags of a node, in the order of the file.
  func tags(of point: Int) -> ArraySlice<PooledTag> {
    tags[(point == 0 ? 0 : tagEnds[point - 1])..<tagEnds[point]]
  }

  /// Adds the next batch; `textIndices` are the indices of its texts in the common pool.
  mutating func append(_ batch: PointBatch, textIndices: [UInt32]) {
    let firstTag = tags.count
    ids += batch.ids
    coordinates += batch.coordinates
    for end in batch.tagEnds { tagEnds.append(firstTag + end) }
    for tag in batch.tags {
      tags.append(PooledTag(key: textIndices[Int(tag.key)], value: textIndices[Int(tag.value)]))
    }
  }
}

/// The centres of areas that the file itself states (`out center`), by the areas' ids.
struct StatedCentres: Sendable {
  var ways: [Int64: NodeCoordinate] = [:]
  var relations: [Int64: NodeCoordinate] = [:]
}
