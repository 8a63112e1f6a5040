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

  @Test(
    "times as apps write them are read where they have one meaning",
    arguments: GPXTestReader.allCases,
    [
      ("2024-05-06 07:00:00", 1_714_978_800),
      ("2024-05-06T09:00:00+02:00[Europe/Brussels]", 1_714_978_800),
      ("2024-05-06T09:00:00+0200", 1_714_978_800), ("2024-05-06T09:00:00+02", 1_714_978_800),
      ("2024-05-06 07:00:00 UTC", 1_714_978_800), ("2024/05/06 07:00:00", 1_714_978_800),
      ("2024-05-06T07:00:00,5Z", 1_714_978_800.5), ("2024-05-06T07:00Z", 1_714_978_800),
      ("2024-05-06T07:00:00GMT", 1_714_978_800), ("2024-05-06T09:00:00 +02:00", 1_714_978_800),
      ("2024-05-06T07:00:00Z[UTC]", 1_714_978_800),
      ("2024-05-06T09:00:00[Europe/Brussels]", nil), ("2024-05-06T09:00:00+02:00Z", nil),
      ("2024-05-06T09:00:00+02:00 UTC", nil), ("2024-05-06T09:00:00 GMT+2", nil),
      ("05/06/2024 07:00:00", nil), ("2024-05-06", nil),
      ("2024-05-06T07:00:00[Europe/Brussels", nil),
      ("2024-05-06T07:00:00 CEST", nil), ("2024-05-06T07:00:00+02:00:00", nil), ("1714978800", nil),
      ("2024-05-06 7:00 PM", nil), ("]", nil), ("[]", nil), ("2024-05-06T07:00:00+é2", nil),
    ] as [(String, Double?)])
  func timesOfApps(_ reader: GPXTestReader, _ time: (text: String, seconds: Double?)) throws {
    var omissions: [GPXOmission] = []
    let file = try reader.read(
      "<wpt lat='1' lon='2'><time>\(time.text)</time></wpt>", &omissions)
    #expect(file.waypoints.first?.time?.timeIntervalSince1970 == time.seconds)
    #expect(omissions.map(\.kind) == (time.seconds == nil ? ["a time cannot be read"] : []))
  }

  @Test(
    "an elevation that no place on Earth has is none, and counted",
    arguments: GPXTestReader.allCases)
  func elevations(_ reader: GPXTestReader) throws {
    var omissions: [GPXOmission] = []
    let texts = ["65535", "-32768", "nan", "high", "1e308", "8848.9", "-430", "inf", "--"]
    let points = texts.map { "<trkpt lat='1' lon='2'><ele>\($0)</ele></trkpt>" }.joined()
    let file = try reader.read("<trk><trkseg>\(points)</trkseg></trk>", &omissions)
    #expect(
      file.tracks[0].points.map(\.elevation)
        == [nil, nil, nil, nil, nil, 8848.9, -430, nil, nil])
    #expect(omissions.map(\.kind) == ["an elevation is none of a place on Earth"])
    #expect(omissions.map(\.count) == [7] && omissions[0].examples.first == "“65535”")
  }

  @Test(
    "the way between the points of a route that Garmin's programs write is part of it",
    arguments: GPXTestReader.allCases)
  func routePoints(_ reader: GPXTestReader) throws {
    let root = "<gpx xmlns:x='http://www.garmin.com/xmlschemas/GpxExtensions/v3'>"
    let file = try reader.read(
      """
      <rte><rtept lat='1' lon='2'><name>A</name><extensions><x:RoutePointExtension>
      <x:Subclass>00</x:Subclass><x:rpt lat='1.1' lon='2.1'><x:Subclass>01</x:Subclass></x:rpt>
      <x:rpt lat='1.2' lon='2.2'/></x:RoutePointExtension></extensions></rtept>
      <rtept lat='3' lon='4'><extensions><x:rpt lat='9' lon='9'/></extensions></rtept></rte>
      <wpt lat='5' lon='6'><extensions><x:RoutePointExtension><x:rpt lat='7' lon='8'/>
      </x:RoutePointExtension></extensions></wpt>
      """, root: root)
    let points = try #require(file.routes.first).points
    #expect(points.map(\.coordinate.latitude) == [1, 1.1, 1.2, 3])
    #expect(points[0].name == "A" && points[1].name == nil)
    // Written again, it is not there twice.
    let kept = try #require(points[0].details?.extensions)
    #expect(kept.contains("Subclass>00<") && !kept.contains("rpt"))
    #expect(file.waypoints.map(\.coordinate.latitude) == [5])
    let bad =
      "<rte><rtept lat='1' lon='2'><extensions><x:RoutePointExtension>"
      + "<x:rpt lat='91' lon='2'/></x:RoutePointExtension></extensions></rtept></rte>"
    let error = try #require(reader.refusal(of: (root + bad + "</gpx>").utf8))
    #expect(error.description.contains("a point needs lat"))
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
