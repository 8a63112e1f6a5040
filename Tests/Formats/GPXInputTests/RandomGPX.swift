// SPDX-License-Identifier: Apache-2.0
import CairnGPX
import CairnGeodesy
import Foundation
import TestSupport

/// Draws GPX files that use every field, as reading gives them: texts without white space at their
/// ends, times in milliseconds.
struct RandomGPX {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func file() -> GPXFile {
    var file = GPXFile()
    file.metadata.name = text()
    file.metadata.description = lines()
    if flip() {
      file.metadata.author = .init(
        name: text() ?? "A", email: flip() ? "a@b.org" : nil, link: link())
    }
    if flip() {
      file.metadata.copyright = .init(
        author: text() ?? "C", year: flip() ? Int.random(in: 1...9999, using: &random) : nil,
        license: flip() ? "https://c.org/l?a=1&b" : nil)
    }
    file.metadata.links = links()
    file.metadata.time = time()
    file.metadata.keywords = text()
    if flip() { file.namespaces = ["a": "urn:a", "b-c": "http://b.org/x?y=1&z"] }
    let prefix = file.namespaces.isEmpty ? nil : "a"
    file.metadata.extensions = extensions(prefix)
    file.waypoints = points(prefix)
    file.routes = lines(prefix, segments: 1...1)
    file.tracks = lines(prefix, segments: 0...3)
    file.extensions = extensions(prefix)
    file.setBounds()
    return file
  }

  private mutating func lines(_ prefix: String?, segments: ClosedRange<Int>) -> [GPXFile.Line] {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in
      var line = GPXFile.Line(name: text())
      line.comment = lines()
      line.description = lines()
      line.source = text()
      line.links = links()
      line.number = flip() ? Int.random(in: 0...99, using: &random) : nil
      line.type = text()
      line.extensions = extensions(prefix)
      let count = Int.random(in: segments, using: &random)
      line.segments = (0..<count).map { _ in points(prefix) }
      return line
    }
  }

  private mutating func points(_ prefix: String?) -> [GPXFile.Point] {
    (0..<Int.random(in: 0...5, using: &random)).map { _ in
      var point = GPXFile.Point(
        coordinate: Coordinate(
          latitude: number(90), longitude: Double.random(in: -180..<180, using: &random)),
        elevation: flip() ? number(900) : nil, time: time(), name: text())
      if flip() { point.details = details(prefix) }
      return point
    }
  }

  private mutating func details(_ prefix: String?) -> GPXFile.Point.Details {
    var details = GPXFile.Point.Details()
    details.magneticVariation = flip() ? abs(number(359)) : nil
    details.geoidHeight = flip() ? number(100) : nil
    details.comment = lines()
    details.description = lines()
    details.source = text()
    details.links = links()
    details.symbol = text()
    details.type = text()
    details.fix = GPXFile.Point.Fix.allCases.randomElement(using: &random)
    details.satellites = flip() ? Int.random(in: 0...40, using: &random) : nil
    details.horizontalDilution = flip() ? number(1e-6) : nil
    details.verticalDilution = flip() ? number(1e20) : nil
    details.positionDilution = flip() ? 0 : nil
    details.correctionAge = flip() ? number(10) : nil
    details.stationID = flip() ? Int.random(in: 0...1023, using: &random) : nil
    details.course = flip() ? abs(number(360)) : nil
    details.speed = flip() ? abs(number(50)) : nil
    details.extensions = extensions(prefix)
    return details
  }

  private mutating func flip() -> Bool { Bool.random(using: &random) }

  private mutating func number(_ limit: Double) -> Double {
    Double.random(in: -limit...limit, using: &random)
  }

  private mutating func time() -> Date? {
    guard flip() else { return nil }
    let milliseconds = Int.random(in: -62_000_000_000_000...253_000_000_000_000, using: &random)
    return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  private mutating func text() -> String? {
    ["Hut", "a & <b> \"c\" 'd'", "]]>", "Höhe 山 🏔", "&amp;", nil].randomElement(using: &random)
      ?? nil
  }

  private mutating func lines() -> String? {
    ["one", "two\nlines", "a\n\n  b\tc", "x\r\ny", nil].randomElement(using: &random) ?? nil
  }

  private mutating func link() -> GPXFile.Link? { flip() ? links().first : nil }

  private mutating func links() -> [GPXFile.Link] {
    (0..<Int.random(in: 0...2, using: &random)).map { index in
      .init(href: "https://x.org/\(index)?a=b&c#d", text: text(), type: flip() ? "text/html" : nil)
    }
  }

  private mutating func extensions(_ prefix: String?) -> String? {
    guard flip() else { return nil }
    let own = #"<e:x k="1 &lt; 2" xmlns:e="urn:e">text &amp; more<e:y></e:y></e:x>"#
    return prefix.map { "<\($0):hr>90</\($0):hr>" + (flip() ? own : "") } ?? own
  }
}
