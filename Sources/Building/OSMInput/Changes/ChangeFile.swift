// SPDX-License-Identifier: Apache-2.0
import Algorithms
import CommandLineKit
import Diagnostics
import SystemIO
import TrailData
import XMLKit

/// A file of changes (osmChange, plain or gzip): the last versions of some objects, in the form in which
/// an extract's own objects are collected.
struct ChangeFile: Sendable {
  /// The file, as it is recorded.
  let source: Provenance.Source
  /// The time of the last change, ISO 8601 in UTC; nil if none states one.
  let timestamp: String?
  /// All nodes that changed.
  let nodes: XMLNodes
  let ways: WayBatch
  /// All ways, of which those are kept that relations refer to or that are points of interest.
  let areas: WayBatch
  let relations: RelationBatch
  let tagSources: RelationBatch
  let points: PointBatch
  /// The texts of all tags.
  let pool: TextPool
  /// How many objects there are.
  let counts: OSMCounts

  /// Reads a file. Throws 66 if it cannot be read, 65 if it is not a complete file of changes.
  init(_ path: String, progress: Progress? = nil) throws(CairnError) {
    let file = try InputFile(path)
    do throws(CairnError) {
      let reader = try OverpassReader(readsChanges: true)
      progress?.begin("changes", total: file.size)
      try reader.parse(try XMLSource(file), file: path) { progress?.advance(by: $0) }
      source = Provenance.Source(
        name: splitPath(path).name, sha256: try SHA256Digest.ofFile(file), bytes: file.size)
      timestamp = reader.dataTimestamp
      (nodes, ways, areas) = (reader.nodes, reader.ways, reader.areas)
      (relations, tagSources) = (reader.relations, reader.tagSources)
      (points, pool, counts) = (reader.points, reader.pool, reader.counts)
    } catch { throw error.located(inFile: path) }
  }
}
