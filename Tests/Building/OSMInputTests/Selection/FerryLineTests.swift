// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import Foundation
import TestSupport
import Testing

@testable import OSMInput

@Suite("Ferry lines")
struct FerryLineTests {
  /// Nodes 1, 2, 3, … in a row, each a thousandth of a degree from the one before: 111 m.
  private static let nodes = (1...40).map {
    MapNode(id: $0, latitude: 470_000_000 + $0 * 10_000, longitude: 100_000_000)
  }

  private static let ferry: KeyValuePairs = ["route": "ferry"]

  /// Reads a map as PBF and as XML, which must give the same content. Way 1 is a path.
  private func extract(_ ways: [MapWay], _ relations: [MapRelation]) throws -> OSMExtract {
    let map = SmallMap(
      nodes: Self.nodes, ways: ways + [MapWay(id: 90, refs: [39, 40])], relations: 0,
      routes: relations)
    let extract = try parsePBF(map.pbf, threads: 2)
    #expect(try parseXML(map.xml) == extract)
    return extract
  }

  private func line(
    _ id: Int64, _ members: [String], _ tags: KeyValuePairs<String, String> = [:]
  ) -> MapRelation {
    let all = [("type", "route"), ("route", "ferry")] + tags.map { ($0.key, $0.value) }
    return MapRelation(id: id, members: members, tags: pairs(all))
  }

  /// Up to eight tags.
  private func pairs(_ tags: [(String, String)]) -> KeyValuePairs<String, String> {
    switch tags.count {
    case 2: [tags[0].0: tags[0].1, tags[1].0: tags[1].1]
    case 3: [tags[0].0: tags[0].1, tags[1].0: tags[1].1, tags[2].0: tags[2].1]
    case 4:
      [tags[0].0: tags[0].1, tags[1].0: tags[1].1, tags[2].0: tags[2].1, tags[3].0: tags[3].1]
    default:
      [
        tags[0].0: tags[0].1, tags[1].0: tags[1].1, tags[2].0: tags[2].1, tags[3].0: tags[3].1,
        tags[4].0: tags[4].1,
      ]
    }
  }

  /// All versions of a way, each with its tags in one text.
  private func versions(_ extract: OSMExtract, ofWay id: Int64) -> [String] {
    extract.content.wayIDs.indices.filter { extract.content.wayIDs[$0] == id }.map {
      extract.tags(extract.content.wayTags, $0).joined(separator: " ")
    }
  }

  @Test("the duration of a line is shared out over its ways by their lengths")
  func share() throws {
    let ways = [
      MapWay(id: 1, refs: [1, 2, 3], tags: [:]), MapWay(id: 2, refs: [3, 4], tags: [:]),
      MapWay(id: 3, refs: [5, 4], tags: Self.ferry),
    ]
    let extract = try extract(
      ways, [line(7, ["w3", "w1", "w2", "n1", "w99"], ["duration": "01:00"])])
    #expect(versions(extract, ofWay: 1) == ["duration=30 route=ferry"])
    #expect(versions(extract, ofWay: 2) == ["duration=15 route=ferry"])
    #expect(versions(extract, ofWay: 3) == ["duration=15 route=ferry"])
    #expect(extract.warnings.total == 0)
  }

  @Test("a way keeps its own duration, and the others share the rest")
  func ownDuration() throws {
    let ways = [
      MapWay(id: 1, refs: [1, 3], tags: ["route": "ferry", "duration": "00:30"]),
      MapWay(id: 2, refs: [3, 4], tags: [:]), MapWay(id: 3, refs: [4, 6], tags: [:]),
      MapWay(id: 4, refs: [6, 7], tags: ["duration": "00:18"]),
    ]
    let extract = try extract(ways, [line(7, ["w1", "w2", "w3", "w4"], ["duration": "60"])])
    #expect(versions(extract, ofWay: 1) == ["duration=00:30 route=ferry"])
    #expect(versions(extract, ofWay: 2) == ["duration=4 route=ferry"])
    #expect(versions(extract, ofWay: 3) == ["duration=8 route=ferry"])
    #expect(versions(extract, ofWay: 4) == ["duration=00:18 route=ferry"])
  }

  @Test("if own durations leave too little, the others are as fast as the whole line")
  func tooLittleLeft() throws {
    let ways = [
      MapWay(id: 1, refs: [1, 3], tags: ["route": "ferry", "duration": "00:30"]),
      MapWay(id: 2, refs: [3, 4], tags: [:]),
    ]
    let extract = try extract(ways, [line(7, ["w1", "w2"], ["duration": "00:30"])])
    #expect(versions(extract, ofWay: 1) == ["duration=00:30 route=ferry"])
    #expect(versions(extract, ofWay: 2) == ["duration=10 route=ferry"])
  }

