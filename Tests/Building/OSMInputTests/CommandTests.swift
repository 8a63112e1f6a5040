// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Foundation
import Testing
import TrailData

@testable import OSMInput

@Suite("Extract commands", .serialized)
struct CommandTests {
  private let scratch: Scratch
  private let map = SmallMap.valley

  init() throws { scratch = try Scratch() }

  private func decode(_ input: String, _ more: String...) -> ExitCode {
    CommandRunner.run(
      DecodePBFCommand.self,
      ["--input", input, "--output", scratch.path + "/map.trails", "-q"] + more)
  }

  private func parse(_ input: String, _ more: String...) -> ExitCode {
    CommandRunner.run(
      ParseOverpassCommand.self,
      ["--input", input, "--output", scratch.path + "/map.trails", "-q"] + more)
  }

  private func columns(_ path: String) throws -> [[UInt8]] {
    let file = try TrailsFile(path)
    return try [
      file.nodeIDs.map { "\($0)" }, file.latitudes.map { "\($0)" }, file.longitudes.map { "\($0)" },
      file.refs.map { "\($0)" }, file.wayIDs.map { "\($0)" },
      (0..<file.strings.count).map { file.strings[$0] },
    ].map { Array(try JSONEncoder().encode($0)) }
  }

  @Test("both commands write the same columns, a provenance and a report")
  func outputs() throws {
    let pbf = try scratch.file("map.osm.pbf", map.pbf)
    let xml = try scratch.file("map.osm.gz", gzipCompressed(Array(map.xml.utf8)))
    let report = scratch.path + "/report.json"
    #expect(decode(pbf, "--report", report, "--bbox", "9,46,11,48") == .success)
    let trails = try TrailsFile(scratch.path + "/map.trails")
    let provenance = trails.container.provenance
    #expect(provenance.source?.name == "map.osm.pbf")
    #expect(provenance.source?.bytes == map.pbf.count)
    #expect(provenance.source?.sha256.count == 64)
    #expect(provenance.region == "9.0,46.0,11.0,48.0")
    let fromPBF = try columns(scratch.path + "/map.trails")
    let written = try #require(
      StageReport(json: Array(try Data(contentsOf: URL(fileURLWithPath: report)))))
    #expect(written.stage == "cairn-decode-pbf")
    #expect(written.input["nodes"] == 6)
    #expect(written.input["ways"] == 4)
    #expect(written.input["relations"] == 1)
    #expect(written.input["highways"] == 3)
    #expect(written.input["sacScales"] == 1)
    #expect(written.output["ways"] == 2)
    #expect(written.output["refs"] == 6)
    #expect(written.output["routes"] == 0)
    #expect(written.output["pois"] == 0)

    #expect(parse(xml, "--threads", "1", "--bbox", "9,46,11,48") == .success)
    #expect(try columns(scratch.path + "/map.trails") == fromPBF)
  }

  @Test("the file is the same for any number of threads")
  func threads() throws {
    let pbf = try scratch.file("map.osm.pbf", map.pbf)
    var outputs: Set<Data> = []
    for threads in ["1", "2", "4"] {
      #expect(decode(pbf, "--threads", threads) == .success)
      outputs.insert(try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/map.trails")))
    }
    #expect(outputs.count == 1)
  }

  @Test("each failure has its exit code and leaves no output")
  func failures() throws {
    let pbf = try scratch.file("map.osm.pbf", map.pbf)
    let xml = try scratch.file("map.osm", map.xml)
    #expect(decode(scratch.path + "/none.osm.pbf") == .noInput)
    #expect(decode(scratch.path) == .noInput)
    #expect(decode(try scratch.file("cut.osm.pbf", Array(map.pbf.dropLast(5)))) == .dataError)
    #expect(decode(xml) == .dataError)
    #expect(decode(pbf, "--bbox", "1,2,3") == .usage)
    #expect(decode(pbf, "--bbox", "1,2,3,4") == .dataError)
    #expect(decode(pbf, "--polygon", scratch.path + "/none.geojson") == .noInput)
    #expect(decode(pbf, "--bbox", "1,2,3,4", "--polygon", xml) == .usage)
    #expect(parse(scratch.path + "/none.osm") == .noInput)
    #expect(parse(try scratch.file("empty.osm", "")) == .dataError)
    #expect(parse(pbf) == .dataError)
    #expect(parse(try scratch.file("page.osm", "<html></html>")) == .dataError)
    #expect(!FileManager.default.fileExists(atPath: scratch.path + "/map.trails"))
    let elsewhere = CommandRunner.run(
      DecodePBFCommand.self, ["--input", pbf, "--output", "/proc/none/map.trails", "-q"])
    #expect(elsewhere == .cannotCreate)
    #expect(CommandRunner.run(DecodePBFCommand.self, ["--input", pbf]) == .usage)
  }
}
