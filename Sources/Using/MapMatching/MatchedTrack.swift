// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The result of matching a track: stretches of the network, and gaps between them.
public struct MatchedTrack: Equatable, Sendable {
  /// The stretches along the network, in the order of travel.
  public var stretches: [MatchedStretch]
  /// The gaps off the network or without recording, in the order of travel.
  public var gaps: [TrackGap]
  /// For each fix its position on the network; nil in a gap and for a fix that was ignored.
  public var fixes: [MatchedFix?]
  /// The number of fixes that were ignored: without a valid coordinate, or far away for a moment.
  public var ignoredFixes: Int
  /// The accuracy of fixes that do not state theirs, in metres, as given or estimated: the radius
  /// that contains the position with about two thirds' probability.
  public var accuracyMetres: Double

  /// Metres along the network.
  public var matchedMetres: Double { stretches.reduce(0) { $0 + $1.lengthMetres } }
  /// Metres in gaps.
  public var gapMetres: Double { gaps.reduce(0) { $0 + $1.lengthMetres } }
  /// Stretches and gaps in the order of travel.
  public var sections: [Section] {
    var sections: [Section] = []
    var gaps = gaps[...]
    for stretch in stretches {
      while let gap = gaps.first, gap.lastFixBefore ?? -1 < stretch.fixes.lowerBound {
        sections.append(.gap(gap))
        gaps.removeFirst()
      }
      sections.append(.stretch(stretch))
    }
    return sections + gaps.map { .gap($0) }
  }

  /// A stretch or a gap.
  public enum Section: Equatable, Sendable {
    /// Along the network.
    case stretch(MatchedStretch)
    /// Off it.
    case gap(TrackGap)
  }

  /// The share of the length on the network, 0…1; nil for a track without length.
  public var matchedShareOfLength: Double? {
    let total = matchedMetres + gapMetres
    return total > 0 ? matchedMetres / total : nil
  }
  /// The share of fixes on the network, 0…1, not counting ignored ones.
  public var matchedShareOfFixes: Double {
    let matched = fixes.count { $0 != nil }
    return fixes.count > ignoredFixes ? Double(matched) / Double(fixes.count - ignoredFixes) : 0
  }
}

/// A part of a track along the network without interruption.
public struct MatchedStretch: Equatable, Sendable {
  /// The edges in the order of travel, at least one. Barrier edges, which have no length, are left
  /// out.
  public var edges: [MatchedEdge]
  /// The indices of its first and its last fix.
  public var fixes: ClosedRange<Int>
  /// Its length in metres.
  public var lengthMetres: Double { edges.reduce(0) { $0 + $1.lengthMetres } }
  /// The line along its edges: at least two points, or one if it has no length.
  public var line: [TimedPoint] { edges.line }
}

extension Sequence where Element == MatchedEdge {
  /// The line along edges that follow each other.
  public var line: [TimedPoint] {
    var line: [TimedPoint] = []
    for edge in self {
      line +=
        line.last?.coordinate == edge.line.first?.coordinate
        ? edge.line.dropFirst() : edge.line[...]
    }
    return line
  }
}

/// An edge followed by a track, in whole or in part.
public struct MatchedEdge: Equatable, Sendable {
  /// The id of the edge in the database.
  public var edge: Int64
  /// The OpenStreetMap id of its way, if the database has it.
  public var osmWayID: Int64?
  /// Its name, or the number of a road without a name.
  public var name: String?
  /// The value of `highway`.
  public var highwayType: String?
  /// Whether it was followed against the direction of its row.
  public var isReversed: Bool
  /// The point of entry, as a share of its length in the direction of its row.
  public var fromShare: Double
  /// The point of exit; less than ``fromShare`` if it was followed against its row.
  public var toShare: Double
  /// The length of this part in metres.
  public var lengthMetres: Double
  /// The line along this part, in the direction of travel.
  public var line: [TimedPoint]
}

/// A point of a line, with the time at which the track came there.
public struct TimedPoint: Equatable, Sendable {
  /// The coordinate.
  public var coordinate: Coordinate
  /// The time, interpolated between fixes; nil if theirs are unknown.
  public var time: Date?
}

/// The position of a fix on the network.
public struct MatchedFix: Equatable, Sendable {
  /// The id of the edge.
  public var edge: Int64
  /// The position as a share of the edge's length, in the direction of its row.
  public var share: Double
  /// The coordinate of the position.
  public var coordinate: Coordinate
  /// Metres from the fix.
  public var distanceMetres: Double
}

/// A part of a track that does not follow the network.
public struct TrackGap: Equatable, Sendable {
  /// What happened.
  public enum Kind: String, Sendable, Codable {
    /// Fixes lie off the network.
    case offNetwork
    /// There are no fixes, and no plausible way between its ends.
    case unrecorded
  }

  /// What happened.
  public var kind: Kind
  /// The index of the last fix on the network before it; nil at the beginning of the track.
  public var lastFixBefore: Int?
  /// The index of the first fix on the network after it; nil at the end of the track.
  public var firstFixAfter: Int?
  /// The line from where the track left the network, through the fixes, to where it came back.
  public var line: [Coordinate]
  /// The time at which it left the network; nil if unknown.
  public var start: Date?
  /// The time at which it came back; nil if unknown.
  public var end: Date?
  /// The length of ``line`` in metres.
  public var lengthMetres: Double
}
