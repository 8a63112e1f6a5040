// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Diagnostics
import SystemIO
import TrailData

/// Assembles the content of `.trails` files from candidate ways and their nodes. All parsers end
/// with it, so that the same data gives the same content, whatever its format.
///
/// What the regions of an input have in common is computed once, so that a further region costs no
/// more than its content and a look at the extent of each way.
struct TrailsAssembler: Sendable {
  private let ways: CandidateWays
  private let resolved: ResolvedRefs
  private let nodes: NodeTable
  private let pool: TextPool
  private let routes: RouteMembership
  private let points: PointTable
  private let hasAllNodes: Bool
  private let nodeTags: [NodeTable.Tag]
  private let extents: [WayExtent]
  private let order: [Int]
  /// Whether each way is a connector; empty if none is.
  private let isConnector: [Bool]
  /// Warnings about the data that do not depend on the region.
  let warnings: WarningTally

  /// `expectsVersions` suppresses warnings about several versions of an object.
  init(
    _ found: FoundObjects, _ resolved: ResolvedRefs, nodes: NodeTable, threads: Int,
    expectsVersions: Bool = false
  ) {
    ways = found.ways
    self.resolved = resolved
    self.nodes = nodes
    pool = found.pool
    isConnector = found.ways.connectors(found.pool)
    hasAllNodes = nodes.coordinates.allSatisfy(\.isKnown)
    nodeTags = nodes.tags()
    extents = Self.extents(of: ways, resolved, nodes, threads: threads)
    var duplicates = WarningTally()
    if nodes.duplicates > 0 {
      let examples = nodes.firstDuplicates.map { "node \(resolved.nodes[Int($0)])" }
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
      AreaCoordinates(resolved, nodes, firstRef: ways.refCount), &warnings)
    self.warnings = warnings
  }

  /// A way to keep, and the range of its refs to keep.
  private struct KeptWay {
    var way: Int
    var refs: Range<Int>
  }

