// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import Foundation
import TestSupport
import Testing
import TrailData

@testable import RoutingGraph

@Suite("Areas that edges lead through")
struct AreaHazardTests {
  private static let drawing = """
        P-----------Q
        |           |
    A---|---B---C---|---D
        |  T-----U  |
        |  |  E  |  |
        |  W-----V  |
        |     F     |
        S-----------R
    """

  private func map(_ ways: [AsciiMap.Way], _ areas: [AsciiMap.Area]) -> AsciiMap {
    var map = AsciiMap(Self.drawing, cellMetres: 10, ways: ways)
    map.areas = areas
    return map
  }

  /// The hazards of a map as EDGE:START-END TYPE/ID, in decimetres, and how many areas close or limit each
  /// of its edges.
  private func hazards(_ map: AsciiMap) throws -> (ranges: [String], closures: [Int]) {
    let file = try Graph(map).file
    let ranges = (0..<file.hazards.count).map { index in
      let range = file.hazards[index]
      return "\(range.edge):\(range.start)-\(range.end) \(range.type)/\(range.id)"
    }
    let closures = file.ways.map { file.tagSetAreas[Int(file.wayTagSets[Int($0)])].count }
    return (ranges, closures)
  }

  @Test("the range is between the places where the edge crosses the outline, in its own direction")
  func crossing() throws {
    let glacier = AsciiMap.Area("PQRS", tags: ["natural": "glacier"])
    #expect(
      try hazards(map([.init("AD")], [glacier])).ranges == ["0:400-1600 way/500"])
    #expect(try hazards(map([.init("BD")], [glacier])).ranges == ["0:0-800 way/500"])
    #expect(try hazards(map([.init("DA")], [glacier])).ranges == ["0:400-1600 way/500"])
    #expect(try hazards(map([.init("BC")], [glacier])).ranges == ["0:0-400 way/500"])
    #expect(try hazards(map([.init("AP")], [glacier])).ranges == [])
  }

  @Test("a hole is not inside")
  func hole() throws {
    let glacier = AsciiMap.Area("PQRS", "TUVW", id: 9, tags: ["natural": "glacier"])
    #expect(try hazards(map([.init("EF")], [glacier])).ranges == ["0:100-200 relation/9"])
  }

  @Test("what a danger area contains is closed, and the rest of its way is not")
  func closure() throws {
    let range = AsciiMap.Area("PQRS", tags: ["military": "danger_area"])
    let found = try hazards(map([.init("ABCD"), .init("BT"), .init("CU")], [range]))
    // A-B, B-C and C-D of one way: all touch it by more than 20 m.
    #expect(found.closures == [1, 1, 1, 1, 1])
    #expect(found.ranges.count == 5)
    let glacier = AsciiMap.Area("PQRS", tags: ["natural": "glacier"])
    #expect(try hazards(map([.init("AD")], [glacier])).closures == [0])
    let part = try hazards(
      map([.init("ABC"), .init("BT"), .init("CU")], [.init("TUVW", tags: range.tags)]))
    #expect(part.closures == [0, 0, 0, 0] && part.ranges == [])
  }

  @Test(
    "several areas close or limit an edge, each for itself, and two with the same tags count once")
  func severalAreas() throws {
    let reserve = ["leisure": "nature_reserve", "foot": "no"]
    let map = map(
      [.init("EF")],
      [
        .init("PQRS", id: 500, tags: reserve),
        .init("PQRS", id: 501, tags: reserve),
        .init("PQRS", id: 502, tags: ["landuse": "quarry", "access:conditional": "no @ (Mo-Fr)"]),
      ])
    let found = try hazards(map)
    #expect(found.closures == [2] && found.ranges.count == 3)
  }

  @Test(
    "a tunnel lies under areas, and a bridge leads over their ground",
    arguments: [
      (["tunnel": "yes"], 0, 0), (["bridge": "yes"], 1, 1), (["tunnel": "building_passage"], 2, 1),
      (["tunnel": "avalanche_protector"], 2, 1), (["tunnel": "culvert"], 2, 1),
      (["tunnel": "0", "bridge": "No"], 2, 1),
      ([:], 2, 1), (["route": "ferry"], 1, 0),
    ])
  func offTheGround(tags: [String: String], ranges: Int, closures: Int) throws {
    let map = map(
      [.init("AD", tags: tags.merging(["highway": "path"]) { one, _ in one })],
      [
        .init("PQRS", id: 500, tags: ["natural": "beach", "tidal": "yes"]),
        .init("PQRS", id: 501, tags: ["leisure": "nature_reserve", "foot": "no"]),
      ])
    let found = try hazards(map)
    #expect(found.ranges.count == ranges && found.closures == [closures])
  }

  @Test("an edge that only touches a danger area stays open and has its range")
  func touch() throws {
    let range = AsciiMap.Area("PQRS", tags: ["military": "range"])
    var map = AsciiMap(
      "A-P-B-------Q\n      C\n  S---------R", cellMetres: 2, ways: [.init("ACB")])
    map.areas = [range]
    let found = try hazards(map)
    #expect(found.ranges.count == 1 && found.closures == [0])
  }

  @Test("the way that bounds an area does not lie in it")
  func ownOutline() throws {
    let tags = ["highway": "path", "natural": "glacier"]
    let map = map([.init("PQRSP", id: 77, tags: tags)], [.init("PQRS", id: 77, tags: tags)])
    #expect(try hazards(map).ranges == [])
  }

  @Test("a way along the outline of an area, on nodes of its own or not, does not lie in it")
  func alongOutline() throws {
    let points = [(0, 0), (130, 500), (-70, 1000), (210, 1500), (30, 2000), (-170, 2600)].map {
      FixedCoordinate(latitude: Int32($0.0 * 90), longitude: Int32($0.1 * 130))
    }
    for side: Int32 in [-300_000, 300_000] {
      let far = [points[5], points[0]].map {
        FixedCoordinate(latitude: $0.latitude + side, longitude: $0.longitude)
      }
      let outline = AreaOutline([points + far + [points[0]]])
      for (start, end) in zip(points, points.dropFirst()) {
        #expect(outline.inside(from: .init(start), to: .init(end)).isEmpty)
        #expect(outline.inside(from: .init(end), to: .init(start)).isEmpty)
        let half = FixedCoordinate(
          latitude: (start.latitude + end.latitude) / 2,
          longitude: (start.longitude + end.longitude) / 2)
        #expect(outline.inside(from: .init(start), to: .init(half)).isEmpty)
      }
      let inner = points.map {
        FixedCoordinate(latitude: $0.latitude + side / 10, longitude: $0.longitude)
      }
      #expect(outline.inside(from: .init(inner[1]), to: .init(inner[2])).count == 1)
    }
  }

  @Test("an outline of thousands of points gives what its shape says, whatever the number of bands")
  func manyPoints() throws {
    func circle(_ count: Int, radius: Double) -> [FixedCoordinate] {
      (0...count).map { index in
        let angle = Double(index % count) / Double(count) * 2 * .pi
        return FixedCoordinate(
          latitude: Int32((radius * sin(angle)).rounded()),
          longitude: Int32((radius * cos(angle)).rounded()))
      }
    }
    let outline = AreaOutline([circle(20_000, radius: 1e6), circle(3_000, radius: 5e5)])
    let found = outline.inside(from: .init(x: -2e6, y: 10), to: .init(x: 2e6, y: 10))
    let bounds = found.flatMap { [$0.lowerBound, $0.upperBound] }
    #expect(bounds.count == 4)
    for (found, expected) in zip(bounds, [0.25, 0.375, 0.625, 0.75]) {
      #expect(abs(found - expected) < 1e-5)
    }
    #expect(!outline.contains(.init(x: 0, y: 0)) && outline.contains(.init(x: 7e5, y: 0)))
  }

  @Test("a comb with more teeth than any real area is taken as its box")
  func comb() throws {
    let teeth = (0..<20_000).map { (index: Int32) -> FixedCoordinate in
      FixedCoordinate(latitude: index % 2 == 0 ? 0 : 1_000_000, longitude: index * 10)
    }
    let outline = AreaOutline([teeth + [teeth[0]]])
    #expect(outline.inside(from: .init(x: 0, y: 5e5), to: .init(x: 199_990, y: 5e5)).count == 1)
  }

  @Test("random lines are inside where points along them are")
  func random() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let count = Int.random(in: 3...60, using: &random)
      let ring = (0..<count).map { _ in
        FixedCoordinate(
          latitude: .random(in: -1_000_000...1_000_000, using: &random),
          longitude: .random(in: -1_000_000...1_000_000, using: &random))
      }
      let outline = AreaOutline([ring + [ring[0]]])
      let (start, end) = (
        AreaOutline.Point(
          x: .random(in: -1.5e6...1.5e6, using: &random),
          y: .random(in: -1.5e6...1.5e6, using: &random)
        ),
        AreaOutline.Point(
          x: .random(in: -1.5e6...1.5e6, using: &random),
          y: .random(in: -1.5e6...1.5e6, using: &random)
        )
      )
      let ranges = outline.inside(from: start, to: end)
      for step in 0...400 {
        let share = Double(step) / 400
        let isNearEnd = ranges.contains {
          abs($0.lowerBound - share) < 1e-3 || abs($0.upperBound - share) < 1e-3
        }
        if isNearEnd { continue }
        let point = AreaOutline.Point(
          x: start.x + share * (end.x - start.x), y: start.y + share * (end.y - start.y))
        #expect(outline.contains(point) == ranges.contains { $0.contains(share) })
      }
    }
  }
}
