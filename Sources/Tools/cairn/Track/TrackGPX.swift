// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Formatting
import FoundationEssentials
import GPX

private let creator = "cairn \(cairnVersion)"

/// A file as GPX 1.1.
func trackGPX(_ file: GPXFile) -> String {
  var text = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
  text +=
    #"<gpx version="1.1" creator="\#(creator)" xmlns="http://www.topografix.com/GPX/1/1">"# + "\n"
  if let name = file.name {
    text += "  <metadata>\n    <name>\(xmlEscaped(name))</name>\n  </metadata>\n"
  }
  for point in file.waypoints { text += element("wpt", point, indent: "  ") }
  for line in file.routes {
    text += "  <rte>\n" + name(line.name, indent: "    ")
    for point in line.points { text += element("rtept", point, indent: "    ") }
    text += "  </rte>\n"
  }
  for line in file.tracks {
    text += "  <trk>\n" + name(line.name, indent: "    ")
    for segment in line.segments {
      text += "    <trkseg>\n"
      for point in segment { text += element("trkpt", point, indent: "      ") }
      text += "    </trkseg>\n"
    }
    text += "  </trk>\n"
  }
  return text + "</gpx>\n"
}

/// Whether a file with these first bytes was written by ``trackGPX(_:)``.
func isTrackGPX(head: [UInt8]) -> Bool { isGPX(head: head, ofCreator: "cairn ") }

private func name(_ name: String?, indent: String) -> String {
  name.map { "\(indent)<name>\(xmlEscaped($0))</name>\n" } ?? ""
}

private func element(_ tag: String, _ point: GPXFile.Point, indent: String) -> String {
  let latitude = decimal(point.coordinate.latitude, 7)
  let longitude = decimal(point.coordinate.longitude, 7)
  var inner = point.elevation.map { "<ele>\(shortDecimal($0, 3))</ele>" } ?? ""
  inner += point.time.map { "<time>\(isoText($0))</time>" } ?? ""
  inner += point.name.map { "<name>\(xmlEscaped($0))</name>" } ?? ""
  return "\(indent)<\(tag) lat=\"\(latitude)\" lon=\"\(longitude)\""
    + (inner.isEmpty ? "/>\n" : ">\(inner)</\(tag)>\n")
}

/// A time as ISO 8601 in UTC with milliseconds.
func isoText(_ time: Date) -> String {
  time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
}
