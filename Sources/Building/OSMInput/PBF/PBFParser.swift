import CommandLineKit
// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO
import TrailData

/// Reads an OpenStreetMap PBF file and keeps what a route can be made of.
///
/// The file is read in three passes: the first finds relations, the second the ways, also those
/// that relations ask for, the third picks the nodes that ways need. In a file that has nodes,
/// ways and relations one after the other, which is nearly every one, each blob is inflated once:
/// the first way and the first relation are found by halving. The order is checked on the way, and
/// of a file that turns out to have another one, whatever it is, each pass reads what it needs.
/// Small regions of a large file take another way, see ``candidatesNear(_:_:)``.
/// Workers share the blobs; the result is the same for any number of them.
package struct PBFParser: Sendable {
  let scan: BlobScan
  private let region: Region

  /// What the file says about itself.
  package let header: HeaderBlock

  /// Opens a file and walks through its blobs. Throws 66 if it cannot be read, 65 if it is no PBF
  /// file, is cut off, or requires a feature that is not known here.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - region: What to keep of it.
  ///   - threads: How many workers share the blobs, at least 1.
  ///   - progress: Is told of each blob.
  package init(
    _ path: String, region: Region = .everything, threads: Int = 1, progress: Progress? = nil
  ) throws(CairnError) {
    let file = try InputFile(path)
    let index = try BlobIndex(file)
    scan = BlobScan(file: file, index: index, threads: max(1, threads), progress: progress)
    var reader = BlobReader(file)
    header = try reader.withContent(of: index.header) { content throws(CairnError) in
      try HeaderBlock(content)
    }
    self.region = region
  }

  /// Reads the file and cuts the region out of it. Throws 65 for broken data and where there is no
  /// way to route on, 74 if reading fails.
  package func parse() throws(CairnError) -> OSMExtract {
    try candidates(for: [region]).extract(region)
  }

  /// Reads the file, for these regions to be cut out of it and no others; the one of the
  /// initialiser does not matter. Throws as ``parse()``.
  package func candidates(for regions: [Region]) throws(CairnError) -> OSMCandidates {
    let order = try BlobOrder(scan)
    if let found = try candidatesNear(regions, order) { return found }
    if let found = try candidates(order) { return found }
    guard let found = try candidates(BlobOrder.unknown) else {
      throw CairnError("unexpected", .software, "a file of unknown order cannot be out of order")
    }
    return found
  }

  /// Reads the blobs by an order; nil if the file has another one.
  private func candidates(_ order: BlobOrder) throws(CairnError) -> OSMCandidates? {
    let isHistory = header.isHistory
    var known = KnownBlobs(scan.index.data.count)
    var found = FoundObjects()
    var counts = OSMCounts()
    try findRelations(&found, &known, &counts, order)

    let outlines = found.outlines
    let wayParts = try scan.run(
      known.blobs(with: .ways, from: order.firstWays), phase: "ways"
    ) { WayDecoder(isHistory: isHistory, outlines: outlines) }
    for part in wayParts { known.add(part.contents) }
    guard !known.has(.relations, in: order.firstWays..<order.firstRelations) else { return nil }
    found.addWays(wayParts, &counts)
    found.lendTags()
    if found.ways.count == 0 {
      guard order == .unknown else { return nil }
      throw noRoutableWays(in: "the file").located(inFile: scan.file.path)
    }
    do throws(CairnError) {
      let ranking = try found.rankNodes(threads: scan.threads)
      let nodeParts = try scan.run(known.blobs(with: .nodes, from: 0), phase: "nodes") {
        NodeDecoder(ranking.nodes, isHistory: isHistory)
      }
      for part in nodeParts { known.add(part.contents) }
      guard !known.has([.ways, .relations], in: 0..<order.firstWays) else { return nil }
      let nodes = found.addNodes(nodeParts, ranking.nodes, &counts)
      let assembler = TrailsAssembler(
        found, ranking: ranking, nodes: nodes, threads: scan.threads, expectsVersions: isHistory)
      return OSMCandidates(
        assembler, counts: counts, dataTimestamp: header.dataTimestamp, path: scan.file.path)
    } catch { throw error.located(inFile: scan.file.path) }
  }

  /// The first pass: routes, and areas that ask for ways.
  func findRelations(
    _ found: inout FoundObjects, _ known: inout KnownBlobs, _ counts: inout OSMCounts,
    _ order: BlobOrder
  ) throws(CairnError) {
    let isHistory = header.isHistory
    let parts = try scan.run(known.all(from: order.firstRelations), phase: "relations") {
      RelationDecoder(isHistory: isHistory)
    }
    for part in parts { known.add(part.contents) }
    found.addRelations(parts, &counts)
  }
}

extension FoundObjects {
  /// Adds what workers found, in the order of the file.
  fileprivate mutating func addRelations(
    _ workers: [RelationDecoder.Outcome], _ counts: inout OSMCounts
  ) {
    var batches:
      [(blob: Int, relations: RelationBatch, lenders: RelationBatch, numbers: [UInt32])] = []
    for worker in workers {
      let numbers = pool.merge(worker.pool)
      for batch in worker.batches {
        batches.append((batch.blob, batch.relations, batch.lenders, numbers))
      }
      counts.relations += worker.count
    }
    for batch in batches.sorted(by: { $0.blob < $1.blob }) {
      relations.append(batch.relations, numbers: batch.numbers)
      lenders.append(batch.lenders, numbers: batch.numbers)
    }
  }

  /// Adds what workers found, in the order of the file.
  mutating func addWays(_ workers: [WayDecoder.Outcome], _ counts: inout OSMCounts) {
    var batches: [(blob: Int, ways: WayBatch, areas: WayBatch, numbers: [UInt32])] = []
    for worker in workers {
      let numbers = pool.merge(worker.pool)
      for batch in worker.batches { batches.append((batch.blob, batch.ways, batch.areas, numbers)) }
      counts += worker.counts
    }
    for batch in batches.sorted(by: { $0.blob < $1.blob }) {
      ways.append(batch.ways, numbers: batch.numbers)
      areas.append(batch.areas, numbers: batch.numbers)
    }
  }

  /// Adds what workers found, in the order of the file; returns the nodes that ways need.
  mutating func addNodes(
    _ workers: [NodeDecoder.Outcome], _ needed: NeededNodes, _ counts: inout OSMCounts
  ) -> NodeTable {
    var batches: [(blob: Int, nodes: NodeBatch, points: PointBatch, numbers: [UInt32])] = []
    for worker in workers {
      let numbers = pool.merge(worker.pool)
      for batch in worker.batches {
        batches.append((batch.blob, batch.nodes, batch.points, numbers))
      }
      counts.nodes += worker.count
    }
    var nodes = NodeTable(needed)
    for batch in batches.sorted(by: { $0.blob < $1.blob }) {
      nodes.append(batch.nodes, numbers: batch.numbers)
      points.append(batch.points, numbers: batch.numbers)
    }
    fill(&nodes, needed)
    return nodes
  }
}
