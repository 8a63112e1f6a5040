// SPDX-License-Identifier: Apache-2.0
import Algorithms

/// A tag as numbers of a ``TextPool``.
struct PooledTag: Equatable, Sendable {
  var key: UInt32
  var value: UInt32
}

/// A node whose place stands on a way that uses it (LocationsOnWays, `out geom`).
struct ImplicitNode: Equatable, Sendable {
  var id: Int64
  var position: NodePosition
}

/// Ways that are wanted for one thing, from one piece of the input, in its order.
///
/// Of ways to route on, one without any tags says that the way of this id was deleted or is
/// routable no more. Of areas, one with neither tags nor refs says so; the outlines of relations
/// have refs and no tags.
struct WayBatch: Sendable {
  fileprivate(set) var ids: [Int64] = []
  fileprivate(set) var refs: [Int64] = []
  fileprivate(set) var refEnds: [Int] = []
  fileprivate(set) var tags: [PooledTag] = []
  fileprivate(set) var tagEnds: [Int] = []
  fileprivate(set) var implicitNodes: [ImplicitNode] = []
  private var settledImplicitNodes = 0

  // A way is added from its parts: first its tags, refs and places, then its id.

  mutating func add(tag: PooledTag) { tags.append(tag) }

  mutating func add(tags: [PooledTag], refs: [Int64], _ implicitNodes: [ImplicitNode]) {
    self.tags += tags
    self.refs += refs
    self.implicitNodes += implicitNodes
  }

  mutating func add(refs: [Int64]) { self.refs += refs }

  /// Ends a way of the parts added since the way before.
  mutating func endWay(id: Int64) {
    ids.append(id)
    refEnds.append(refs.count)
    tagEnds.append(tags.count)
    settledImplicitNodes = implicitNodes.count
  }

  /// The areas of a batch that holds all ways: those with tags and the outlines of relations.
  func selecting(_ outlines: SortedIDs) -> WayBatch {
    var selected = WayBatch()
    var last: Int64?
    var (firstRef, firstTag) = (0, 0)
    for (way, id) in ids.enumerated() {
      let hasTags = firstTag < tagEnds[way]
      let isGone = firstRef == refEnds[way] && !hasTags
      if hasTags || !isGone && outlines.contains(id) {
        selected.tags += tags[firstTag..<tagEnds[way]]
        selected.refs += refs[firstRef..<refEnds[way]]
        selected.endWay(id: id)
        last = id
      } else if isGone || id == last {
        selected.endWay(id: id)
      }
      (firstRef, firstTag) = (refEnds[way], tagEnds[way])
    }
    return selected
  }

  /// Whether the refs added since the last way lead back to their start around an area.
  var isRing: Bool {
    let start = refEnds.last ?? 0
    return refs.count - start >= 4 && refs[start] == refs[refs.count - 1]
  }

  /// Takes back the parts added since the last way.
  mutating func abandonWay() {
    refs.removeLast(refs.count - (refEnds.last ?? 0))
    tags.removeLast(tags.count - (tagEnds.last ?? 0))
    implicitNodes.removeLast(implicitNodes.count - settledImplicitNodes)
  }
}

/// All ways that are wanted for one thing, in the order of the file; the region is tested later,
/// when their nodes are known.
struct CandidateWays: Sendable {
  /// OpenStreetMap ids, those of deleted ways among them.
  private(set) var ids: [Int64] = []
  /// The refs of all ways, one batch after the other.
  private(set) var refs: [[Int64]] = []
  /// The nodes that stand on the ways themselves.
  private(set) var implicitNodes: [ImplicitNode] = []
  private var refEnds: [Int] = []
  private var tags: [PooledTag] = []
  private var tagEnds: [Int] = []

  var count: Int { ids.count }

  /// The places of a way's nodes among all refs.
  func refs(of way: Int) -> Range<Int> { (way == 0 ? 0 : refEnds[way - 1])..<refEnds[way] }

  /// The tags of a way, in the order of the file.
  func tags(of way: Int) -> ArraySlice<PooledTag> {
    tags[(way == 0 ? 0 : tagEnds[way - 1])..<tagEnds[way]]
  }

  /// Adds the next batch; `numbers` are the numbers of its texts in the pool of all.
  mutating func append(_ batch: WayBatch, numbers: [UInt32]) {
    let firstRef = refEnds.last ?? 0
    let firstTag = tags.count
    ids += batch.ids
    refs.append(batch.refs)
    for end in batch.refEnds { refEnds.append(firstRef + end) }
    for end in batch.tagEnds { tagEnds.append(firstTag + end) }
    for tag in batch.tags {
      tags.append(PooledTag(key: numbers[Int(tag.key)], value: numbers[Int(tag.value)]))
    }
    implicitNodes += batch.implicitNodes
  }

  /// The number of all refs.
  var refCount: Int { refEnds.last ?? 0 }

  /// Forgets the refs, when their ranks are known.
  mutating func dropRefs() { refs = [] }
}
