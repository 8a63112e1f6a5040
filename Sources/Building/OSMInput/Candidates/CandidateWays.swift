// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

/// A tag as indices into a ``TextPool``.
struct PooledTag: Equatable, Sendable {
  var key: UInt32
  var value: UInt32
}

/// A node whose coordinate is stored on a way that uses it (LocationsOnWays, `out geom`).
struct ImplicitNode: Equatable, Sendable {
  var id: Int64
  var coordinate: NodeCoordinate
}

/// Ways for one use, from one piece of the input, in its order.
///
/// A routable way without tags means that this way was deleted or is no longer routable. Among
/// areas, a way with neither tags nor refs means that; the outlines of relations have refs and no
/// tags.
struct WayBatch: ObjectBatch, Sendable {
  fileprivate(set) var ids: [Int64] = []
  private(set) var refs: [Int64] = []
  /// The refs as codes, which replace ``refs`` when the batch is complete.
  fileprivate(set) var pieces: [ResolvedRefs.Piece] = []
  fileprivate(set) var refEnds: [Int] = []
  fileprivate(set) var tags: [PooledTag] = []
  fileprivate(set) var tagEnds: [Int] = []
  fileprivate(set) var implicitNodes: [ImplicitNode] = []
  private var settledImplicitNodes = 0

  init() {}

  /// Begins a batch that is expected to become as large as the previous one, with the memory of its
  /// refs.
  init(after previous: WayBatch, _ memory: consuming [Int64]) {
    refs = memory
    ids.reserveCapacity(previous.ids.count)
    refEnds.reserveCapacity(previous.ids.count)
    tagEnds.reserveCapacity(previous.ids.count)
    tags.reserveCapacity(previous.tags.count)
  }

  // A way is added in parts: first its tags, refs and coordinates, then its id.

  mutating func add(tag: PooledTag) { tags.append(tag) }

  mutating func add(
    tags: [PooledTag], refs: some Sequence<Int64>, _ implicitNodes: [ImplicitNode]
  ) {
    self.tags += tags
    self.refs += refs
    if !implicitNodes.isEmpty { self.implicitNodes += implicitNodes }
  }

  mutating func add(refs: [Int64]) { self.refs += refs }

  /// Ends a way with the parts added since the previous one.
  mutating func endWay(id: Int64) {
    ids.append(id)
    refEnds.append(refs.count)
    tagEnds.append(tags.count)
    settledImplicitNodes = implicitNodes.count
  }

  /// The areas of a batch of all ways: those with tags and the outlines of relations. With `revokes`
  /// the other ways are removed from earlier batches.
  func selecting(_ outlines: SortedIDs, revokes: Bool = false) -> WayBatch {
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
      } else if isGone || revokes || id == last {
        selected.endWay(id: id)
      }
      (firstRef, firstTag) = (refEnds[way], tagEnds[way])
    }
    return selected
  }

  /// Whether tags were added since the last way.
  var hasTags: Bool { tags.count > tagEnds.last ?? 0 }

  /// Whether the refs added since the last way form a closed ring.
  var isRing: Bool {
    let start = refEnds.last ?? 0
    return refs.count - start >= 4 && refs[start] == refs[refs.count - 1]
  }

  /// Exchanges the refs for their codes. No way can be added afterwards. Returns the memory of the
  /// refs, which the next batch can use again.
  @discardableResult
  mutating func takeCodes(from pools: inout NodePools) -> [Int64] {
    pieces = pools.pieces(of: refs)
    var memory = refs
    refs = []
    memory.removeAll(keepingCapacity: true)
    return memory
  }

  var size: Int { ids.count + refs.count + tags.count }

  /// To be called before the batch takes codes.
  mutating func keep(_ indices: [Int]) {
    keepRuns(indices, of: &refs, &refEnds)
    keepRuns(indices, of: &tags, &tagEnds)
    ids = indices.map { ids[$0] }
  }

  mutating func replaceTags(_ new: (PooledTag) -> PooledTag) { tags = tags.map(new) }

  /// Removes the parts added since the last way.
  mutating func abandonWay() {
    refs.removeLast(refs.count - (refEnds.last ?? 0))
    tags.removeLast(tags.count - (tagEnds.last ?? 0))
    implicitNodes.removeLast(implicitNodes.count - settledImplicitNodes)
  }
}

/// All ways for one use, in the order of the file. Whether they touch a region is tested later,
/// when the coordinates of their nodes are known.
///
/// The ways of ferry lines come last, and replace those with the same ids: a way that several lines
/// use is there several times, with the tags that it has as a part of each.
struct CandidateWays: Sendable {
  /// OpenStreetMap ids, including those of deleted ways.
  private(set) var ids: [Int64] = []
  /// The refs of all ways, one batch after the other.
  private(set) var refs: [ResolvedRefs.Piece] = []
  /// The index of the first ref of each of ``refs``.
  private var refStarts: [Int] = []
  /// The ways of ferry lines, in the order of their ids.
  private(set) var lines = 0..<0
  /// The nodes whose coordinates are stored on the ways.
  private(set) var implicitNodes: [ImplicitNode] = []
  private var refEnds: [Int] = []
  private var tags: [PooledTag] = []
  private var tagEnds: [Int] = []

