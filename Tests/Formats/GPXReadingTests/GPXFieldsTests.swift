// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGPXReading
import CairnGeodesy
import Testing

@Suite("Fields of GPX files")
struct GPXFieldsTests {

  @Test("all fields of a point of version 1.1 are read", arguments: GPXTestReader.allCases)
  func point(_ reader: GPXTestReader) throws {
    let file = try reader.read(
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

  @Test(
    "course, speed, links and what a file says about itself are read in version 1.0",
    arguments: GPXTestReader.allCases)
  func version10(_ reader: GPXTestReader) throws {
    let file = try reader.read(
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

  @Test("the metadata of version 1.1 is read", arguments: GPXTestReader.allCases)
  func metadata(_ reader: GPXTestReader) throws {
    let file = try reader.read(
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

  @Test(
    "an optional field that cannot be read is counted and left out",
    arguments: GPXTestReader.allCases)
  func badFields(_ reader: GPXTestReader) throws {
    var omissions: [GPXOmission] = []
    let file = try reader.read(
      """
      <wpt lat="1" lon="2"><time>noon</time><fix>4d</fix><sat>-1</sat><sat>1e99</sat>
      <hdop>nan</hdop><hdop>0x10</hdop><dgpsid>1024</dgpsid><magvar>360</magvar>
      <speed>-1</speed><course>361</course><link/><name>ok</name></wpt>
      """, &omissions)
    #expect(file.waypoints == [.init(coordinate: .init(latitude: 1, longitude: 2), name: "ok")])
    #expect(omissions.reduce(0) { $0 + $1.count } == 11, "\(omissions)")
    #expect(omissions.contains { $0.kind == "a hdop cannot be read" && $0.count == 2 })
  }

  @Test(
    "a text of any length is cut off within bounds, at the end of a character",
    arguments: GPXTestReader.allCases)
  func longText(_ reader: GPXTestReader) throws {
    var omissions: [GPXOmission] = []
    let text = String(repeating: "a", count: 65_535) + "é and more"
    let file = try reader.read("<wpt lat='1' lon='2'><desc>\(text)</desc></wpt>", &omissions)
    #expect(
      file.waypoints.first?.details?.description == String(repeating: "a", count: 65_535))
    #expect(omissions.map(\.count) == [1])
  }

  @Test("extensions are kept with their namespaces", arguments: GPXTestReader.allCases)
  func extensions(_ reader: GPXTestReader) throws {
    let file = try reader.read(
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

  @Test(
    "speed and course are found among extensions, and what was with them stays",
    arguments: GPXTestReader.allCases)
  func movement(_ reader: GPXTestReader) throws {
    let file = try reader.read(
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
    arguments: GPXTestReader.allCases,
    [
      "<u:x/>", "<a:x b:k='1'/>", "<a:x xmlns:a=''/>", "<a:b:c/>", "<a:x xmlns:xmlns='u'/>",
      "<g:x xmlns:g='http://www.topografix.com/GPX/1/1'/>",
      "<a:x><a:y xmlns:q='u'/><q:z/></a:x>",
    ])
  func badExtensions(_ reader: GPXTestReader, _ element: String) throws {
    var omissions: [GPXOmission] = []
    let file = try reader.read(
      "<wpt lat='1' lon='2'><extensions>\(element)</extensions></wpt>",
      root: "<gpx xmlns:a='urn:a'>", &omissions)
    #expect(file.waypoints.map(\.details) == [nil])
    #expect(omissions.map(\.count) == [1])
  }

  @Test(
    "elements of other namespaces in a point of version 1.0 are extensions",
    arguments: GPXTestReader.allCases)
  func foreign(_ reader: GPXTestReader) throws {
    let file = try reader.read(
      "<wpt lat='1' lon='2'><s:cache id='7'><s:name>n</s:name></s:cache><name>w</name></wpt>",
      root: "<gpx version='1.0' xmlns:s='urn:s'>")
    #expect(file.waypoints.first?.name == "w")
    #expect(
      file.waypoints.first?.details?.extensions
        == #"<s:cache id="7"><s:name>n</s:name></s:cache>"#)
  }

  @Test(
    "a file with a byte order mark is read, in UTF-8 and UTF-16",
    arguments: GPXTestReader.allCases,
    ["utf-8", "utf-16 little endian", "utf-16 big endian"])
  func byteOrderMarks(_ reader: GPXTestReader, _ encoding: String) throws {
    let text = "<gpx><wpt lat='1' lon='2'><name>Höhe 山 🏔</name></wpt></gpx>"
    let units = Array("\u{FEFF}\(text)".utf16)
    let bytes: [UInt8] =
      switch encoding {
      case "utf-8": Array("\u{FEFF}\(text)".utf8)
      case "utf-16 little endian": units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      default: units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      }
    let file = try reader.read(bytes)
    #expect(file.waypoints.map(\.name) == ["Höhe 山 🏔"])
  }
}
