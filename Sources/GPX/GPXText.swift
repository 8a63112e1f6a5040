// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// Writes a GPX 1.1 file with one track of one piece.
///
/// - Parameters:
///   - name: The name of the track, if it has one.
///   - creator: The program that the file says it comes from.
public func gpxTrack(
  name: String? = nil, creator: String, points: some Sequence<GPXFile.Point>
) -> String {
  var lines = [
    #"<?xml version="1.0" encoding="UTF-8"?>"#,
    #"<gpx version="1.1" creator="\#(escaped(creator))" "#
      + #"xmlns="http://www.topografix.com/GPX/1/1">"#, "  <trk>",
  ]
  if let name { lines.append("    <name>\(escaped(name))</name>") }
  lines.append("    <trkseg>")
  for point in points {
    let place = point.coordinate
    let tag =
      #"      <trkpt lat="\#(decimal(place.latitude, 7))" lon="\#(decimal(place.longitude, 7))""#
    lines.append(tag + (point.elevation.map { "><ele>\(decimal($0, 1))</ele></trkpt>" } ?? "/>"))
  }
  lines += ["    </trkseg>", "  </trk>", "</gpx>"]
  return lines.joined(separator: "\n") + "\n"
}

/// Text between tags or quotation marks; characters that XML has no place for become spaces.
private func escaped(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "\t", "\n", "\r": result += " "
    case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
      result += " "
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}
