// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Testing
import TrailData

@testable import OSMInput

@Suite("Which values of highway are wanted")
struct HighwayChoiceTests {
  private static let map: SmallMap = {
    var map = SmallMap.valley
    map.ways += [
      MapWay(id: 14, refs: [5, 9], tags: ["footway": "path", "highway": "footway"]),
      MapWay(id: 15, refs: [1, 5], tags: ["route": "ferry"]),
      MapWay(id: 16, refs: [1, 2, 3, 1], tags: ["highway": "pedestrian", "area": "yes"]),
      MapWay(id: 17, refs: [1, 2, 5, 1], tags: [:]),
    ]
    // An area to walk on, whose outline has no tags.
    map.routes = [
      MapRelation(
        id: 70, members: ["w17:outer"], tags: ["type": "multipolygon", "highway": "pedestrian"])
    ]
    return map
  }()

  private func ways(_ highways: HighwayChoice) throws -> [[Int64]] {
    let scratch = try Scratch()
    let pbf = try PBFParser(scratch.file("map.osm.pbf", Self.map.pbf), highways: highways)
    let xml = try OverpassParser(scratch.file("map.osm", Self.map.xml), highways: highways)
    return [try pbf.parse(), try xml.parse()].map { Array($0.content.wayIDs) }
  }

  @Test("ways of other values are left out by both readers, and ferries stay")
  func chosen() throws {
    #expect(try ways(.all) == Array(repeating: [10, 11, 14, 15, 16, 17], count: 2))
    #expect(try ways(HighwayChoice(["path"])) == Array(repeating: [10, 15], count: 2))
    #expect(
      try ways(HighwayChoice(["footway", "pedestrian"]))
        == Array(repeating: [14, 15, 16, 17], count: 2))
  }

  @Test("a word that is also a key stays one")
  func keys() {
    func classes(_ word: String, _ choice: HighwayChoice) -> WordClass {
      Array(word.utf8).withUnsafeBytes { choice.classes(of: $0) }
    }
    let chosen = HighwayChoice(["path"])
    #expect(classes("footway", chosen).contains(.wayKey))
    #expect(!classes("footway", chosen).contains(.routableHighway))
    #expect(classes("path", chosen) == classes("path", .all))
    #expect(HighwayChoice(["motorway", "path"]) == chosen)
  }

  @Test("a command takes a list, and refuses what is never routable")
  func command() throws {
    let scratch = try Scratch()
    let pbf = try scratch.file("map.osm.pbf", Self.map.pbf)
    func decode(_ list: String) -> ExitCode {
      CommandRunner.run(
        DecodePBFCommand.self,
        ["--input", pbf, "--output", scratch.path + "/m.trails", "-q", "--highways", list])
    }
    #expect(decode("path,footway") == .success)
    #expect(try TrailsFile(scratch.path + "/m.trails").wayIDs.map { $0 } == [10, 14, 15])
    for bad in ["motorway", "path,", "path, footway", ""] { #expect(decode(bad) == .usage) }
  }
}
