// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnTagRules
import Testing

@testable import OSMInput

@Suite("Points of interest")
struct PointTests {
  /// The corners of a square of 200 units at 47° N 10.5° E, and points beside it.
  private var map: SmallMap {
    var map = SmallMap.valley
    map.nodes.removeAll { $0.id == 8 }
    map.ways.removeAll { $0.id == 12 }
    let corners = [(20, 0, 0), (21, 0, 200), (22, 200, 200), (23, 200, 0), (24, 1001, 401)]
    map.nodes += corners.map { id, north, east in
      MapNode(
        id: Int64(id), latitude: 470_000_000 + Int64(north), longitude: 105_000_000 + Int64(east))
    }
    return map
  }

  /// Reads the map as PBF and as XML, which must give the same content.
  private func extract(_ map: SmallMap, region: Region = .everything) throws -> OSMExtract {
    let extract = try parsePBF(map.pbf, region: region, threads: 2)
    #expect(try parseXML(map.xml, region: region) == extract)
    return extract
  }

  @Test("the tags of the table, and no others, make points of interest")
  func table() throws {
    var map = map
    var id: Int64 = 100
    for (key, values) in TagSelection.pointsOfInterest.sorted(by: { $0.key < $1.key }) {
      #expect(TagSelection.pointKeys.contains(key), "\(key) is not kept")
      for value in values.isEmpty ? ["village"] : values.sorted() {
        map.nodes.append(MapNode(id: id, latitude: 1, longitude: 2, tags: [:]))
        map.nodes[map.nodes.count - 1].tags = KeyValuePairs(
          dictionaryLiteral: ("source", "survey"), (key, value), ("ele", "1"), ("name", "A"))
        id += 1
      }
    }
    let count = Int(id) - 100
    for (key, value) in [
      ("natural", "tree"), ("tourism", "peak"), ("name", "peak"), ("barrier", "gate"),
      ("information", "information"), ("amenity", "yes"), ("mountain_pass", "no"),
    ] {
      map.nodes.append(MapNode(id: id, latitude: 1, longitude: 2, tags: [:]))
      map.nodes[map.nodes.count - 1].tags = KeyValuePairs(dictionaryLiteral: (key, value))
      id += 1
    }
    let extract = try extract(map)
    #expect(extract.content.poiIDs == (100..<Int64(100 + count)).map { $0 })
    #expect(extract.points.first == "n100 1 2")
    #expect(extract.tags(ofPoint: 0).first == "aerialway=cable_car")
    #expect(extract.tags(ofPoint: 0).contains("ele=1"))
    #expect(extract.tags(ofPoint: 0).count == 3)
    #expect(extract.content.nodeIDs == [1, 2, 3, 5, 9])
  }

  @Test("a node of a way can also be a point of interest")
  func both() throws {
    var map = map
    map.nodes[2].tags = ["barrier": "gate", "information": "guidepost", "name": "Alm"]
    let extract = try extract(map)
    #expect(extract.points == ["n3 470100000 100200000"])
    #expect(extract.tags(ofPoint: 0) == ["information=guidepost", "name=Alm"])
    #expect(extract.tags(ofNode: 3) == ["barrier=gate"])
  }

  @Test("plain nodes and dense ones give the same points")
  func plainNodes() throws {
    var map = map
    map.nodes[2].tags = ["natural": "spring"]
    map.nodes.append(
      MapNode(id: 70, latitude: 3, longitude: 4, tags: ["name": "Gipfel", "natural": "peak"]))
    let expected = try extract(map)
    #expect(expected.points == ["n3 470100000 100200000", "n70 3 4"])
    var block = BlockWriter()
    block.addPlain(map.nodes)
    block.add(map.ways)
    block.addRelations(1)
    #expect(try parsePBF(headerFrame() + block.frame()) == expected)
  }

  @Test("the centre of a closed way is the middle of its box, and its nodes are not kept")
  func closedWays() throws {
    var map = map
    let hut: KeyValuePairs = ["tourism": "alpine_hut", "name": "Hütte", "building": "yes"]
    map.ways += [
      MapWay(id: 30, refs: [20, 21, 22, 23, 20], tags: hut),
      MapWay(id: 31, refs: [20, 24, 22], tags: hut),
      MapWay(id: 32, refs: [20, 24, 20], tags: hut),
      MapWay(
        id: 33, refs: [1, 2, 3, 1], tags: ["highway": "pedestrian", "place": "square"]),
    ]
    let extract = try extract(map)
    #expect(extract.points == ["w30 470000100 105000100", "w33 470050000 100100000"])
    #expect(extract.tags(ofPoint: 0) == ["building=yes", "name=Hütte", "tourism=alpine_hut"])
    #expect(extract.content.wayIDs == [10, 11, 33])
    #expect(extract.tags(ofWay: 33) == ["highway=pedestrian"])
    #expect(extract.content.nodeIDs == [1, 2, 3, 5, 9])
    #expect(extract.warnings.total == 0)
  }

  @Test("the centre of a multipolygon is the middle of the box of its outer ways")
  func multipolygons() throws {
    var map = map
    map.ways += [
      MapWay(id: 30, refs: [20, 21, 22], tags: [:]),
      MapWay(id: 31, refs: [22, 23, 20], tags: ["source": "x"]),
      MapWay(id: 32, refs: [1, 24, 2, 1], tags: [:]),
    ]
    let camp: KeyValuePairs = ["type": "multipolygon", "tourism": "camp_site"]
    map.routes = [
      MapRelation(id: 5, members: ["w30:outer", "w31", "w32:inner", "n1:label"], tags: camp),
      MapRelation(id: 6, members: ["w10:outer"], tags: camp),
      MapRelation(id: 7, members: ["w30:outer"], tags: ["type": "site", "tourism": "camp_site"]),
      MapRelation(
        id: 8, members: ["w30:outer"], tags: ["type": "multipolygon", "natural": "wood"]),
    ]
    let extract = try extract(map)
    #expect(extract.points == ["r5 470000100 105000100", "r6 470050000 100100000"])
    #expect(extract.tags(ofPoint: 0) == ["tourism=camp_site"])
    #expect(extract.content.nodeIDs == [1, 2, 3, 5, 9])
    #expect(extract.warnings.total == 0)
  }

