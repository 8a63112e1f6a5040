// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnMapMatching

/// A matched track as text: the part on the network, then one line per way and per gap.
package struct MatchedTrackSheet {
  private let match: NamedMatch

  /// Describes a track.
  package init(_ match: NamedMatch) { self.match = match }

  /// The lines.
  ///
  /// - Parameter columns: The width of the terminal; nil without one.
  package func text(columns: Int?) -> String {
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
    return lines.joined(separator: "\n") + "\n\n" + table.fitting(columns).text
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

/// A matched track with its name.
package struct NamedMatch {
  /// Its name, or its position in a file of several.
  package var name: String?
  /// The match.
  package var track: MatchedTrack

  /// Names a track.
  package init(name: String?, track: MatchedTrack) {
    self.name = name
    self.track = track
  }
}