  /// The content of a region, and the warnings about it besides ``warnings``.
  ///
  /// Throws 65 if no routable way is left.
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
    let hasConnectors = !isConnector.isEmpty && kept.contains { isConnector[$0.way] }
    return hasConnectors ? withoutLooseConnectors(kept) : kept
  }

  /// Leaves out connectors that join other kept ways at fewer than two nodes.
  private func withoutLooseConnectors(_ ways: [KeptWay]) -> [KeptWay] {
    var connectors = Connectors(nodeCount: nodes.coordinates.count)
    for way in ways where isConnector[way.way] {
      connectors.add(connector: resolved.nodeIndices[way.refs])
    }
    for way in ways where !isConnector[way.way] {
      connectors.add(way: resolved.nodeIndices[way.refs])
    }
    var isKept = connectors.kept()[...]
    return ways.filter { !isConnector[$0.way] || isKept.popFirst() == true }
  }

  private func touches(_ region: Region, _ run: Range<Int>) -> Bool {
    region.touches(run.lazy.map { nodes.coordinates[Int(resolved.nodeIndices[$0])] })
  }

  private static func extents(
    of ways: CandidateWays, _ resolved: ResolvedRefs, _ nodes: NodeTable, threads: Int
  ) -> [WayExtent] {
    let pieceLength = 4096
    let queue = WorkQueue(count: (ways.count + pieceLength - 1) / pieceLength)
    return [WayExtent](unsafeUninitializedCapacity: ways.count) { extents, initialized in
      nonisolated(unsafe) let extents = extents
      runWorkers(min(threads, queue.count)) { _ in
        while let piece = queue.next() {
          for way in piece * pieceLength..<min(ways.count, (piece + 1) * pieceLength) {
            extents.initializeElement(
              at: way,
              to: WayExtent(
                ways.refs(of: way).lazy.map { nodes.coordinates[Int(resolved.nodeIndices[$0])] }))
          }
        }
      }
      initialized = ways.count
    }
  }

  /// The runs of a way's refs without a missing node. Closing the gaps would invent paths that do
  /// not exist.
  private func runs(of refs: Range<Int>) -> [Range<Int>] {
    if hasAllNodes { return [refs] }
    var runs: [Range<Int>] = []
    var start = refs.lowerBound
    for ref in refs where !nodes.coordinates[Int(resolved.nodeIndices[ref])].isKnown {
      if ref > start { runs.append(start..<ref) }
      start = ref + 1
    }
    if refs.upperBound > start { runs.append(start..<refs.upperBound) }
    return runs.isEmpty ? [refs.lowerBound..<refs.lowerBound] : runs
  }

  private func warnAboutGaps(
    _ way: Int, _ refs: Range<Int>, _ runs: [Range<Int>], _ warnings: inout WarningTally
  ) {
    for ref in refs {
      let node = Int(resolved.nodeIndices[ref])
      let coordinate = nodes.coordinates[node]
      if coordinate.isKnown { continue }
      warnings.add(
        coordinate == .invalid ? "invalid-position" : "missing-node",
        "node \(resolved.nodes[node]) of way \(ways.ids[way])")
    }
    let kept = runs.filter { $0.count >= 2 }
    if kept.isEmpty {
      warnings.add("dropped-way", "way \(ways.ids[way]): too few of its nodes have a position")
    } else {
      warnings.add(
        "shortened-way",
        "way \(ways.ids[way]): \(kept.reduce(0) { $0 + $1.count }) of \(refs.count) nodes kept, "
          + (kept.count == 1 ? "in one piece" : "in \(kept.count) pieces"))
    }
  }

  /// Adds the nodes of the kept ways and returns the selection of these nodes.
  private func addNodes(of kept: [KeptWay], to content: inout TrailsContent) -> NodeSelection {
    var selection = NodeSelection(count: nodes.coordinates.count)
    for way in kept {
      for ref in way.refs { selection.insert(resolved.nodeIndices[ref]) }
    }
    let count = selection.finish()
    content.nodeIDs.reserveCapacity(count)
    content.latitudes.reserveCapacity(count)
    content.longitudes.reserveCapacity(count)
    selection.forEach { node in
      content.nodeIDs.append(resolved.nodes[node])
      content.latitudes.append(nodes.coordinates[node].latitude)
      content.longitudes.append(nodes.coordinates[node].longitude)
    }
    return selection
  }

  private func addRefs(
    of kept: [KeptWay], _ selection: NodeSelection, to content: inout TrailsContent
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
        for ref in way.refs {
          refs[initialized] = selection.index(of: resolved.nodeIndices[ref])
          initialized += 1
        }
      }
    }
  }

  /// Adds all tags, and with them the waymarked routes and points of interest.
  private func addTags(
    of kept: [KeptWay], _ selection: NodeSelection, _ region: Region,
    to content: inout TrailsContent
  ) {
    let nodeTags = nodeTags.filter { selection.contains($0.node) }
    let routes = addRoutes(of: kept, to: &content)
    let points = points.points.filter { region.contains($0.coordinate) }
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
      content.poiLatitudes.append(point.coordinate.latitude)
      content.poiLongitudes.append(point.coordinate.longitude)
      texts.add(point.tags, to: &content.poiTags)
    }
  }

  private func addNodeTags(
    _ nodeTags: [NodeTable.Tag], _ selection: NodeSelection, _ texts: inout TextOrder,
    to content: inout TrailsContent
  ) {
    var next = 0
    while next < nodeTags.count {
      let node = nodeTags[next].node
      var tags: [PooledTag] = []
      while next < nodeTags.count, nodeTags[next].node == node {
        tags.append(nodeTags[next].tag)
        next += 1
      }
      content.taggedNodes.append(selection.index(of: node))
      texts.add(tags[...], to: &content.nodeTags)
    }
  }

  /// Adds the routes that follow the kept ways and returns them.
  private func addRoutes(of kept: [KeptWay], to content: inout TrailsContent) -> [Int] {
    var newIndices = [UInt32](repeating: .max, count: routes.ids.count)
    for way in kept {
      for route in routes.routes(ofWay: way.way) { newIndices[Int(route)] = 0 }
    }
    let used = newIndices.indices.filter { newIndices[$0] == 0 }
    for route in used {
      newIndices[route] = UInt32(truncatingIfNeeded: content.routeIDs.count)
      content.routeIDs.append(routes.ids[route])
    }
    if used.isEmpty { return [] }
    content.wayRouteOffsets.reserveCapacity(kept.count + 1)
    for way in kept {
      for route in routes.routes(ofWay: way.way) {
        content.wayRoutes.append(newIndices[Int(route)])
      }
      content.wayRouteOffsets.append(UInt32(truncatingIfNeeded: content.wayRoutes.count))
    }
    return used
  }
}

/// The error of an input without routable ways.
func noRoutableWays(in what: String) -> CairnError {
  .badData(
    .noRoutableWays, "there is no way with a routable highway in \(what)",
    hint: "does the extract cover the region, and was it cut out with its highways?")
}
