// SPDX-License-Identifier: Apache-2.0
import CairnSearch
import OSMInput
import PlaceIndex
import SearchMeasures
import TestSupport
import Testing
import TrailData

@Suite("Search in Andorra", .enabled(if: sharedData("andorra.osm.pbf") != nil))
struct AndorraSearchTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("andorra.places.db")
    let trails = folder.file("andorra.trails")
    let source = try #require(sharedData("andorra.osm.pbf"))
    try PBFParser(source, threads: 2).parse().content.write(
      to: trails, provenance: Provenance(tool: "a test"))
    try PlaceIndexBuilder(try TrailsFile(trails)).write(to: path)
  }

  @Test(
    "95 of 100 names are among the first five results, however they are typed",
    arguments: [Recall.Measure.prefix, .prefixNearby, .plain, .typo])
  func recall(measure: Recall.Measure) throws {
    let places = try NamedPlaces(path)
    #expect(places.entries.count > 1000)
    let recall = try Recall(measure, of: places, in: try SearchService(path: path), stride: 12)
    #expect(recall.tried > 100)
    #expect(recall.share >= 0.95, "\(measure.rawValue): missed \(recall.misses.prefix(10))")
  }

  /// Many names begin with the same letters, and five of them are shown.
  @Test("of the names that four letters can find at all, 95 of 100 are found")
  func attainable() throws {
    let search = try SearchService(path: path)
    let recall = try Recall(.prefixStrict, of: try NamedPlaces(path), in: search)
    #expect(recall.attainable < recall.tried)
    #expect(recall.shareOfAttainable >= 0.95, "missed \(recall.misses.prefix(10))")
  }
}
