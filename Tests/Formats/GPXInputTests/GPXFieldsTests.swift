// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGPX
import CairnGeodesy
import GPXInput
import TestSupport
import Testing

@Suite("Fields of GPX files")
struct GPXFieldsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(_ body: String, root: String = "<gpx>", _ warnings: inout WarningTally) throws
    -> GPXFile
  {
    try GPXFile(folder.write(root + body + "</gpx>", to: "a.gpx"), warnings: &warnings)
  }

  private func read(_ body: String, root: String = "<gpx>") throws -> GPXFile {
    var warnings = WarningTally()
    let file = try read(body, root: root, &warnings)
    #expect(warnings.entries.isEmpty)
    return file
  }

  @Test("all fields of a point of version 1.1 are read")
  func point() throws {
    let file = try read(
      """
      <wpt lat="47" lon="10"><ele>1900.5</ele><time>2026-01-02T03:04:05.250Z</time>
      <magvar>3.5</magvar><geoidheight>48.1</geoidheight><name>Hut</name><cmt>a
      b</cmt><desc> two
      lines </desc><src>map</src><link href="https://x.org/?a=1&amp;b=2"><text>X</text>
      <type>text/html</type></link><link href="y"/><sym>Lodge</sym><type>hut</type><fix>3d</fix>
      <sat>7</sat><hdop>1.5</hdop><vdop>2</vdop><pdop>2.5</pdop><ageofdgpsdata>3</ageofdgpsdata>
      <dgpsid>1023</dgpsid></wpt>
      """)
    let point = try #require(file.waypoints.first)
    #expect(point.elevation == 1900.5 && point.name == "Hut")
    #expect(point.time == parsedTimestamp("2026-01-02T03:04:05.25Z"))
    var expected = GPXFile.Point.Details()
    expected.magneticVariation = 3.5
    expected.geoidHeight = 48.1
    expected.comment = "a\nb"
    expected.description = "two\nlines"
    expected.source = "map"
    expected.links = [
      .init(href: "https://x.org/?a=1&b=2", text: "X", type: "text/html"), .init(href: "y"),
    ]
    expected.symbol = "Lodge"
    expected.type = "hut"
    expected.fix = .threeDimensional
    expected.satellites = 7
    expected.horizontalDilution = 1.5
    expected.verticalDilution = 2
    expected.positionDilution = 2.5
    expected.correctionAge = 3
    expected.stationID = 1023
    #expect(point.details == expected)
  }

  @Test("course, speed, links and what a file says about itself are read in version 1.0")
  func version10() throws {
    let file = try read(
      """
      <name>F</name><desc>D</desc><author>Somebody</author><email>a@b.org</email>
      <url>https://x.org</url><urlname>X</urlname><time>2003-02-01T00:00:00Z</time>
      <keywords>a, b</keywords><bounds minlat="1" minlon="2" maxlat="3" maxlon="4"/>
      <trk><name>T</name><url>u</url><urlname>U</urlname><number>3</number><trkseg>
      <trkpt lat="1" lon="2"><course>271.5</course><speed>1.25</speed><url>p</url></trkpt>
      </trkseg></trk>
      """, root: #"<gpx version="1.0" xmlns="http://www.topografix.com/GPX/1/0">"#)
    #expect(file.metadata.author == .init(name: "Somebody", email: "a@b.org"))
    #expect(file.metadata.links == [.init(href: "https://x.org", text: "X")])
    #expect(file.metadata.keywords == "a, b" && file.metadata.description == "D")
    #expect(file.metadata.bounds == BoundingBox(west: 2, south: 1, east: 4, north: 3))
    let track = try #require(file.tracks.first)
    #expect(track.links == [.init(href: "u", text: "U")] && track.number == 3)
    let details = try #require(track.points.first?.details)
    #expect(details.course == 271.5 && details.speed == 1.25)
    #expect(details.links == [.init(href: "p")])
  }

  @Test("the metadata of version 1.1 is read")
  func metadata() throws {
    let file = try read(
      """
      <metadata><name>N</name><author><name>A</name><email id="a" domain="b.org"/>
      <link href="l"><text>L</text></link></author><copyright author="C"><year>2026</year>
      <license>https://c.org</license></copyright><link href="m"/></metadata>
      """)
    #expect(
      file.metadata.author
        == .init(name: "A", email: "a@b.org", link: .init(href: "l", text: "L")))
    #expect(
      file.metadata.copyright == .init(author: "C", year: 2026, license: "https://c.org"))
    #expect(file.metadata.links == [.init(href: "m")])
  }

  @Test("an optional field that cannot be read is counted and left out")
  func badFields() throws {
    var warnings = WarningTally()
    let file = try read(
      """
      <wpt lat="1" lon="2"><time>noon</time><fix>4d</fix><sat>-1</sat><sat>1e99</sat>
      <hdop>nan</hdop><hdop>0x10</hdop><dgpsid>1024</dgpsid><magvar>360</magvar>
      <speed>-1</speed><course>361</course><link/><name>ok</name></wpt>
      """, &warnings)
    #expect(file.waypoints == [.init(coordinate: .init(latitude: 1, longitude: 2), name: "ok")])
    #expect(warnings.total == 11, "\(warnings.entries)")
    #expect(warnings.entries.contains { $0.kind == "a hdop cannot be read" && $0.count == 2 })
  }

  @Test("a text of any length is cut off within bounds, at the end of a character")
  func longText() throws {
    var warnings = WarningTally()
    let text = String(repeating: "a", count: 65_535) + "é and more"
    let file = try read("<wpt lat='1' lon='2'><desc>\(text)</desc></wpt>", &warnings)
    #expect(
      file.waypoints.first?.details?.description == String(repeating: "a", count: 65_535))
    #expect(warnings.total == 1)
  }

  @Test("extensions are kept with their namespaces")
  func extensions() throws {
    let file = try read(
      """
      <trk xmlns:b="urn:b"><extensions><b:x k="&lt;&quot;"/></extensions><trkseg>
      <trkpt lat="1" lon="2"><extensions> <a:y>1 &amp; 2<a:z/></a:y> <plain>3</plain>
      </extensions></trkpt></trkseg></trk><extensions><c:q xmlns:c="urn:c"/></extensions>
      """, root: #"<gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:a="urn:a">"#)
    #expect(file.namespaces == ["a": "urn:a"])
    let track = try #require(file.tracks.first)
    #expect(track.extensions == #"<b:x k="&lt;&quot;" xmlns:b="urn:b"></b:x>"#)
    let unqualified = "urn:x-cairn:unqualified"
    #expect(
      track.points.first?.details?.extensions
        == #"<a:y xmlns:b="urn:b">1 &amp; 2<a:z></a:z></a:y>"#
        + #"<plain xmlns:b="urn:b" xmlns="\#(unqualified)">3</plain>"#)
    #expect(file.extensions == #"<c:q xmlns:c="urn:c"></c:q>"#)
  }

  @Test("speed and course are found among extensions, and what was with them stays")
  func movement() throws {
    let file = try read(
      """
      <wpt lat="1" lon="2"><extensions><t:TrackPointExtension><t:hr>90</t:hr><t:speed>1.5</t:speed>
      <t:course>90</t:course></t:TrackPointExtension></extensions></wpt>
      <wpt lat="1" lon="2"><extensions><t:TrackPointExtension><t:course>9</t:course>
      </t:TrackPointExtension></extensions></wpt>
      <wpt lat="1" lon="2"><extensions><speed>2</speed><t:speed>3</t:speed></extensions></wpt>
      <wpt lat="1" lon="2"><extensions><t:speed>fast</t:speed></extensions></wpt>
      """, root: #"<gpx xmlns:t="urn:t">"#)
    let details = file.waypoints.map(\.details)
    #expect(details[0]?.speed == 1.5 && details[0]?.course == 90)
    #expect(
      details[0]?.extensions
        == "<t:TrackPointExtension><t:hr>90</t:hr></t:TrackPointExtension>")
    #expect(details[1]?.course == 9 && details[1]?.extensions == nil)
    #expect(details[2]?.speed == 2 && details[2]?.extensions == "<t:speed>3</t:speed>")
    #expect(details[3]?.speed == nil && details[3]?.extensions == "<t:speed>fast</t:speed>")
  }

  @Test(
    "an extension that is not well-formed in its namespaces is counted and left out",
    arguments: [
      "<u:x/>", "<a:x b:k='1'/>", "<a:x xmlns:a=''/>", "<a:b:c/>", "<a:x xmlns:xmlns='u'/>",
      "<g:x xmlns:g='http://www.topografix.com/GPX/1/1'/>",
      "<a:x><a:y xmlns:q='u'/><q:z/></a:x>",
    ])
  func badExtensions(_ element: String) throws {
    var warnings = WarningTally()
    let file = try read(
      "<wpt lat='1' lon='2'><extensions>\(element)</extensions></wpt>",
      root: "<gpx xmlns:a='urn:a'>", &warnings)
    #expect(file.waypoints.map(\.details) == [nil])
    #expect(warnings.total == 1)
  }

  @Test("elements of other namespaces in a point of version 1.0 are extensions")
  func foreign() throws {
    let file = try read(
      "<wpt lat='1' lon='2'><s:cache id='7'><s:name>n</s:name></s:cache><name>w</name></wpt>",
      root: "<gpx version='1.0' xmlns:s='urn:s'>")
    #expect(file.waypoints.first?.name == "w")
    #expect(
      file.waypoints.first?.details?.extensions
        == #"<s:cache id="7"><s:name>n</s:name></s:cache>"#)
  }

  @Test(
    "a file with a byte order mark is read, in UTF-8 and UTF-16",
    arguments: ["utf-8", "utf-16 little endian", "utf-16 big endian"])
  func byteOrderMarks(_ encoding: String) throws {
    let text = "<gpx><wpt lat='1' lon='2'><name>Höhe 山 🏔</name></wpt></gpx>"
    let units = Array("\u{FEFF}\(text)".utf16)
    let bytes: [UInt8] =
      switch encoding {
      case "utf-8": Array("\u{FEFF}\(text)".utf8)
      case "utf-16 little endian": units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      default: units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      }
    let file = try GPXFile(try folder.write(bytes, to: "bom.gpx"))
    #expect(file.waypoints.map(\.name) == ["Höhe 山 🏔"])
  }

  @Test("a file is read piece by piece, in its order")
  func pieces() throws {
    let path = try folder.write(
      """
      <gpx><trk><name>T</name><trkseg><trkpt lat="1" lon="2"/></trkseg><number>1</number></trk>
      <wpt lat="3" lon="4"/><rte><rtept lat="5" lon="6"/></rte><trk/></gpx>
      """, to: "a.gpx")
    var pieces: [String] = []
    var warnings = WarningTally()
    _ = try GPXFile.read(path, warnings: &warnings) { piece throws(CairnError) in
      switch piece {
      case .waypoint(let point): pieces.append("waypoint \(point.coordinate.latitude)")
      case .lineStart(let kind, let line): pieces.append("\(kind) \(line.name ?? "-")")
      case .segmentStart: pieces.append("segment")
      case .point(let point): pieces.append("point \(point.coordinate.latitude)")
      case .lineEnd(let kind, let line): pieces.append("end of \(kind) \(line.number ?? 0)")
      }
    }
    #expect(
      pieces == [
        "track T", "segment", "point 1.0", "end of track 1", "waypoint 3.0", "route -",
        "point 5.0", "end of route 0", "track -", "end of track 0",
      ])
  }
}
