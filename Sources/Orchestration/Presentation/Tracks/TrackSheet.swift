// SPDX-License-Identifier: Apache-2.0

import CairnFormatting
import CairnTracks

/// The figures of tracks as text: a list of all together, a table of the tracks if there are several,
/// and a table of the splits.
package struct TrackSheet {
  private let figures: TrackFigures
  private let hasSplits: Bool

  /// Describes the tracks of a file.
  package init(_ figures: TrackFigures, hasSplits: Bool) {
    self.figures = figures
    self.hasSplits = hasSplits
  }

  /// The lines.
  package var text: String {
    var blocks = [head + totals]
    if figures.tracks.count > 1 { blocks.append(tracks) }
    if hasSplits { blocks.append(splits) }
    return blocks.joined(separator: "\n")
  }

  private var head: String {
    guard figures.tracks.count == 1, let name = figures.tracks[0].name else { return "" }
    return printable(name) + "\n"
  }

  private var totals: String {
    let total = figures.total.total
    let segments = figures.total.segments.count
    var rows: [[String]] = [
      ["points", grouped(total.pointCount), segments == 1 ? "" : "in \(segments) segments"],
      ["distance", kilometres(total.distanceMetres)],
    ]
    if abs(total.plainMetres - total.distanceMetres) > total.distanceMetres / 100 {
      rows.append(["plain sum", kilometres(total.plainMetres), "between the points, noise and all"])
    }
    if let start = total.start, let end = total.end {
      rows.append(["from", Self.minute(isoText(start)), "UTC"])
      rows.append(["to", Self.minute(isoText(end)), "UTC"])
    }
    rows.append(["recorded", Self.time(total.recordedSeconds)])
    if total.recordedSeconds != nil {
      rows.append(["moving", Self.time(total.movingSeconds)])
      rows.append(["resting", Self.time(total.restingSeconds)])
      rows.append(["average speed", Self.speed(total.averageSpeed)])
      rows.append(["moving speed", Self.speed(total.movingSpeed)])
      rows.append(["top speed", Self.speed(total.maximumSpeed)])
    }
    let isPartial = total.ascentMetres != nil && total.unknownClimbMetres >= 1
    rows.append([
      "ascent", Self.metres(total.ascentMetres),
      isPartial ? "unknown along \(kilometres(total.unknownClimbMetres))" : "",
    ])
    rows.append(["descent", Self.metres(total.descentMetres)])
    if let lowest = total.lowestMetres, let highest = total.highestMetres {
      rows.append(["lowest", Self.metres(lowest)])
      rows.append(["highest", Self.metres(highest)])
    }
    if total.untimelyPoints > 0 {
      rows.append([
        "times ignored", grouped(total.untimelyPoints), "that are not after those before them",
      ])
    }
    return TextTable([.left, .right, .left], indent: 2, rows: rows).text
  }

  private var tracks: String {
    var rows = [["distance", "recorded", "moving", "ascent", "descent", "track"]]
    for (index, track) in figures.tracks.enumerated() {
      let total = track.report.total
      rows.append([
        kilometres(total.distanceMetres), Self.time(total.recordedSeconds),
        Self.time(total.movingSeconds), Self.metres(total.ascentMetres),
        Self.metres(total.descentMetres), track.name.map(printable) ?? "track \(index + 1)",
      ])
    }
    return TextTable([.right, .right, .right, .right, .right, .left], indent: 2, rows: rows).text
  }

  private var splits: String {
    var rows = [["to", "time", "moving", "speed", "ascent", "descent"]]
    var metres = 0.0
    for split in figures.total.splits {
      metres += split.distanceMetres
      rows.append([
        kilometres(metres), Self.clock(split.recordedSeconds), Self.clock(split.movingSeconds),
        Self.speed(split.movingSpeed), Self.metres(split.ascentMetres),
        Self.metres(split.descentMetres),
      ])
    }
    return TextTable(Array(repeating: .right, count: 6), indent: 2, rows: rows).text
  }

  /// `2010-08-05 14:23` of a time in ISO 8601.
  private static func minute(_ time: String) -> String {
    String(time.prefix(16).map { $0 == "T" ? " " : $0 })
  }

  private static func time(_ seconds: Double?) -> String {
    guard let seconds else { return "unknown" }
    return seconds < 59.5 ? "\(decimal(seconds, 0)) s" : duration(seconds)
  }

  /// `12:05` minutes, or `1:02:05` hours.
  private static func clock(_ seconds: Double?) -> String {
    guard let seconds, let whole = Int(exactly: seconds.rounded()) else { return "–" }
    let text = [whole / 60 % 60, whole % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }
    return whole < 3600
      ? "\(whole / 60):\(text[1])" : "\(whole / 3600):\(text.joined(separator: ":"))"
  }

  private static func speed(_ speed: Double?) -> String {
    speed.map { grouped($0 * 3.6, decimals: 1) + " km/h" } ?? "–"
  }

  private static func metres(_ length: Double?) -> String {
    length.map { CairnFormatting.metres($0) } ?? "unknown"
  }
}
