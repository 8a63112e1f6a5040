// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnTagRules
import TestSupport
import Testing
import TrailData

@testable import OSMInput

@Suite("Areas that are dangerous or closed")
struct HazardAreaTests {
  /// The corners of a square of 200 units and, inside it, of a hole, at the start of the path.
  private var map: SmallMap {
    var map = SmallMap.valley
    map.nodes.removeAll { $0.id == 8 }
    map.ways.removeAll { $0.id == 12 }
    let corners = [
      (20, -100, -100), (21, -100, 100), (22, 100, 100), (23, 100, -100), (30, -10, -10),
      (31, -10, 10), (32, 10, 10),
    ]
    map.nodes += corners.map { id, north, east in
      MapNode(
        id: Int64(id), latitude: 470_000_000 + Int64(north), longitude: 100_000_000 + Int64(east))
    }
    return map
  }

  /// Reads the map as PBF and as XML, which must give the same content.
  private func extract(_ map: SmallMap, region: Region = .everything) throws -> OSMExtract {
    let extract = try parsePBF(map.pbf, region: region, threads: 2)
    #expect(try parseXML(map.xml, region: region) == extract)
    return extract
  }

  /// The areas as TYPE/ID TAGS and the number of points of each line.
  private func areas(_ extract: OSMExtract) throws -> [String] {
    let folder = try TemporaryFolder()
    let path = folder.file("map.trails")
    try extract.content.write(to: path, provenance: Provenance(tool: "a test"))
    let file = try TrailsFile(path)
    return (0..<file.areas.count).map { area in
      let tags = file.areas.tags.texts(of: area, in: file.strings)
      let type = OSMObjectType(rawValue: file.areas.types[area]).map { "\($0)" } ?? "?"
      let text = tags.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " ")
      let lines = file.areas.lines(ofArea: area).map { "\($0.count)" }.joined(separator: "+")
      return "\(type)/\(file.areas.ids[area]) \(text) \(lines)"
    }
  }

  @Test("closed ways with the tags of a hazard are kept with their outline, and are no points")
  func closedWays() throws {
    var map = map
    let ring: [Int64] = [20, 21, 22, 23, 20]
    map.ways += [
      MapWay(id: 30, refs: ring, tags: ["natural": "glacier", "name": "Ferner"]),
      MapWay(id: 31, refs: ring, tags: ["natural": "wood"]),
      MapWay(id: 32, refs: [20, 21, 22], tags: ["natural": "glacier"]),
      MapWay(id: 33, refs: ring, tags: ["leisure": "nature_reserve"]),
      MapWay(id: 34, refs: ring, tags: ["leisure": "nature_reserve", "access": "no"]),
      MapWay(id: 35, refs: ring, tags: ["natural": "wetland", "tidal": "yes"]),
      MapWay(id: 36, refs: ring, tags: ["natural": "wetland", "wetland": "bog"]),
      MapWay(id: 37, refs: ring, tags: ["landuse": "military"]),
      MapWay(id: 38, refs: ring, tags: ["military": "danger_area"]),
    ]
    let extract = try extract(map)
    #expect(
      try areas(extract) == [
        "way/30 name=Ferner natural=glacier 5", "way/34 access=no leisure=nature_reserve 5",
        "way/35 natural=wetland tidal=yes 5", "way/37 landuse=military 5",
        "way/38 military=danger_area 5",
      ])
    // A glacier with a name is one for search, too.
    #expect(extract.content.poiIDs == [30, 38])
    #expect(extract.warnings.total == 0)
  }

  @Test("a relation has the lines of its parts and of its holes, as multipolygon or boundary")
  func relations() throws {
    var map = map
    map.ways += [
      MapWay(id: 30, refs: [20, 21, 22], tags: [:]),
      MapWay(id: 31, refs: [22, 23, 20], tags: [:]),
      MapWay(id: 32, refs: [30, 31, 32, 30], tags: [:]),
    ]
    let members = ["w30:outer", "w31:outer", "w32:inner"]
    map.routes = [
      MapRelation(
        id: 5, members: members, tags: ["type": "multipolygon", "natural": "glacier"]),
      MapRelation(id: 6, members: members, tags: ["type": "boundary", "boundary": "hazard"]),
      MapRelation(id: 7, members: members, tags: ["type": "site", "natural": "glacier"]),
    ]
    let extract = try extract(map)
    #expect(
      try areas(extract) == [
        "relation/5 natural=glacier 3+3+4", "relation/6 boundary=hazard 3+3+4",
      ])
    #expect(extract.warnings.total == 0)
  }

  @Test("a ring that a relation lists twice counts once")
  func listedTwice() throws {
    var map = map
    map.ways.append(MapWay(id: 30, refs: [20, 21, 22, 23, 20], tags: [:]))
    map.routes = [
      MapRelation(
        id: 5, members: ["w30:outer", "w30:inner", "w30:outer"],
        tags: ["type": "multipolygon", "natural": "glacier"])
    ]
    #expect(try areas(try extract(map)) == ["relation/5 natural=glacier 5"])
  }

  @Test("an outline that the extract cuts is closed by a straight line, with a warning")
  func cut() throws {
    var map = map
    map.ways.append(MapWay(id: 30, refs: [20, 21, 22], tags: [:]))
    map.routes = [
      MapRelation(
        id: 5, members: ["w30:outer", "w31:outer"],
        tags: ["type": "multipolygon", "natural": "glacier"])
    ]
    let extract = try extract(map)
    #expect(try areas(extract) == ["relation/5 natural=glacier 3+2"])
    #expect(extract.warnings.total == 1)
  }

  @Test("a region has the areas whose box meets that of its ways")
  func regions() throws {
    var map = map
    map.nodes += [(40, 0, 0), (41, 0, 50), (42, 50, 0)].map { id, north, east in
      MapNode(
        id: Int64(id), latitude: 480_000_000 + Int64(north), longitude: 100_000_000 + Int64(east))
    }
    map.ways += [
      MapWay(id: 30, refs: [20, 21, 22, 23, 20], tags: ["natural": "glacier"]),
      MapWay(id: 31, refs: [40, 41, 42, 40], tags: ["natural": "glacier"]),
    ]
    #expect(try areas(extract(map)).count == 1)
  }

  @Test("open ends of an outline are joined within it, never with those of another one")
  func gaps() {
    func point(_ x: Int64, _ y: Int64) -> NodeCoordinate {
      NodeCoordinate(latitude: y, longitude: x)
    }
    let lines = [
      [point(0, 0), point(1, 0), point(1, 1)], [point(10, 0), point(11, 0)],
      [point(11, 0), point(11, 5)], [point(1, 1), point(0, 1)],
    ]
    let closing = AreaGaps(lines).closing
    #expect(closing == [[point(0, 0), point(0, 1)], [point(10, 0), point(11, 5)]])
  }
}