  @Test(
    "a duration of a way's own that cannot be true is replaced by its share",
    arguments: ["00:00", "-5", "soon", "1000000000:00", "00:00:01"])
  func unbelievable(text: String) throws {
    let ways = [
      MapWay(id: 1, refs: [1, 3], tags: ["route": "ferry", "duration": text]),
      MapWay(id: 2, refs: [3, 5], tags: [:]),
    ]
    let extract = try extract(ways, [line(7, ["w1", "w2"], ["duration": "00:30"])])
    #expect(versions(extract, ofWay: 1) == ["duration=15 route=ferry"])
  }

  @Test("a duration of a line that cannot be read is passed on as it is")
  func unreadable() throws {
    let ways = [
      MapWay(id: 1, refs: [1, 3], tags: ["route": "ferry", "duration": "00:20"]),
      MapWay(id: 2, refs: [3, 5], tags: [:]),
    ]
    let extract = try extract(ways, [line(7, ["w1", "w2"], ["duration": "1000000000:00"])])
    #expect(versions(extract, ofWay: 1) == ["duration=00:20 route=ferry"])
    #expect(versions(extract, ofWay: 2) == ["duration=1000000000:00 route=ferry"])
  }

  @Test("a ferry takes what it lacks from its line, and keeps what it has")
  func lacks() throws {
    let ways = [
      MapWay(
        id: 1, refs: [1, 2], tags: ["route": "ferry", "name": "Own", "motor_vehicle": "yes"]),
      MapWay(id: 2, refs: [2, 3], tags: ["route": "ferry", "foot": "yes"]),
      MapWay(id: 3, refs: [3, 4], tags: ["route": "ferry", "access": "no"]),
      MapWay(id: 4, refs: [4, 5], tags: ["foot": "no"]),
    ]
    let extract = try extract(
      ways,
      [
        line(7, ["w1", "w2"], ["foot": "no", "name": "Line"]),
        line(8, ["w3", "w4"], ["foot": "yes"]),
      ])
    #expect(versions(extract, ofWay: 1) == ["foot=no motor_vehicle=yes name=Own route=ferry"])
    #expect(versions(extract, ofWay: 2) == ["foot=yes name=Line route=ferry"])
    // A line does not open what its way closes.
    #expect(versions(extract, ofWay: 3) == ["access=no route=ferry"])
    #expect(versions(extract, ofWay: 4) == ["foot=no route=ferry"])
  }

  @Test(
    "roles are directions",
    arguments: [
      (["w1:forward"], "oneway=yes"), (["w1:backward"], "oneway=-1"),
      (["w1:forward", "w1:backward"], nil), (["w1:forward", "w1"], nil), (["w1:outward"], nil),
      (["w1:alternative:backward"], "oneway=-1"),
    ] as [([String], String?)])
  func roles(members: [String], oneway: String?) throws {
    for tags in [[:], Self.ferry] as [KeyValuePairs<String, String>] {
      let extract = try extract([MapWay(id: 1, refs: [1, 2], tags: tags)], [line(7, members)])
      let expected = (oneway.map { [$0] } ?? []) + ["route=ferry"]
      #expect(versions(extract, ofWay: 1) == [expected.joined(separator: " ")])
    }
  }

  @Test("a line that goes one way does so along the list of its ways, however these are drawn")
  func oneway() throws {
    let ways = [
      MapWay(id: 1, refs: [1, 2], tags: [:]), MapWay(id: 2, refs: [3, 2], tags: Self.ferry),
      MapWay(id: 3, refs: [4, 3], tags: ["route": "ferry", "oneway": "no"]),
    ]
    let there = try extract(ways, [line(7, ["w1", "w2", "w3"], ["oneway": "yes"])])
    #expect(versions(there, ofWay: 1) == ["oneway=yes route=ferry"])
    #expect(versions(there, ofWay: 2) == ["oneway=-1 route=ferry"])
    #expect(versions(there, ofWay: 3) == ["oneway=no route=ferry"])
    let back = try extract(ways, [line(7, ["w1", "w2", "w3"], ["oneway": "-1"])])
    #expect(versions(back, ofWay: 1) == ["oneway=-1 route=ferry"])
    #expect(versions(back, ofWay: 2) == ["oneway=yes route=ferry"])
  }

