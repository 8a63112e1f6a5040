// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import StageKit
import SystemIO
import TrailData

/// Reads an OpenStreetMap PBF file and keeps what a route can be made of.
///
/// The file is read in two passes: the first finds the ways, the second picks the nodes that they
/// need. In a file that has all nodes before the first way, which is nearly every one, each blob
/// is inflated once: the first way is found by halving. The order is checked on the way, and a
/// file that turns out to have another one is read twice as a whole. Workers share the blobs; the
/// result is the same for any number of them.
public struct PBFParser: Sendable {
  private let scan: BlobScan
  private let region: Region

  /// What the file says about itself.
  public let header: HeaderBlock

  /// Opens a file and walks through its blobs. Throws 66 if it cannot be read, 65 if it is no PBF
  /// file, is cut off, or requires a feature that is not known here.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - region: What to keep of it.
  ///   - threads: How many workers share the blobs, at least 1.
  ///   - progress: Is told of each blob.
  public init(
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
  public func parse() throws(CairnError) -> OSMExtract { try candidates().extract(region) }

  /// Reads the file, for regions to be cut out of it; the one of the initialiser does not matter.
  /// Throws as ``parse()``.
  public func candidates() throws(CairnError) -> OSMCandidates {
    let blobs = scan.index.data.count
    let firstWays = try firstBlobWithoutNodesOnly()
    if let found = try candidates(ways: firstWays..<blobs, nodes: 0..<min(firstWays + 1, blobs)) {
      return found
    }
    guard let found = try candidates(ways: 0..<blobs, nodes: 0..<blobs) else {
      throw CairnError("unexpected", .software, "a whole file cannot be out of order")
    }
    return found
  }

  /// Reads ways from some blobs and nodes from others; nil if an object lies in a blob that was
  /// not read for it.
  private func candidates(ways wayBlobs: Range<Int>, nodes nodeBlobs: Range<Int>)
    throws(CairnError) -> OSMCandidates?
  {
    let isWhole = wayBlobs == nodeBlobs
    let isHistory = header.isHistory
    let wayParts = try scan.run(wayBlobs, phase: "ways") { WayDecoder(isHistory: isHistory) }
    for part in wayParts {
      if !isWhole, let last = part.lastBlobWithNodes, !nodeBlobs.contains(last) { return nil }
    }
    var counts = OSMCounts()
    var pool = TextPool()
    var ways = Self.merge(wayParts, &pool, &counts)
    if ways.count == 0 {
      guard isWhole else { return nil }
      throw noRoutableWays(in: "the file").located(inFile: scan.file.path)
    }
    do throws(CairnError) {
      let ranking = try NodeRanking(ways.refs, threads: scan.threads)
      ways.dropRefs()
      let nodeParts = try scan.run(nodeBlobs, phase: "nodes") { NodeDecoder(ranking.nodes) }
      for part in nodeParts {
        if !isWhole, let first = part.firstBlobWithOthers, !wayBlobs.contains(first) { return nil }
      }
      var nodes = Self.merge(nodeParts, ranking.nodes, &pool, &counts)
      nodes.fill(from: ways.implicitNodes, ranking.nodes)
      let assembler = TrailsAssembler(
        ways: ways, ranking: ranking, nodes: nodes, pool: pool, threads: scan.threads,
        expectsVersions: isHistory)
      return OSMCandidates(
        assembler, counts: counts, dataTimestamp: header.dataTimestamp, path: scan.file.path)
    } catch { throw error.located(inFile: scan.file.path) }
  }

  /// The first blob that holds something else than nodes, if nodes come first.
  private func firstBlobWithoutNodesOnly() throws(CairnError) -> Int {
    var reader = BlobReader(scan.file)
    var block = PrimitiveBlock()
    var low = 0
    var high = scan.index.data.count
    while low < high {
      let middle = (low + high) / 2
      let hasOthers = try reader.withContent(of: scan.index.data[middle]) {
        content throws(CairnError) in try Self.holdsOthers(content, &block)
      }
      if hasOthers { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private static func holdsOthers(_ content: UnsafeRawBufferPointer, _ block: inout PrimitiveBlock)
    throws(CairnError) -> Bool
  {
    try block.read(content)
    for group in block.groups {
      var reader = ProtobufReader(group)
      while let field = try reader.nextField() {
        if field.number == 3 || field.number == 4 { return true }
        try reader.skip(field)
      }
    }
    return false
  }
}

extension PBFParser {
  private static func merge(
    _ workers: [WayDecoder.Outcome], _ pool: inout TextPool, _ counts: inout OSMCounts
  ) -> CandidateWays {
    var batches: [(blob: Int, ways: WayBatch, numbers: [UInt32])] = []
    for worker in workers {
      let numbers = pool.merge(worker.pool)
      for batch in worker.batches { batches.append((batch.blob, batch.ways, numbers)) }
      counts += worker.counts
    }
    var ways = CandidateWays()
    for batch in batches.sorted(by: { $0.blob < $1.blob }) {
      ways.append(batch.ways, numbers: batch.numbers)
    }
    return ways
  }

  private static func merge(
    _ workers: [NodeDecoder.Outcome], _ needed: NeededNodes, _ pool: inout TextPool,
    _ counts: inout OSMCounts
  ) -> NodeTable {
    var batches: [(blob: Int, nodes: NodeBatch, numbers: [UInt32])] = []
    for worker in workers {
      let numbers = pool.merge(worker.pool)
      for batch in worker.batches { batches.append((batch.blob, batch.nodes, numbers)) }
      counts.nodes += worker.count
    }
    var nodes = NodeTable(needed)
    for batch in batches.sorted(by: { $0.blob < $1.blob }) {
      nodes.append(batch.nodes, numbers: batch.numbers)
    }
    return nodes
  }
}
