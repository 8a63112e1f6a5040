// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Diagnostics
import SystemIO
import TrailData

/// Makes the content of `.trails` files of candidate ways and their nodes: the last step of every
/// parser, so that the same data gives the same content whatever format it came in.
///
/// What all regions of an input have in common is worked out once, so that a further region costs
/// no more than what is kept for it and a glance at the extent of each way.
struct TrailsAssembler: Sendable {
  private let ways: CandidateWays
  private let ranking: NodeRanking
  private let nodes: NodeTable
  private let pool: TextPool
  private let routes: RouteMembership
  private let points: PointTable
  private let hasAllNodes: Bool
  private let nodeTags: [NodeTable.Tag]
  private let extents: [WayExtent]
  private let order: [Int]
  /// What was wrong with the data whatever the region.
  let warnings: WarningTally

  /// `expectsVersions` says that several versions of an object are no reason for a warning.
  init(
    _ found: FoundObjects, ranking: NodeRanking, nodes: NodeTable, threads: Int,
    expectsVersions: Bool = false
  ) {
    ways = found.ways
    self.ranking = ranking
    self.nodes = nodes
    pool = found.pool
    hasAllNodes = nodes.positions.allSatisfy(\.isKnown)
    nodeTags = nodes.tags()
    extents = Self.extents(of: ways, ranking, nodes, threads: threads)
    var duplicates = WarningTally()
    if nodes.duplicates > 0 {
      let examples = nodes.firstDuplicates.map { "node \(ranking.nodes[Int($0)])" }
      duplicates.add("duplicate-node", count: nodes.duplicates, examples: examples)
    }
    let (ways, relations) = (ways, found.relations)
    order = lastVersions(ways.ids) { duplicates.add("duplicate-way", "way \(ways.ids[$0])") }
      .filter { !ways.tags(of: $0).isEmpty }
    let relationOrder = lastVersions(relations.ids) {
      duplicates.add("duplicate-relation", "relation \(relations.ids[$0])")
    }
    var warnings = expectsVersions ? WarningTally() : duplicates
    routes = RouteMembership(
      relations, versions: relationOrder, ways: order,
      wayIDs: SortedIDs(ascending: order.map { ways.ids[$0] }), wayCount: ways.count, &warnings)
    points = PointTable(
      found, versions: relationOrder,
      AreaPositions(ranking, nodes, firstRef: ways.refCount), &warnings)
    self.warnings = warnings
  }

  /// A way to keep, and which of its refs.
  private struct KeptWay {
    var way: Int
    var refs: Range<Int>
  }

  /// The content for a region, and what was wrong with the data there, besides ``warnings``.
  ///
  /// Throws 65 if nothing is left to route on.
  func assemble(_ region: Region) throws(CairnError) -> (TrailsContent, WarningTally) {
    var warnings = WarningTally()
    let kept = keptWays(region, &warnings)
    if kept.isEmpty { throw noRoutableWays(in: region.name == nil ? "the file" : "the region") }
    var content = TrailsContent()
    let selection = addNodes(of: kept, to: &content)
    addRefs(of: kept, selection, to: &content)
    addTags(of: kept, selection, region, to: &content)
    return (content, warnings)
  }

  private func keptWays(_ region: Region, _ warnings: inout WarningTally) -> [KeptWay] {
    var kept: [KeptWay] = []
    for way in order where region.mayTouch(extents[way]) {
      let refs = ways.refs(of: way)
      let runs = runs(of: refs)
      guard runs.contains(where: { touches(region, $0) }) else { continue }
      if refs.count < 2 {
        warnings.add("short-way", "way \(ways.ids[way]) has fewer than two nodes")
      } else if runs.first != refs {
        warnAboutGaps(way, refs, runs, &warnings)
      }
      for run in runs where run.count >= 2 { kept.append(KeptWay(way: way, refs: run)) }
    }
    return kept
  }

  private func touches(_ region: Region, _ run: Range<Int>) -> Bool {
    region.touches(run.lazy.map { nodes.positions[Int(ranking.ranks[$0])] })
  }

  private static func extents(
    of ways: CandidateWays, _ ranking: NodeRanking, _ nodes: NodeTable, threads: Int
  ) -> [WayExtent] {
    let piece = 4096
    let pieces = WorkQueue(count: (ways.count + piece - 1) / piece)
    return [WayExtent](unsafeUninitializedCapacity: ways.count) { extents, initialized in
      nonisolated(unsafe) let extents = extents
      runWorkers(min(threads, pieces.count)) { _ in
        while let number = pieces.next() {
          for way in number * piece..<min(ways.count, (number + 1) * piece) {
            extents.initializeElement(
              at: way,
              to: WayExtent(
                ways.refs(of: way).lazy.map { nodes.positions[Int(ranking.ranks[$0])] }))
          }
        }
      }
      initialized = ways.count
    }
  }

  /// The stretches of a way without a missing node. To close the gaps would invent paths that are
  /// not there.
  private func runs(of refs: Range<Int>) -> [Range<Int>] {
    if hasAllNodes { return [refs] }
    var runs: [Range<Int>] = []
    var start = refs.lowerBound
    for place in refs where !nodes.positions[Int(ranking.ranks[place])].isKnown {
      if place > start { runs.append(start..<place) }
      start = place + 1
    }
    if refs.upperBound > start { runs.append(start..<refs.upperBound) }
    return runs.isEmpty ? [refs.lowerBound..<refs.lowerBound] : runs
  }