  @Test(
    "what is no course is no ferry, and has no share",
    arguments: [
      "w2:platform", "w2:stop", "w2:stop_exit_only", "w2:ferry_terminal", "w3", "w4", "w5", "w6",
      "w7", "r7",
    ])
  func stops(member: String) throws {
    let ways = [
      MapWay(id: 1, refs: [1, 2], tags: [:]), MapWay(id: 2, refs: [2, 3], tags: [:]),
      MapWay(id: 3, refs: [2, 3, 4, 2], tags: ["amenity": "ferry_terminal"]),
      MapWay(id: 4, refs: [2, 3, 4, 2], tags: [:]),
      MapWay(id: 5, refs: [2, 3], tags: ["highway": "construction"]),
      MapWay(id: 6, refs: [2, 3], tags: ["amenity": "ferry_terminal", "foot": "yes"]),
      MapWay(id: 7, refs: [2, 3], tags: ["natural": "coastline"]),
    ]
    let extract = try extract(ways, [line(7, ["w1", member], ["duration": "00:10"])])
    #expect(extract.content.wayIDs == [1, 90])
    #expect(versions(extract, ofWay: 1) == ["duration=00:10 route=ferry"])
  }

  @Test("a river that a line follows is a ferry")
  func river() throws {
    let extract = try extract(
      [MapWay(id: 1, refs: [1, 2], tags: ["waterway": "river"])], [line(7, ["w1"])])
    #expect(versions(extract, ofWay: 1) == ["route=ferry waterway=river"])
  }

  @Test("a closed way is a ferry if it says so")
  func ring() throws {
    let ways = [
      MapWay(id: 1, refs: [1, 2, 3, 1], tags: Self.ferry),
      MapWay(id: 2, refs: [3, 4, 5, 3], tags: [:]),
    ]
    let extract = try extract(ways, [line(7, ["w1", "w2:forward"], ["foot": "yes"])])
    #expect(versions(extract, ofWay: 1) == ["foot=yes route=ferry"])
    #expect(versions(extract, ofWay: 2) == ["foot=yes oneway=yes route=ferry"])
  }

  @Test("an alternative course is as fast as the line, and has no share in its duration")
  func alternative() throws {
    let ways = [
      MapWay(id: 1, refs: [1, 3], tags: [:]), MapWay(id: 2, refs: [3, 4], tags: [:]),
    ]
    let extract = try extract(ways, [line(7, ["w1", "w2:alternative"], ["duration": "00:20"])])
    #expect(versions(extract, ofWay: 1) == ["duration=00:20 route=ferry"])
    #expect(versions(extract, ofWay: 2) == ["duration=10 route=ferry"])
  }

  @Test(
    "of two lines on a way, whatever one allows is allowed, in its time; ids decide nothing",
    arguments: [false, true], [false, true])
  func twoLines(isExchanged: Bool, isListedLater: Bool) throws {
    let cars: KeyValuePairs = ["foot": "no", "duration": "00:10"]
    let walkers: KeyValuePairs = ["foot": "yes", "duration": "00:40"]
    let members = isListedLater ? ["w2", "w1"] : ["w1", "w2"]
    let extract = try extract(
      [MapWay(id: 1, refs: [1, 2], tags: [:]), MapWay(id: 2, refs: [2, 3], tags: Self.ferry)],
      [
        line(7, members, isExchanged ? walkers : cars),
        line(8, members, isExchanged ? cars : walkers),
      ])
    #expect(versions(extract, ofWay: 1) == ["duration=20 foot=yes route=ferry"])
    #expect(versions(extract, ofWay: 2) == ["duration=20 foot=yes route=ferry"])
  }

