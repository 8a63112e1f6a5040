// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics

/// The objects found by a parser, before the coordinates of nodes are known.
struct FoundObjects: Sendable {
  /// Ways to route on.
  var ways = CandidateWays()
  /// Ways that are points of interest, or outlines of relations that are.
  var areas = CandidateWays()
  /// Waymarked routes, and areas that are points of interest.
  var relations = CandidateRelations()
  /// Relations whose tags are inherited by their ways: walkable areas, and ferries.
  var tagSources = CandidateRelations()
  /// The ids of ``ways`` that bound a hole of a walkable area and nothing else that is routable.
  private(set) var holes = SortedIDs([])
  /// Nodes that are points of interest.
  var points = CandidatePoints()
  /// The centres that the input itself states.
  var stated = StatedCentres()
  /// Nodes whose coordinates are stored on ways other than ``ways`` and ``areas``.
  var implicitNodes: [ImplicitNode] = []
  /// The texts of all tags.
  var pool = TextPool()
  /// The nodes of ``ways`` and ``areas``.
  var nodePools: [NodePool] = []

  /// The ids of all ways that relations need.
  var outlines: SortedIDs { SortedIDs(relations.outlines + tagSources.outlines) }

  /// The number of kept tags up to which a relation's ways inherit them. Real relations have a
  /// dozen; without a limit, a small file could put any number of tags on any number of ways.
  static let maximumInheritedTagCount = 32

  /// Makes those members of ``tagSources`` routable that are not so by themselves, with the tags of
  /// the first such relation. To be called when all ways have been added.
  mutating func inheritTags() {
    let order = lastVersions(tagSources.ids) { _ in }.filter {
      tagSources.uses[$0] == .tagSource
        && tagSources.tags(of: $0).count <= Self.maximumInheritedTagCount
    }
    if order.isEmpty { return }
    let routable = lastVersions(ways.ids) { _ in }.filter { !ways.tags(of: $0).isEmpty }
    let known = SortedIDs(ascending: routable.map { ways.ids[$0] })
    let members = lastVersions(areas.ids) { _ in }
    let memberIDs = SortedIDs(ascending: members.map { areas.ids[$0] })
    var isTaken = [Bool](repeating: false, count: members.count)
    var inherited = WayBatch()
    var inheritedPools = NodePools()
    var holes: [Int64] = []
    for source in order {
      for (id, boundsHole) in tagSources.rings(of: source) where !known.contains(id) {
        guard let member = memberIDs.index(of: id), !isTaken[member] else { continue }
        isTaken[member] = true
        if boundsHole { holes.append(id) }
        for tag in tagSources.tags(of: source) { inherited.add(tag: tag) }
        inherited.add(refs: areas.refIDs(of: members[member], nodePools))
        inherited.endWay(id: id)
      }
    }
    self.holes = SortedIDs(holes)
    inherited.takeCodes(from: &inheritedPools)
    ways.append(
      inherited, textIndices: Array(0..<UInt32(truncatingIfNeeded: pool.count)),
      firstPool: nodePools.count)
    nodePools += inheritedPools.pools
  }

  /// Resolves the refs of all ways, those of ``areas`` after those of ``ways``, and drops them.
  mutating func resolveRefs(threads: Int) throws(CairnError) -> ResolvedRefs {
    let resolved = try ResolvedRefs(ways.refs + areas.refs, nodePools, threads: threads)
    nodePools = []
    ways.dropRefs()
    areas.dropRefs()
    return resolved
  }

  /// Gives nodes that are missing in the input the coordinates that are stored on ways.
  func fill(_ nodes: inout NodeTable, _ needed: NeededNodes) {
    nodes.fill(from: ways.implicitNodes, needed)
    nodes.fill(from: areas.implicitNodes, needed)
    nodes.fill(from: implicitNodes, needed)
  }
}
