// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy

/// Reads areas from Osmosis polygon filter files
/// (<https://wiki.openstreetmap.org/wiki/Osmosis/Polygon_Filter_File_Format>).
///
/// The first line names the area. Sections follow, each a name, lines of longitude and latitude,
/// and `END`; those whose names begin with `!` are holes. A last `END` ends the file. Blank lines
/// are ignored.
struct PolyFile {
  /// More than any border needs; that of Norway has about a thousand islands.
  private static let maximumSections = 10_000

  private var lines: [Substring]
  private var lineNumber = 0

  private init(_ bytes: [UInt8]) {
    let hasMark = bytes.starts(with: [0xef, 0xbb, 0xbf])
    let text = String(decoding: hasMark ? bytes[3...] : bytes[...], as: UTF8.self)
    lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  /// Parses a file. Throws 65, with the line, if it is invalid or contains no area.
  static func areas(_ bytes: [UInt8]) throws(CairnError) -> [MultiPolygon] {
    var file = PolyFile(bytes)
    guard file.nextLine() != nil else {
      throw .badData(.badRegion, "is empty", hint: "expected a GeoJSON or .poly file")
    }
    return try file.readSections()
  }

  /// The words of the next line that is not blank.
  private mutating func nextLine() -> [Substring]? {
    while lineNumber < lines.count {
      let words = lines[lineNumber].split(whereSeparator: \.isWhitespace)
      lineNumber += 1
      if !words.isEmpty { return words }
    }
    return nil
  }

  private mutating func readSections() throws(CairnError) -> [MultiPolygon] {
    var outer: [[Coordinate]] = []
    var holes: [[Coordinate]] = []
    while let words = nextLine() {
      if words == ["END"] {
        guard nextLine() == nil else { throw invalid("there is more text after the last END") }
        return try join(outer, holes)
      }
      let isHole = words[0].hasPrefix("!")
      guard outer.count + holes.count < Self.maximumSections else {
        throw invalid("there are more than \(grouped(Self.maximumSections)) sections")
      }
      let ring = try readRing()
      if isHole { holes.append(ring) } else { outer.append(ring) }
    }
    throw invalid("the last END is missing", hint: "is the file truncated?")
  }

  private mutating func readRing() throws(CairnError) -> [Coordinate] {
    let start = lineNumber
    var ring: [Coordinate] = []
    while let words = nextLine() {
      if words == ["END"] {
        if ring.count > 1, ring.first == ring.last { ring.removeLast() }
        guard ring.count >= 3 else {
          lineNumber = start
          throw invalid("this section has fewer than three points")
        }
        return ring
      }
      guard words.count == 2, let longitude = Double(words[0]), let latitude = Double(words[1])
      else {
        throw invalid(
          "expected a longitude and a latitude, not “\(words.joined(separator: " ").prefix(60))”"
        )
      }
      let point = Coordinate(latitude: latitude, longitude: longitude)
      guard point.isValid else {
        throw invalid(
          "\(words[0].prefix(30)) \(words[1].prefix(30)) is not on Earth",
          hint: "longitude comes first; cut the area where it crosses the antimeridian")
      }
      ring.append(point)
    }
    throw invalid("the END of a section is missing", hint: "is the file truncated?")
  }

  /// Assigns each hole to the areas that contain it.
  private func join(_ outer: [[Coordinate]], _ holes: [[Coordinate]]) throws(CairnError)
    -> [MultiPolygon]
  {
    // The first corner might be on the border of the area, but hardly the first three.
    let corners = holes.map { hole in hole.prefix(3).map(NodeCoordinate.init) }
    var areas: [MultiPolygon] = []
    for ring in outer {
      guard let area = MultiPolygon(rings: [ring]) else { continue }
      let index = AreaIndex([area])
      let inside = holes.indices.filter { hole in corners[hole].contains { index.contains($0) } }
      areas.append(MultiPolygon(rings: [ring] + inside.map { holes[$0] }) ?? area)
    }
    guard !areas.isEmpty else { throw .badData(.badRegion, "contains no area") }
    return areas
  }

  private func invalid(_ message: String, hint: String? = nil) -> CairnError {
    CairnError(
      .badRegion, .dataError, message, at: Location(file: "", .line(max(1, lineNumber), column: 1)),
      hint: hint)
  }
}

extension NodeCoordinate {
  fileprivate init(_ point: Coordinate) {
    self.init(
      latitude: fixedUnits(point.latitude), longitude: fixedUnits(point.longitude))
  }
}
