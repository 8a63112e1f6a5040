// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnTagRules
import Testing
import TrailData

@testable import OSMInput

@Suite("Rivers, lifts and the like")
struct LineTests {
  /// Reads the map as PBF and as XML, which must give the same content.
  private func extract(_ map: SmallMap) throws -> OSMExtract {
    let extract = try parsePBF(map.pbf, threads: 2)
    #expect(try parseXML(map.xml) == extract)
    return extract
  }

  /// Nodes from 1000 on in a row, ten units apart.
  private func row(_ count: Int) -> [MapNode] {
    (0..<Int64(count)).map {
      MapNode(id: 1000 + $0, latitude: 470_000_000 + 10 * $0, longitude: 105_000_000)
    }
  }

  @Test("a named river is kept with its line, one without a name is not, nor one of a pond's nodes")
  func rivers() throws {
    var map = SmallMap.valley
    map.nodes += row(6)
    map.ways += [
      MapWay(id: 30, refs: [1000, 1001, 1002], tags: ["waterway": "river", "name": "Inn"]),
      MapWay(id: 31, refs: [1002, 1003], tags: ["waterway": "stream"]),
      MapWay(id: 32, refs: [1003, 1004], tags: ["waterway": "ditch", "name": "Graben"]),
      MapWay(id: 33, refs: [1003, 1005, 1003], tags: ["natural": "ridge", "name": "Grat"]),
    ]
    let lines = try extract(map).content.lines
    #expect(lines.count == 2)
    #expect(try extract(map).content.poiIDs.contains(30) == false)
  }

  @Test("a relation that is a river has those of its ways that do not have its name")
  func riverRelations() throws {
    var map = SmallMap.valley
    map.nodes += row(5)
    map.ways += [
      MapWay(id: 30, refs: [1000, 1001], tags: ["waterway": "river", "name": "Inn"]),
      MapWay(id: 31, refs: [1001, 1002], tags: ["waterway": "river"]),
    ]
    map.routes = [
      // It contains itself, and a way twice.
      MapRelation(
        id: 5, members: ["w30:main_stream", "w31:main_stream", "w31", "r5", "w77"],
        tags: ["type": "waterway", "name": "Inn"])
    ]
    #expect(try extract(map).content.lines.count == 2)
  }

  @Test("a river in 2,000 pieces is read")
  func manyPieces() throws {
    var map = SmallMap.valley
    map.nodes += row(2001)
    map.ways += (0..<Int64(2000)).map {
      MapWay(
        id: 100 + $0, refs: [1000 + $0, 1001 + $0], tags: ["waterway": "river", "name": "Po"])
    }
    #expect(try extract(map).content.lines.count == 2000)
  }

  @Test("a lake with 100 inner rings is one point, one without a name none")
  func lakes() throws {
    var map = SmallMap.valley
    map.nodes += row(400)
    map.ways.append(MapWay(id: 30, refs: [1000, 1001, 1002, 1003, 1000], tags: [:]))
    var members = ["w30:outer"]
    for ring in 1..<Int64(100) {
      let first = 1000 + 4 * ring
      map.ways.append(
        MapWay(id: 30 + ring, refs: [first, first + 1, first + 2, first + 3, first], tags: [:]))
      members.append("w\(30 + ring):inner")
    }
    map.ways.append(
      MapWay(id: 900, refs: [1000, 1001, 1002, 1003, 1000], tags: ["natural": "water"]))
    let lake: KeyValuePairs = ["type": "multipolygon", "natural": "water", "name": "See"]
    map.routes = [MapRelation(id: 5, members: members, tags: lake)]
    let extract = try extract(map)
    #expect(extract.points.filter { $0.hasPrefix("r") } == ["r5 470000015 105000000"])
    #expect(!extract.points.contains { $0.hasPrefix("w") })
  }

  @Test("a station has the kind of the lift whose line ends there, and who may ride it")
  func stations() throws {
    var map = SmallMap.valley
    map.nodes += row(3)
    map.nodes += [
      MapNode(
        id: 2000, latitude: 470_000_000, longitude: 105_000_000, tags: ["aerialway": "station"]),
      MapNode(
        id: 2001, latitude: 471_000_000, longitude: 105_000_000, tags: ["aerialway": "station"]),
    ]
    map.ways.append(
      MapWay(id: 30, refs: [1000, 1002], tags: ["aerialway": "chair_lift", "foot": "yes"]))
    let extract = try extract(map)
    let stations = extract.content.poiIDs.indices.filter { extract.content.poiIDs[$0] >= 2000 }
    #expect(
      stations.map { extract.tags(ofPoint: $0) } == [
        ["aerialway=chair_lift", "foot=yes"], ["aerialway=station"],
      ])
  }

  @Test("a way along which numbers are interpolated is a line, and no point, even as a ring")
  func interpolation() throws {
    var map = SmallMap.valley
    map.nodes += row(4)
    map.ways += [
      MapWay(id: 30, refs: [1000, 1001, 1002], tags: ["addr:interpolation": "odd"]),
      MapWay(id: 31, refs: [1000, 1001, 1002, 1003, 1000], tags: ["addr:interpolation": "all"]),
    ]
    let content = try extract(map).content
    #expect(content.lines.count == 2)
    #expect(!content.poiIDs.contains(30) && !content.poiIDs.contains(31))
  }

  @Test("a house number counts with a street only")
  func houses() throws {
    var map = SmallMap.valley
    map.nodes += [
      MapNode(
        id: 2000, latitude: 470_000_000, longitude: 105_000_000,
        tags: ["addr:housenumber": "4a", "addr:street": "Weg"]),
      MapNode(
        id: 2001, latitude: 470_000_000, longitude: 105_000_000, tags: ["addr:housenumber": "5"]),
    ]
    let ids = try extract(map).content.poiIDs
    #expect(ids.contains(2000) && !ids.contains(2001))
  }
}
