// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Execution
import Foundation
import Manifests
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import RunCommands

@Suite("Data is checked before a night")
struct DataCheckupTests {
  private static let tileBytes = 1201 * 1201 * 2

  /// A world with XML data, which is not looked into, and a whole tile.
  private func world() throws -> World {
    let world = try World()
    try world.change("pbf: valley.osm.pbf", to: "overpass: valley.osm.pbf")
    try world.folder.write([UInt8](repeating: 0, count: Self.tileBytes), to: "hgt/N47E010.hgt")
    return world
  }

  private func results(
    _ world: World, ask: @escaping DataCheckup.Asking = { _ in nil }
  ) throws -> [DataCheckup.Result] {
    try DataCheckup(Manifest.load(world.folder.file("m.yaml")), ask: ask).results()
  }

  /// The findings other than good ones, without the folder of the test.
  private func problems(
    _ world: World, ask: @escaping DataCheckup.Asking = { _ in nil }
  ) throws -> [String] {
    try results(world, ask: ask).filter { $0.finding.verdict != .good }.map { result in
      let finding = result.finding
      let text = "\(finding.verdict) \(finding.subject): \(finding.message) (\(finding.fix ?? ""))"
      return text.replacing(world.folder.path + "/", with: "")
    }
  }

  @Test("each tile that the box of a region needs comes from the first source that has it")
  func sources() throws {
    let world = try world()
    try makeFolders(world.folder.file("fine"))
    try world.folder.write([UInt8](repeating: 0, count: Self.tileBytes), to: "fine/N47E011.hgt")
    try world.change("{ hgt: hgt }", to: "{ hgt: fine }, { hgt: hgt }")
    try world.change("[10.10, 47.00, 10.20, 47.10]", to: "[10.90, 47.00, 11.10, 47.10]")
    let found = try results(world).map {
      "\($0.finding.subject): \($0.finding.message)"
        .replacing(world.folder.path + "/", with: "")
    }
    #expect(
      found == [
        "elevation of west: N47E010 from hgt", "elevation of east: N47E011 from fine",
        "elevation of east: N47E010 from hgt",
      ])
    #expect(try problems(world) == [])
  }

  @Test("tiles that no source has are named; all of a region's are wrong, if they are required")
  func missing() throws {
    let world = try world()
    try world.change("[10.10, 47.00, 10.20, 47.10]", to: "[10.90, 47.50, 11.50, 48.10]")
    #expect(
      try problems(world) == [
        "note elevation of east: N47E011, N48E010 and N48E011 are not in the folder hgt "
          + "(add them, unless there is only sea)"
      ])
    try world.change("[10.90, 47.50, 11.50, 48.10]", to: "[11.40, 47.50, 11.50, 48.10]")
    let wrong =
      "elevation of east: N47E011 and N48E011 are not in the folder hgt "
      + "(add them, or set elevation: none for the region)"
    #expect(try problems(world) == ["wrong \(wrong)"])
    #expect(try results(world).map(\.exitCode).contains(.noInput))
    try world.change("min-edges: 50", to: "min-edges: 50, elevation-coverage: 0")
    #expect(try problems(world) == ["note \(wrong)"])
    try world.change("48.10] }", to: "48.10], elevation: none }")
    #expect(try problems(world) == [])
  }

  @Test("a truncated tile is found, and told once")
  func truncatedTile() throws {
    let world = try world()
    try world.folder.write([UInt8](repeating: 0, count: 1000), to: "hgt/N47E010.hgt")
    let all = try problems(world)
    #expect(all.count == 1)
    #expect(
      all.first?.hasPrefix("wrong elevation of west: hgt/N47E010.hgt: has 1") == true, "\(all)")
    #expect(try results(world).map(\.exitCode).contains(.dataError))
  }

  @Test("a PBF file that is cut off is found, and a region outside of a whole one")
  func extract() throws {
    let world = try World()
    try world.folder.write([UInt8](repeating: 0, count: Self.tileBytes), to: "hgt/N47E010.hgt")
    let whole = try bytesOfFile(packageRoot + "/sample-data/valley.osm.pbf")
    try world.folder.write(whole, to: "valley.osm.pbf")
    #expect(try problems(world) == [])
    try world.folder.write(Array(whole.dropLast(100)), to: "valley.osm.pbf")
    let cut = try problems(world)
    #expect(cut.count == 1 && cut.first?.contains("the file ends here") == true, "\(cut)")
    try world.folder.write(whole, to: "valley.osm.pbf")
    try world.change("[10.10, 47.00, 10.20, 47.10]", to: "[47.00, 10.10, 47.10, 10.20]")
    let swapped = try problems(world)
    #expect(
      swapped == [
        "wrong region east: its latitudes and longitudes look swapped: [47.0, 10.1, 47.1, 10.2] "
          + "lies outside of valley.osm.pbf (longitude comes first: did you mean "
          + "[10.1, 47.0, 10.2, 47.1]?)"
      ])
    try world.change("[47.00, 10.10, 47.10, 10.20]", to: "[-30, 40, -29, 41]")
    #expect(
      try problems(world).first?.hasPrefix(
        "wrong region east: lies outside of valley.osm.pbf, which")
        == true)
  }

  @Test("servers are asked whether they have sources and tiles")
  func servers() throws {
    let world = try world()
    try world.change(
      "overpass: valley.osm.pbf", to: "url: \"http://u:secret@a/v.osm.pbf\", sha256: \(digest)")
    try world.change("{ hgt: hgt }", to: "{ url: \"http://t/{tile}.hgt\" }")
    func failure(_ code: CairnError.Code, _ exit: ExitCode) -> CairnError {
      CairnError(code, exit, "cannot be downloaded", at: Location(file: "http://x"))
    }
    #expect(try problems(world) == [])
    let gone = try problems(world) { _ throws(CairnError) in throw failure(.notOnServer, .noInput) }
    #expect(gone.first == "wrong source valley: http://x: cannot be downloaded ()")
    #expect(
      gone.dropFirst() == [
        "wrong elevation of west: N47E010 is not in the source http://t/{tile}.hgt "
          + "(add it, or set elevation: none for the region)",
        "wrong elevation of east: N47E010 is not in the source http://t/{tile}.hgt "
          + "(add it, or set elevation: none for the region)",
      ])
    let lost = try problems(world) { _ throws(CairnError) in
      throw failure("cannot-fetch", .temporaryFailure)
    }
    #expect(lost.count == 2, "each server once: \(lost)")
    // 405: it takes only downloads.
    let shy = try problems(world) { _ throws(CairnError) in throw failure("cannot-fetch", .noInput)
    }
    #expect(shy == ["note source valley: http://x: cannot be downloaded ()"])
  }

  private let digest = String(repeating: "a", count: 64)
}
