// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Formatting
import MapMatching

/// A matched track as text: what lies on the network, then one line per way and per gap.
struct MatchedTrackSheet {
  private let match: NamedMatch

  init(_ match: NamedMatch) { self.match = match }

  var text: String {
    let track = match.track
    var lines: [String] = match.name.map { [printable($0)] } ?? []
    lines.append("\(kilometres(track.matchedMetres)) on the network, \(gaps(track))")
    var shares = "Matched: \(percent(track.matchedShareOfFixes)) of the points"
    if let share = track.matchedShareOfLength { shares += ", \(percent(share)) of the length" }
    if track.ignoredFixes > 0 {
      shares += "; \(grouped(track.ignoredFixes)) of \(grouped(track.fixes.count)) points ignored"
    }
    lines.append(shares)
    lines.append("Accuracy of the points: \(metres(track.accuracyMetres))")
    let header = ["at", "length", "along", "kind", "way"]
    let table = TextTable(
      [.right, .right, .left, .left, .right], indent: 2, rows: [header] + rows(track))
    return lines.joined(separator: "\n") + "\n\n" + table.fitting(Console.columns).text
  }

  private func gaps(_ track: MatchedTrack) -> String {
    switch track.gaps.count {
    case 0: "no gaps"
    case 1: "\(kilometres(track.gapMetres)) in a gap"
    default: "\(kilometres(track.gapMetres)) in \(track.gaps.count) gaps"
    }
  }

  private func rows(_ track: MatchedTrack) -> [[String]] {
    var travelled = 0.0
    var rows: [[String]] = []
    for section in track.sections {
      switch section {
      case .gap(let gap):
        let what = gap.kind == .offNetwork ? "(off the network)" : "(not recorded)"
        rows.append([kilometres(travelled), kilometres(gap.lengthMetres), what, "", ""])
        travelled += gap.lengthMetres
      case .stretch(let stretch):
        for way in stretch.ways {
          rows.append([
            kilometres(travelled), kilometres(way.lengthMetres),
            way.first.name.map { printable($0) } ?? "(unnamed)",
            way.first.highwayType.map { printable($0) } ?? "",
            way.first.osmWayID.map { "\($0)" } ?? "",
          ])
          travelled += way.lengthMetres
        }
      }
    }
    return rows
  }
}

extension MatchedStretch {
  /// Edges of one way that follow each other in one direction.
  struct WayPart {
    var edges: ArraySlice<MatchedEdge>
    var first: MatchedEdge
    var lengthMetres: Double { edges.reduce(0) { $0 + $1.lengthMetres } }
  }

  /// The ways in the order of travel.
  var ways: [WayPart] {
    var ways: [WayPart] = []
    var start = 0
    for index in edges.indices {
      let isLast = index + 1 == edges.count
      let (one, next) = (edges[index], edges[isLast ? index : index + 1])
      let goesOn =
        !isLast && one.osmWayID == next.osmWayID && one.osmWayID != nil
        && one.isReversed == next.isReversed
      guard !goesOn else { continue }
      ways.append(WayPart(edges: edges[start...index], first: edges[start]))
      start = index + 1
    }
    return ways
  }
}
