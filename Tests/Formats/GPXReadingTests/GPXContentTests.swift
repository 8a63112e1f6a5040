// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGPXReading
import CairnGeodesy
import Testing

@Suite("Content of GPX files")
struct GPXContentTests {
  @Test(
    "tracks with their segments, routes, waypoints, names and the time are read",
    arguments: GPXTestReader.allCases)
  func all(_ reader: GPXTestReader) throws {
    let file = try reader.read(
      """
      <metadata><name>All</name><author><name>nobody</name></author>
      <time>2026-01-02T03:04:05Z</time></metadata>
      <wpt lat="47" lon="10"><ele>1900.5</ele><name> A  hut </name></wpt>
      <rte><name>R</name><rtept lat="1" lon="2"/><rtept lat="1" lon="3"/></rte>
      <trk><name>T &amp; U</name><trkseg><trkpt lat="1" lon="2"><ele>3</ele></trkpt></trkseg>
      <trkseg><trkpt lat="-1" lon="-2"><extensions><ele>x</ele></extensions></trkpt></trkseg></trk>
      """)
    #expect(file.name == "All")
    #expect(file.time == parsedTimestamp("2026-01-02T03:04:05Z"))
    #expect(file.waypoints.map(\.name) == ["A hut"])
    #expect(file.waypoints.map(\.elevation) == [1900.5])
    #expect(file.routes.map(\.name) == ["R"])
    #expect(file.routes.first?.points.count == 2)
    #expect(file.tracks.map(\.name) == ["T & U"])
    #expect(file.tracks.first?.segments.map(\.count) == [1, 1])
    #expect(file.tracks.first?.points.map(\.elevation) == [3, nil])
    #expect(file.tracks.first?.points.last?.coordinate == Coordinate(latitude: -1, longitude: -2))
  }

  @Test(
    "times of points are read with fractions and offsets; others are unknown",
    arguments: GPXTestReader.allCases,
    [
      ("2023-11-14T22:13:20Z", 1_700_000_000), ("2023-11-14T22:13:20.125Z", 1_700_000_000.125),
      ("2023-11-15T00:13:20+02:00", 1_700_000_000), ("2023-11-14T22:13:20", 1_700_000_000),
      ("1970-01-01T00:00:00Z", 0), ("2000-02-29T12:00:00Z", 951_825_600),
      ("1900-02-28T24:00:00Z", -2_203_891_200), ("2016-12-31T23:59:60Z", 1_483_228_800),
      ("2023-02-29T00:00:00Z", nil), ("2023-13-01T00:00:00Z", nil), ("yesterday", nil),
      ("2023-11-14T22:13:20.Z", nil), ("2023-11-14T22:13:20Zulu", nil), ("2023-11-14", nil),
    ] as [(String, Double?)])
  func times(_ reader: GPXTestReader, _ time: (text: String, seconds: Double?)) throws {
    var omissions: [GPXOmission] = []
    let file = try reader.read(
      "<wpt lat='1' lon='2'><time>\(time.text)</time></wpt>", &omissions)
    #expect(omissions.map(\.kind) == (time.seconds == nil ? ["a time cannot be read"] : []))
    #expect(file.waypoints.first?.time?.timeIntervalSince1970 == time.seconds)
  }

  @Test("namespace prefixes are ignored", arguments: GPXTestReader.allCases)
  func prefixes(_ reader: GPXTestReader) throws {
    let file = try reader.read(
      "<g:gpx><g:trk><g:trkseg><g:trkpt lat='1' lon='2'/></g:trkseg></g:trk></g:gpx>".utf8)
    #expect(file.tracks.first?.points.count == 1)
  }

  @Test(
    "invalid GPX is refused with its line",
    arguments: GPXTestReader.allCases,
    [
      ("<trk><trkseg><trkpt lat='91' lon='2'/></trkseg></trk>", "a point needs lat"),
      ("<wpt lon='2'/>", "a point needs lat"), ("<wpt lat='nan' lon='2'/>", "a point needs lat"),
      ("<wpt lat='1' lon='2'><ele>high</ele></wpt>", "ele must be a number of metres"),
      ("<wpt lat='1' lon='2'><ele>1e308</ele></wpt>", "ele must be a number of metres"),
      ("<wpt lat='1' lon='2'><ele>-100001</ele></wpt>", "ele must be a number of metres"),
      ("<wpt lat='1' lon='2'>", "mismatched tag"),
      (String(repeating: "<a>", count: 100), "nested"),
    ])
  func invalid(_ reader: GPXTestReader, _ file: (body: String, message: String)) throws {
    let error = try #require(reader.refusal(of: "<gpx>\n\n\(file.body)</gpx>".utf8))
    #expect(error.description.contains(file.message), "\(error)")
    let position = try #require(error.position)
    #expect(position.line == 3 && position.column >= 1)
  }
}
