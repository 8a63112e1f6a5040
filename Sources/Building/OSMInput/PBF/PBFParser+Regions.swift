// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// A faster way to cut small regions out of a large file.
///
/// Objects that are far from all regions are skipped as early as possible. The nodes are decoded
/// first, to record on which side of the regions each of them is. A way with all its nodes on one
/// side is far. Then only those blobs are decoded again that contain nodes of near ways or points of
/// interest in the regions.
extension PBFParser {
  /// The number of blobs of nodes sampled to find out whether the regions are small.
  private static let sampledBlobs = 8
  /// Regions are small if they contain at most one in this many nodes.
  private static let smallRegionDivisor = 4

  /// Reads the file for some regions; nil if they are not small, or if the file is not in the required
  /// order: nodes, ways and relations, each with ascending ids.
  func candidatesNear(_ regions: [Region], _ order: BlobOrder) throws(CairnError)
    -> OSMCandidates?
  {
    guard let zones = RegionZones(around: regions), !header.isHistory,
      try areSmall(zones, order)
    else { return nil }
    var known = KnownBlobs(scan.index.data.count)
    var found = FoundObjects()
    var counts = OSMCounts()
    try findRelations(&found, &known, &counts, order)

    guard let nodes = try findNodes(zones, order) else { return nil }
    for blob in nodes.blobs { counts.nodes += blob.count }

    let (outlines, lineWays) = (found.outlines, found.lineWays)
    let wayParts = try scan.run(
      known.blobs(with: .ways, from: order.firstWays), phase: "ways"
    ) { [highways] in
      WayDecoder(
        isHistory: false, outlines: outlines, lineWays: lineWays, zones: nodes.zones,
        highways: highways)
    }
    for part in wayParts { known.add(part.contents) }
    guard !known.has(.relations, in: order.firstWays..<order.firstRelations),
      !known.has(.nodes, in: order.firstWays..<scan.index.data.count),
      wayParts.allSatisfy(\.isPlain), wayParts.contains(where: \.hasRoutable),
      ascend(wayParts.flatMap(\.ids).sorted { $0.blob < $1.blob }.map(\.range))
    else { return nil }
    found.addWays(wayParts, &counts)
    found.inheritTags()
    return try finish(&found, counts, regions, nodes: nodes.blobs)
  }

  /// Whether the regions contain a small part of the nodes, judging by a sample of blobs.
  private func areSmall(_ zones: RegionZones, _ order: BlobOrder) throws(CairnError) -> Bool {
    guard order != .unknown, order.firstWays >= Self.sampledBlobs else { return false }
    let blobs = (0..<Self.sampledBlobs).map {
      ($0 * 2 + 1) * order.firstWays / (Self.sampledBlobs * 2)
    }
    let parts = try scan.run(blobs, phase: "sample") { ZoneDecoder(zones) }.joined()
    let count = parts.reduce(0) { $0 + $1.count }
    let inside = parts.reduce(0) { $0 + $1.inside }
    return inside * Self.smallRegionDivisor <= count
  }

  /// The zones of all nodes, and the contents of each blob; nil if the ids do not ascend.
  private func findNodes(_ zones: RegionZones, _ order: BlobOrder) throws(CairnError)
    -> (zones: NodeZones, blobs: [ZoneDecoder.Nodes])?
  {
    var blobs = try scan.run(0..<order.firstWays, phase: "nodes") { ZoneDecoder(zones) }
      .flatMap { $0 }
    guard blobs.allSatisfy(\.isOrdered) else { return nil }
    blobs.removeAll { $0.count == 0 }
    blobs.sort { $0.blob < $1.blob }
    guard ascend(blobs.map { $0.firstID...$0.lastID }) else { return nil }
    var all = NodeZones()
    for index in blobs.indices {
      all.append(blobs[index].zones)
      blobs[index].zones = NodeZones()
    }
    return (all, blobs)
  }

  private func ascend(_ ranges: [ClosedRange<Int64>]) -> Bool {
    zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
  }

  /// Reads the nodes of the ways found, and the points of interest in the regions.
  private func finish(
    _ found: inout FoundObjects, _ counts: OSMCounts, _ regions: [Region],
    nodes blobs: [ZoneDecoder.Nodes]
  ) throws(CairnError) -> OSMCandidates {
    do throws(CairnError) {
      let resolved = try found.resolveRefs(threads: scan.threads)
      var cursor = NeededNodes.Cursor(resolved.nodes)
      let needed = blobs.filter {
        // Always evaluated, so that the cursor only moves forward.
        let isNeeded = cursor.hasAny(in: $0.firstID...$0.lastID)
        return $0.inside > 0 || isNeeded
      }
      var nodes = NodeTable(resolved.nodes)
      let parts = try decodeNodes(
        resolved.nodes, nodes, needed.map(\.blob), findsDuplicates: false)
      var countedBefore = OSMCounts()
      found.addNodes(parts, &nodes, resolved.nodes, &countedBefore)
      found.settleLines(resolved, nodes.coordinates)
      return OSMCandidates(
        TrailsAssembler(
          found, resolved, nodes: nodes, regions: regions, threads: scan.threads),
        counts: counts, dataTimestamp: header.dataTimestamp, path: scan.file.path)
    } catch { throw error.located(inFile: scan.file.path) }
  }
}
