// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import Testing

@testable import OSMInput

@Suite("Ferries and walkable areas")
struct FerryTests {
  /// Reads a map of the valley's nodes as PBF and as XML, which must give the same content.
  private func extract(_ ways: [MapWay], _ relations: [MapRelation] = []) throws -> OSMExtract {
    let map = SmallMap(nodes: SmallMap.valley.nodes, ways: ways, relations: 0, routes: relations)
    let extract = try parsePBF(map.pbf, threads: 2)
    #expect(try parseXML(map.xml) == extract)
    return extract
  }

  @Test("a ferry is kept with its duration, whatever other tags it has")
  func ferry() throws {
    let extract = try extract([
      MapWay(id: 1, refs: [1, 2], tags: ["route": "ferry", "duration": "00:20", "foot": "yes"]),
      MapWay(id: 2, refs: [2, 3], tags: ["route": "ferry", "highway": "construction"]),
      MapWay(id: 3, refs: [3, 5], tags: ["route": "piste"]),
      MapWay(id: 4, refs: [5, 9], tags: ["highway": "path", "route": "hiking"]),
    ])
    #expect(extract.content.wayIDs == [1, 2, 4])
    #expect(extract.tags(ofWay: 1) == ["duration=00:20", "foot=yes", "route=ferry"])
    #expect(extract.tags(ofWay: 4) == ["highway=path", "route=hiking"])
    #expect(extract.counts.highways == 2)
  }

  @Test("a way whose later version is not a ferry is dropped")
  func versions() throws {
    var block = BlockWriter()
    block.addDense(SmallMap.valley.nodes)
    block.add([MapWay(id: 1, refs: [1, 2], tags: ["route": "ferry"])], isVisible: true)
    block.add([MapWay(id: 1, refs: [1, 2], tags: ["route": "bus"])], isVisible: true)
    block.add([MapWay(id: 2, refs: [2, 3])], isVisible: true)
    let header = headerFrame(required: ["OsmSchema-V0.6", "DenseNodes", "HistoricalInformation"])
    #expect(try parsePBF(header + block.frame()).content.wayIDs == [2])
  }

  @Test("the ways of a ferry relation inherit its tags, unless they are routable by themselves")
  func ferryRelation() throws {
    let tags: KeyValuePairs = ["type": "route", "route": "ferry", "foot": "yes", "duration": "15"]
    let extract = try extract(
      [
        MapWay(id: 1, refs: [1, 2], tags: [:]), MapWay(id: 2, refs: [2, 3]),
        MapWay(id: 3, refs: [3, 5], tags: ["building": "yes"]),
      ],
      [MapRelation(id: 7, members: ["w1", "w2", "w3:stop", "w99", "n1"], tags: tags)])
    #expect(extract.content.wayIDs == [1, 2])
    #expect(extract.tags(ofWay: 1) == ["duration=15", "foot=yes", "route=ferry"])
    #expect(extract.tags(ofWay: 2) == ["highway=path"])
    #expect(extract.content.routeIDs.isEmpty)
  }

