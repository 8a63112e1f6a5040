// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import SystemIO
import XMLKit

/// Reads OpenStreetMap XML, as written by Overpass, JOSM and osmium, and keeps what routing needs.
///
/// The file may be compressed with gzip. Elements may be in any order, and ways may contain the
/// coordinates of their nodes (`out geom`). An answer in which Overpass reports an error is
/// refused, however much data precedes it.
package struct OverpassParser: Sendable {
  private let file: InputFile
  private let region: Region
  private let highways: HighwayChoice
  private let threads: Int
  private let progress: Progress?

  /// Opens a file. Throws 66 if it cannot be read.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - region: What to keep of it.
  ///   - highways: The values of `highway` that make a way routable.
  ///   - threads: The number of workers, at least 1; the XML itself is read by one.
  ///   - progress: Is advanced with each piece of the file.
  package init(
    _ path: String, region: Region = .everything, highways: HighwayChoice = .all,
    threads: Int = 1, progress: Progress? = nil
  ) throws(CairnError) {
    self.init(
      try InputFile(path), region: region, highways: highways, threads: threads,
      progress: progress)
  }

  /// Reads an open file, with the same parameters.
  package init(
    _ file: InputFile, region: Region = .everything, highways: HighwayChoice = .all,
    threads: Int = 1, progress: Progress? = nil
  ) {
    self.file = file
    self.highways = highways
    self.region = region
    self.threads = max(1, threads)
    self.progress = progress
  }

  /// Reads the file and cuts the region out of it. Throws 65 for anything but complete
  /// OpenStreetMap data with routable ways, 74 if reading fails.
  package func parse() throws(CairnError) -> OSMExtract { try candidates().extract(region) }

  /// Reads the file so that regions can be cut out of it; the region of the initialiser is ignored.
  /// Throws as ``parse()``.
  package func candidates() throws(CairnError) -> OSMCandidates {
    do throws(CairnError) {
      let reader = try OverpassReader(highways: highways)
      progress?.begin("elements", total: file.size)
      try reader.parse(try XMLSource(file), file: file.path) { progress?.advance(by: $0) }
      return try candidates(reader)
    } catch { throw error.located(inFile: file.path) }
  }

  private func candidates(_ reader: OverpassReader) throws(CairnError) -> OSMCandidates {
    let textIndices = Array(0..<UInt32(truncatingIfNeeded: reader.pool.count))
    var found = FoundObjects()
    found.pool = reader.pool
    found.stated = reader.stated
    found.relations.append(reader.relations, textIndices: textIndices)
    found.tagSources.append(reader.tagSources, textIndices: textIndices)
    var (ways, areas) = (reader.ways, reader.areas.selecting(found.outlines))
    var nodePools = NodePools()
    ways.takeCodes(from: &nodePools)
    areas.takeCodes(from: &nodePools)
    found.ways.append(ways, textIndices: textIndices, firstPool: 0)
    found.areas.append(areas, textIndices: textIndices, firstPool: 0)
    found.nodePools = nodePools.pools
    found.add(ownTags: reader.ownTags, textIndices: textIndices, of: found.lineWays)
    found.inheritTags()
    found.implicitNodes = reader.implicitNodes
    found.points.append(reader.points, textIndices: textIndices)
    if found.ways.count == 0 { throw noRoutableWays(in: "the file") }
    let resolved = try found.resolveRefs(threads: threads)
    var nodes = NodeTable(resolved.nodes)
    let nodeTags = reader.nodes.add(to: &nodes, resolved.nodes)
    nodes.append(nodeTags, textIndices: textIndices)
    found.fill(&nodes, resolved.nodes)
    found.settleLines(resolved, nodes.coordinates)
    let assembler = TrailsAssembler(found, resolved, nodes: nodes, threads: threads)
    return OSMCandidates(
      assembler, counts: reader.counts, dataTimestamp: reader.dataTimestamp, path: file.path)
  }
}