  var count: Int { ids.count }

  /// The range of a way's refs among all refs.
  func refs(of way: Int) -> Range<Int> { (way == 0 ? 0 : refEnds[way - 1])..<refEnds[way] }

  /// The tags of a way, in the order of the file.
  func tags(of way: Int) -> ArraySlice<PooledTag> {
    tags[(way == 0 ? 0 : tagEnds[way - 1])..<tagEnds[way]]
  }

  /// Makes room for some batches.
  mutating func reserve(_ batches: some Collection<WayBatch>) {
    let wayCount = count + batches.reduce(0) { $0 + $1.ids.count }
    ids.reserveCapacity(wayCount)
    refEnds.reserveCapacity(wayCount)
    tagEnds.reserveCapacity(wayCount)
    tags.reserveCapacity(tags.count + batches.reduce(0) { $0 + $1.tags.count })
  }

  /// Adds the next batch, which has taken codes; `textIndices` are the indices of its texts in the
  /// common pool, `firstPool` is the index of the first of its node pools.
  mutating func append(_ batch: WayBatch, textIndices: [UInt32], firstPool: Int) {
    let firstRef = refEnds.last ?? 0
    let firstTag = tags.count
    ids += batch.ids
    var start = firstRef
    for piece in batch.pieces {
      refStarts.append(start)
      start += piece.codes.count
      refs.append(ResolvedRefs.Piece(codes: piece.codes, pool: firstPool + piece.pool))
    }
    refEnds.append(contentsOf: batch.refEnds.lazy.map { firstRef + $0 })
    tagEnds.append(contentsOf: batch.tagEnds.lazy.map { firstTag + $0 })
    textIndices.withUnsafeBufferPointer { textIndices in
      tags.append(
        contentsOf: batch.tags.lazy.map {
          PooledTag(key: textIndices[Int($0.key)], value: textIndices[Int($0.value)])
        })
    }
    implicitNodes += batch.implicitNodes
  }

  /// The ids of a way's nodes.
  func refIDs(of way: Int, _ pools: [NodePool]) -> [Int64] {
    let range = refs(of: way)
    var ids: [Int64] = []
    // Pieces without refs may begin where the one of the first ref does.
    var next = refStarts.partitioningIndex { $0 > range.lowerBound } - 1
    while next >= 0, next < refs.count, refStarts[next] < range.upperBound {
      let (piece, start) = (refs[next], refStarts[next])
      for ref in range.clamped(to: start..<(start + piece.codes.count)) {
        ids.append(pools[piece.pool].id(of: piece.codes[ref - start]))
      }
      next += 1
    }
    return ids
  }

  /// Adds the ways of ferry lines, in the order of their ids and without tags: see
  /// ``setTags(ofLines:)``. No way can be added afterwards.
  mutating func append(lines batch: WayBatch, firstPool: Int) {
    let first = count
    append(batch, textIndices: [], firstPool: firstPool)
    lines = first..<count
  }

  /// Sets the tags of all ways of ferry lines; one without tags is left out.
  mutating func setTags(ofLines tags: [[PooledTag]]) {
    precondition(tags.count == lines.count)
    for (way, tags) in zip(lines, tags) {
      self.tags += tags
      tagEnds[way] = self.tags.count
    }
  }

  /// The indices of the last versions of all ways that are routable, in the order of their ids, and
  /// for each way that is a part of several ferry lines, all of these. `duplicate` is called for
  /// each repetition in the file.
  func lastRoutable(duplicate: (Int) -> Void) -> [Int] {
    let last = lastVersions(
      lines.isEmpty ? ids : Array(ids[..<lines.lowerBound]), duplicate: duplicate)
    if lines.isEmpty { return last.filter { !tags(of: $0).isEmpty } }
    var order: [Int] = []
    order.reserveCapacity(last.count + lines.count)
    var line = lines.lowerBound
    for way in last {
      while line < lines.upperBound, ids[line] < ids[way] {
        order.append(line)
        line += 1
      }
      if line == lines.upperBound || ids[line] != ids[way] { order.append(way) }
    }
    order += line..<lines.upperBound
    return order.filter { !tags(of: $0).isEmpty }
  }

  /// The number of all refs.
  var refCount: Int { refEnds.last ?? 0 }

  /// Drops the refs, after they have been resolved.
  mutating func dropRefs() { refs = [] }
}
