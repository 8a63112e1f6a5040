// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGPX
import CairnGeodesy
import GPXInput
import TestSupport
import Testing

@Suite("GPX files")
struct GPXFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(_ body: String, root: String = "gpx") throws -> GPXFile {
    try GPXFile(folder.write("<?xml version=\"1.0\"?><\(root)>\(body)</\(root)>", to: "a.gpx"))
  }

  @Test("tracks with their segments, routes, waypoints, names and the time are read")
  func all() throws {
    let file = try read(
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
    arguments: [
      ("2023-11-14T22:13:20Z", 1_700_000_000), ("2023-11-14T22:13:20.125Z", 1_700_000_000.125),
      ("2023-11-15T00:13:20+02:00", 1_700_000_000), ("2023-11-14T22:13:20", 1_700_000_000),
      ("1970-01-01T00:00:00Z", 0), ("2000-02-29T12:00:00Z", 951_825_600),
      ("1900-02-28T24:00:00Z", -2_203_891_200), ("2016-12-31T23:59:60Z", 1_483_228_800),
      ("2023-02-29T00:00:00Z", nil), ("2023-13-01T00:00:00Z", nil), ("yesterday", nil),
      ("2023-11-14T22:13:20.Z", nil), ("2023-11-14T22:13:20Zulu", nil), ("2023-11-14", nil),
    ] as [(String, Double?)])
  func times(_ text: String, _ seconds: Double?) throws {
    let file = try read("<wpt lat='1' lon='2'><time>\(text)</time></wpt>")
    #expect(file.waypoints.first?.time?.timeIntervalSince1970 == seconds)
  }

  @Test("namespace prefixes are ignored")
  func prefixes() throws {
    let file = try read(
      "<g:trk><g:trkseg><g:trkpt lat='1' lon='2'/></g:trkseg></g:trk>", root: "g:gpx")
    #expect(file.tracks.first?.points.count == 1)
  }

  @Test(
    "invalid GPX is refused with line and column",
    arguments: [
      ("<trk><trkseg><trkpt lat='91' lon='2'/></trkseg></trk>", "a point needs lat"),
      ("<wpt lon='2'/>", "a point needs lat"), ("<wpt lat='nan' lon='2'/>", "a point needs lat"),
      ("<wpt lat='1' lon='2'><ele>high</ele></wpt>", "ele must be a number of metres"),
      ("<wpt lat='1' lon='2'><ele>1e308</ele></wpt>", "ele must be a number of metres"),
      ("<wpt lat='1' lon='2'><ele>-100001</ele></wpt>", "ele must be a number of metres"),
      ("<wpt lat='1' lon='2'>", "mismatched tag"),
      (String(repeating: "<a>", count: 100), "nested"),
    ])
  func refused(_ body: String, _ message: String) throws {
    let error = #expect(throws: CairnError.self) { try read(body) }
    #expect(error?.exitCode == .dataError)
    #expect(error?.description.contains(message) == true)
    #expect(error?.location?.description.contains("a.gpx:1:") == true)
  }

  @Test("an error for another kind of XML names its root element")
  func otherFiles() throws {
    let kml = try folder.write("<kml/>", to: "a.kml")
    let error = #expect(throws: CairnError.self) { try GPXFile(kml) }
    #expect(error?.message == "is not a GPX file: its root element is <kml>, not <gpx>")
    let bomb = try folder.write(
      "<!DOCTYPE gpx [<!ENTITY a \"aaaa\">]><gpx><name>&a;</name></gpx>", to: "bomb.gpx")
    #expect(throws: CairnError.self) { try GPXFile(bomb) }
    #expect(throws: CairnError.self) { try GPXFile(folder.write("", to: "empty.gpx")) }
    #expect(throws: CairnError.self) { try GPXFile(folder.file("none.gpx")) }
  }

  @Test(
    "recorded files of various origins are read",
    arguments: [
      ("andorra-map-matching.gpx", 1), ("Mojstrovka.gpx", 1), ("cerknicko-jezero.gpx", 8),
    ])
  func recorded(_ name: String, _ tracks: Int) throws {
    guard let path = sharedData("gpx/\(name)") else { return }
    let file = try GPXFile(path)
    #expect(file.tracks.count == tracks)
    #expect(file.tracks.contains { $0.points.count > 10 })
  }
}
