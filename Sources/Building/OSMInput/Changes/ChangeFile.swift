// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CommandLineKit
import SystemIO
import TrailData
import XMLKit

/// A change file (osmChange, plain or gzip): the last versions of some objects, in the same form as
/// an extract's own objects.
struct ChangeFile: Sendable {
  /// The file, as it is recorded.
  let source: Provenance.Source
  /// The time of the last change, ISO 8601 in UTC; nil if none states one.
  let timestamp: String?
  /// All nodes that changed.
  private(set) var nodes: XMLNodes
  private(set) var ways: WayBatch
  /// All ways, of which those are kept that relations refer to or that are points of interest.
  private(set) var areas: WayBatch
  /// The tags of all ways that are not routable by themselves, without refs.
  private(set) var ownTags: WayBatch
  private(set) var relations: RelationBatch
  private(set) var tagSources: RelationBatch
  private(set) var points: PointBatch
  /// The texts of all tags.
  let pool: TextPool
  /// The numbers of objects.
  let counts: OSMCounts

  /// Reads a file. Throws 66 if it cannot be read, 65 if it is not a complete change file.
  ///
  /// - Parameter versions: The versions of earlier files, to which this one adds its own.
  init(
    _ path: String, _ versions: inout ChangedVersions, _ highways: HighwayChoice = .all,
    progress: Progress? = nil
  ) throws(CairnError) {
    let file = try InputFile(path)
    do throws(CairnError) {
      let reader = try OverpassReader(after: versions, highways: highways)
      // Not copied while the reader adds to them.
      versions = ChangedVersions()
      progress?.begin("changes", total: file.size)
      try reader.parse(try XMLSource(file), file: path) { progress?.advance(by: $0) }
      source = Provenance.Source(
        name: splitPath(path).name, sha256: try SHA256Digest.ofFile(file), bytes: file.size)
      versions = reader.changed
      timestamp = reader.dataTimestamp
      (nodes, ways, areas) = (reader.nodes, reader.ways, reader.areas)
      ownTags = reader.ownTags
      (relations, tagSources) = (reader.relations, reader.tagSources)
      (points, pool, counts) = (reader.points, reader.pool, reader.counts)
    } catch { throw error.located(inFile: path) }
  }

  /// Removes objects; returns the ids of those that were there.
  fileprivate mutating func remove(_ type: OSMObjectType, _ gone: [Int64: UInt32]) -> [Int64] {
    switch type {
    case .node:
      _ = points.remove(gone)
      return nodes.remove(gone)
    case .way:
      _ = ways.remove(gone)
      _ = ownTags.remove(gone)
      return areas.remove(gone)
    case .relation:
      _ = tagSources.remove(gone)
      return relations.remove(gone)
    }
  }
}

extension [ChangeFile] {
  /// Leaves out the changes of objects of which the extract has newer versions, given by their ids.
  mutating func remove(
    _ type: OSMObjectType, _ newer: [Int64: UInt32], _ versions: inout ChangedVersions
  ) {
    for file in indices {
      versions.leaveOut(type, self[file].remove(type, newer), newer: newer)
    }
  }
}
