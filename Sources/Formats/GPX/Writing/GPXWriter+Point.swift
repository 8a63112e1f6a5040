// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension GPXWriter {
  /// Adds a point, unless its coordinate is invalid.
  mutating func add(_ point: GPXFile.Point, _ name: String, indent: String) {
    guard point.coordinate.isValid else { return }
    let latitude = exactDecimal(point.coordinate.latitude)
    // The schema knows the antimeridian as -180 alone.
    let isOnAntimeridian = point.coordinate.longitude == 180
    let longitude = isOnAntimeridian ? "-180" : exactDecimal(point.coordinate.longitude)
    text += #"\#(indent)<\#(name) lat="\#(latitude)" lon="\#(longitude)">"#
    // Tracks are long, so the values of most points are on one line.
    if let elevation = point.elevation, elevation.isFinite {
      text += "<ele>\(exactDecimal(elevation))</ele>"
    }
    if let time = point.time.flatMap(timestampText) { text += "<time>\(time)</time>" }
    if point.name != nil || point.details != nil {
      text += "\n"
      add(point.details ?? GPXFile.Point.Details(), name: point.name, indent + "  ")
      text += indent
    }
    text += "</\(name)>\n"
  }

  private mutating func add(_ details: GPXFile.Point.Details, name: String?, _ indent: String) {
    element("magvar", details.magneticVariation.flatMap { 0..<360 ~= $0 ? $0 : nil }, indent)
    element("geoidheight", details.geoidHeight, indent)
    element("name", name, indent)
    element("cmt", details.comment, indent)
    element("desc", details.description, indent)
    element("src", details.source, indent)
    for link in details.links { add(link, indent) }
    element("sym", details.symbol, indent)
    element("type", details.type, indent)
    element("fix", details.fix?.rawValue, indent)
    element("sat", details.satellites.flatMap { $0 >= 0 ? "\($0)" : nil }, indent)
    element("hdop", details.horizontalDilution, indent)
    element("vdop", details.verticalDilution, indent)
    element("pdop", details.positionDilution, indent)
    element("ageofdgpsdata", details.correctionAge, indent)
    element("dgpsid", details.stationID.flatMap { 0...1023 ~= $0 ? "\($0)" : nil }, indent)
    extensions(movement(details) + (details.extensions ?? ""), indent: indent)
  }

  /// Speed and course as a widely supported extension, since version 1.1 has no elements for them.
  private func movement(_ details: GPXFile.Point.Details) -> String {
    let speed = details.speed.flatMap { 0..<Double.infinity ~= $0 ? exactDecimal($0) : nil }
    let course = details.course.flatMap { 0...360 ~= $0 ? exactDecimal($0) : nil }
    guard speed != nil || course != nil else { return "" }
    return #"<tpx:TrackPointExtension xmlns:tpx="\#(Self.pointExtension)">"#
      + (speed.map { "<tpx:speed>\($0)</tpx:speed>" } ?? "")
      + (course.map { "<tpx:course>\($0)</tpx:course>" } ?? "") + "</tpx:TrackPointExtension>"
  }
}
