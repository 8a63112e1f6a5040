// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGPX
import CairnGeodesy
import FoundationEssentials
import GPXInput
import SystemIO

/// The contents of a GPX file.
package struct GPXListing: Listing {
  /// A track or a route.
  private struct Line: Encodable {
    /// `track` or `route`.
    let kind: String
    var name: String?
    var segments = 0
    var points = 0
    var withElevation = 0
    var withTime = 0
    /// The first time of a point.
    var start: String?
    /// The last time of a point.
    var end: String?
  }

  private let file: String
  private let kind = "gpx"
  private let bytes: Int
  private let name: String?
  private let time: String?
  private let waypoints: Int
  private let tracks: [Line]
  /// West, south, east, north of all points in degrees.
  private let bounds: [Double]?
  /// The values left out because they cannot be read: kinds and numbers.
  private let leftOut: [String: Int]

  private enum CodingKeys: CodingKey {
    case file, kind, bytes, name, time, waypoints, tracks, bounds, leftOut
  }

  /// Reads a file of any size. Throws the errors of reading GPX.
  package init(_ name: String, reading input: InputFile) throws(CairnError) {
    var warnings = WarningTally()
    var lines: [Line] = []
    var line = Line(kind: "track")
    var waypointCount = 0
    var box: BoundingBox?
    func extend(_ coordinate: Coordinate) {
      box = box?.extended(to: coordinate) ?? BoundingBox(at: coordinate)
    }
    let head = try GPXFile.read(input.path, warnings: &warnings) { piece throws(CairnError) in
      switch piece {
      case .waypoint(let point):
        waypointCount += 1
        extend(point.coordinate)
      case .lineStart(let kind, _): line = Line(kind: kind == .route ? "route" : "track")
      case .segmentStart: line.segments += 1
      case .point(let point):
        line.points += 1
        extend(point.coordinate)
        if point.elevation != nil { line.withElevation += 1 }
        if let time = point.time {
          line.withTime += 1
          line.end = timestampText(time)
          if line.start == nil { line.start = line.end }
        }
      case .lineEnd(_, let said):
        line.name = said.name
        lines.append(line)
      }
    }
    file = name
    bytes = input.size
    self.name = head.name
    time = head.time.flatMap(timestampText)
    waypoints = waypointCount
    tracks = lines
    bounds = box.map { [$0.west, $0.south, $0.east, $0.north] }
    leftOut = Dictionary(uniqueKeysWithValues: warnings.entries.map { ($0.kind, $0.count) })
  }

  package var lines: [String] {
    var rows = [("name", name), ("time", time)].compactMap { row in row.1.map { (row.0, $0) } }
    rows.append(("waypoints", grouped(waypoints)))
    rows.append(("bounds", bounds.map { "\($0[0]),\($0[1]) to \($0[2]),\($0[3])" } ?? "none"))
    for (kind, count) in leftOut.sorted(by: { $0.key < $1.key }) {
      rows.append(("left out", "\(kind): \(grouped(count))"))
    }
    return ["\(file): GPX, \(byteSize(bytes))"] + rows.map { fact($0.0, $0.1) } + table
  }

  private var table: [String] {
    guard !tracks.isEmpty else { return [] }
    var table = TextTable([.left, .left, .right, .right, .right, .right, .left], indent: 2)
    table.add(["", "name", "segments", "points", "elevations", "times", "from"])
    for line in tracks {
      table.add([
        line.kind, line.name ?? "–", line.kind == "route" ? "–" : grouped(line.segments),
        grouped(line.points), grouped(line.withElevation), grouped(line.withTime),
        line.start ?? "–",
      ])
    }
    return [""] + table.lines + ["", "  Lengths, times and climb: cairn track stats \(file)"]
  }
}
