// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// How small regions are cut out of a large file.
///
/// What is far from all regions is passed over as soon as that can be told, so that most ways and
/// nodes are decoded and forgotten. Nodes come first: of each it is noted on which side of the
/// regions it lies. A way with all its nodes on one side is far. Of the nodes then only the blobs
/// are read again that hold nodes of near ways or points within the regions.
extension PBFParser {
  /// How many blobs of nodes are looked into to see whether the regions are small.
  private static let samples = 8
  /// Regions are small if they hold at most one of so many nodes.
  private static let smallness = 4

  /// Reads the file for some regions; nil if they are not small, or the file is not in the order
  /// that this needs: nodes, ways and relations, each kind with ascending ids.
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

    let outlines = found.outlines
    let wayParts = try scan.run(
      known.blobs(with: .ways, from: order.firstWays), phase: "ways"
    ) { WayDecoder(isHistory: false, outlines: outlines, zones: nodes.zones) }
    for part in wayParts { known.add(part.contents) }
    guard !known.has(.relations, in: order.firstWays..<order.firstRelations),
      !known.has(.nodes, in: order.firstWays..<scan.index.data.count),
      wayParts.allSatisfy(\.isPlain), wayParts.contains(where: \.hasRoutable),
      ascend(wayParts.flatMap(\.ids).sorted { $0.blob < $1.blob }.map(\.range))
    else { return nil }
    found.addWays(wayParts, &counts)
    found.lendTags()
    return try finish(&found, counts, nodes: nodes.blobs)
  }

  /// Whether the regions hold a small part of the nodes, by a look into some blobs.
  private func areSmall(_ zones: RegionZones, _ order: BlobOrder) throws(CairnError) -> Bool {
    guard order != .unknown, order.firstWays >= Self.samples else { return false }
    let blobs = (0..<Self.samples).map { ($0 * 2 + 1) * order.firstWays / (Self.samples * 2) }
    let parts = try scan.run(blobs, phase: "sample") { ZoneDecoder(zones) }.joined()
    let count = parts.reduce(0) { $0 + $1.count }
    let inside = parts.reduce(0) { $0 + $1.inside }
    return inside * Self.smallness <= count
  }

  /// The zones of all nodes, and what each blob holds; nil if their ids do not ascend.
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
    for place in blobs.indices {
      all.append(blobs[place].zones)
      blobs[place].zones = NodeZones()
    }
    return (all, blobs)
  }

  private func ascend(_ ranges: [ClosedRange<Int64>]) -> Bool {
    zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
  }

  /// Reads the nodes of the ways that were found, and the points of interest in the regions.
  private func finish(
    _ found: inout FoundObjects, _ counts: OSMCounts, nodes blobs: [ZoneDecoder.Nodes]
  ) throws(CairnError) -> OSMCandidates {
    do throws(CairnError) {
      let ranking = try found.rankNodes(threads: scan.threads)
      var cursor = NeededNodes.Cursor(ranking.nodes)
      let wanted = blobs.filter {
        // Both questions are asked, so that the cursor only moves forward.
        let isNeeded = cursor.hasAny(in: $0.firstID...$0.lastID)
        return $0.inside > 0 || isNeeded
      }
      let parts = try scan.run(wanted.map(\.blob), phase: "nodes of near ways") {
        NodeDecoder(ranking.nodes, isHistory: false)
      }
      var countedBefore = OSMCounts()
      let nodes = found.addNodes(parts, ranking.nodes, &countedBefore)
      return OSMCandidates(
        TrailsAssembler(found, ranking: ranking, nodes: nodes, threads: scan.threads),
        counts: counts, dataTimestamp: header.dataTimestamp, path: scan.file.path)
    } catch { throw error.located(inFile: scan.file.path) }
  }
}
