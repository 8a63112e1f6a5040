// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnGeodesy
import CommandLineKit
import SystemIO
import TestSupport
import Testing
import TrailData

@testable import Elevation

@Suite("cairn-sample-elevation")
struct StageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A `.trails` file with a way through some points and a point of interest at the last one.
  private func trails(
    _ points: [FixedCoordinate], way: [String: String] = [:], poi: [String: String] = [:]
  ) throws -> String {
    let texts = Set(way.keys).union(way.values).union(poi.keys).union(poi.values).sorted()
    func add(_ tags: [String: String], to columns: inout TagLists) throws {
      for (key, value) in tags.sorted(by: { $0.key < $1.key }) {
        columns.add(
          key: UInt32(try #require(texts.firstIndex(of: key))),
          value: UInt32(try #require(texts.firstIndex(of: value))))
      }
      columns.endObject()
    }
    var content = TrailsContent()
    content.nodeIDs = points.indices.map { Int64($0 + 1) }
    content.latitudes = points.map(\.latitude)
    content.longitudes = points.map(\.longitude)
    content.wayIDs = [7]
    content.refs = points.indices.map { UInt32($0) }
    content.refOffsets = [0, UInt32(points.count)]
    content.strings = texts.map { Array($0.utf8) }
    try add(way, to: &content.wayTags)
    if !poi.isEmpty, let last = points.last {
      content.poiTypes = [.node]
      content.poiIDs = [9]
      content.poiLatitudes = [last.latitude]
      content.poiLongitudes = [last.longitude]
      try add(poi, to: &content.poiTags)
    }
    let path = folder.file("region.trails")
    try content.write(
      to: path,
      provenance: Provenance(
        tool: "x", dataTimestamp: "2020-01-01T00:00:00Z", counts: ["nodes": points.count]))
    return path
  }

  private func run(_ words: String...) -> ExitCode {
    CommandRunner.run(SampleElevationCommand.self, words + ["--progress", "none", "-q"])
  }

  private func report() throws -> String {
    String(decoding: try folder.read("report.json").filter { $0 != 0x20 }, as: UTF8.self)
  }

  @Test("every node gets its elevation or none, and provenance and report name the tiles")
  func stage() throws {
    try makeTiles()
    let input = try trails([point(42.5, 1.5), point(42.25, 1.25), point(10, 10)])
    let output = folder.file("region.elevated")
    let code = run(
      "--input", input, "--hgt", folder.file("empty"), "--hgt", folder.file("tiles"), "--output",
      output, "--report", folder.file("report.json"), "--threads", "2", "--smoothing-metres", "0",
      "--threshold-metres", "0", "--step-metres", "1000")
    #expect(code == .success)
    let elevated = try TrailsFile(input, elevated: output)
    let elevations = try #require(elevated.elevations).map(\.self)
    #expect(elevations[0] == 354 && elevations[1] == 321 && elevations[2].isNaN)
    #expect(elevated.wayIDs.map(\.self) == [7])
    let provenance = elevated.provenance
    #expect(provenance.elevationTiles == ["N42E001.hgt"])
    #expect(provenance.counts == ["nodes": 3, "nodesWithElevation": 2, "elevationSamples": 34])
    #expect(elevated.sampleRefs.map(Array.init) == Array(repeating: 0, count: 34))
    #expect(elevated.sampleElevations?.allSatisfy { (321...354).contains($0) } == true)
    #expect(provenance.dataTimestamp == "2020-01-01T00:00:00Z")
    let report = try report()
    for fact in [
      #""nodes":3"#, #""ways":1"#, #""withElevation":2"#, #""withoutElevation":1"#,
      #""minimumMetres":321"#, #""maximumMetres":354"#, #""kind":"missing-tile""#,
      #""N10E010:1point,suchasnode3at10.0,10.0""#, #""kind":"no-tile""#, #""kind":"low-coverage""#,
    ] { #expect(report.contains(fact), "\(fact)") }
  }

  @Test("where every tile is required, a way on the ground in a tile that is missing is an error")
  func everyTile() throws {
    try makeTiles()
    func code(_ way: [String: String], _ option: String...) throws -> ExitCode {
      let input = try trails([point(42.5, 1.5), point(42.5, 2.5)], way: way)
      return CommandRunner.run(
        SampleElevationCommand.self,
        [
          "--input", input, "--hgt", folder.file("tiles"), "--output", folder.file("out"),
          "--progress", "none", "-q",
        ] + option)
    }
    #expect(try code(["highway": "path"], "--every-tile") == .noInput)
    #expect(!pathExists(folder.file("out")))
    #expect(try code(["highway": "path"], "--report", folder.file("report.json")) == .success)
    #expect(try report().replacing("\n", with: "").contains(#""missingTiles":["N42E002"]"#))
    // The sea has no tiles.
    let ferry = try code(
      ["route": "ferry"], "--every-tile", "--report", folder.file("report.json"))
    #expect(ferry == .success)
    #expect(try report().replacing("\n", with: "").contains(#""missingTiles":[]"#))
    #expect(try code(["highway": "path", "bridge": "yes"], "--every-tile") == .success)
  }

  @Test("what was too steep has the id of its way, its place and by how much")
  func tooSteep() throws {
    try makeFolders(folder.file("tiles"))
    var drawing = TileDrawing(321)
    drawing[north: 600, east: 600] = 1354
    try folder.write(drawing.bytes, to: "tiles/N42E001.hgt")
    let input = try trails([point(42.499, 1.5), point(42.5, 1.5), point(42.501, 1.5)])
    let code = run(
      "--input", input, "--hgt", folder.file("tiles"), "--output", folder.file("region.elevated"),
      "--report", folder.file("report.json"))
    #expect(code == .success)
    let report = try report()
    #expect(report.contains(#""kind":"too-steep""#))
    #expect(report.contains("way7at42."), "\(report)")
    #expect(report.contains("mupin"))
  }

  private func makeTiles() throws {
    try makeFolders(folder.file("tiles"))
    try makeFolders(folder.file("empty"))
    var drawing = TileDrawing(321)
    drawing[north: 600, east: 600] = 354
    try folder.write(drawing.bytes, to: "tiles/N42E001.hgt")
  }

  @Test("a path to a peak ends at the elevation that the peak is mapped with")
  func summit() throws {
    try makeTiles()
    func elevations(_ tags: [String: String]) throws -> [Float] {
      let input = try trails([point(42.51, 1.5), point(42.5, 1.5)], poi: tags)
      let output = folder.file("region.elevated")
      let code = run(
        "--input", input, "--hgt", folder.file("tiles"), "--output", output, "--report",
        folder.file("report.json"))
      #expect(code == .success)
      return try #require(TrailsFile(input, elevated: output).elevations).map(\.self)
    }
    // The peak is at the second node, where the model has 354 m.
    #expect(try elevations(["natural": "peak", "ele": "390.5"]) == [321, 390.5])
    #expect(try report().contains(#""raisedPeaks":1"#))
    #expect(try elevations(["natural": "peak", "ele": "1350 ft"])[1] == 354)
    #expect(try elevations(["natural": "saddle", "ele": "390.5"])[1] == 354)
    #expect(try elevations(["natural": "peak", "ele": "454"])[1] == 354)
    #expect(try report().contains(#""refusedPeaks":1"#))
  }

  @Test("a region without any elevation is written with a warning")
  func noElevation() throws {
    try makeTiles()
    let input = try trails([point(10, 10), point(10.5, 10.5)])
    let output = folder.file("region.elevated")
    let code = run(
      "--input", input, "--hgt", folder.file("tiles"), "--output", output, "--report",
      folder.file("report.json"))
    #expect(code == .success)
    let elevations = try TrailsFile(input, elevated: output).elevations
    #expect(elevations?.allSatisfy(\.isNaN) == true)
    let report = try report()
    #expect(report.contains(#""kind":"no-elevation""#) && report.contains(#""minimumMetres":null"#))
  }

  @Test("the output has the same bytes for any number of threads")
  func threads() throws {
    try makeTiles()
    let input = try trails((0..<500).map { try point(42 + Double($0) / 700, 1.3) })
    for threads in ["1", "2", "8"] {
      let code = run(
        "--input", input, "--hgt", folder.file("tiles"), "--output", folder.file(threads),
        "--threads",
        threads, "--tile-cache-mib", "1")
      #expect(code == .success)
    }
    let first = try folder.read("1")
    #expect(try folder.read("2") == first && folder.read("8") == first)
  }

  @Test("each error has its exit code and leaves no output")
  func faults() throws {
    try makeTiles()
    let input = try trails([point(42.5, 1.5)])
    let tiles = folder.file("tiles")
    let output = folder.file("region.elevated")
    #expect(run("--input", input, "--output", output) == .usage)
    for option in [
      "--smoothing-metres=-1", "--threshold-metres=1001", "--step-metres=0.5",
      "--step-metres=nan", "--smoothing-metres=0x10",
    ] {
      #expect(run("--input", input, "--hgt", tiles, "--output", output, option) == .usage)
    }
    #expect(run("--input", folder.file("no"), "--hgt", tiles, "--output", output) == .noInput)
    #expect(run("--input", input, "--hgt", folder.file("no"), "--output", output) == .noInput)
    #expect(run("--input", input, "--hgt", tiles, "--output", folder.file("no/x")) == .cannotCreate)
    try folder.write([1, 2, 3], to: "tiles/N42E001.hgt")
    #expect(run("--input", input, "--hgt", tiles, "--output", output) == .dataError)
    #expect(
      run("--input", tiles + "/N42E001.hgt", "--hgt", tiles, "--output", output) == .dataError)
    #expect(try folder.contents == ["empty", "region.trails", "tiles"])
  }
}
