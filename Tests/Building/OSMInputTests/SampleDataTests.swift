// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import OSMInput

@Suite("Sample map")
struct SampleDataTests {
  private func read(_ name: String) throws -> OSMExtract {
    let path = packageRoot + "/sample-data/" + name
    return name.hasSuffix(".pbf")
      ? try PBFParser(path, threads: 2).parse() : try OverpassParser(path).parse()
  }

  /// The value of a key among tags such as `name=Krähenhütte`.
  private func value(_ key: String, _ tags: [String]) -> String? {
    tags.first { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) }
  }

  @Test("the PBF and the XML file have the same content")
  func same() throws {
    let fromPBF = try read("valley.osm.pbf")
    let fromXML = try read("valley.osm.gz")
    #expect(fromPBF.content == fromXML.content)
    #expect(fromPBF.warnings == fromXML.warnings)
    #expect(fromPBF.counts == fromXML.counts)
  }

  @Test("all waymarked routes are found with their ways, but not the one for cars")
  func routes() throws {
    let extract = try read("valley.osm.pbf")
    let names = extract.content.routeIDs.map { value("name", extract.tags(ofRoute: $0) ?? []) }
    #expect(
      Set(names) == [
        "Arvener Höhenweg", "Krähenjochweg", "Finsterklamm-Steig", "Milchsee-Runde",
        "Arvensee-Uferweg", "Arvenspitze-Steig", "Arvental-Radweg",
      ])
    // Where the high route and the trail over the pass run together.
    let shared = extract.content.wayIDs.filter { id in
      let names = (extract.routes(ofWay: id) ?? []).map {
        value("name", extract.tags(ofRoute: $0) ?? [])
      }
      return names.contains("Arvener Höhenweg") && names.contains("Krähenjochweg")
    }
    #expect(!shared.isEmpty)
    let pass = extract.content.routeIDs.compactMap { extract.tags(ofRoute: $0) }
      .first { value("name", $0) == "Krähenjochweg" }
    #expect(pass.flatMap { value("osmc:symbol", $0) } == "red:red:white_bar:501:black")
    #expect(pass.flatMap { value("from", $0) } == "Unterarven")
  }

  @Test("everything that the map shows as a point is a point of interest")
  func points() throws {
    let extract = try read("valley.osm.pbf")
    let tags = extract.content.poiIDs.indices.map { extract.tags(ofPoint: $0) }
    let expected: [(tag: String, names: Set<String?>)] = [
      (
        "natural=peak",
        ["Arvenspitze", "Grauer Zahn", "Hoher Krähenstein", "Schafkopf", "Ostkogel", "Wetterspitz"]
      ),
      ("natural=saddle", ["Krähenjoch", "Schafschulter"]), ("natural=spring", [nil]),
      ("natural=cave_entrance", ["Eisloch"]), ("tourism=alpine_hut", ["Krähenhütte"]),
      ("tourism=wilderness_hut", ["Obere Alpe"]), ("tourism=viewpoint", ["Klammblick", nil]),
      ("tourism=camp_site", ["Seecamping Hinterarven"]), ("tourism=picnic_site", [nil]),
      (
        "information=guidepost",
        ["Krähenhütte", "Untere Alpe", "Milchalpe", "Ostalpe", "Scharte", "Hinterarven"]
      ),
      ("amenity=shelter", [nil]), ("amenity=drinking_water", [nil]), ("amenity=toilets", [nil]),
      ("amenity=parking", ["Parkplatz Dorf", "Parkplatz See"]),
      ("highway=bus_stop", ["Unterarven Dorf", "Hinterarven Abzweig"]),
      ("place=village", ["Unterarven", "Hinterarven"]), ("place=hamlet", ["Schattseit"]),
      ("mountain_pass=yes", ["Krähenjoch"]),
    ]
    for (tag, names) in expected {
      let found = tags.filter { $0.contains(tag) }.map { value("name", $0) }
      #expect(Set(found) == names, "\(tag)")
    }
    let springs = tags.filter { $0.contains("natural=spring") }
    #expect(springs.count == 6)
    #expect(tags.filter { $0.contains("natural=peak") }.allSatisfy { value("ele", $0) != nil })
  }
}
