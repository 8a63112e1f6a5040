import CommandLineKit
// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO
import XMLKit

/// Reads OpenStreetMap XML, as Overpass, JOSM and osmium write it, and keeps what a route can be
/// made of.
///
/// The file may be packed with gzip. Elements may come in any order, and ways may carry the places
/// of their nodes (`out geom`). An answer in which Overpass reports a failure is an error, however
/// much data came before it.
package struct OverpassParser: Sendable {
  private let file: InputFile
  private let region: Region
  private let threads: Int
  private let progress: Progress?

  /// Opens a file. Throws 66 if it cannot be read.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - region: What to keep of it.
  ///   - threads: How many workers sort the nodes, at least 1; the XML itself is read by one.
  ///   - progress: Is told of each piece of the file.
  package init(
    _ path: String, region: Region = .everything, threads: Int = 1, progress: Progress? = nil
  ) throws(CairnError) {
    file = try InputFile(path)
    self.region = region
    self.threads = max(1, threads)
    self.progress = progress
  }

  /// Reads the file and cuts the region out of it. Throws 65 for anything but whole OpenStreetMap
  /// data with a way to route on, 74 if reading fails.
  package func parse() throws(CairnError) -> OSMExtract { try candidates().extract(region) }

  /// Reads the file, for regions to be cut out of it; the one of the initialiser does not matter.
  /// Throws as ``parse()``.
  package func candidates() throws(CairnError) -> OSMCandidates {
    do throws(CairnError) {
      let reader = try OverpassReader()
      progress?.begin("elements", total: file.size)
      try reader.parse(try XMLSource(file), file: file.path) { progress?.advance(by: $0) }
      return try candidates(reader)
    } catch { throw error.located(inFile: file.path) }
  }

  private func candidates(_ reader: OverpassReader) throws(CairnError) -> OSMCandidates {
    let numbers = Array(0..<UInt32(truncatingIfNeeded: reader.pool.count))
    var found = FoundObjects()
    found.pool = reader.pool
    found.stated = reader.stated
    found.relations.append(reader.relations, numbers: numbers)
    found.lenders.append(reader.lenders, numbers: numbers)
    found.ways.append(reader.ways, numbers: numbers)
    found.areas.append(reader.areas.selecting(found.outlines), numbers: numbers)
    found.lendTags()
    found.implicitNodes = reader.implicitNodes
    found.points.append(reader.points, numbers: numbers)
    if found.ways.count == 0 { throw noRoutableWays(in: "the file") }
    let ranking = try found.rankNodes(threads: threads)
    var nodes = NodeTable(ranking.nodes)
    nodes.append(reader.foundNodes(ranking.nodes), numbers: numbers)
    found.fill(&nodes, ranking.nodes)
    let assembler = TrailsAssembler(found, ranking: ranking, nodes: nodes, threads: threads)
    return OSMCandidates(
      assembler, counts: reader.counts, dataTimestamp: reader.dataTimestamp, path: file.path)
  }
}
