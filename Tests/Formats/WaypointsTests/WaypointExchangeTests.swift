// SPDX-License-Identifier: Apache-2.0
import CairnGPX
import CairnWaypoints
import Foundation
import GPXInput
import TestSupport
import Testing

@Suite("Files of waypoints")
struct WaypointExchangeTests {
  private let fallback = Date(timeIntervalSince1970: 1_600_000_000)

  private var waypoints: [Waypoint] {
    WaypointCategory.allCases.enumerated().map { index, category in
      var waypoint = testWaypoint(
        index, latitude: 47 + Double(index) / 7, seconds: Double(index),
        label: ["Hut", "a, \"b\"", "two\r\nlines", "=1+1", ""][index % 5],
        hike: index % 2 == 0 ? UUID(uuidString: "11111111-2222-4333-8444-555555555555") : nil)
      waypoint.category = category
      waypoint.note = ["", "x\ny", "Höhe 山 🏔", ",", "\"\"\u{301}"][index % 5]
      waypoint.altitude = index % 3 == 0 ? nil : 1e-5 * Double(index)
      return waypoint
    }
  }

  @Test("CSV gives the same waypoints when it is read")
  func csv() throws {
    let text = WaypointCSV.text(waypoints)
    let read = try WaypointCSV.read(Array(text.utf8), fallback: fallback)
    #expect(read.waypoints == waypoints && read.remarks.isEmpty)
    let lines = text.components(separatedBy: "\r\n")
    #expect(
      lines[0] == "id,latitude,longitude,altitude,timestamp,label,category,note,hike_id")
    #expect(text.contains("\"a, \"\"b\"\"\""))
  }

  @Test("GeoJSON gives the same waypoints when it is read, and has their colours and symbols")
  func geoJSON() throws {
    let text = try WaypointGeoJSON(waypoints, creator: "test").text()
    let read = try WaypointGeoJSON.read(Data(text.utf8), fallback: fallback)
    #expect(read.waypoints == waypoints && read.remarks.isEmpty)
    #expect(text.hasPrefix("{\n  \"creator\" : \"test\""))
    #expect(text.contains(##""marker-color" : "#3498DB""##))
    #expect(text.contains(##""marker-symbol" : "drinking-water""##))
  }

  @Test("points of GPX give the same waypoints")
  func gpx() {
    var read = WaypointImport()
    for waypoint in waypoints { read.add(waypoint.gpxPoint, fallback: fallback) }
    #expect(read.waypoints == waypoints)
  }

  /// Labels and notes that readers of GPX take for other texts.
  private static let oddTexts = [
    " Hut", "Hut  ", "two  blanks", "two\nlines", "two\r\nlines\r", "\ttabs\t", "   ", "\n",
    "100 % \"sure\" <b>&amp;</b>\n", "no\u{1}control\u{FFFE}", " Krähenjoch\u{A0}é\u{301} ",
    "]]> ?><!-- \n", "%20 %0A\n",
  ]

  @Test("labels and notes keep their blanks and line breaks through GPX", arguments: oddTexts)
  func blanks(text: String) throws {
    var waypoint = testWaypoint(label: text)
    waypoint.note = text + "."
    let other = testWaypoint(2, label: "A B")
    var file = GPXFile()
    file.waypoints = [waypoint.gpxPoint, other.gpxPoint]
    let written = GPXExporter.text(file, creator: "test")
    #expect(written.components(separatedBy: "label=").count <= 2, "plain texts need no extension")
    let folder = try TemporaryFolder()
    let read = try GPXFile(folder.write(Array(written.utf8), to: "own.gpx")) { _ in }
    var result = WaypointImport()
    for point in read.waypoints { result.add(point, fallback: fallback) }
    #expect(result.waypoints.map(\.label.unicodeScalars.count) == [text.unicodeScalars.count, 3])
    #expect(result.waypoints == [waypoint, other])
    // Twice over other programs, too, which keep extensions.
    let rewritten = GPXExporter.text(read, creator: "other")
    let again = try GPXFile(folder.write(Array(rewritten.utf8), to: "other.gpx")) { _ in }
    var second = WaypointImport()
    for point in again.waypoints { second.add(point, fallback: fallback) }
    #expect(second.waypoints == result.waypoints)
  }

  @Test("a label that another program has changed since is the one that counts")
  func changedLabel() {
    var point = testWaypoint(label: "two  blanks").gpxPoint
    point.name = "Renamed"
    var result = WaypointImport()
    result.add(point, fallback: fallback)
    #expect(result.waypoints.map(\.label) == ["Renamed"])
  }

  @Test("an altitude that is nowhere on Earth is left out, and the rest is read")
  func altitudes() throws {
    var high = testWaypoint()
    high.altitude = 1e308
    #expect(high.gpxPoint.elevation == nil)
    let table = "lat,lon,ele\n1,2,1e308\n1,3,8848\n"
    let read = try WaypointCSV.read(Array(table.utf8), fallback: fallback)
    #expect(read.waypoints.map(\.altitude) == [nil, 8848])
    #expect(read.remarks["altitudes that are not on Earth"] == 1)
  }

  @Test("a table of others is read by the names of its columns")
  func otherTable() throws {
    let text = "\u{FEFF}Name;x\nno\n"
    #expect(throws: WaypointImport.Failure.self) {
      try WaypointCSV.read(Array(text.utf8), fallback: fallback)
    }
    let table =
      "\u{FEFF}Name, LON ,Lat,ele,sym,more\n\"A\"\"\n\",10.5,47,high,Campground,?\n\nB,1,2\r"
    let read = try WaypointCSV.read(Array(table.utf8), fallback: fallback)
    #expect(read.waypoints.map(\.label) == ["A\"\n", "B"])
    #expect(read.waypoints.map(\.category) == [.campsite, .custom])
    #expect(read.waypoints.map(\.longitude) == [10.5, 1])
    #expect(read.waypoints.allSatisfy { $0.timestamp == fallback && $0.altitude == nil })
    #expect(
      read.remarks == ["waypoints without a time": 2, "altitudes that are not numbers": 1])
    // The same table gives the same ids.
    let again = try WaypointCSV.read(Array(table.utf8), fallback: fallback + 5)
    #expect(again.waypoints.map(\.id) == read.waypoints.map(\.id))
    #expect(Set(read.waypoints.map(\.id)).count == 2)
  }

  private func read(_ table: [UInt8]) throws -> [Waypoint] {
    try WaypointCSV.read(table, fallback: fallback).waypoints
  }

  private static func utf16(_ text: String, littleEndian: Bool) -> [UInt8] {
    text.utf16.flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return littleEndian ? bytes.reversed() : bytes
    }
  }

  @Test("a table in UTF-8 or in UTF-16 with a mark keeps its letters")
  func encodings() throws {
    let text = "name,lat,lon\nHütte 🏔 Ƣ,47.5,10.25\n"
    for bytes in [
      Array(text.utf8), Array("\u{FEFF}\(text)".utf8),
      Self.utf16("\u{FEFF}\(text)", littleEndian: true),
      Self.utf16("\u{FEFF}\(text)", littleEndian: false),
    ] {
      #expect(try read(bytes).map(\.label) == ["Hütte 🏔 Ƣ"])
    }
  }

  @Test("a table in any other encoding is refused in words, and nothing of it is guessed")
  func otherEncodings() throws {
    let text = "name,lat,lon\nHütte,47.5,10.25\n"
    let latin = Array("name,lat,lon\nH".utf8) + [0xFC] + Array("tte,47.5,10.25\n".utf8)
    let marked = Self.utf16("\u{FEFF}\(text)", littleEndian: true)
    let lone = Self.utf16("\u{FEFF}lat,lon\n1,2\n", littleEndian: true) + [0x00, 0xD8]
    let tables: [([UInt8], Int?)] = [
      (latin, 2), (Self.utf16(text, littleEndian: true), 2),
      (Self.utf16(text, littleEndian: false), 2), (marked.dropLast(), 2), (lone, 3),
      (Self.utf16("lat,lon\n1,2\n", littleEndian: true), nil),
      ([0xFF, 0xFE, 0, 0] + text.utf8.flatMap { [$0, 0, 0, 0] }, nil),
      // Cut off within a letter.
      (Array("lat,lon,name\n1,2,H".utf8) + [0xC3], 2),
    ]
    for (bytes, line) in tables {
      let error = #expect(throws: WaypointImport.Failure.self) { try read(bytes) }
      #expect(error?.reason.contains("another encoding than UTF-8") == true)
      #expect(error?.line == line)
    }
  }

  @Test("tables of spreadsheets are read: semicolons or tabs, decimal commas, blank rows")
  func spreadsheets() throws {
    for separator in [";", "\t"] {
      let table = """
        ;;;

        name;lat;lon;ele
        "A;B, C";47,5;10,25;1600,5
        ;;;
         ; ;;
        D;47;-10.5;1600
        E;-47,5;10;1.600
        ;;;;;;;
        """.replacingOccurrences(of: ";", with: separator)
      let read = try WaypointCSV.read(Array(table.utf8), fallback: fallback)
      #expect(read.waypoints.map(\.label) == ["A\(separator)B, C", "D", "E"])
      #expect(read.waypoints.map(\.latitude) == [47.5, 47, -47.5])
      #expect(read.waypoints.map(\.longitude) == [10.25, -10.5, 10])
      #expect(read.waypoints.map(\.altitude) == [1600.5, 1600, nil])
      #expect(read.remarks["altitudes that are not numbers"] == 1)
    }
    let quoted = "\"lat\";\"lon\";\"name\"\r\n\"47,5\";\"10,25\";\"x\"\r\n"
    #expect(try read(Array(quoted.utf8)).map(\.longitude) == [10.25])
    // Where points are decimal, a comma may separate thousands.
    let thousands = "lat,lon,ele,name\n,,,\n47.5,10.25,\"1,600\",\"a;b;c\"\n,,,\n"
    let read = try WaypointCSV.read(Array(thousands.utf8), fallback: fallback)
    #expect(read.waypoints.map(\.altitude) == [nil] && read.waypoints.map(\.label) == ["a;b;c"])
  }

  @Test(
    "a bad table is an error with its line",
    arguments: [
      ("", nil), ("lat\n1", 1), ("lat,lon\n1,2\nx,2", 3), ("lat,lon\n1,2\n\n91,2", 4),
      ("lat,lon\n1,2,3", 2), ("lat,lon\n\"1,2", 2), ("lat,lon\n\"1\"x,2", 2),
      ("lat,lon,name\n1,2,\"a\nb\"\n0x1,2,", 4), ("lat|lon\n1|2", 1), ("\n;;\nlat;z\n1;2", 3),
      ("lat;lon\n1,2;3,4,5", 2), ("lat;lon\n1,2;3.4", 2), ("\n,,\n\n", nil),
      ("lat;lon\n1;2\n;\n91;2", 4),
    ] as [(String, Int?)])
  func badTables(_ text: String, _ line: Int?) {
    let error = #expect(throws: WaypointImport.Failure.self) {
      try WaypointCSV.read(Array(text.utf8), fallback: fallback)
    }
    #expect(error?.line == line, "\(String(describing: error))")
  }

  @Test(
    "a name of GeoJSON that is a number is its digits; one that is neither text nor number is none",
    arguments: [
      (#""name": 12"#, "12"), (#""name": 12.5, "description": 3"#, "12.5"), (#""name": -7"#, "-7"),
      (#""name": 12345678901234567890"#, "12345678901234567890"), (#""name": 0.1"#, "0.1"),
      (#""name": null"#, ""), (#""title": 4, "name": null"#, "4"),
      (#""label": "L", "title": "", "name": true"#, "L"), (#""x": true"#, ""),
    ])
  func numericNames(_ properties: String, _ label: String) throws {
    let text = """
      {"type": "Feature", "geometry": {"type": "Point", "coordinates": [10.25, 47.5]},
       "properties": {"ele": "1500", \(properties)}}
      """
    let read = try WaypointGeoJSON.read(Data(text.utf8), fallback: fallback)
    #expect(read.waypoints.map(\.label) == [label])
    #expect(read.waypoints.map(\.note) == [properties.contains("description") ? "3" : ""])
    #expect(read.remarks == ["waypoints without a time": 1])
  }

  @Test("a name of GeoJSON of another type is remarked", arguments: ["true", "[1]", "{}"])
  func otherNames(_ name: String) throws {
    let text = """
      {"type": "Feature", "geometry": {"type": "Point", "coordinates": [10.25, 47.5]},
       "properties": {"name": \(name), "title": null}}
      """
    let read = try WaypointGeoJSON.read(Data(text.utf8), fallback: fallback)
    #expect(read.waypoints.map(\.label) == [""])
    #expect(read.remarks["names that are neither texts nor numbers"] == 1)
  }

  @Test("GeoJSON of others is read: single features, texts of other names, and no other shapes")
  func otherGeoJSON() throws {
    let single = """
      {"type": "Feature", "geometry": {"type": "Point", "coordinates": [10, 47, 1900]},
       "properties": {"title": "Spring", "symbol": "Drinking Water", "time": 7, "x": [1, {}]}}
      """
    let read = try WaypointGeoJSON.read(Data(single.utf8), fallback: fallback)
    #expect(read.waypoints.map(\.label) == ["Spring"])
    #expect(read.waypoints.map(\.category) == [.waterSource])
    #expect(read.waypoints.map(\.altitude) == [1900])
    let mixed = """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "geometry": null, "properties": null},
        {"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[1, 2], [3, 4]]}},
        {"type": "Feature", "id": 7, "geometry": {"type": "Point", "coordinates": [1, 2]}}]}
      """
    let rest = try WaypointGeoJSON.read(Data(mixed.utf8), fallback: fallback)
    #expect(rest.waypoints.count == 1)
    #expect(rest.remarks["features that are not points"] == 2)
  }

  @Test(
    "bad GeoJSON is a typed error",
    arguments: [
      "", "[]", "{}", #"{"type": "Topology"}"#, #"{"type": "FeatureCollection"}"#,
      #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [10, 91]}}"#,
      #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [181, 1]}}"#,
      String(repeating: "[", count: 100_000),
    ])
  func badGeoJSON(_ text: String) {
    #expect(throws: WaypointImport.Failure.self) {
      try WaypointGeoJSON.read(Data(text.utf8), fallback: fallback)
    }
  }
}
