// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import SystemIO
import TrailData

/// Reads an OpenStreetMap PBF file and keeps what routing needs.
///
/// The file is read in three passes: the first finds relations, the second ways, including those of
/// relations, the third the nodes of these ways. In a file with nodes, ways and relations in this
/// order, like nearly every file, each blob is decompressed once: the first way and the first
/// relation are found by binary search. The order is verified; for a file in any other order, each
/// pass reads all blobs that it needs. Small regions of a large file are read differently, see
/// ``candidatesNear(_:_:)``. Workers share the blobs; the result does not depend on their number.
package struct PBFParser: Sendable {
  private(set) var scan: BlobScan
  private let region: Region
  private let changes: [ChangeFile]
  private let versions: ChangedVersions
  /// The values of `highway` that make a way routable.
  let highways: HighwayChoice

  /// The header of the file.
  package let header: HeaderBlock

  /// Opens a file and finds its blobs. Throws 66 if it cannot be read, 65 if it is not a PBF file,
  /// is truncated, or requires an unknown feature.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - region: The part to keep.
  ///   - changes: Change files, applied in order, see ``ChangeFolder``.
  ///   - highways: The values of `highway` that make a way routable.
  ///   - threads: The number of workers, at least 1.
  ///   - progress: Advanced with each blob.
  package init(
    _ path: String, region: Region = .everything, changes: [String] = [],
    highways: HighwayChoice = .all, threads: Int = 1, progress: Progress? = nil
  ) throws(CairnError) {
    try self.init(
      try InputFile(path), region: region, changes: changes, highways: highways,
      threads: threads, progress: progress)
  }

  /// Reads an open file, with the same parameters and errors.
  package init(
    _ file: InputFile, region: Region = .everything, changes: [String] = [],
    highways: HighwayChoice = .all, threads: Int = 1, progress: Progress? = nil
  ) throws(CairnError) {
    self.highways = highways
    let index = try BlobIndex(file)
    scan = BlobScan(file: file, index: index, threads: max(1, threads), progress: progress)
    var reader = BlobReader(file)
    header = try reader.withContent(of: index.header) { content throws(CairnError) in
      try HeaderBlock(content)
    }
    self.region = region
    (self.changes, versions) = try Self.changes(
      changes, after: header.dataTimestamp, highways, progress)
  }

  /// Reads files of changes, except those that an extract of a time contains already.
  private static func changes(
    _ paths: [String], after timestamp: String?, _ highways: HighwayChoice, _ progress: Progress?
  ) throws(CairnError) -> ([ChangeFile], ChangedVersions) {
    var changes: [ChangeFile] = []
    var versions = ChangedVersions()
    for path in paths {
      let file = try ChangeFile(path, &versions, highways, progress: progress)
      // Times of this form are ordered as their texts are.
      if let timestamp, let last = file.timestamp, last <= timestamp { continue }
      changes.append(file)
    }
    return (changes, versions)
  }

  /// Reads the file and cuts the region out of it. Throws 65 for invalid data and if there are no
  /// routable ways, 74 if reading fails.
  package func parse() throws(CairnError) -> OSMExtract {
    try candidates(for: [region]).extract(region)
  }

  /// Reads the file so that these regions, and no others, can be cut out of it; the region of the
  /// initialiser is ignored. Throws as ``parse()``.
  package func candidates(for regions: [Region]) throws(CairnError) -> OSMCandidates {
    var parser = self
    let order = try BlobOrder(&parser.scan)
    // Changes may bring any way near.
    if changes.isEmpty, let found = try parser.candidatesNear(regions, order) { return found }
    if let found = try parser.candidates(regions, order) { return found }
    guard let found = try parser.candidates(regions, .unknown) else {
      throw CairnError("unexpected", .software, "a file of unknown order cannot be out of order")
    }
    return found
  }

  /// The order of the file.
  func order() throws(CairnError) -> BlobOrder {
    var scan = scan
    return try BlobOrder(&scan)
  }

  /// Reads the blobs assuming an order; nil if the file has another one.
  private func candidates(_ regions: [Region], _ order: BlobOrder) throws(CairnError)
    -> OSMCandidates?
  {
    let isHistory = header.isHistory
    var known = KnownBlobs(scan.index.data.count)
    var found = FoundObjects()
    var counts = OSMCounts()
    var (changes, versions) = (changes, versions)
    let newer = try findRelations(&found, &known, &counts, order)
    changes.remove(.relation, newer, &versions)
    let changedTexts = found.addRelations(changes)

    let (outlines, lineWays) = (found.outlines, found.lineWays)
    let changedWays = NewerObjects(.way, versions)
    let wayParts = try scan.run(
      known.blobs(with: .ways, from: order.firstWays), phase: "ways"
    ) { [highways] in
      WayDecoder(
        isHistory: isHistory, outlines: outlines, lineWays: lineWays, changed: changedWays,
        highways: highways)
    }
    for part in wayParts { known.add(part.contents) }
    guard !known.has(.relations, in: order.firstWays..<order.firstRelations) else { return nil }
    found.addWays(wayParts, &counts)
    changes.remove(.way, newest(wayParts.map(\.newer)), &versions)
    found.addWays(changes, changedTexts)
    found.inheritTags()
    if found.ways.count == 0 {
      guard order == .unknown else { return nil }
      throw noRoutableWays(in: "the file").located(inFile: scan.file.path)
    }
    do throws(CairnError) {
      let resolved = try found.resolveRefs(threads: scan.threads)
      let needed = resolved.nodes
      let mayRepeat = isHistory || order == .unknown
      var nodes = NodeTable(needed)
      var nodeParts = try decodeNodes(
        needed, nodes, known.blobs(with: .nodes, from: 0), findsDuplicates: mayRepeat)
      for part in nodeParts { known.add(part.contents) }
      guard !known.has([.ways, .relations], in: 0..<order.firstWays) else { return nil }
      if !mayRepeat, !nodeParts.ascend {
        nodes = NodeTable(needed)
        nodeParts = try decodeNodes(
          needed, nodes, known.blobs(with: .nodes, from: 0), findsDuplicates: true)
      }
      found.addNodes(nodeParts, &nodes, needed, &counts)
      changes.remove(.node, newest(nodeParts.map(\.newer)), &versions)
      let reach = found.addNodes(changes, changedTexts, &nodes, resolved)
      for file in changes { counts += file.counts }
      found.settleLines(resolved, nodes.coordinates)
      let assembler = TrailsAssembler(
        found, resolved, nodes: nodes, regions: regions, threads: scan.threads,
        versions: .init(areExpected: isHistory || !changes.isEmpty, warnings: versions.older))
      return OSMCandidates(
        assembler, counts: counts, dataTimestamp: header.dataTimestamp, reach: reach,
        overtakenChanges: versions.overtaken, path: scan.file.path)
    } catch { throw error.located(inFile: scan.file.path) }
  }

  /// The last pass: the coordinates of needed nodes, and points of interest. The coordinates go to
  /// `nodes` at once.
  func decodeNodes(
    _ needed: NeededNodes, _ nodes: NodeTable, _ blobs: [Int], findsDuplicates: Bool
  ) throws(CairnError) -> [NodeDecoder.Outcome] {
    let (coordinates, isHistory) = (nodes.coordinates, header.isHistory)
    let keptKeys: WordClass = highways.keepsAll ? .anything : .nodeKey
    let changed = NewerObjects(.node, versions)
    return try scan.run(
      blobs, phase: "nodes", threads: findsDuplicates ? 1 : scan.threads
    ) {
      NodeDecoder(
        needed, coordinates, isHistory: isHistory, findsDuplicates: findsDuplicates,
        keeping: keptKeys, changed: changed)
    }
  }

  /// The first pass: routes, and areas that refer to ways. Returns the versions of the relations that
  /// are newer than their changes, by their ids.
  @discardableResult
  func findRelations(
    _ found: inout FoundObjects, _ known: inout KnownBlobs, _ counts: inout OSMCounts,
    _ order: BlobOrder
  ) throws(CairnError) -> [Int64: UInt32] {
    let isHistory = header.isHistory
    let changed = NewerObjects(.relation, versions)
    let parts = try scan.run(known.all(from: order.firstRelations), phase: "relations") {
      [highways] in
      RelationDecoder(isHistory: isHistory, changed: changed, highways: highways)
    }
    for part in parts { known.add(part.contents) }
    found.addRelations(parts, &counts)
    return newest(parts.map(\.newer))
  }
}

