// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes GPX 1.1, piece by piece in the order of the schema: waypoints, routes, tracks,
/// ``end(_:)``. Values that the schema does not allow are left out.
///
/// ``text`` may be taken and cleared between the pieces, so that a file of any size is written in
/// little memory.
package struct GPXWriter {
  /// The text written and not yet taken.
  package var text = ""

  static let namespace = "http://www.topografix.com/GPX/1/1"
  /// A common extension for course and speed.
  static let pointExtension = "http://www.garmin.com/xmlschemas/TrackPointExtension/v2"

  /// The beginning of a file whose creator has this prefix.
  package static func head(creator: String) -> String {
    #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
      + #"<gpx version="1.1" creator="\#(attribute(creator))"#
  }

  /// Begins a file with its metadata, without its lines and waypoints.
  package init(creator: String, _ file: GPXFile) {
    text = Self.head(creator: creator) + #"" xmlns="\#(Self.namespace)""#
    for (prefix, uri) in file.namespaces.sorted(by: { $0.key < $1.key }) {
      text += #" xmlns:\#(prefix)="\#(Self.attribute(uri))""#
    }
    text += ">\n"
    add(file.metadata)
  }

  /// Ends a file with its extensions.
  package mutating func end(_ file: GPXFile) {
    extensions(file.extensions, indent: "  ")
    text += "</gpx>\n"
  }

  /// Adds a route.
  package mutating func add(route: GPXFile.Line) {
    text += "  <rte>\n"
    head(of: route)
    for point in route.segments.joined() { add(point, "rtept", indent: "    ") }
    text += "  </rte>\n"
  }

  /// Adds a track.
  package mutating func add(track: GPXFile.Line) {
    begin(track: track)
    for segment in track.segments {
      beginSegment()
      for point in segment { add(point, "trkpt", indent: "      ") }
      endSegment()
    }
    endTrack()
  }

  /// Adds a waypoint.
  package mutating func add(waypoint: GPXFile.Point) { add(waypoint, "wpt", indent: "  ") }

  /// Begins a track; its segments are not written yet.
  package mutating func begin(track: GPXFile.Line) {
    text += "  <trk>\n"
    head(of: track)
  }

  /// Begins a segment of a track.
  package mutating func beginSegment() { text += "    <trkseg>\n" }

  /// Adds a point of a segment.
  package mutating func add(trackPoint: GPXFile.Point) {
    add(trackPoint, "trkpt", indent: "      ")
  }

  /// Ends a segment.
  package mutating func endSegment() { text += "    </trkseg>\n" }

  /// Ends a track.
  package mutating func endTrack() { text += "  </trk>\n" }

  private mutating func head(of line: GPXFile.Line) {
    let indent = "    "
    element("name", line.name, indent)
    element("cmt", line.comment, indent)
    element("desc", line.description, indent)
    element("src", line.source, indent)
    for link in line.links { add(link, indent) }
    element("number", line.number.flatMap { $0 >= 0 ? "\($0)" : nil }, indent)
    element("type", line.type, indent)
    extensions(line.extensions, indent: indent)
  }
}

// Elements and their parts.
extension GPXWriter {
  /// A text as the value of an attribute between double quotation marks.
  static func attribute(_ text: String) -> String { xmlEscaped(text, forbidden: "") }

  /// Adds an element unless its content is empty.
  mutating func element(_ name: String, _ content: String?, _ indent: String) {
    guard let content, !content.isEmpty else { return }
    text += "\(indent)<\(name)>"
    text += xmlEscaped(content, forbidden: "", keepsLines: true)
    text += "</\(name)>\n"
  }

  /// Adds an element with a number, unless that is unknown or infinite.
  mutating func element(_ name: String, _ value: Double?, _ indent: String) {
    guard let value, value.isFinite else { return }
    text += "\(indent)<\(name)>\(exactDecimal(value))</\(name)>\n"
  }

  mutating func extensions(_ content: String?, indent: String) {
    guard let content, !content.isEmpty else { return }
    text += "\(indent)<extensions>\(content)</extensions>\n"
  }

  mutating func add(_ link: GPXFile.Link, _ indent: String) {
    text += #"\#(indent)<link href="\#(Self.attribute(uriEscaped(link.href)))""#
    guard link.text != nil || link.type != nil else {
      text += "/>\n"
      return
    }
    text += ">\n"
    element("text", link.text, indent + "  ")
    element("type", link.type, indent + "  ")
    text += indent + "</link>\n"
  }
}

/// An address with all characters escaped that are not allowed in one.
func uriEscaped(_ text: String) -> String {
  let allowed = "-._~:/?#@!$&'()*+,;=%".utf8
  var escaped = ""
  for byte in text.utf8 {
    let isPlain =
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
      || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || allowed.contains(byte)
    let hex = String(byte, radix: 16, uppercase: true)
    escaped += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + hex
  }
  return escaped
}
