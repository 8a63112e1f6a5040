// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import TrailData

/// The extent of the changes in some files, as far as kept objects are concerned: the current and
/// the former locations of changed objects.
///
/// A region outside the reach of a change file has the same content with and without it. The
/// reverse is not certain: the reach consists of boxes, and of everything that belongs to a
/// relation.
struct ChangeReach: Sendable {
  /// A file of changes.
  struct File: Sendable {
    let source: Provenance.Source
    let timestamp: String?
    /// The boxes around the changed objects.
    fileprivate(set) var extents: [WayExtent] = []
    /// The boxes around changed areas, since an area affects all ways in its box.
    fileprivate(set) var areas: [WayExtent] = []
  }

  /// The files in the order of application.
  private(set) var files: [File]

  /// Whether any file changed an area.
  var hasAreas: Bool { files.contains { !$0.areas.isEmpty } }

  /// The files that reach a region or its margin.
  ///
  /// - Parameter ways: A box around all ways that the region keeps, which may lead out of it.
  func reaching(_ region: Region, ways: WayExtent?) -> [File] {
    files.filter { file in
      file.extents.contains { region.mayReach($0) }
        || file.areas.contains { area in
          region.mayTouch(area) || ways.map { $0.meets(area) } ?? true
        }
    }
  }

  /// Determines the reach of files that were applied.
  ///
  /// - Parameters:
  ///   - applied: The files, in their order.
  ///   - found: All versions of all objects.
  ///   - former: The coordinates that needed nodes had before they changed.
  init(
    _ applied: [ChangeFile], _ found: FoundObjects, _ resolved: ResolvedRefs,
    _ coordinates: NodeCoordinates, former: FormerNodes
  ) {
    files = applied.map { File(source: $0.source, timestamp: $0.timestamp) }
    let reasons = Self.changedWays(applied, found)
    let nodes = Nodes(resolved: resolved, coordinates: coordinates, former: former)
    var lineWays: [Int64: (extent: WayExtent, files: Set<Int>)] = [:]
    Self.forEachWay(found.ways, 0, nodes, reasons) { files, extent, id in
      for file in files { self.files[file].extents.append(extent) }
      if let id { lineWays[id] = (extent, files) }
    }
    addLines(found.tagSources, lineWays, reasons)
    var outlines: [Int64: (extent: WayExtent, files: Set<Int>)] = [:]
    Self.forEachWay(found.areas, found.ways.refCount, nodes, reasons) {
      files, extent, id in
      for file in files {
        self.files[file].extents.append(extent)
        self.files[file].areas.append(extent)
      }
      guard let id else { return }
      let known = outlines[id]
      outlines[id] = (
        known.map { $0.extent.union(extent) } ?? extent, files.union(known?.files ?? [])
      )
    }
    addAreas(found.relations, outlines)
    addPoints(applied, found.points)
  }

  /// The ways that changed, or of which a relation changed, with the files that did so.
  private static func changedWays(_ applied: [ChangeFile], _ found: FoundObjects) -> [Int64: [Int]]
  {
    var files: [Int64: [Int]] = [:]
    for (file, changes) in applied.enumerated() {
      var ids = Set(changes.ways.ids).union(changes.areas.ids)
      for relations in [
        (found.relations, changes.relations), (found.tagSources, changes.tagSources),
      ] {
        ids.formUnion(members(of: Set(relations.1.ids), relations.0))
      }
      for id in ids { files[id, default: []].append(file) }
    }
    return files
  }

  /// The ways of some relations in all their versions, and of the relations within them.
  private static func members(of ids: Set<Int64>, _ relations: CandidateRelations) -> Set<Int64> {
    guard !ids.isEmpty else { return [] }
    var versions: [Int64: [Int]] = [:]
    for (index, id) in relations.ids.enumerated() { versions[id, default: []].append(index) }
    var seen = ids
    var waiting = Array(ids)
    var ways: Set<Int64> = []
    while let id = waiting.popLast() {
      for version in versions[id] ?? [] {
        ways.formUnion(relations.ways(of: version))
        for inner in relations.relations(of: version) where seen.insert(inner).inserted {
          waiting.append(inner)
        }
      }
    }
    return ways
  }

