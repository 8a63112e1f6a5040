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
  /// Relations from which ways take tags: walkable areas, and ferry lines.
  var tagSources = CandidateRelations()
  /// The tags of ways of ferry lines that are not routable by themselves, without refs.
  var ownTags = CandidateWays()
  /// The ferry lines with their ways, once these are known.
  private var lines = FerryLines()
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

  /// The ids of all ways that belong to ferry lines.
  var lineWays: SortedIDs { SortedIDs(tagSources.lineWays) }

  /// The ids of all ways that relations need.
  var outlines: SortedIDs { SortedIDs(relations.outlines + tagSources.outlines) }

  /// The number of kept tags up to which a relation's ways inherit them. Real relations have a
  /// dozen; without a limit, a small file could put any number of tags on any number of ways.
  static let maximumInheritedTagCount = 32

  /// Makes the outer ways of walkable areas routable that are not so by themselves, with the tags of
  /// the first such area, and the ways of ferry lines, whose tags ``settleLines(_:_:)`` sets. To be
  /// called when all ways have been added.
  mutating func inheritTags() {
    let order = lastVersions(tagSources.ids) { _ in }.filter {
      tagSources.tags(of: $0).count <= Self.maximumInheritedTagCount
    }
    inheritAreaTags(order.filter { tagSources.uses[$0] == .tagSource })
    addLines(order.filter { tagSources.uses[$0] == .ferryLine })
  }

  private mutating func inheritAreaTags(_ order: [Int]) {
    if order.isEmpty { return }
    let (routable, members) = (LastWays(ways), LastWays(areas))
    var taken: Set<Int64> = []
    var inherited = WayBatch()
    var inheritedPools = NodePools()
    var holes: [Int64] = []
    for source in order {
      for (id, boundsHole) in tagSources.rings(of: source) {
        let known = routable.index(of: id)
        guard known.map({ ways.tags(of: $0).isEmpty }) ?? true,
          let member = members.index(of: id), taken.insert(id).inserted
        else { continue }
        if boundsHole { holes.append(id) }
        for tag in tagSources.tags(of: source) { inherited.add(tag: tag) }
        inherited.add(refs: areas.refIDs(of: member, nodePools))
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

  private mutating func addLines(_ order: [Int]) {
    if order.isEmpty { return }
    var batch: WayBatch
    (lines, batch) = FerryLines.find(order, in: self)
    if batch.ids.isEmpty { return }
    var linePools = NodePools()
    batch.takeCodes(from: &linePools)
    ways.append(lines: batch, firstPool: nodePools.count)
    nodePools += linePools.pools
  }

  /// Sets the tags of the ways of ferry lines, when the coordinates of their nodes are known.
  mutating func settleLines(_ resolved: ResolvedRefs, _ coordinates: NodeCoordinates) {
    if ways.lines.isEmpty { return }
    let metres = ways.lines.map { way in
      resolved.length(of: ways.refs(of: way), coordinates)
    }
    ways.setTags(ofLines: lines.tags(metres: metres, &pool))
    lines = FerryLines()
  }

  /// Adds those of some tags that the ways of ferry lines need, all of whose relations are known.
  mutating func add(ownTags batch: WayBatch, textIndices: [UInt32], of lineWays: SortedIDs) {
    var batch = batch
    batch.keep(batch.ids.indices.filter { lineWays.contains(batch.ids[$0]) })
    ownTags.append(batch, textIndices: textIndices, firstPool: 0)
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