  private func warnAboutGaps(
    _ way: Int, _ refs: Range<Int>, _ runs: [Range<Int>], _ warnings: inout WarningTally
  ) {
    for place in refs {
      let rank = Int(ranking.ranks[place])
      let position = nodes.positions[rank]
      if position.isKnown { continue }
      warnings.add(
        position == .invalid ? "invalid-position" : "missing-node",
        "node \(ranking.nodes[rank]) of way \(ways.ids[way])")
    }
    let kept = runs.filter { $0.count >= 2 }
    if kept.isEmpty {
      warnings.add("dropped-way", "way \(ways.ids[way]): too few of its nodes are there")
    } else {
      warnings.add(
        "shortened-way",
        "way \(ways.ids[way]): \(kept.reduce(0) { $0 + $1.count }) of \(refs.count) nodes kept, "
          + (kept.count == 1 ? "in one piece" : "in \(kept.count) pieces"))
    }
  }

  /// Adds the nodes of the kept ways; returns which ones they are.
  private func addNodes(of kept: [KeptWay], to content: inout TrailsContent) -> RankSelection {
    var selection = RankSelection(count: nodes.positions.count)
    for way in kept {
      for place in way.refs { selection.insert(ranking.ranks[place]) }
    }
    let count = selection.finish()
    content.nodeIDs.reserveCapacity(count)
    content.latitudes.reserveCapacity(count)
    content.longitudes.reserveCapacity(count)
    selection.forEach { rank in
      content.nodeIDs.append(ranking.nodes[rank])
      content.latitudes.append(nodes.positions[rank].latitude)
      content.longitudes.append(nodes.positions[rank].longitude)
    }
    return selection
  }

  private func addRefs(
    of kept: [KeptWay], _ selection: RankSelection, to content: inout TrailsContent
  ) {
    content.wayIDs.reserveCapacity(kept.count)
    content.refOffsets.reserveCapacity(kept.count + 1)
    var end = 0
    for way in kept {
      end += way.refs.count
      content.wayIDs.append(ways.ids[way.way])
      content.refOffsets.append(UInt32(truncatingIfNeeded: end))
    }
    content.refs = [UInt32](unsafeUninitializedCapacity: end) { refs, initialized in
      for way in kept {
        for place in way.refs {
          refs[initialized] = selection.number(of: ranking.ranks[place])
          initialized += 1
        }
      }
    }
  }

  /// Adds the tags of everything, and with them the waymarked routes and points of interest.
  private func addTags(
    of kept: [KeptWay], _ selection: RankSelection, _ region: Region,
    to content: inout TrailsContent
  ) {
    let nodeTags = nodeTags.filter { selection.contains($0.rank) }
    let routes = addRoutes(of: kept, to: &content)
    let points = points.points.filter { region.contains($0.position) }
    var texts = TextOrder(pool)
    for way in kept { texts.use(ways.tags(of: way.way)) }
    for tag in nodeTags { texts.use(tag.tag) }
    for route in routes { texts.use(self.routes.tags(of: route)) }
    for point in points { texts.use(point.tags) }
    content.strings = texts.sort()

    for way in kept { texts.add(ways.tags(of: way.way), to: &content.wayTags) }
    addNodeTags(nodeTags, selection, &texts, to: &content)
    for route in routes { texts.add(self.routes.tags(of: route), to: &content.routeTags) }
    for point in points {
      content.poiTypes.append(point.type)
      content.poiIDs.append(point.id)
      content.poiLatitudes.append(point.position.latitude)
      content.poiLongitudes.append(point.position.longitude)
      texts.add(point.tags, to: &content.poiTags)
    }
  }

  private func addNodeTags(
    _ nodeTags: [NodeTable.Tag], _ selection: RankSelection, _ texts: inout TextOrder,
    to content: inout TrailsContent
  ) {
    var place = 0
    while place < nodeTags.count {
      let rank = nodeTags[place].rank
      var tags: [PooledTag] = []
      while place < nodeTags.count, nodeTags[place].rank == rank {
        tags.append(nodeTags[place].tag)
        place += 1
      }
      content.taggedNodes.append(selection.number(of: rank))
      texts.add(tags[...], to: &content.nodeTags)
    }
  }

  /// Adds the routes that follow the kept ways; returns which ones they are.
  private func addRoutes(of kept: [KeptWay], to content: inout TrailsContent) -> [Int] {
    var numbers = [UInt32](repeating: .max, count: routes.ids.count)
    for way in kept {
      for route in routes.routes(ofWay: way.way) { numbers[Int(route)] = 0 }
    }
    let used = numbers.indices.filter { numbers[$0] == 0 }
    for route in used {
      numbers[route] = UInt32(truncatingIfNeeded: content.routeIDs.count)
      content.routeIDs.append(routes.ids[route])
    }
    if used.isEmpty { return [] }
    content.wayRouteOffsets.reserveCapacity(kept.count + 1)
    for way in kept {
      for route in routes.routes(ofWay: way.way) {
        content.wayRoutes.append(numbers[Int(route)])
      }
      content.wayRouteOffsets.append(UInt32(truncatingIfNeeded: content.wayRoutes.count))
    }
    return used
  }
}

/// The error of an input without anything to route on.
func noRoutableWays(in what: String) -> CairnError {
  .badData(
    .noRoutableWays, "there is no way with a routable highway in \(what)",
    hint: "does the extract cover the region, and was it cut out with its highways?")
}
