// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnMapMatching
import CommandLineKit

/// Matched tracks as JSON.
package struct MatchRecord: Encodable {
  private var creator = geoJSONCreator
  private var tracks: [Track]

  /// Describes some tracks.
  package init(_ matches: [NamedMatch]) { tracks = matches.map { Track($0) } }

  private struct Track: Encodable {
    var name: Nullable<String>
    var matchedMetres: Double
    var gapMetres: Double
    var matchedShareOfLength: Nullable<Double>
    var matchedShareOfPoints: Double
    var ignoredPoints: Int
    var accuracyMetres: Double
    /// Stretches along the network and gaps, in the order of travel.
    var sections: [Section]
    /// For each point of the track its position on the network, or null.
    var points: [Nullable<Point>]

    init(_ match: NamedMatch) {
      let track = match.track
      name = Nullable(match.name)
      matchedMetres = tenths(track.matchedMetres)
      gapMetres = tenths(track.gapMetres)
      matchedShareOfLength = Nullable(track.matchedShareOfLength.map { rounded($0, 4) })
      matchedShareOfPoints = rounded(track.matchedShareOfFixes, 4)
      ignoredPoints = track.ignoredFixes
      accuracyMetres = tenths(track.accuracyMetres)
      sections = track.sections.map { Section($0) }
      points = track.fixes.map { Nullable($0.map { Point($0) }) }
    }
  }

  private struct Section: Encodable {
    /// `network`, `offNetwork` or `unrecorded`.
    var kind: String
    var lengthMetres: Double
    /// The indices of the last point before a gap and the first one after it, or of the first and the
    /// last point of a stretch.
    var fromPoint: Nullable<Int>
    var toPoint: Nullable<Int>
    var startTime: Nullable<String>
    var endTime: Nullable<String>
    var edges: [Edge]?

    init(_ section: MatchedTrack.Section) {
      switch section {
      case .stretch(let stretch):
        let line = stretch.line
        kind = "network"
        lengthMetres = tenths(stretch.lengthMetres)
        fromPoint = Nullable(stretch.fixes.lowerBound)
        toPoint = Nullable(stretch.fixes.upperBound)
        startTime = Nullable(line.first?.time.map { isoText($0) })
        endTime = Nullable(line.last?.time.map { isoText($0) })
        edges = stretch.edges.map { Edge($0) }
      case .gap(let gap):
        kind = gap.kind.rawValue
        lengthMetres = tenths(gap.lengthMetres)
        fromPoint = Nullable(gap.lastFixBefore)
        toPoint = Nullable(gap.firstFixAfter)
        startTime = Nullable(gap.start.map { isoText($0) })
        endTime = Nullable(gap.end.map { isoText($0) })
      }
    }
  }

  private struct Edge: Encodable {
    var edge: Int64
    var way: Nullable<Int64>
    var name: Nullable<String>
    var highway: Nullable<String>
    var reversed: Bool
    var fromShare: Double
    var toShare: Double
    var lengthMetres: Double

    init(_ edge: MatchedEdge) {
      self.edge = edge.edge
      way = Nullable(edge.osmWayID)
      name = Nullable(edge.name)
      highway = Nullable(edge.highwayType)
      reversed = edge.isReversed
      fromShare = rounded(edge.fromShare, 5)
      toShare = rounded(edge.toShare, 5)
      lengthMetres = tenths(edge.lengthMetres)
    }
  }

  private struct Point: Encodable {
    var edge: Int64
    var share: Double
    var latitude: Double
    var longitude: Double
    var distanceMetres: Double

    init(_ fix: MatchedFix) {
      edge = fix.edge
      share = rounded(fix.share, 5)
      latitude = rounded(fix.coordinate.latitude, 7)
      longitude = rounded(fix.coordinate.longitude, 7)
      distanceMetres = tenths(fix.distanceMetres)
    }
  }
}

/// A number to some decimals.
func rounded(_ value: Double, _ decimals: Int) -> Double {
  var factor = 1.0
  for _ in 0..<decimals { factor *= 10 }
  return (value * factor).rounded() / factor
}