/// The versions of the objects that workers found, by their ids.
private func newest(_ parts: [NewerObjects]) -> [Int64: UInt32] {
  parts.reduce(into: [:]) { $0.merge($1.found, uniquingKeysWith: max) }
}

extension FoundObjects {
  /// Adds the results of workers, in the order of the file.
  fileprivate mutating func addRelations(
    _ workers: [RelationDecoder.Outcome], _ counts: inout OSMCounts
  ) {
    var batches:
      [(blob: Int, relations: RelationBatch, tagSources: RelationBatch, textIndices: [UInt32])] = []
    for worker in workers {
      let textIndices = pool.merge(worker.pool)
      for batch in worker.batches {
        batches.append((batch.blob, batch.relations, batch.tagSources, textIndices))
      }
      counts.relations += worker.count
    }
    for batch in batches.sorted(by: { $0.blob < $1.blob }) {
      relations.append(batch.relations, textIndices: batch.textIndices)
      tagSources.append(batch.tagSources, textIndices: batch.textIndices)
    }
  }

  /// Adds the results of workers, in the order of the file.
  mutating func addWays(_ workers: [WayDecoder.Outcome], _ counts: inout OSMCounts) {
    typealias Batch = (
      blob: Int, ways: WayBatch, areas: WayBatch, ownTags: WayBatch, firstPool: Int,
      textIndices: [UInt32]
    )
    var batches: [Batch] = []
    for worker in workers {
      let textIndices = pool.merge(worker.pool)
      for batch in worker.batches {
        batches.append(
          (batch.blob, batch.ways, batch.areas, batch.ownTags, nodePools.count, textIndices))
      }
      nodePools += worker.nodePools.pools
      counts += worker.counts
    }
    batches.sort { $0.blob < $1.blob }
    for batch in batches where !batch.ownTags.ids.isEmpty {
      ownTags.append(batch.ownTags, textIndices: batch.textIndices, firstPool: 0)
    }
    let (ways, areas) = (ways, areas)
    (self.ways, self.areas) = concurrently(threads: workers.count) { [batches] in
      var ways = ways
      ways.reserve(batches.lazy.map(\.ways))
      for batch in batches {
        ways.append(batch.ways, textIndices: batch.textIndices, firstPool: batch.firstPool)
      }
      return ways
    } _: { [batches] in
      var areas = areas
      areas.reserve(batches.lazy.map(\.areas))
      for batch in batches {
        areas.append(batch.areas, textIndices: batch.textIndices, firstPool: batch.firstPool)
      }
      return areas
    }
  }

