// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import Testing

@testable import OSMInput

@Suite("Areas to walk on")
struct WalkedAreaTests {
  /// A map of 12 nodes on a grid, with a path that needs nobody.
  private static func map(_ ways: [MapWay], _ relations: [MapRelation]) -> SmallMap {
    let nodes = (1...12).map { node in
      MapNode(
        id: Int64(node), latitude: 470_000_000 + Int64(node / 4) * 10_000,
        longitude: 100_000_000 + Int64(node % 4) * 10_000)
    }
    return SmallMap(
      nodes: nodes, ways: ways + [MapWay(id: 99, refs: [11, 12])], relations: 0, routes: relations)
  }

  /// Reads a map as PBF and as XML, which must give the same content.
  private func extract(_ ways: [MapWay], _ relations: [MapRelation]) throws -> OSMExtract {
    let map = Self.map(ways, relations)
    let extract = try parsePBF(map.pbf, threads: 2)
    #expect(try parseXML(map.xml) == extract)
    return extract
  }

  private func square(_ members: [String], _ highway: String = "service") -> MapRelation {
    MapRelation(
      id: 7, members: members, tags: ["type": "multipolygon", "highway": highway, "name": "Markt"])
  }

  @Test("a multipolygon with any routable highway is walked along its outline")
  func everyHighway() throws {
    // A lift joins other ways at two nodes, so that it is kept.
    let others = [MapWay(id: 98, refs: [1, 2])]
    for highway in TagSelection.routableHighways.sorted() {
      let extract = try extract(
        others + [MapWay(id: 1, refs: [1, 2, 3, 4, 1], tags: [:])], [square(["w1:outer"], highway)])
      #expect(
        extract.tags(ofWay: 1) == ["highway=\(highway)", "name=Markt", "type=multipolygon"],
        "\(highway)")
    }
    for highway in ["motorway", "construction", "proposed", "services", "no"] {
      let extract = try extract(
        [MapWay(id: 1, refs: [1, 2, 3, 4, 1], tags: [:])], [square(["w1:outer"], highway)])
      #expect(extract.content.wayIDs == [99], "\(highway)")
    }
  }

  @Test("a place=square without a highway is not walked")
  func place() throws {
    let extract = try extract(
      [MapWay(id: 1, refs: [1, 2, 3, 4, 1], tags: [:])],
      [MapRelation(id: 7, members: ["w1"], tags: ["type": "multipolygon", "place": "square"])])
    #expect(extract.content.wayIDs == [99])
  }

  @Test("rings of several ways, inner ones too, whatever their order; other roles are no rings")
  func roles() throws {
    let extract = try extract(
      [
        MapWay(id: 1, refs: [1, 2, 3], tags: [:]), MapWay(id: 2, refs: [3, 4, 1], tags: [:]),
        MapWay(id: 3, refs: [5, 6], tags: [:]), MapWay(id: 4, refs: [6, 7, 5], tags: [:]),
        MapWay(id: 5, refs: [8, 9, 10, 8], tags: [:]), MapWay(id: 6, refs: [8, 10], tags: [:]),
        MapWay(id: 8, refs: [1, 8], tags: [:]), MapWay(id: 90, refs: [5, 8]),
      ],
      [
        square(["w4:inner", "w1:outer", "w5:inner", "w2", "w6:label", "w3:inner", "n1", "r9:outer"])
      ]
    )
    #expect(extract.content.wayIDs == [1, 2, 3, 4, 5, 90, 99])
  }

  @Test("a ring with a highway of its own keeps its tags, and what else it is it stays")
  func ownTags() throws {
    let extract = try extract(
      [
        MapWay(id: 1, refs: [1, 2, 3, 4, 1], tags: ["highway": "footway", "surface": "gravel"]),
        MapWay(id: 2, refs: [5, 6, 7, 5], tags: ["highway": "path", "access": "private"]),
        MapWay(id: 3, refs: [8, 9, 10, 8], tags: ["tourism": "alpine_hut", "access": "private"]),
        MapWay(id: 4, refs: [5, 3], tags: ["man_made": "pier"]), MapWay(id: 90, refs: [1, 8]),
      ], [square(["w1:outer", "w2:inner", "w3:inner", "w4:outer"])])
    #expect(extract.content.wayIDs == [1, 2, 3, 4, 90, 99])
    #expect(extract.tags(ofWay: 1) == ["highway=footway", "surface=gravel"])
    #expect(extract.tags(ofWay: 2) == ["access=private", "highway=path"])
    #expect(extract.tags(ofWay: 3) == ["highway=service", "name=Markt", "type=multipolygon"])
    #expect(extract.tags(ofWay: 4) == ["highway=pier", "man_made=pier"])
    try #require(extract.points.count == 1)
    #expect(extract.tags(ofPoint: 0) == ["access=private", "tourism=alpine_hut"])
  }

  @Test("the edge of a hole that no way meets is left out, that of an area is not")
  func looseHoles() throws {
    let ways = [
      MapWay(id: 1, refs: [1, 2, 3, 1], tags: [:]), MapWay(id: 2, refs: [5, 6, 7, 5], tags: [:]),
      MapWay(id: 3, refs: [7, 8, 9, 7], tags: [:]),
    ]
    let square = square(["w1:outer", "w2:inner", "w3:inner"])
    #expect(try extract(ways, [square]).content.wayIDs == [1, 99])
    // Holes that touch have an edge in common.
    let joined = try extract(ways + [MapWay(id: 90, refs: [9, 11])], [square])
    #expect(joined.content.wayIDs == [1, 2, 3, 90, 99])
  }

  @Test("a pier or a platform as a multipolygon has inner edges, too")
  func walkways() throws {
    for (key, value, highway) in [
      ("man_made", "pier", "pier"), ("railway", "platform", "platform"),
      ("public_transport", "platform", "platform"),
    ] {
      let extract = try extract(
        [
          MapWay(id: 1, refs: [1, 2, 3, 4, 1], tags: [:]),
          MapWay(id: 2, refs: [5, 6, 7, 5], tags: [:]),
          MapWay(id: 90, refs: [1, 5]), MapWay(id: 91, refs: [6, 3]),
        ],
        [
          MapRelation(
            id: 7, members: ["w1:outer", "w2:inner"],
            tags: KeyValuePairs(dictionaryLiteral: ("type", "multipolygon"), (key, value)))
        ])
      #expect(extract.content.wayIDs == [1, 2, 90, 91, 99])
      #expect(extract.tags(ofWay: 2)?.contains("highway=\(highway)") == true)
    }
  }

  @Test("rings that touch, a ring of two areas, and broken relations are read without harm")
  func odd() throws {
    let extract = try extract(
      [
        MapWay(id: 1, refs: [1, 2, 3, 1], tags: [:]), MapWay(id: 2, refs: [3, 4, 5, 3], tags: [:]),
        MapWay(id: 3, refs: [6, 7], tags: [:]), MapWay(id: 4, refs: [8], tags: [:]),
        MapWay(id: 5, refs: [], tags: [:]), MapWay(id: 6, refs: [9, 100, 10], tags: [:]),
      ],
      [
        square(["w1:outer", "w1:inner", "w2:inner", "w3:outer", "w4", "w5", "w6", "w77", "r7"]),
        MapRelation(
          id: 8, members: ["w2:outer"], tags: ["type": "multipolygon", "highway": "track"]),
        MapRelation(id: 9, members: [], tags: ["type": "multipolygon", "highway": "track"]),
      ])
    #expect(extract.content.wayIDs.contains(1) && extract.content.wayIDs.contains(3))
    // Of two areas, that with the lower id gives its tags.
    #expect(extract.tags(ofWay: 2)?.contains("highway=service") == true)
  }
}
