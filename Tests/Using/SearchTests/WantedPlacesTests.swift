// SPDX-License-Identifier: Apache-2.0
import CairnSearch
import Foundation
import OSMInput
import PlaceIndex
import SearchMeasures
import TestSupport
import Testing
import TrailData

@Suite("What hikers type", .enabled(if: sharedData("andorra.osm.pbf") != nil))
struct WantedPlacesTests {
  @Test("finds what they want")
  func wanted() throws {
    let folder = try TemporaryFolder()
    let list = try String(
      contentsOfFile: packageRoot + "/Tests/Fixtures/queries.tsv", encoding: .utf8)
    var score = WantedPlaces.Score()
    for region in ["andorra", "munich"] {
      let wanted = WantedPlaces(list, region: region)
      let path = folder.file("\(region).places.db")
      let trails = folder.file("\(region).trails")
      let source = try #require(sharedData("\(region).osm.pbf"))
      try PBFParser(source, threads: 2).parse().content.write(
        to: trails, provenance: Provenance(tool: "a test"))
      try PlaceIndexBuilder(try TrailsFile(trails)).write(to: path)
      score.add(try wanted.score(in: SearchService(path: path)))
    }
    #expect(score.tried == 150)
    let report =
      "first \(score.first), among \(score.among)\n"
      + score.misses.map { "  missed: \($0)\n" }.joined()
      + score.late.map { "  late: \($0)\n" }.joined()
    // Of today's database; to be raised with it.
    #expect(score.among * 100 >= score.tried * 95, "\(report)")
    #expect(score.first * 100 >= score.tried * 85, "\(report)")
    #expect(score.unrelated.isEmpty, "\(report)")
  }
}
