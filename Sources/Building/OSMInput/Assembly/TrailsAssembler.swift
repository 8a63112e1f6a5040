// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnGeodesy
import SystemIO
import TrailData

/// Assembles the content of `.trails` files from candidate ways and their nodes. All parsers end
/// with it, so that the same data gives the same content, whatever its format.
///
/// What the regions of an input have in common is computed once, so that a further region costs no
/// more than its content and a look at the extent of each way.
struct TrailsAssembler: Sendable {
  let ways: CandidateWays
  let resolved: ResolvedRefs
  let coordinates: NodeCoordinates
  let pool: TextPool
  let routes: RouteMembership
  let points: PointTable
  let areas: HazardAreaTable
  let lines: LineTable
  /// The peaks whose elevations are mapped.
  let peaks: [TrailsCut.Peak]
  let nodeTags: [NodeTag]
  /// The number of threads for selecting a region.
  let threads: Int
  private let hasAllNodes: Bool
  /// The extent of each way; empty if there are too few regions for them to save time.
  private let extents: [WayExtent]
  private let order: [Int]
  /// At how many nodes each way has to join others; empty if none has to.
  private let neededJoins: [UInt8]
  /// Warnings about the data that do not depend on the region.
  let warnings: WarningTally

  /// The handling of several versions of one object.
  struct Versions {
    /// Whether there may be several, so that they need no warnings.
    var areExpected = false
    /// The warnings about them so far.
    var warnings = WarningTally()
  }

  /// `regions` are all regions that will be cut out, if they are known.
  init(
    _ found: FoundObjects, _ resolved: ResolvedRefs, nodes: NodeTable, regions: [Region]? = nil,
    threads: Int, versions: Versions = Versions()
  ) {
    ways = found.ways
    self.resolved = resolved
    self.threads = threads
    coordinates = nodes.coordinates
    pool = found.pool
    neededJoins = found.ways.neededJoins(found.pool, holes: found.holes)
    hasAllNodes = nodes.coordinates.areKnown(threads: threads)
    nodeTags = nodes.tags()
    var duplicates = Self.warnings(about: nodes.duplicates, resolved.nodes)
    let (ways, relations) = (ways, found.relations)
    let order = ways.lastRoutable { duplicates.add("duplicate-way", "way \(ways.ids[$0])") }
    let relationOrder = lastVersions(relations.ids) {
      duplicates.add("duplicate-relation", "relation \(relations.ids[$0])")
    }
    let outlines = AreaCoordinates(resolved, nodes.coordinates, firstRef: ways.refCount)
    let words = PointWords(found.pool)
    self.order = order
    let lastAreas = LastWays(found.areas)
    // One region looks at each object once.
    let needsExtents = regions.map { $0.count { !$0.isEverything } > 1 } ?? true
    // Points take as long as the others.
    var (named, rest) = concurrently(threads: threads) {
      var warnings = WarningTally()
      let points = PointTable(
        found, versions: relationOrder, lastAreas, outlines, words, &warnings)
      return (points: points, peaks: TrailsCut.peaks(points, found.pool), warnings: warnings)
    } _: {
      var warnings = WarningTally()
      let areas = HazardAreaTable(
        found, versions: relationOrder, lastAreas, outlines, &warnings)
      var lines = LineTable(found, versions: relationOrder, lastAreas, outlines, words)
      if needsExtents { lines.findExtents() }
      let stations = LiftStations(lines.lines)
      var aboutRoutes = WarningTally()
      let routes = RouteMembership(
        relations, versions: relationOrder, ways: order,
        wayIDs: SortedIDs(ascending: order.map { ways.ids[$0] }), wayCount: ways.count,
        &aboutRoutes)
      return (
        areas: areas, lines: lines, stations: stations, routes: routes, aboutRoutes: aboutRoutes,
        warnings: warnings
      )
    }
    named.points.nameStations(rest.stations)
    (points, peaks) = (named.points, named.peaks)
    (areas, lines, routes) = (rest.areas, rest.lines, rest.routes)
    var warnings = versions.warnings
    if !versions.areExpected { warnings.merge(duplicates) }
    warnings.merge(rest.aboutRoutes)
    warnings.merge(named.warnings)
    warnings.merge(rest.warnings)
    self.warnings = warnings
    extents = needsExtents ? Self.extents(of: ways, resolved, nodes.coordinates, threads) : []
  }

  private static func warnings(about duplicates: NodeDuplicates, _ nodes: NeededNodes)
    -> WarningTally
  {
    var warnings = WarningTally()
    if duplicates.count > 0 {
      let examples = duplicates.first.map { "node \(nodes[Int($0)])" }
      warnings.add("duplicate-node", count: duplicates.count, examples: examples)
    }
    return warnings
  }

