// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGPX
import CairnGPXReading
import CairnGeodesy
import Foundation
import GPXInput
import TestSupport
import Testing

@Suite("Writing GPX")
struct GPXWritingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(_ text: String) throws -> GPXFile {
    var warnings = WarningTally()
    let file = try GPXFile(folder.write(text, to: "w.gpx"), warnings: &warnings)
    #expect(warnings.entries.isEmpty, "\(warnings.entries)")
    return file
  }

  /// What xmllint says against a file.
  private func complaints(_ text: String) throws -> String? {
    let path = try folder.write(text, to: "valid.gpx")
    let schema = packageRoot + "/Tests/Schemas/gpx-1.1.xsd"
    let result = try runProcess(
      "/usr/bin/xmllint", ["--nonet", "--noout", "--schema", schema, path])
    return result.status == 0 ? nil : result.stderr
  }

  private let start = Date(timeIntervalSince1970: 1_700_000_000.125)

  @Test("a recorded track has its name, time, bounds, elevations and times")
  func recorded() throws {
    let points = [
      GPXExporter.TrackPoint(
        coordinate: Coordinate(latitude: 47.5, longitude: 10.25), elevation: 1900.5,
        timestamp: start),
      GPXExporter.TrackPoint(
        coordinate: Coordinate(latitude: 47.6, longitude: 10.2), timestamp: start + 1),
    ]
    let text = GPXExporter.generateGPX(
      trackPoints: points, workoutName: "A & <B> \"C\" 'D'", workoutDate: start)
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="Cairn" xmlns="http://www.topografix.com/GPX/1/1">
          <metadata>
            <name>A &amp; &lt;B&gt; &quot;C&quot; &apos;D&apos;</name>
            <time>2023-11-14T22:13:20.125Z</time>
            <bounds minlat="47.5" minlon="10.2" maxlat="47.6" maxlon="10.25"/>
          </metadata>
          <trk>
            <name>A &amp; &lt;B&gt; &quot;C&quot; &apos;D&apos;</name>
            <trkseg>
              <trkpt lat="47.5" lon="10.25"><ele>1900.5</ele><time>2023-11-14T22:13:20.125Z</time></trkpt>
              <trkpt lat="47.6" lon="10.2"><time>2023-11-14T22:13:21.125Z</time></trkpt>
            </trkseg>
          </trk>
        </gpx>

        """)
    #expect(try complaints(text) == nil)
  }

  @Test("what the schema forbids is left out")
  func forbidden() throws {
    var file = GPXFile()
    file.name = "a\u{0}\u{B}b\u{FFFF}c"
    var bad = GPXFile.Point(
      coordinate: Coordinate(latitude: 90, longitude: 180), elevation: .nan,
      time: Date(timeIntervalSince1970: .infinity))
    var details = GPXFile.Point.Details()
    details.magneticVariation = 360
    details.satellites = -1
    details.stationID = 4000
    details.horizontalDilution = .infinity
    details.speed = -1
    details.course = .nan
    details.correctionAge = 1e-7
    details.links = [.init(href: "http://x.org/ä b\"<[1]")]
    bad.details = details
    file.waypoints = [
      bad, .init(coordinate: Coordinate(latitude: 91, longitude: 0)),
      .init(coordinate: Coordinate(latitude: .nan, longitude: 0)),
    ]
    file.tracks = [.init()]
    file.tracks[0].number = -1
    file.metadata.author = .init(name: "", email: "none")
    file.metadata.copyright = .init(author: "", year: 0)
    file.setBounds()
    let text = GPXExporter.text(file, creator: "a\"b\n")
    #expect(try complaints(text) == nil)
    let again = try read(text)
    #expect(again.name == "abc")
    #expect(again.waypoints.count == 1)
    #expect(again.waypoints.first?.coordinate == Coordinate(latitude: 90, longitude: -180))
    #expect(again.waypoints.first?.details?.correctionAge == 1e-7)
    #expect(
      again.waypoints.first?.details?.links == [.init(href: "http://x.org/%C3%A4%20b%22%3C%5B1%5D")]
    )
  }

  @Test(
    "files of any content are valid, and reading them gives the same content", arguments: 1...40)
  func roundTrip(_ seed: UInt64) throws {
    var random = RandomGPX(seed: seed)
    let file = random.file()
    let text = GPXExporter.text(file, creator: "test")
    let again = try read(text)
    #expect(again == file)
    #expect(try GPXFile(data: Data(text.utf8)) == file)
    let written = GPXExporter.text(again, creator: "test").split(separator: "\n")
    let difference = zip(written, text.split(separator: "\n")).first { $0 != $1 }
    #expect(difference == nil)
    if seed <= 10 { #expect(try complaints(text) == nil) }
  }

  @Test("recorded files of various origins stay the same when they are written, and are valid")
  func recordedFiles() throws {
    for name in ["andorra-map-matching.gpx", "Mojstrovka.gpx", "cerknicko-jezero.gpx"] {
      guard let path = sharedData("gpx/\(name)") else { return }
      let file = try GPXFile(path) { _ in }
      #expect(try GPXFile(contentsOf: URL(filePath: path)) == file)
      let text = GPXExporter.text(file, creator: "test")
      // Times are written to the millisecond.
      let again = try GPXFile(folder.write(text, to: "again.gpx")) { _ in }
      #expect(GPXExporter.text(again, creator: "test") == text)
      #expect(try complaints(text) == nil)
    }
  }

  @Test(
    "a temporary file lies in the temporary folder, whatever its name",
    arguments: [
      ("My Hike: 1/2", "My_Hike__1_2.gpx"), ("../../etc/passwd", "______etc_passwd.gpx"),
      ("a.GPX", "a.gpx"), ("", "track.gpx"), (".hidden", "_hidden.gpx"), ("..", "__.gpx"),
      ("a\u{0}b\\c", "a_b_c.gpx"), (String(repeating: "é", count: 300), nil),
    ] as [(String, String?)])
  func temporaryFile(_ name: String, _ expected: String?) throws {
    let text = GPXExporter.text(GPXFile(), creator: "test \(name.count)")
    let url = try GPXExporter.saveToTemporaryFile(content: text, filename: "cairn-test-" + name)
    defer { try? FileManager.default.removeItem(at: url) }
    let parent = url.deletingLastPathComponent().standardizedFileURL.path
    #expect(parent == FileManager.default.temporaryDirectory.standardizedFileURL.path)
    if let expected { #expect(GPXExporter.fileName(name) == expected) }
    #expect(url.lastPathComponent.utf8.count <= 200 && url.lastPathComponent.hasSuffix(".gpx"))
    #expect(try bytesOfFile(url.path) == Array(text.utf8))
    // Again, and it is replaced.
    #expect(
      try GPXExporter.saveToTemporaryFile(content: text, filename: "cairn-test-" + name) == url)
  }

  @Test("something else of the same name stays")
  func occupied() throws {
    let name = "cairn-test-occupied"
    let path = FileManager.default.temporaryDirectory.appending(path: name + ".gpx").path
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(throws: GPXExporter.Failure.occupied(path: path)) {
      try GPXExporter.saveToTemporaryFile(content: "", filename: name)
    }
    #expect(try bytesOfFile(path) == Array("mine".utf8))
  }
}
