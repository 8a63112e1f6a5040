// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Diagnostics

/// What a parser found in an input, before it is known what lies where.
struct FoundObjects: Sendable {
  /// Ways to route on.
  var ways = CandidateWays()
  /// Ways that are points of interest, or that bound relations which are.
  var areas = CandidateWays()
  /// Waymarked routes, and areas that are points of interest.
  var relations = CandidateRelations()
  /// Relations whose ways have their tags: areas to walk on, and ferries.
  var lenders = CandidateRelations()
  /// Nodes that are points of interest.
  var points = CandidatePoints()
  /// The centres that the input states itself.
  var stated = StatedCentres()
  /// Nodes whose places stand on ways, besides those of ``ways`` and ``areas``.
  var implicitNodes: [ImplicitNode] = []
  /// The texts of all tags.
  var pool = TextPool()

  /// The ids of all ways that relations need.
  var outlines: SortedIDs { SortedIDs(relations.outlines + lenders.outlines) }

  /// So many tags that are kept a relation may lend. Real ones have a dozen; without a bound, a
  /// small file could ask for any number of tags on any number of ways.
  static let greatestLentTagCount = 32

  /// Makes those members of ``lenders`` ways to route on that are none by themselves, with the tags
  /// of the first relation that has some for them. To be called when all ways are there.
  mutating func lendTags() {
    let order = lastVersions(lenders.ids) { _ in }.filter {
      lenders.uses[$0] == .lender && lenders.tags(of: $0).count <= Self.greatestLentTagCount
    }
    if order.isEmpty { return }
    let routable = lastVersions(ways.ids) { _ in }.filter { !ways.tags(of: $0).isEmpty }
    let known = SortedIDs(ascending: routable.map { ways.ids[$0] })
    let members = lastVersions(areas.ids) { _ in }
    let memberIDs = SortedIDs(ascending: members.map { areas.ids[$0] })
    var isTaken = [Bool](repeating: false, count: members.count)
    let refs = Array(areas.refs.joined())
    var lent = WayBatch()
    for lender in order {
      for id in lenders.ways(of: lender) where !known.contains(id) {
        guard let member = memberIDs.place(of: id), !isTaken[member] else { continue }
        isTaken[member] = true
        for tag in lenders.tags(of: lender) { lent.add(tag: tag) }
        lent.add(refs: Array(refs[areas.refs(of: members[member])]))
        lent.endWay(id: id)
      }
    }
    ways.append(lent, numbers: Array(0..<UInt32(truncatingIfNeeded: pool.count)))
  }

  /// Sorts the refs of all ways, those of ``areas`` behind those of ``ways``, and forgets them.
  mutating func rankNodes(threads: Int) throws(CairnError) -> NodeRanking {
    let ranking = try NodeRanking(ways.refs + areas.refs, threads: threads)
    ways.dropRefs()
    areas.dropRefs()
    return ranking
  }

  /// Gives nodes that the input does not hold the places that ways state for them.
  func fill(_ nodes: inout NodeTable, _ needed: NeededNodes) {
    nodes.fill(from: ways.implicitNodes, needed)
    nodes.fill(from: areas.implicitNodes, needed)
    nodes.fill(from: implicitNodes, needed)
  }
}
