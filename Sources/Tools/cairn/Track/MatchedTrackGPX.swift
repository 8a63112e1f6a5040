// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Formatting
import FoundationEssentials
import MapMatching

/// Matched tracks as GPX 1.1: the cleaned route of each as a track, with a segment for each stretch
/// along the network. What lies in gaps is left out.
func matchedGPX(_ matches: [NamedMatch]) -> String {
  var lines = [
    #"<?xml version="1.0" encoding="UTF-8"?>"#,
    #"<gpx version="1.1" creator="cairn \#(cairnVersion)" "#
      + #"xmlns="http://www.topografix.com/GPX/1/1">"#,
  ]
  for match in matches {
    lines.append("  <trk>")
    if let name = match.name { lines.append("    <name>\(xmlEscaped(name))</name>") }
    for stretch in match.track.stretches {
      lines.append("    <trkseg>")
      for point in stretch.line {
        let latitude = decimal(point.coordinate.latitude, 7)
        let longitude = decimal(point.coordinate.longitude, 7)
        let time = point.time.map { "><time>\(matchedTimeText($0))</time></trkpt>" } ?? "/>"
        lines.append(#"      <trkpt lat="\#(latitude)" lon="\#(longitude)""# + time)
      }
      lines.append("    </trkseg>")
    }
    lines.append("  </trk>")
  }
  return lines.joined(separator: "\n") + "\n</gpx>\n"
}

/// A time as ISO 8601 in UTC with milliseconds.
func matchedTimeText(_ time: Date) -> String {
  time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
}