  /// Adds the ways of ferry lines of which any way changed: the share of each in the duration depends
  /// on all of them.
  private mutating func addLines(
    _ relations: CandidateRelations, _ ways: [Int64: (extent: WayExtent, files: Set<Int>)],
    _ reasons: [Int64: [Int]]
  ) {
    for relation in relations.ids.indices where relations.uses[relation] == .ferryLine {
      let ids = relations.ways(of: relation)
      var changed: Set<Int> = []
      for id in ids { changed.formUnion(ways[id]?.files ?? Set(reasons[id] ?? [])) }
      for file in changed {
        for id in ids {
          if let way = ways[id], !way.files.contains(file) {
            files[file].extents.append(way.extent)
          }
        }
      }
    }
  }

  /// Adds the areas of relations of which an outline changed, or which changed themselves. Their
  /// centres, which depend on all outlines, may be far from each.
  private mutating func addAreas(
    _ relations: CandidateRelations, _ outlines: [Int64: (extent: WayExtent, files: Set<Int>)]
  ) {
    for relation in relations.ids.indices where [.point, .area].contains(relations.uses[relation]) {
      let parts = relations.ways(of: relation).compactMap { outlines[$0] }
      guard let first = parts.first else { continue }
      let extent = parts.dropFirst().reduce(first.extent) { $0.union($1.extent) }
      for file in parts.reduce(into: Set<Int>(), { $0.formUnion($1.files) }) {
        files[file].extents.append(extent)
        if relations.uses[relation] == .area { files[file].areas.append(extent) }
      }
    }
  }

  /// The nodes of all ways, as they are and as they were.
  private struct Nodes {
    let resolved: ResolvedRefs
    let coordinates: NodeCoordinates
    let former: FormerNodes
  }

  /// Calls `body` with the files that changed each way, and its box; where no file did, only if it is
  /// an outline or belongs to a ferry line. It has the id of such a way.
  private static func forEachWay(
    _ ways: CandidateWays, _ firstRef: Int, _ all: Nodes, _ reasons: [Int64: [Int]],
    _ body: (Set<Int>, WayExtent, Int64?) -> Void
  ) {
    for way in 0..<ways.count {
      let refs = ways.refs(of: way)
      if refs.isEmpty { continue }
      let nodes = all.resolved.nodeIndices[
        (firstRef + refs.lowerBound)..<(firstRef + refs.upperBound)]
      var reached = reasons[ways.ids[way]] ?? []
      for node in nodes where all.former.contains(node) { reached += all.former.files(of: node) }
      let hasID = firstRef > 0 || ways.lines.contains(way)
      if reached.isEmpty, !hasID { continue }
      let extent = WayExtent(
        nodes.lazy.map { all.coordinates[Int($0)] }
          + nodes.flatMap { all.former.coordinates(of: $0) })
      body(Set(reached), extent, hasID ? ways.ids[way] : nil)
    }
  }

  /// Adds the points of interest that changed, where any version of them is.
  private mutating func addPoints(_ applied: [ChangeFile], _ points: CandidatePoints) {
    for (file, changes) in applied.enumerated() {
      let changed = SortedIDs(changes.nodes.ids)
      for (point, id) in points.ids.enumerated() {
        let coordinate = points.coordinates[point]
        guard coordinate.isKnown, changed.contains(id) else { continue }
        files[file].extents.append(WayExtent([coordinate]))
      }
    }
  }
}

/// The former versions of changed nodes.
struct FormerNodes: Sendable {
  private var words: [UInt64]
  private var nodes: [UInt32: (files: [Int], coordinates: [NodeCoordinate])] = [:]

  /// - Parameter count: The number of needed nodes.
  init(count: Int) { words = [UInt64](repeating: 0, count: (count + 63) / 64) }

  /// Notes that a file changed a node.
  mutating func note(_ node: Int, _ former: NodeCoordinate, file: Int) {
    words[node >> 6] |= 1 << UInt64(node & 63)
    let key = UInt32(truncatingIfNeeded: node)
    nodes[key, default: ([], [])].files.append(file)
    if former.isKnown { nodes[key]?.coordinates.append(former) }
  }

  /// Whether a node changed.
  @inline(__always)
  func contains(_ node: UInt32) -> Bool { words[Int(node >> 6)] >> UInt64(node & 63) & 1 != 0 }

  /// The files that changed a node.
  func files(of node: UInt32) -> [Int] { nodes[node]?.files ?? [] }

  /// The known coordinates that a changed node had before.
  func coordinates(of node: UInt32) -> [NodeCoordinate] {
    contains(node) ? nodes[node]?.coordinates ?? [] : []
  }
}
