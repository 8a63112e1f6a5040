// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import TrailData

/// The part of an input file that a parser keeps. The same data gives the same content, whatever
/// its format.
package struct OSMExtract: Equatable, Sendable {
  /// The routable ways, their nodes and their tags.
  package var content: TrailsContent
  /// Counts of all objects in the input.
  package var counts: OSMCounts
  /// Problems in the data that could be ignored.
  package var warnings: WarningTally
  /// The time of the data, ISO 8601 in UTC, if the input states it.
  package var dataTimestamp: String?
}

/// The result of reading an input file, out of which any number of regions can be cut.
package struct OSMCandidates: Sendable {
  /// Counts of all objects in the input.
  package let counts: OSMCounts
  /// The time of the data, ISO 8601 in UTC, if the input states it.
  package let dataTimestamp: String?
  private let assembler: TrailsAssembler
  private let reach: ChangeReach?
  /// The number of changes that were left out because an earlier change file has newer ones.
  package let overtakenChanges: Int
  private let path: String

  init(
    _ assembler: TrailsAssembler, counts: OSMCounts, dataTimestamp: String?,
    reach: ChangeReach? = nil, overtakenChanges: Int = 0, path: String
  ) {
    self.assembler = assembler
    self.counts = counts
    self.dataTimestamp = dataTimestamp
    self.reach = reach
    self.overtakenChanges = overtakenChanges
    self.path = path
  }

  /// The change files that affected a region, nil if there are none, and the time of its data: that
  /// of the extract, or of the last of these changes.
  package func changes(of region: Region) -> (files: [Provenance.Source]?, timestamp: String?) {
    let ways = reach?.hasAreas == true ? assembler.extent(ofWaysIn: region) : nil
    let files = reach?.reaching(region, ways: ways) ?? []
    let times = ([dataTimestamp] + files.map(\.timestamp)).compactMap { $0 }
    return (files.isEmpty ? nil : files.map(\.source), times.max())
  }

  /// Warnings about the data that do not depend on the region.
  package var warnings: WarningTally { assembler.warnings }

  /// Selects the content of a region, with its warnings besides ``warnings``.
  ///
  /// Throws 65 if there are no routable ways.
  package func select(_ region: Region) throws(CairnError) -> (TrailsCut, WarningTally) {
    do throws(CairnError) {
      return try assembler.select(region)
    } catch { throw error.located(inFile: path) }
  }

  /// The content of a region, with the warnings and errors of ``select(_:)``.
  package func cut(_ region: Region) throws(CairnError) -> (TrailsContent, WarningTally) {
    let (cut, warnings) = try select(region)
    return (cut.content(), warnings)
  }

  /// The ids of the nodes next to a missing node of a way, as where a file was cut, ascending.
  package var cutNodes: [Int64] { assembler.cutNodes() }

  /// The content of a region with counts and warnings of the input. Throws as ``cut(_:)``.
  func extract(_ region: Region) throws(CairnError) -> OSMExtract {
    let (content, found) = try cut(region)
    var warnings = warnings
    warnings.merge(found)
    return OSMExtract(
      content: content, counts: counts, warnings: warnings, dataTimestamp: dataTimestamp)
  }
}

/// Counts of the objects in an input file, whether they are kept or not.
package struct OSMCounts: Equatable, Sendable {
  /// Nodes.
  package var nodes = 0
  /// Ways.
  package var ways = 0
  /// Relations.
  package var relations = 0
  /// Ways with the key `highway`, routable or not.
  package var highways = 0
  /// Ways with the key `sac_scale`.
  package var sacScales = 0

  static func += (left: inout OSMCounts, right: OSMCounts) {
    left.nodes += right.nodes
    left.ways += right.ways
    left.relations += right.relations
    left.highways += right.highways
    left.sacScales += right.sacScales
  }
}
