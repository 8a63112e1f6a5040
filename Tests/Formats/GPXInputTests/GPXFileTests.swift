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
    try GPXFile(folder.write("<?xml version=\"1.0\"?><\(root)>\(body)</\(root)>", to: "a.gpx")) {
      _ in
    }
  }

  @Test("an error names the file, with line and column")
  func located() throws {
    let error = #expect(throws: CairnError.self) { try read("<wpt lon='2'/>") }
    #expect(error?.exitCode == .dataError)
    #expect(error?.location?.description.contains("a.gpx:1:") == true)
    let missing = #expect(throws: CairnError.self) { try GPXFile(folder.file("none.gpx")) { _ in } }
    #expect(missing?.exitCode == .noInput)
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

  @Test(
    "recorded files of various origins are read",
    arguments: [
      ("andorra-map-matching.gpx", 1), ("Mojstrovka.gpx", 1), ("cerknicko-jezero.gpx", 8),
    ])
  func recorded(_ name: String, _ tracks: Int) throws {
    guard let path = sharedData("gpx/\(name)") else { return }
    let file = try GPXFile(path) { _ in }
    #expect(file.tracks.count == tracks)
    #expect(file.tracks.contains { $0.points.count > 10 })
  }
}