  @Test(
    "an incomplete area is located by its known part; one without any is left out, with warnings")
  func incomplete() throws {
    var map = map
    map.nodes.removeAll { $0.id == 22 }
    map.ways += [
      MapWay(id: 30, refs: [20, 21, 22, 23, 20], tags: ["amenity": "parking"]),
      MapWay(id: 31, refs: [90, 91, 92, 90], tags: ["amenity": "parking"]),
    ]
    let camp: KeyValuePairs = ["type": "multipolygon", "tourism": "camp_site"]
    map.routes = [
      MapRelation(id: 5, members: ["w30:outer", "w77:outer"], tags: camp),
      MapRelation(id: 6, members: ["w78:outer"], tags: camp),
    ]
    let extract = try extract(map)
    #expect(extract.points == ["w30 470000100 105000100", "r5 470000100 105000100"])
    #expect(extract.warnings("incomplete-area") == 2)
    #expect(extract.warnings("point-without-location") == 2)
  }

  @Test("the centre of an area across the antimeridian is there, too")
  func antimeridian() throws {
    var map = map
    for (index, east) in [(5, 1_799_999_900), (6, -1_799_999_700), (7, -1_799_999_700)] {
      map.nodes[index].longitude = Int64(east)
    }
    map.nodes[8].longitude = 1_799_999_900
    map.ways.append(MapWay(id: 30, refs: [20, 21, 22, 23, 20], tags: ["place": "islet"]))
    #expect(try extract(map).points == ["w30 470000100 -1799999900"])
  }

  @Test("a region has only the points inside it")
  func regions() throws {
    var map = map
    map.nodes[3].tags = ["natural": "spring"]
    map.nodes[0].tags = ["natural": "spring"]
    let region = Region(BoundingBox(west: 10.025, south: 47.015, east: 10.035, north: 47.025))
    #expect(try extract(map, region: region).points == ["n5 470200000 100300000"])
  }

  @Test("of several versions of a point of interest the last one counts")
  func versions() throws {
    var map = map
    let spring: KeyValuePairs = ["natural": "spring"]
    map.nodes.insert(MapNode(id: 4, latitude: 1, longitude: 1, tags: spring), at: 3)
    map.nodes.insert(MapNode(id: 4, latitude: 2, longitude: 2, tags: spring), at: 4)
    map.nodes.insert(MapNode(id: 6, latitude: 3, longitude: 3, tags: spring), at: 6)
    map.nodes.insert(MapNode(id: 6, latitude: 3, longitude: 3), at: 7)
    #expect(try extract(map).points == ["n4 2 2"])

    let header = headerFrame(required: ["OsmSchema-V0.6", "DenseNodes", "HistoricalInformation"])
    var first = BlockWriter()
    first.addDense(
      [
        MapNode(id: 4, latitude: 1, longitude: 1, tags: spring),
        MapNode(id: 4, latitude: 0, longitude: 0),
        MapNode(id: 5, latitude: 1, longitude: 1, tags: spring),
      ], isVisible: [true, false, true])
    var second = BlockWriter()
    second.addDense([MapNode(id: 5, latitude: 1, longitude: 1)], isVisible: [true])
    second.addDense([MapNode(id: 7, latitude: 1, longitude: 1, tags: spring)], isVisible: [true])
    second.addDense(map.nodes.filter { $0.id > 7 || $0.id < 4 })
    second.add([MapWay(id: 1, refs: [1, 2])])
    let history = try parsePBF(header + first.frame() + second.frame())
    #expect(history.points == ["n7 1 1"])
  }

  @Test("Overpass's centres and boxes are used if the nodes of an area are missing")
  func statedCentres() throws {
    let extract = try parseXML(
      """
      <osm version="0.6">
      <node id="1" lat="47.1" lon="10.1"/><node id="2" lat="47.2" lon="10.2"/>
      <way id="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="path"/></way>
      <way id="2"><center lat="47.5" lon="10.5"/><tag k="amenity" v="parking"/></way>
      <way id="3"><center lat="47.6" lon="10.6"/><nd ref="8"/><nd ref="9"/><nd ref="7"/>
        <nd ref="8"/><tag k="tourism" v="camp_site"/></way>
      <way id="4"><bounds minlat="47.0" minlon="10.0" maxlat="47.5" maxlon="10.4"/>
        <nd ref="8"/><nd ref="9"/><nd ref="7"/><nd ref="8"/><tag k="place" v="farm"/></way>
      <way id="5"><center lat="47.7" lon="10.7"/><nd ref="8"/><nd ref="9"/>
        <tag k="amenity" v="parking"/></way>
      <relation id="1"><center lat="47.8" lon="10.8"/><member type="way" ref="77" role="outer"/>
        <tag k="type" v="multipolygon"/><tag k="amenity" v="parking"/></relation>
      </osm>
      """)
    #expect(
      extract.points == [
        "w2 475000000 105000000", "w3 476000000 106000000", "w4 472500000 102000000",
        "r1 478000000 108000000",
      ])
    #expect(extract.warnings.total == 0)
  }
}