  @Test("the outer and inner ways of a square inherit its tags")
  func square() throws {
    let tags: KeyValuePairs = [
      "type": "multipolygon", "highway": "pedestrian", "name": "Markt", "place": "square",
    ]
    let extract = try extract(
      [
        MapWay(id: 1, refs: [1, 2, 3], tags: [:]),
        MapWay(id: 2, refs: [3, 5, 1], tags: ["highway": "steps"]),
        MapWay(id: 3, refs: [5, 9, 3, 5], tags: [:]), MapWay(id: 4, refs: [5, 9]),
      ],
      [
        MapRelation(id: 7, members: ["w1:outer", "w2:outer", "w3:inner"], tags: tags),
        MapRelation(
          id: 8, members: ["w1:outer"], tags: ["type": "multipolygon", "highway": "footway"]),
        MapRelation(
          id: 9, members: ["w3:outer"], tags: ["type": "multipolygon", "landuse": "grass"]),
        MapRelation(id: 10, members: ["w3:outer"], tags: ["type": "route", "highway": "footway"]),
      ])
    #expect(extract.content.wayIDs == [1, 2, 3, 4])
    let inherited = ["highway=pedestrian", "name=Markt", "type=multipolygon"]
    #expect(extract.tags(ofWay: 1) == inherited)
    #expect(extract.tags(ofWay: 2) == ["highway=steps"])
    #expect(extract.tags(ofWay: 3) == inherited)
    // It is also a point of interest, with the tags of one.
    #expect(extract.points.count == 2)
    #expect(
      extract.tags(ofPoint: 1) == ["highway=pedestrian", "name=Markt", "place=square"])
  }

  @Test("the tags of a relation with too many of them are not inherited")
  func tooManyTags() throws {
    let relation = MapRelation(
      id: 7, members: ["w1:outer"],
      tags: [
        "type": "multipolygon", "highway": "pedestrian",
        // Four times eight, and one too many with highway.
        "access:aa": "no", "access:ab": "no", "access:ac": "no", "access:ad": "no",
        "access:ba": "no", "access:bb": "no", "access:bc": "no", "access:bd": "no",
        "access:ca": "no", "access:cb": "no", "access:cc": "no", "access:cd": "no",
        "access:da": "no", "access:db": "no", "access:dc": "no", "access:dd": "no",
        "access:ea": "no", "access:eb": "no", "access:ec": "no", "access:ed": "no",
        "access:fa": "no", "access:fb": "no", "access:fc": "no", "access:fd": "no",
        "access:ga": "no", "access:gb": "no", "access:gc": "no", "access:gd": "no",
        "access:ha": "no", "access:hb": "no", "access:hc": "no", "access:hd": "no",
      ])
    let extract = try extract(
      [MapWay(id: 1, refs: [1, 2], tags: [:]), MapWay(id: 4, refs: [5, 9])], [relation])
    #expect(extract.content.wayIDs == [4])
  }

  @Test("the tags of a deleted relation are not inherited, and the last version counts")
  func relationVersions() throws {
    let square: KeyValuePairs = ["type": "multipolygon", "highway": "pedestrian"]
    var block = BlockWriter()
    block.addDense(SmallMap.valley.nodes)
    block.add([
      MapWay(id: 1, refs: [1, 2], tags: [:]), MapWay(id: 2, refs: [2, 3], tags: [:]),
      MapWay(id: 3, refs: [3, 5], tags: [:]), MapWay(id: 4, refs: [5, 9]),
    ])
    block.add([MapRelation(id: 1, members: ["w1:outer"], tags: square)], isVisible: true)
    block.add([MapRelation(id: 1, members: ["w2:outer"], tags: square)], isVisible: true)
    block.add([MapRelation(id: 2, members: ["w3:outer"], tags: square)], isVisible: true)
    block.add([MapRelation(id: 2, members: [], tags: [:])], isVisible: false)
    let header = headerFrame(required: ["OsmSchema-V0.6", "DenseNodes", "HistoricalInformation"])
    #expect(try parsePBF(header + block.frame()).content.wayIDs == [2, 4])
  }

  @Test("a ferry with locations on the way is kept")
  func locationsOnWays() throws {
    let nodes = Dictionary(uniqueKeysWithValues: SmallMap.valley.nodes.map { ($0.id, $0) })
    var block = BlockWriter()
    block.add(
      [
        MapWay(id: 1, refs: [1, 2], tags: ["route": "ferry"]),
        MapWay(id: 2, refs: [5, 9], tags: [:]),
      ], locations: nodes)
    block.add([
      MapRelation(
        id: 1, members: ["w2:outer"], tags: ["type": "multipolygon", "highway": "footway"])
    ])
    let extract = try parsePBF(headerFrame(optional: ["LocationsOnWays"]) + block.frame())
    #expect(extract.content.wayIDs == [1, 2])
    #expect(extract.warnings.total == 0)
  }
}
