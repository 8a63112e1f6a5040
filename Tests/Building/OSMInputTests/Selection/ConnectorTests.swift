// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import Testing

@testable import OSMInput

@Suite("Platforms, piers, lifts and lock gates")
struct ConnectorTests {
  /// A map of two paths, 1-2-3 and 5-9, with further ways of the nodes 1 to 9.
  private static func map(
    _ ways: [MapWay], _ relations: [MapRelation] = []
  ) -> SmallMap {
    let nodes = (1...9).map {
      MapNode(id: Int64($0), latitude: 470_000_000, longitude: 100_000_000 + Int64($0) * 10_000)
    }
    let paths = [MapWay(id: 1, refs: [1, 2, 3]), MapWay(id: 2, refs: [5, 9])]
    return SmallMap(nodes: nodes, ways: paths + ways, relations: 0, routes: relations)
  }

  /// Reads a map as PBF and as XML, which must give the same content.
  private func extract(_ map: SmallMap, region: Region = .everything) throws -> OSMExtract {
    let extract = try parsePBF(map.pbf, region: region, threads: 2)
    #expect(try parseXML(map.xml, region: region) == extract)
    return extract
  }

  @Test(
    "a way that one can walk on is kept if it joins others at two nodes, as a kind of highway",
    arguments: [
      (["railway": "platform"], "platform"), (["public_transport": "platform"], "platform"),
      (["railway": "platform", "public_transport": "platform"], "platform"),
      (["railway": "platform", "public_transport": "station"], "platform"),
      (["highway": "platform"], "platform"), (["highway": "elevator"], "elevator"),
      (["man_made": "pier"], "pier"), (["waterway": "lock_gate", "foot": "yes"], "lock_gate"),
      (["waterway": "lock_gate", "foot": "permissive"], "lock_gate"),
    ] as [(KeyValuePairs, String)])
  func kinds(tags: KeyValuePairs<String, String>, highway: String) throws {
    let extract = try extract(
      Self.map([
        MapWay(id: 10, refs: [3, 4, 5], tags: tags), MapWay(id: 11, refs: [3, 4], tags: tags),
        MapWay(id: 12, refs: [6, 7], tags: tags),
      ]))
    // The second one shares its nodes with the first and is kept with it.
    #expect(extract.content.wayIDs == [1, 2, 10, 11])
    #expect(extract.tags(ofWay: 10)?.contains("highway=\(highway)") == true)
    #expect(extract.tags(ofWay: 10)?.contains("railway=platform") == false)
  }

  @Test(
    "what is no way to walk on is not kept",
    arguments: [
      ["waterway": "lock_gate"], ["waterway": "lock_gate", "foot": "no"], ["waterway": "pier"],
      ["railway": "rail"], ["man_made": "platform"], ["railway": "disused"],
      ["railway": "platform", "highway": "construction"],
    ] as [KeyValuePairs])
  func others(tags: KeyValuePairs<String, String>) throws {
    let extract = try extract(Self.map([MapWay(id: 10, refs: [3, 4, 5], tags: tags)]))
    #expect(extract.content.wayIDs == [1, 2])
  }

  @Test("one node in common is not enough, however often it is passed, and neither is none")
  func loose() throws {
    let platform: KeyValuePairs = ["railway": "platform"]
    let extract = try extract(
      Self.map([
        MapWay(id: 10, refs: [3, 4, 6, 3], tags: platform),
        MapWay(id: 11, refs: [7, 8], tags: platform),
      ]))
    #expect(extract.content.wayIDs == [1, 2])
    #expect(extract.content.nodeIDs == [1, 2, 3, 5, 9])
  }

  @Test("platforms and lifts that share nodes join as one")
  func together() throws {
    let extract = try extract(
      Self.map([
        MapWay(id: 10, refs: [3, 4], tags: ["railway": "platform"]),
        MapWay(id: 11, refs: [4, 6], tags: ["highway": "elevator"]),
        MapWay(id: 12, refs: [6, 5], tags: ["public_transport": "platform"]),
        MapWay(id: 13, refs: [7, 8], tags: ["man_made": "pier"]),
      ]))
    #expect(extract.content.wayIDs == [1, 2, 10, 11, 12])
  }

  @Test("an area is walked along its outline, also that of a relation")
  func areas() throws {
    let extract = try extract(
      Self.map(
        [
          MapWay(id: 10, refs: [3, 4, 5, 6, 3], tags: ["railway": "platform", "area": "yes"]),
          MapWay(id: 11, refs: [1, 7, 9], tags: [:]), MapWay(id: 12, refs: [9, 8, 1], tags: [:]),
          MapWay(id: 13, refs: [2, 4, 2], tags: [:]),
        ],
        [
          MapRelation(
            id: 7, members: ["w11:outer", "w12:outer", "w13:inner"],
            tags: ["type": "multipolygon", "railway": "platform", "ref": "3"]),
          MapRelation(
            id: 8, members: ["w13:outer"], tags: ["type": "route", "railway": "platform"]),
        ]))
    #expect(extract.content.wayIDs == [1, 2, 10, 11, 12, 13])
    #expect(extract.tags(ofWay: 10) == ["area=yes", "highway=platform"])
    #expect(extract.tags(ofWay: 11) == ["highway=platform", "ref=3", "type=multipolygon"])
  }

  @Test("of a key that appears twice the last value counts")
  func repeatedKeys() throws {
    let extract = try extract(
      Self.map([
        MapWay(id: 10, refs: [3, 4, 5], tags: ["railway": "platform", "railway": "rail"]),
        MapWay(id: 11, refs: [3, 6, 5], tags: ["railway": "rail", "railway": "platform"]),
      ]))
    #expect(extract.content.wayIDs == [1, 2, 11])
  }

  @Test("ways around the region count as joined, too")
  func regions() throws {
    let map = Self.map([MapWay(id: 10, refs: [3, 4, 5], tags: ["railway": "platform"])])
    func ids(west: Double, east: Double) throws -> [Int64] {
      let region = Region(BoundingBox(west: west, south: 46.9, east: east, north: 47.1))
      return try extract(map, region: region).content.wayIDs
    }
    #expect(try ids(west: 10, east: 10.01) == [1, 2, 10])
    #expect(try ids(west: 10, east: 10.0036) == [1, 10])
  }
}
