// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MapChecks

@Suite("Networks and streets")
struct NetworkTests {
  @Test("ways that nothing leads to are one island, and a bridge between two buildings is none")
  func islands() throws {
    var map = DrawnMap()
    map.line([(0, 0), (2000, 0)])
    let lane = map.line([(0, 300), (100, 300)])
    map.way([lane[1], map.node(100, 400)])
    map.line([(500, 500), (510, 500)], ["bridge": "yes", "layer": "1"])
    map.line([(700, 500), (760, 500)], ["indoor": "yes"])
    let found = try map.findings().filter { $0.kind == .island }
    #expect(found.map(\.id) == ["island/w101"])
    #expect(found.first?.text == "2 ways of 200 m that no other way leads to")
  }

  @Test("one-way streets that lead nowhere are found at both ends, aisles and garages are not")
  func onewayEnds() throws {
    func map(_ highway: String, end: DrawnMap.Tags = [:]) -> DrawnMap {
      var map = DrawnMap()
      let street = map.line([(0, 0), (500, 0)], ["highway": "residential"])
      map.way([street[0], map.node(0, 200, end)], ["highway": highway, "oneway": "yes"])
      map.way([map.node(500, 200, end), street[1]], ["highway": highway, "oneway": "yes"])
      return map
    }
    #expect(try map("residential").ids(.onewayEnd) == ["oneway-end/n3", "oneway-end/n4"])
    #expect(try map("service").ids(.onewayEnd).isEmpty)
    let garage = map("residential", end: ["amenity": "parking_entrance"])
    #expect(try garage.ids(.onewayEnd).isEmpty)
  }

  @Test("a one-way street that goes on as a motorway, or is closed, leads somewhere")
  func onewayStreets() throws {
    var map = DrawnMap()
    let street = map.line([(0, 0), (500, 0)], ["highway": "residential"])
    let ramp = [street[1], map.node(800, 0), map.node(800, 300)]
    map.way(Array(ramp.prefix(2)), ["highway": "trunk_link", "oneway": "yes"])
    map.way(Array(ramp.suffix(2)), ["highway": "motorway"])
    map.way(
      [street[0], map.node(0, 90), map.node(90, 90), street[0]],
      ["highway": "residential", "junction": "roundabout"])
    #expect(try map.ids(.onewayEnd).isEmpty)
  }

  @Test("ways with a segment in common overlap, squares and bridges over ways do not")
  func overlaps() throws {
    func map(_ tags: DrawnMap.Tags) -> DrawnMap {
      var map = DrawnMap()
      let path = map.line([(0, 0), (100, 0), (200, 0)])
      map.way([path[2], path[1], map.node(100, 100), path[2]], tags)
      return map
    }
    #expect(try map([:]).ids(.overlap) == ["overlap/w100,w101"])
    #expect(try map(["area": "yes"]).ids(.overlap).isEmpty)
    #expect(try map(["layer": "1"]).ids(.overlap).isEmpty)
  }
}

@Suite("Waymarked routes")
struct RouteTests {
  /// Paths 100 to 104 one after the other, with a gap before 103 if there is one.
  private func map(gap: Bool = false, round: Bool = false) -> DrawnMap {
    var map = DrawnMap()
    var last = map.node(0, 0)
    for index in 0..<5 {
      if gap, index == 3 { last = map.node(300, 30) }
      let next = round && index == 4 ? 1 : map.node(Double(index + 1) * 100, index > 2 ? 90 : 0)
      map.way([last, next])
      last = next
    }
    return map
  }

  private func kinds(_ map: DrawnMap, _ members: [String]) throws -> [String] {
    var map = map
    map.route(members)
    return try map.findings().filter { $0.id.hasPrefix("route") }.map(\.text)
  }

  private let all = ["100", "101", "102", "103", "104"]

  @Test("a route in order is fine in either direction, also with branches")
  func fine() throws {
    #expect(try kinds(map(), all).isEmpty)
    #expect(try kinds(map(), all.reversed()).isEmpty)
    #expect(try kinds(map(round: true), ["102", "103", "104", "100", "101"]).isEmpty)
  }

  @Test("a gap is found, in a round, too, unless what closes it may be missing in the file")
  func gaps() throws {
    #expect(
      try kinds(map(gap: true), all) == ["route “Round” has 1 gap; the first one is 30 m"])
    #expect(try kinds(map(), ["100", "101", "103", "104"]).first?.contains("1 gap") == true)
    #expect(try kinds(map(), ["100", "101", "999", "103", "104"]).isEmpty)
    #expect(
      try kinds(map(gap: true, round: true), ["103", "104", "100", "101", "102"]).isEmpty)
    #expect(try kinds(map(gap: true, round: true), all).first?.contains("1 gap") == true)
  }

  @Test("ways out of order are found, lists of both directions and other roles are left alone")
  func order() throws {
    let mixed = ["100", "102", "101", "103", "104"]
    #expect(
      try kinds(map(), mixed) == ["the ways of route “Round” are out of order at 2 places"])
    #expect(try kinds(map(), mixed.map { $0 + ":forward" }).isEmpty)
    #expect(try kinds(map(), ["100", "102:alternative", "101", "102"]).isEmpty)
  }
}
