// SPDX-License-Identifier: Apache-2.0

/// What an input file holds, whatever is kept of it.
public struct OSMCounts: Equatable, Sendable {
  /// Nodes.
  public var nodes = 0
  /// Ways.
  public var ways = 0
  /// Relations.
  public var relations = 0
  /// Ways with the key `highway`, routable or not.
  public var highways = 0
  /// Ways with the key `sac_scale`.
  public var sacScales = 0

  static func += (left: inout OSMCounts, right: OSMCounts) {
    left.nodes += right.nodes
    left.ways += right.ways
    left.relations += right.relations
    left.highways += right.highways
    left.sacScales += right.sacScales
  }
}

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

/// Ways with a routable highway, as they come from the file; the region is tested later, when
/// their nodes are known.
///
/// A way without any tags says that the way of this id was deleted or is routable no more.
struct CandidateWays: Sendable {
  private(set) var ids: [Int64] = []
  private(set) var refs: [Int64] = []
  private(set) var tags: [PooledTag] = []
  private(set) var implicitNodes: [ImplicitNode] = []
  private var refEnds: [Int] = []
  private var tagEnds: [Int] = []
  private var settledImplicitNodes = 0

  /// A place between two ways, to name a part of them.
  struct Mark: Sendable {
    fileprivate var way = 0
    fileprivate var ref = 0
    fileprivate var tag = 0
    fileprivate var implicitNode = 0
  }

  var count: Int { ids.count }

  /// The places of a way's nodes in ``refs``.
  func refs(of way: Int) -> Range<Int> { (way == 0 ? 0 : refEnds[way - 1])..<refEnds[way] }

  /// The tags of a way, in the order of the file.
  func tags(of way: Int) -> ArraySlice<PooledTag> {
    tags[(way == 0 ? 0 : tagEnds[way - 1])..<tagEnds[way]]
  }

  /// The end of what was added until now.
  var end: Mark {
    Mark(way: ids.count, ref: refs.count, tag: tags.count, implicitNode: implicitNodes.count)
  }

  // A way is added from its parts: first its tags, refs and places, then its id.

  mutating func add(tag: PooledTag) { tags.append(tag) }

  mutating func add(ref: Int64) { refs.append(ref) }

  mutating func add(implicitNode: ImplicitNode) { implicitNodes.append(implicitNode) }

  /// Makes room for the refs of a way.
  mutating func reserve(refs count: Int) {
    let needed = refs.count + count
    if needed > refs.capacity { refs.reserveCapacity(max(needed, refs.capacity * 2)) }
  }

  /// Ends a way of the parts added since the way before.
  mutating func endWay(id: Int64) {
    ids.append(id)
    refEnds.append(refs.count)
    tagEnds.append(tags.count)
    settledImplicitNodes = implicitNodes.count
  }

  /// Takes back the parts added since the last way.
  mutating func abandonWay() {
    refs.removeLast(refs.count - (refEnds.last ?? 0))
    tags.removeLast(tags.count - (tagEnds.last ?? 0))
    implicitNodes.removeLast(implicitNodes.count - settledImplicitNodes)
  }

  /// Adds a part of what another worker collected; `numbers` are the numbers of its texts here.
  mutating func append(_ other: CandidateWays, from start: Mark, to end: Mark, numbers: [UInt32]) {
    let refShift = refs.count - start.ref
    let tagShift = tags.count - start.tag
    ids += other.ids[start.way..<end.way]
    refs += other.refs[start.ref..<end.ref]
    for tag in other.tags[start.tag..<end.tag] {
      tags.append(
        PooledTag(key: numbers[Int(tag.key)], value: numbers[Int(tag.value)]))
    }
    implicitNodes += other.implicitNodes[start.implicitNode..<end.implicitNode]
    for refEnd in other.refEnds[start.way..<end.way] { refEnds.append(refEnd + refShift) }
    for tagEnd in other.tagEnds[start.way..<end.way] { tagEnds.append(tagEnd + tagShift) }
  }
}
