// SPDX-License-Identifier: Apache-2.0
import Formatting

/// Writes a GPX 1.1 file of tracks.
///
/// - Parameter creator: The program named as the file's creator.
package func gpxText(creator: String, tracks: [GPXFile.Line]) -> String {
  var lines = [
    gpxHead(creator: creator) + #"" xmlns="http://www.topografix.com/GPX/1/1">"#
  ]
  for track in tracks {
    lines.append("  <trk>")
    if let name = track.name { lines.append("    <name>\(xmlEscaped(name))</name>") }
    for segment in track.segments {
      lines.append("    <trkseg>")
      for point in segment {
        let latitude = decimal(point.coordinate.latitude, 7)
        let longitude = decimal(point.coordinate.longitude, 7)
        let tag = #"      <trkpt lat="\#(latitude)" lon="\#(longitude)""#
        lines.append(
          tag + (point.elevation.map { "><ele>\(decimal($0, 1))</ele></trkpt>" } ?? "/>"))
      }
      lines.append("    </trkseg>")
    }
    lines.append("  </trk>")
  }
  return lines.joined(separator: "\n") + "\n</gpx>\n"
}

/// Whether a file with these first bytes was written by ``gpxText(creator:tracks:)`` for a creator
/// whose name begins like this.
package func isGPX(head: [UInt8], ofCreator creator: String) -> Bool {
  head.starts(with: gpxHead(creator: creator).utf8)
}

private func gpxHead(creator: String) -> String {
  #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
    + #"<gpx version="1.1" creator="\#(xmlEscaped(creator))"#
}