  @Test("lines for either direction are both there, with their own times")
  func directions() throws {
    let lines = [
      line(7, ["w1:forward"], ["duration": "00:10"]),
      line(8, ["w1:backward"], ["duration": "00:20"]),
    ]
    for lines in [
      lines,
      [lines[1], lines[0]].enumerated().map {
        MapRelation(id: Int64($0), members: $1.members, tags: $1.tags)
      },
    ] {
      let extract = try extract([MapWay(id: 1, refs: [1, 2], tags: [:])], lines)
      #expect(
        Set(versions(extract, ofWay: 1)) == [
          "duration=00:10 oneway=yes route=ferry", "duration=00:20 oneway=-1 route=ferry",
        ])
      #expect(extract.content.wayIDs == [1, 1, 90])
      #expect(extract.warnings.total == 0)
    }
  }

  @Test(
    "lines for two seasons are both there; one that always goes and is as fast makes them needless")
  func seasons() throws {
    let summer = line(7, ["w1"], ["seasonal": "summer", "duration": "00:10"])
    let winter = line(8, ["w1"], ["seasonal": "winter", "duration": "00:30"])
    let ways = [MapWay(id: 1, refs: [1, 2], tags: [:])]
    #expect(versions(try extract(ways, [summer, winter]), ofWay: 1).count == 2)
    let always = line(9, ["w1"], ["duration": "00:10"])
    #expect(
      versions(try extract(ways, [summer, winter, always]), ofWay: 1)
        == ["duration=00:10 route=ferry"])
    let slow = line(9, ["w1"], ["duration": "00:20"])
    #expect(versions(try extract(ways, [summer, winter, slow]), ofWay: 1).count == 2)
  }

  @Test("a line without a duration is not faster than another one on its way")
  func untimed() throws {
    let ways = [MapWay(id: 1, refs: [1, 2], tags: [:])]
    let timed = line(8, ["w1"], ["duration": "00:40", "foot": "yes"])
    for id in [7, 9] as [Int64] {
      let other = try extract(ways, [line(id, ["w1"], ["foot": "yes", "name": "Other"]), timed])
      #expect(versions(other, ofWay: 1).count == 1)
      #expect(versions(other, ofWay: 1)[0].hasPrefix("duration=00:40 foot=yes"))
    }
    // The time of a line that takes no walkers says nothing about one that does.
    let cars = line(9, ["w1"], ["duration": "00:20", "foot": "no"])
    let walkers = line(7, ["w1"], ["foot": "yes"])
    #expect(versions(try extract(ways, [cars, walkers]), ofWay: 1) == ["foot=yes route=ferry"])
  }

  @Test("very many lines on very many ways are read in bounded time")
  func manyLinesOnManyWays() throws {
    var map = SmallMap(nodes: Self.nodes, ways: [MapWay(id: 900, refs: [39, 40])], relations: 0)
    for index in 1...500 { map.ways.append(MapWay(id: Int64(index), refs: [1, 2], tags: [:])) }
    let members = (1...500).map { "w\($0)" }
    map.routes = (1...500).map { line(Int64($0), members, ["name": "\($0)", "seasonal": "\($0)"]) }
    let extract = try parsePBF(map.pbf)
    #expect(Set(extract.content.wayIDs).count == 501)
  }

  @Test("a way of very many lines is there eight times at most")
  func manyLines() throws {
    let lines = (0..<300).map { index in
      line(
        Int64(index + 1), ["w1"],
        ["opening_hours": "\(index % 20):\(10 + index % 50)-23:00", "duration": "\(30 + index)"])
    }
    let extract = try extract([MapWay(id: 1, refs: [1, 2], tags: [:])], lines)
    #expect(versions(extract, ofWay: 1).count == FerryLines.mostCopies)
    let turned = lines.reversed().enumerated().map {
      MapRelation(id: Int64($0 + 1), members: $1.members, tags: $1.tags)
    }
    #expect(
      versions(extract, ofWay: 1)
        == versions(try self.extract([MapWay(id: 1, refs: [1, 2], tags: [:])], turned), ofWay: 1))
  }

  @Test(
    "a line that does not exist makes no ferry",
    arguments: [("state", "proposed"), ("disused", "yes"), ("abandoned:route", "ferry")])
  func lifecycle(tag: (String, String)) throws {
    let extract = try extract(
      [MapWay(id: 1, refs: [1, 2], tags: [:])], [line(7, ["w1"], pairs([tag, ("foot", "yes")]))])
    #expect(extract.content.wayIDs == [90])
  }

  @Test("a line of 10 000 ways in any order, which contains itself")
  func manyMembers() throws {
    var random = SeededGenerator(seed: 1)
    var map = SmallMap(nodes: [], ways: [], relations: 0)
    for index in 0...10_000 {
      map.nodes.append(
        MapNode(
          id: Int64(index + 1), latitude: 470_000_000 + Int64(index) * 100, longitude: 100_000_000))
    }
    for index in 1...10_000 {
      map.ways.append(MapWay(id: Int64(index), refs: [Int64(index), Int64(index + 1)], tags: [:]))
    }
    map.ways.append(MapWay(id: 20_000, refs: [1, 5000]))
    let members = (1...10_000).map { "w\($0)" }.shuffled(using: &random) + ["r7"]
    map.routes = [line(7, members, ["duration": "10:00", "oneway": "yes"])]
    let extract = try parsePBF(map.pbf, threads: 2)
    #expect(extract.content.wayIDs.count == 10_001)
    #expect(try parseXML(map.xml) == extract)
    #expect(extract.tags(ofWay: 17)?.first == "duration=0.06")
  }

  @Test(
    "a region with a part of a line has the share by the whole line, whatever regions there are")
  func partsOfLine() throws {
    let ways = [
      MapWay(id: 1, refs: [1, 3], tags: Self.ferry),
      MapWay(id: 2, refs: [3, 33], tags: Self.ferry),
      MapWay(id: 3, refs: [33, 35], tags: ["route": "ferry", "duration": "08:00"]),
      MapWay(id: 4, refs: [35, 36], tags: ["duration": "08:00"]),
      MapWay(id: 5, refs: [1, 2]),
    ]
    var nodes = Self.nodes
    for index in nodes.indices { nodes[index].latitude += (nodes[index].id - 1) * 1_000_000 }
    let map = SmallMap(
      nodes: nodes, ways: ways, relations: 0,
      routes: [line(7, ["w1", "w2", "w3", "w4"], ["duration": "48:00"])])
    let south = Region(
      BoundingBox(west: 9.9, south: 46.9, east: 10.1, north: 47.002), marginMetres: 0)
    let north = Region(BoundingBox(west: 9.9, south: 50, east: 10.1, north: 60), marginMetres: 0)
    let scratch = try Scratch()
    let path = try scratch.file("map.osm.pbf", map.pbf)
    for regions in [[south], [south, north], [north, south], [.everything, south]] {
      let parser = try PBFParser(path)
      let found = try parser.candidates(for: regions)
      let content = try found.cut(south).0
      let tags = OSMExtract(
        content: content, counts: found.counts, warnings: found.warnings, dataTimestamp: nil
      ).tags(ofWay: 1)
      #expect(tags == ["duration=120", "route=ferry"])
    }
  }

  @Test("a change of a way reaches the regions of the other ways of its line")
  func reach() throws {
    let ways = [
      MapWay(id: 1, refs: [1, 3], tags: Self.ferry), MapWay(id: 2, refs: [3, 33], tags: [:]),
      MapWay(id: 5, refs: [1, 2]), MapWay(id: 6, refs: [33, 34]),
    ]
    var nodes = Self.nodes
    for index in nodes.indices { nodes[index].latitude += (nodes[index].id - 1) * 1_000_000 }
    let map = SmallMap(
      nodes: nodes, ways: ways, relations: 0,
      routes: [line(7, ["w1", "w2"], ["duration": "32:00"])])
    let south = Region(
      BoundingBox(west: 9.9, south: 46.9, east: 10.1, north: 47.002), marginMetres: 0)
    let scratch = try Scratch()
    let path = try scratch.file("map.osm.pbf", map.pbf)
    let changes = [
      "<modify><node id=\"33\" version=\"2\" lat=\"60\" lon=\"10\"/></modify>",
      "<delete><way id=\"2\" version=\"2\"/></delete>",
      "<modify><way id=\"2\" version=\"2\"><nd ref=\"3\"/><nd ref=\"20\"/></way></modify>",
      "<modify><way id=\"2\" version=\"2\"><nd ref=\"3\"/><nd ref=\"33\"/><tag k=\"duration\" v=\"20:00\"/></way></modify>",
      "<modify><way id=\"2\" version=\"2\"><nd ref=\"3\"/><nd ref=\"33\"/><tag k=\"highway\" v=\"path\"/></way></modify>",
    ]
    for (index, change) in changes.enumerated() {
      let file = try scratch.file(
        "\(index).osc", "<osmChange version=\"0.6\">\(change)</osmChange>")
      let before = try PBFParser(path).candidates(for: [south])
      let after = try PBFParser(path, changes: [file]).candidates(for: [south])
      #expect(try before.cut(south).0 != after.cut(south).0)
      #expect(after.changes(of: south).files?.map(\.name) == ["\(index).osc"], "\(change)")
    }
    // What is not of the line does not.
    let other = try scratch.file(
      "other.osc",
      "<osmChange version=\"0.6\"><modify><node id=\"34\" version=\"2\" lat=\"60\" lon=\"10\"/></modify></osmChange>"
    )
    #expect(
      try PBFParser(path, changes: [other]).candidates(for: [south]).changes(of: south).files == nil
    )
  }
}
