// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Testing

@testable import OSMInput

@Suite("OpenStreetMap XML")
struct OverpassParserTests {
  private let map = SmallMap.valley

  private func expect(
    _ code: CairnError.Code, _ text: String, says words: String = "",
    _ source: SourceLocation = #_sourceLocation
  ) {
    let error = failure { try parseXML(text) }
    #expect(error?.code == code, "\(error as Any)", sourceLocation: source)
    #expect(error?.exitCode == .dataError, sourceLocation: source)
    #expect(
      words.isEmpty || error?.description.contains(words) == true, "\(error as Any)",
      sourceLocation: source)
  }

  @Test("the same map as XML and as PBF gives the same content, counts and warnings")
  func sameAsPBF() throws {
    #expect(try parseXML(map.xml) == (try parsePBF(map.pbf)))
  }

  @Test("ways may come before their nodes")
  func anyOrder() throws {
    let lines = map.xml.split(separator: "\n")
    let shuffled = lines[..<2] + lines[2..<(lines.count - 1)].reversed() + lines.suffix(1)
    #expect(
      try parseXML(shuffled.joined(separator: "\n")).content == (try parsePBF(map.pbf)).content)
  }

  @Test("gzip is read, even in several members and with trailing zeros")
  func gzip() throws {
    let bytes = Array(map.xml.utf8)
    let expected = try parseXML(bytes)
    #expect(try parseXML(gzipCompressed(bytes)) == expected)
    let members = gzipCompressed(Array(bytes[..<100])) + gzipCompressed(Array(bytes[100...]))
    #expect(try parseXML(members) == expected)
    #expect(try parseXML(members + [0, 0, 0]) == expected)
  }

  @Test("invalid gzip data is an error with its byte offset")
  func brokenGzip() {
    let packed = gzipCompressed(Array(map.xml.utf8))
    let cut = failure { try parseXML(Array(packed.dropLast(12))) }
    #expect(cut?.code == .truncatedFile)
    #expect(cut?.location?.position == .byte(packed.count - 12))
    var damaged = packed
    damaged[packed.count - 5] ^= 0xff
    #expect(failure { try parseXML(damaged) }?.code == .damagedCompression)
    #expect(failure { try parseXML(packed + Array("rubbish".utf8)) }?.code == .damagedCompression)
  }

  @Test("JOSM's single quotes, deleted objects and negative ids are read")
  func josm() throws {
    let extract = try parseXML(
      """
      <?xml version='1.0' encoding='UTF-8'?>
      <osm version='0.6' generator='JOSM'>
        <node id='-1' action='modify' visible='true' lat='47.1' lon='10.1' />
        <node id='-2' lat='47.2' lon='10.2' />
        <node id='3' action='delete' visible='true' lat='47.3' lon='10.3' />
        <way id='-5'><nd ref='-1' /><nd ref='-2' /><tag k='highway' v='path' /></way>
        <way id='6' action='delete'><nd ref='-1' /><nd ref='-2' /><tag k='highway' v='path' /></way>
        <way id='7' visible='false'><nd ref='-1' /><nd ref='-2' /><tag k='highway' v='path' /></way>
        <way id='8'><nd ref='-2' /><nd ref='-1' /><nd ref='3' /><tag k='highway' v='path' /></way>
      </osm>
      """)
    #expect(extract.content.wayIDs == [-5, 8])
    #expect(extract.refs(ofWay: 8) == [-2, -1])
    #expect(extract.coordinate(ofNode: -2) == [472_000_000, 102_000_000])
  }

  @Test("ways that contain the coordinates of their nodes need no nodes")
  func geometry() throws {
    let extract = try parseXML(
      """
      <osm version="0.6"><note>The data</note><meta osm_base="2024-01-02T03:04:05Z"/>
      <way id="1"><bounds minlat="0" minlon="0" maxlat="1" maxlon="1"/>
      <nd ref="5" lat="47.1" lon="10.1"/><nd ref="4" lat="47.2" lon="10.2"/><nd ref="6"/>
      <tag k="highway" v="footway"/></way>
      <way id="2"><center lat="1" lon="2"/><nd ref="4"/><nd ref="5"/><tag k="highway" v="track"/></way>
      <relation id="1"><member type="way" ref="1" role=""><nd lat="1" lon="2"/></member></relation>
      </osm>
      """)
    #expect(extract.refs(ofWay: 1) == [5, 4])
    #expect(extract.refs(ofWay: 2) == [4, 5])
    #expect(extract.coordinate(ofNode: 4) == [472_000_000, 102_000_000])
    #expect(extract.dataTimestamp == "2024-01-02T03:04:05Z")
    #expect(extract.warnings("missing-node") == 1)
  }

  @Test(
    "out body, meta, skel, geom and center give the same ways", arguments: OverpassForm.allCases)
  func forms(form: OverpassForm) throws {
    let answer = form.answer
    guard form != .skel else {
      // Without tags a path is not distinguishable from a house.
      expect(.noRoutableWays, answer, says: "no way with a routable highway")
      return
    }
    let extract = try parseXML(answer)
    #expect(extract.refs(ofWay: 1) == [5, 4])
    #expect(extract.coordinate(ofNode: 5) == [471_000_000, 101_000_000])
    #expect(extract.tags(ofWay: 1) == ["highway=footway"])
    #expect(extract.points == ["w2 472000000 102000000"])
    #expect(extract.routes(ofWay: 1) == [1])
  }

  @Test("the part of a way that a clipped answer contains is kept")
  func clippedGeometry() throws {
    let extract = try parseXML(
      """
      <osm version="0.6"><way id="1"><bounds minlat="0" minlon="0" maxlat="1" maxlon="1"/>
      <nd ref="1"/><nd ref="2" lat="47.1" lon="10.1"/><nd ref="3" lat="47.2" lon="10.2"/><nd ref="4"/>
      <nd ref="5" lat="47.3" lon="10.3"/><tag k="highway" v="path"/></way></osm>
      """)
    #expect(extract.refs(ofWay: 1) == [2, 3])
    #expect(extract.warnings("missing-node") == 2)
    #expect(extract.warnings("shortened-way") == 1)
  }

  @Test("predefined entities are resolved in names")
  func escapes() throws {
    let extract = try parseXML(
      map.xml.replacing("Große Straße", with: "A &amp; B &lt;&#252;&#x20AC;&gt;"))
    #expect(extract.tags(ofWay: 11)?.contains("name=A & B <ü€>") == true)
  }

  @Test("a remark of Overpass is an error with its text, however much data precedes it")
  func remark() {
    let text = map.xml.replacing(
      "</osm>", with: "<remark> runtime error: Query timed out in &quot;query&quot; </remark></osm>"
    )
    expect(.overpassFailure, text, says: "runtime error: Query timed out in \"query\"")
  }

  @Test("a web page is recognised and its title quoted")
  func html() {
    expect(
      .overpassFailure, "<html><head><title>504 Gateway\nTime-out</title></head><br></html>",
      says: "“504 Gateway Time-out”")
    expect(
      .overpassFailure,
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/xhtml1.dtd">
      <html><head><title>OSM3S Response</title></head><body>
      <p><strong style="color:#FF0000">Error</strong>: line 1: parse error: <i>;</i> expected </p>
      """, says: "“OSM3S Response; error: line 1: parse error: ; expected”")
    expect(.overpassFailure, "\n<!doctype HTML><p>no", says: "web page")
  }

  @Test("the error of truncated XML has its line")
  func cutOff() {
    let bytes = Array(map.xml.utf8)
    for count in stride(from: 60, to: bytes.count - 7, by: 37) {
      let error = failure { try parseXML(Array(bytes[..<count])) }
      #expect(error?.code == .truncatedFile, "\(count): \(error as Any)")
      guard case .line(let line, _) = error?.location?.position else {
        Issue.record("no line in \(error as Any)")
        continue
      }
      #expect(line >= 2)
    }
  }

  @Test("the error of malformed XML has its line and column")
  func malformed() {
    expect(.malformedXML, "<osm>\n  <node id='1'</osm>", says: "map.osm:2:15: not well-formed XML")
    expect(.malformedXML, "{\"version\": 0.6}", says: "[out:xml]")
  }

  @Test("files of other kinds are recognised")
  func otherKinds() {
    expect(.emptyFile, "", says: "is empty")
    expect(.wrongFileKind, "<osmChange version='0.6'></osmChange>", says: "osmChange")
    expect(.wrongFileKind, "<gpx></gpx>", says: "<gpx>")
    expect(.wrongFileKind, "<osm><action type='create'/></osm>", says: "augmented diff")
    expect(.wrongFileKind, "BZh91AY", says: "bunzip2")
    let pbf = failure { try parseXML(map.pbf) }
    #expect(pbf?.hint?.contains("cairn-decode-pbf") == true)
  }

  @Test("document types are refused, and with them entities")
  func documentTypes() {
    var laughs = "<!DOCTYPE lolz [<!ENTITY a0 'ha'>"
    for level in 1...12 {
      laughs += "<!ENTITY a\(level) '" + String(repeating: "&a\(level - 1);", count: 10) + "'>"
    }
    expect(.refusedXML, laughs + "]><osm><note>&a12;</note></osm>", says: "lolz")
  }

  @Test("deep nesting and long tokens are refused")
  func limits() {
    let deep = String(repeating: "<a>", count: 100)
    expect(.refusedXML, "<osm>" + deep, says: "nested")
    let long = String(repeating: "x", count: 3 << 20)
    expect(
      .refusedXML, "<osm><node id='1' lat='1' lon='1' user='\(long)'/>",
      says: "1\u{A0}048\u{A0}576 bytes")
  }

  @Test("invalid attributes are errors with their line")
  func badAttributes() {
    let broken = [
      "<node lat='1' lon='1'/>", "<node id='x' lat='1' lon='1'/>",
      "<node id='1' lat='north' lon='1'/>", "<way/>", "<way id='1'><nd/></way>",
      "<way id='1'><nd ref='1.5'/></way>", "<way id='1'><tag k='highway'/></way>",
    ]
    for element in broken {
      expect(.badAttribute, "<osm>\n\(element)</osm>", says: "map.osm:2:")
    }
  }

  @Test("a file without a routable way is an error")
  func nothingRoutable() {
    expect(.noRoutableWays, "<osm version='0.6'/>")
    expect(
      .noRoutableWays, "<osm><way id='1'><nd ref='1'/><tag k='highway' v='proposed'/></way></osm>")
  }
}

/// The forms in which Overpass returns the same objects: a path, a parking area and a route.
enum OverpassForm: String, CaseIterable {
  case body, meta, skel, geom, center

  private var metadata: String {
    self == .meta
      ? #" version="3" timestamp="2020-01-01T00:00:00Z" changeset="7" uid="9" user="Ä""# : ""
  }

  private func node(_ id: Int, _ latitude: Double, _ longitude: Double) -> String {
    self == .geom
      ? "" : #"<node id="\#(id)" lat="\#(latitude)" lon="\#(longitude)"\#(metadata)/>"#
  }

  private func ref(_ id: Int, _ latitude: Double, _ longitude: Double) -> String {
    self == .geom
      ? #"<nd ref="\#(id)" lat="\#(latitude)" lon="\#(longitude)"/>"# : #"<nd ref="\#(id)"/>"#
  }

  private func tag(_ key: String, _ value: String) -> String {
    self == .skel ? "" : #"<tag k="\#(key)" v="\#(value)"/>"#
  }

  private var extent: String {
    switch self {
    case .center: #"<center lat="47.2000000" lon="10.2000000"/>"#
    case .geom: #"<bounds minlat="47.1" minlon="10.1" maxlat="47.3" maxlon="10.3"/>"#
    case .body, .meta, .skel: ""
    }
  }

  var answer: String {
    let (first, second, third) = ((5, 47.1, 10.1), (4, 47.2, 10.3), (6, 47.3, 10.2))
    let corners = [first, second, third]
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <osm version="0.6" generator="Overpass API"><note>The data</note>
      <meta osm_base="2024-01-02T03:04:05Z"/>
      \(corners.map { node($0.0, $0.1, $0.2) }.joined())
      <way id="1"\(metadata)>\(extent)\(ref(5, 47.1, 10.1))\(ref(4, 47.2, 10.3))
      \(tag("highway", "footway"))</way>
      <way id="2"\(metadata)>\(extent)
      \((corners + [first]).map { ref($0.0, $0.1, $0.2) }.joined())\(tag("amenity", "parking"))</way>
      <relation id="1"\(metadata)>\(extent)<member type="way" ref="1" role="">
      \(self == .geom ? #"<nd lat="47.1" lon="10.1"/>"# : "")</member>
      \(tag("type", "route"))\(tag("route", "hiking"))</relation>
      </osm>
      """
  }
}
