// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import TrailData

/// What a parser keeps of an input file.
///
/// The same data gives the same content, whatever format it came in.
package struct OSMExtract: Equatable, Sendable {
  /// The ways to route on, their nodes and their tags.
  package var content: TrailsContent
  /// What the input held in all.
  package var counts: OSMCounts
  /// What was wrong with the data and could be passed over.
  package var warnings: WarningTally
  /// The time of the data, ISO 8601 in UTC, if the input says it.
  package var dataTimestamp: String?
}

/// What one reading of an input file found; any number of regions can be cut out of it.
package struct OSMCandidates: Sendable {
  /// What the input held in all.
  package let counts: OSMCounts
  /// The time of the data, ISO 8601 in UTC, if the input says it.
  package let dataTimestamp: String?
  private let assembler: TrailsAssembler
  private let path: String

  init(
    _ assembler: TrailsAssembler, counts: OSMCounts, dataTimestamp: String?, path: String
  ) {
    self.assembler = assembler
    self.counts = counts
    self.dataTimestamp = dataTimestamp
    self.path = path
  }

  /// What was wrong with the data whatever the region.
  package var warnings: WarningTally { assembler.warnings }

  /// What is kept for a region, and what was wrong with the data there besides ``warnings``.
  ///
  /// Throws 65 if there is no way to route on.
  package func cut(_ region: Region) throws(CairnError) -> (TrailsContent, WarningTally) {
    do throws(CairnError) {
      return try assembler.assemble(region)
    } catch { throw error.located(inFile: path) }
  }

  /// What is kept for a region and all that is known about the input. Throws as ``cut(_:)``.
  func extract(_ region: Region) throws(CairnError) -> OSMExtract {
    let (content, found) = try cut(region)
    var warnings = warnings
    warnings.merge(found)
    return OSMExtract(
      content: content, counts: counts, warnings: warnings, dataTimestamp: dataTimestamp)
  }
}

/// What an input file holds, whatever is kept of it.
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