  /// Selects the content of a region; the second result are its warnings besides ``warnings``.
  ///
  /// Throws 65 if no routable way is left.
  func select(_ region: Region) throws(CairnError) -> (TrailsCut, WarningTally) {
    var warnings = WarningTally()
    var kept = keptWays(region, &warnings)
    if kept.isEmpty { throw noWays(in: region) }
    let surroundings = hasMargin(region, kept) ? surroundings(of: kept, region) : nil
    var margin = surroundings.map { marginWays(region, kept, $0) } ?? []
    removeLooseConnectors(&kept, &margin)
    return (TrailsCut(self, region, kept, margin: margin, surroundings), warnings)
  }

  /// A box around all ways that a region may keep; nil if no way has an extent.
  func extent(ofWaysIn region: Region) -> WayExtent? {
    var found: WayExtent?
    if region.isEverything { return nil }
    resolved.withCoordinates(coordinates) { coordinates in
      for way in order {
        let extent = extents.isEmpty ? WayExtent(coordinates[ways.refs(of: way)]) : extents[way]
        if region.mayTouch(extent) { found = found?.union(extent) ?? extent }
      }
    }
    return found
  }

  private func keptWays(_ region: Region, _ warnings: inout WarningTally) -> [TrailsCut.Way] {
    let length = 1 << 14
    let pieces = (order.count + length - 1) / length
    let found = Collector<(ways: [TrailsCut.Way], warnings: WarningTally)>(count: pieces)
    let queue = WorkQueue(count: pieces)
    runWorkers(min(threads, pieces)) { [self] _ in
      while let piece = queue.next() {
        found.set(
          piece,
          keptWays(region, order[piece * length..<min(order.count, (piece + 1) * length)]))
      }
    }
    var kept: [TrailsCut.Way] = []
    let parts = found.values()
    kept.reserveCapacity(parts.reduce(0) { $0 + $1.ways.count })
    for part in parts {
      kept += part.ways
      warnings.merge(part.warnings)
    }
    return kept
  }

  private func keptWays(_ region: Region, _ order: ArraySlice<Int>) -> (
    ways: [TrailsCut.Way], warnings: WarningTally
  ) {
    var kept: [TrailsCut.Way] = []
    var warnings = WarningTally()
    kept.reserveCapacity(order.count)
    resolved.withCoordinates(coordinates) { coordinates in
      for way in order where extents.isEmpty || region.mayTouch(extents[way]) {
        let refs = ways.refs(of: way)
        // Nearly all ways are complete.
        if refs.count >= 2, hasAllNodes || coordinates[refs].allSatisfy(\.isKnown) {
          if region.touches(coordinates[refs]) { kept.append(TrailsCut.Way(way, refs)) }
          continue
        }
        let runs = runs(of: refs)
        guard runs.contains(where: { region.touches(coordinates[$0]) }) else { continue }
        if refs.count < 2 {
          warnings.add(
            "short-way", "way \(ways.ids[way])\(location(of: runs)) has fewer than two nodes")
        } else if runs.first != refs {
          warnAboutGaps(way, refs, runs, &warnings)
        }
        for run in runs where run.count >= 2 { kept.append(TrailsCut.Way(way, run)) }
      }
    }
    return (kept, warnings)
  }

  /// The error for a region without ways, which may have its coordinates swapped.
  private func noWays(in region: Region) -> CairnError {
    guard region.name != nil else { return noRoutableWays(in: "the file") }
    var error = noRoutableWays(in: "the region")
    if let box = region.extent.swapped {
      var ignored = WarningTally()
      if !keptWays(Region(box), &ignored).isEmpty {
        error.message += ": its latitudes and longitudes look swapped"
        error.hint = "longitude comes first: did you mean [\(box.listed)]?"
      }
    }
    return error
  }

  /// Whether anything lies outside a region that its margin may need.
  private func hasMargin(_ region: Region, _ kept: [TrailsCut.Way]) -> Bool {
    if region.isEverything { return false }
    // A way in several runs counts as one left out: that is rare, and looking is never wrong.
    return kept.count != order.count || zip(kept, order).contains { $0.index != $1 }
      || points.coordinates.contains { !region.contains($0) }
  }

  /// The cells near some ways of a region.
  private func surroundings(of ways: [TrailsCut.Way], _ region: Region) -> Surroundings {
    var surroundings = Surroundings(region.marginBox, metres: region.marginMetres)
    resolved.withCoordinates(coordinates) { coordinates in
      for way in ways { surroundings.mark(coordinates[way.refs]) }
    }
    surroundings.spread()
    return surroundings
  }

  /// The ways near a region that it does not keep.
  private func marginWays(
    _ region: Region, _ kept: [TrailsCut.Way], _ surroundings: Surroundings
  ) -> [TrailsCut.Way] {
    var margin: [TrailsCut.Way] = []
    var next = 0
    for way in order {
      if next < kept.count, kept[next].index == way {
        while next < kept.count, kept[next].index == way { next += 1 }
        continue
      }
      guard extents.isEmpty || region.mayReach(extents[way]) else { continue }
      let refs = ways.refs(of: way)
      guard refs.contains(where: { surroundings.contains(coordinate(ofRef: $0)) }) else { continue }
      // A way that stays where it is has no segment.
      for run in hasAllNodes ? [refs] : runs(of: refs)
      where run.contains(where: { resolved.nodeIndices[$0] != resolved.nodeIndices[run.lowerBound] }
      ) { margin.append(TrailsCut.Way(way, run)) }
    }
    return margin
  }

