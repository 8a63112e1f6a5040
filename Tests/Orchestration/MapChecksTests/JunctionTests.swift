// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MapChecks

@Suite("Ways that do not meet")
struct JunctionTests {
  /// A street, and a path that ends so many metres from it.
  private func map(
    _ metres: Double, end: DrawnMap.Tags = [:], path: DrawnMap.Tags = [:]
  ) -> DrawnMap {
    var map = DrawnMap()
    map.line([(-100, 0), (100, 0)], ["highway": "residential"])
    let start = map.node(0, 80)
    map.way([start, map.node(0, metres, end)], path)
    return map
  }

  @Test("an end within four metres of a way is found, and one further away is not")
  func looseEnds() throws {
    #expect(try map(3.9).ids(.looseEnd) == ["loose-end/n4"])
    #expect(try map(4.2).ids(.looseEnd).isEmpty)
    let finding = try #require(try map(2).findings().first)
    #expect(finding.text == "way 101 ends 2.0 m from way 100 without joining it")
    #expect(finding.others.map(\.short) == ["w101", "w100"])
  }

  @Test(
    "an end on purpose, on another level or indoors is none",
    arguments: [
      (["noexit": "yes"], [:]), (["entrance": "main"], [:]), (["barrier": "gate"], [:]),
      ([:], ["layer": "1"]), ([:], ["bridge": "yes"]), ([:], ["tunnel": "yes"]),
      ([:], ["level": "1"]), ([:], ["access": "private"]), ([:], ["highway": "elevator"]),
      ([:], ["highway": "proposed"]),
    ] as [(DrawnMap.Tags, DrawnMap.Tags)])
  func noEnds(end: DrawnMap.Tags, path: DrawnMap.Tags) throws {
    #expect(try map(2, end: end, path: path).ids(.looseEnd).isEmpty)
  }

  @Test("the end of a short spur is near the way that it leaves")
  func spurs() throws {
    var map = DrawnMap()
    let street = map.line([(-100, 0), (0, 0), (100, 0)])
    map.way([street[1], map.node(10, 1)])
    #expect(try map.ids(.looseEnd).isEmpty)
    // This one leads away, and comes back after a while.
    map.way([street[1], map.node(0, 60), map.node(60, 60), map.node(60, 2)])
    #expect(try map.ids(.looseEnd) == ["loose-end/n7"])
  }

  @Test("two ends that are near each other are found once")
  func twoEnds() throws {
    var map = DrawnMap()
    map.line([(-80, 0), (-1, 0)])
    map.line([(80, 0), (1, 0)])
    #expect(try map.ids(.looseEnd) == ["loose-end/n2"])
  }

  @Test("two ways that cross without a node are found once, those on different levels are not")
  func crossings() throws {
    func crossings(_ tags: DrawnMap.Tags) throws -> [String] {
      var map = DrawnMap()
      map.line([(-100, 0), (100, 0)])
      map.line([(0, -50), (20, 50), (40, -50)], tags)
      return try map.ids(.crossing)
    }
    #expect(try crossings([:]) == ["crossing/w100,w101"])
    for tags in [["layer": "1"], ["bridge": "yes"], ["tunnel": "culvert"], ["highway": "motorway"]]
    {
      #expect(try crossings(tags).isEmpty, "\(tags)")
    }
  }

  @Test("a line that leads a little beyond the common node does not cross the other way")
  func overshoot() throws {
    var map = DrawnMap()
    let street = map.line([(-100, 0), (0, 0), (100, 0)])
    map.way([map.node(-3, 50), map.node(-3, -1), street[1]])
    #expect(try map.ids(.crossing).isEmpty)
  }
}
