// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Foundation
import TestSupport
import Testing
import TrailData

@testable import OSMInput

/// Inputs that once made a reader fail, named TARGET-WHAT after the fuzz target that found them.
private let inputs: [String] = {
  let folder = packageRoot + "/Tests/Fuzz/Regressions"
  return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { $0 != "README.md" }.sorted().map { folder + "/" + $0 }
}()

@Suite("Fuzz regressions")
struct RegressionTests {
  @Test("an input that once failed is read or refused with a typed error", arguments: inputs)
  func replay(path: String) throws {
    let name = URL(fileURLWithPath: path).lastPathComponent
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let scratch = try Scratch()
    switch name.prefix(while: { $0 != "-" }) {
    case "pbf": try expectAgreement(try scratch.file("map.osm.pbf", bytes))
    case "block":
      let file = headerFrame() + BlobForm(isCompressed: false).frame(bytes)
      try expectAgreement(try scratch.file("map.osm.pbf", file))
    case "xml": try expectTypedError { _ = try OverpassParser(path).parse() }
    case "region": try expectTypedError { _ = try RegionFile.read(path) }
    case "container":
      try expectTypedError { _ = try TrailsFile(path) }
      try expectTypedError { _ = try GraphFile(path) }
    default: Issue.record("\(name) is named after no target")
    }
  }

  private func expectAgreement(_ path: String) throws {
    var extract: OSMExtract?
    var survey: PBFSurvey?
    try expectTypedError { extract = try PBFParser(path, threads: 2).parse() }
    try expectTypedError { survey = try PBFSurvey(path, tallying: ["highway"], threads: 2) }
    guard let extract, let survey else { return }
    #expect(extract.counts.nodes == survey.nodes.count)
    #expect(extract.counts.ways == survey.ways.count)
    #expect(extract.counts.relations == survey.relations.count)
  }

  private func expectTypedError(_ body: () throws -> Void) throws {
    do { try body() } catch let error as CairnError { #expect(error.exitCode == .dataError) }
  }
}