  private func coordinate(ofRef ref: Int) -> NodeCoordinate {
    coordinates[Int(resolved.nodeIndices[ref])]
  }

  /// Leaves out connectors that join other ways at fewer than two nodes, and edges of holes that join
  /// none, whether these ways are kept or lie in the margin.
  private func removeLooseConnectors(
    _ kept: inout [TrailsCut.Way], _ margin: inout [TrailsCut.Way]
  ) {
    let ways = kept + margin
    guard !neededJoins.isEmpty, ways.contains(where: { neededJoins[$0.index] > 0 }) else { return }
    var connectors = Connectors(nodeCount: coordinates.count)
    for way in ways where neededJoins[way.index] > 0 {
      connectors.add(
        connector: resolved.nodeIndices[way.refs], neededJoins: neededJoins[way.index])
    }
    for way in ways where neededJoins[way.index] == 0 {
      connectors.add(way: resolved.nodeIndices[way.refs])
    }
    var isKept = connectors.kept()[...]
    kept.removeAll { neededJoins[$0.index] > 0 && isKept.popFirst() != true }
    margin.removeAll { neededJoins[$0.index] > 0 && isKept.popFirst() != true }
  }

  /// The ids of the nodes next to a missing node of a way, ascending.
  func cutNodes() -> [Int64] {
    if hasAllNodes { return [] }
    var found: Set<Int64> = []
    for way in order {
      for run in runs(of: ways.refs(of: way)) where !run.isEmpty {
        let whole = ways.refs(of: way)
        for (ref, isCut) in [
          (run.lowerBound, run.lowerBound > whole.lowerBound),
          (run.upperBound - 1, run.upperBound < whole.upperBound),
        ] where isCut {
          found.insert(resolved.nodes[Int(resolved.nodeIndices[ref])])
        }
      }
    }
    return found.sorted()
  }

  private static func extents(
    of ways: CandidateWays, _ resolved: ResolvedRefs, _ coordinates: NodeCoordinates,
    _ threads: Int
  ) -> [WayExtent] {
    mapBlocks(of: ways.count, size: 1 << 14, threads: threads) { block in
      resolved.withCoordinates(coordinates) { coordinates in
        block.map { WayExtent(coordinates[ways.refs(of: $0)]) }
      }
    }.flatMap { $0 }
  }

  /// The runs of a way's refs without a missing node. Closing the gaps would invent paths that do
  /// not exist.
  private func runs(of refs: Range<Int>) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = refs.lowerBound
    for ref in refs where !coordinates[Int(resolved.nodeIndices[ref])].isKnown {
      if ref > start { runs.append(start..<ref) }
      start = ref + 1
    }
    if refs.upperBound > start { runs.append(start..<refs.upperBound) }
    return runs.isEmpty ? [refs.lowerBound..<refs.lowerBound] : runs
  }

  /// ` at LAT,LON` of the first known node of runs.
  private func location(of runs: [Range<Int>]) -> String {
    guard let ref = runs.first(where: { !$0.isEmpty })?.first else { return "" }
    let point = coordinates[Int(resolved.nodeIndices[ref])]
    return " at \(FixedCoordinate(latitude: point.latitude, longitude: point.longitude).text)"
  }

  private func warnAboutGaps(
    _ way: Int, _ refs: Range<Int>, _ runs: [Range<Int>], _ warnings: inout WarningTally
  ) {
    for ref in refs {
      let node = Int(resolved.nodeIndices[ref])
      let coordinate = coordinates[node]
      if coordinate.isKnown { continue }
      warnings.add(
        coordinate == .invalid ? "invalid-position" : "missing-node",
        "node \(resolved.nodes[node]) of way \(ways.ids[way])\(location(of: runs))")
    }
    let kept = runs.filter { $0.count >= 2 }
    let name = "way \(ways.ids[way])\(location(of: runs))"
    if kept.isEmpty {
      warnings.add(
        "dropped-way", severity: Double(refs.count),
        "\(name): too few of its nodes have a position")
    } else {
      let left = kept.reduce(0) { $0 + $1.count }
      warnings.add(
        "shortened-way", severity: Double(refs.count - left),
        "\(name): \(left) of \(refs.count) nodes kept, "
          + (kept.count == 1 ? "in one piece" : "in \(kept.count) pieces"))
    }
  }
}

/// The error of an input without routable ways.
func noRoutableWays(in what: String) -> CairnError {
  .badData(
    .noRoutableWays, "no way with a routable highway in \(what)",
    hint: "does the extract cover the region and include highways?")
}
