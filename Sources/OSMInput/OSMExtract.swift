// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import TrailData

/// What a parser keeps of an input file.
///
/// The same data gives the same content, whatever format it came in.
public struct OSMExtract: Equatable, Sendable {
  /// The ways to route on, their nodes and their tags.
  public var content: TrailsContent
  /// What the input held in all.
  public var counts: OSMCounts
  /// What was wrong with the data and could be passed over.
  public var warnings: WarningTally
  /// The time of the data, ISO 8601 in UTC, if the input says it.
  public var dataTimestamp: String?
}

/// What an input file holds, whatever is kept of it.
public struct OSMCounts: Equatable, Sendable {
  /// Nodes.
  public var nodes = 0
  /// Ways.
  public var ways = 0
  /// Relations.
  public var relations = 0
  /// Ways with the key `highway`, routable or not.
  public var highways = 0
  /// Ways with the key `sac_scale`.
  public var sacScales = 0

  static func += (left: inout OSMCounts, right: OSMCounts) {
    left.nodes += right.nodes
    left.ways += right.ways
    left.relations += right.relations
    left.highways += right.highways
    left.sacScales += right.sacScales
  }
}
