// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// What a parser found in an input, before it is known what lies where.
struct FoundObjects: Sendable {
  /// Ways to route on.
  var ways = CandidateWays()
  /// Ways that are points of interest, or that bound relations which are.
  var areas = CandidateWays()
  /// Waymarked routes, and areas that are points of interest.
  var relations = CandidateRelations()
  /// Nodes that are points of interest.
  var points = CandidatePoints()
  /// The centres that the input states itself.
  var stated = StatedCentres()
  /// Nodes whose places stand on ways, besides those of ``ways`` and ``areas``.
  var implicitNodes: [ImplicitNode] = []
  /// The texts of all tags.
  var pool = TextPool()

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