  /// Adds the results of workers, in the order of the file, to the points and to the nodes of ways.
  mutating func addNodes(
    _ workers: [NodeDecoder.Outcome], _ nodes: inout NodeTable, _ needed: NeededNodes,
    _ counts: inout OSMCounts
  ) {
    var batches: [(blob: Int, tags: [NodeTag], points: PointBatch, textIndices: [UInt32])] = []
    for worker in workers {
      let textIndices = pool.merge(worker.pool)
      for batch in worker.batches {
        batches.append((batch.blob, batch.tags, batch.points, textIndices))
      }
      counts.nodes += worker.count
      // More than one worker finds none.
      if worker.duplicates.count > 0 { nodes.duplicates = worker.duplicates }
    }
    for batch in batches.sorted(by: { $0.blob < $1.blob }) {
      nodes.append(batch.tags, textIndices: batch.textIndices)
      points.append(batch.points, textIndices: batch.textIndices)
    }
    fill(&nodes, needed)
  }
}

extension [NodeDecoder.Outcome] {
  /// Whether all ids ascend in the order of the file, so that no node appears twice.
  fileprivate var ascend: Bool {
    guard allSatisfy(\.areAscending) else { return false }
    let ranges = flatMap(\.ids).sorted { $0.blob < $1.blob }.map(\.range)
    return zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
  }
}
