// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnMapMatching
import CairnRouting
import Foundation
import TestSupport
import Testing

@Suite("Matching tracks on the network")
struct MapMatcherTests {
  /// Five by five nodes, 100 m apart, joined to all of their neighbours.
  private static let grid = AsciiMap(
    """
    ABCDE
    FGHIJ
    KLMNO
    PQRST
    UVWXY
    """, cellMetres: 100,
    ways: [
      "ABCDE", "FGHIJ", "KLMNO", "PQRST", "UVWXY", "AFKPU", "BGLQV", "CHMRW", "DINSX", "EJOTY",
    ]
    .map { .init($0) })

  /// A walk from node to node of the grid that never turns back.
  private static func walk(_ edges: Int, _ random: inout SeededGenerator) -> String {
    func letter(_ row: Int, _ column: Int) -> Character {
      Character(UnicodeScalar(UInt8(65 + 5 * row + column)))
    }
    var (row, column) = (
      Int.random(in: 0..<5, using: &random), Int.random(in: 0..<5, using: &random)
    )
    var last = (row: 9, column: 9)
    var letters = String(letter(row, column))
    for _ in 0..<edges {
      let steps = [(1, 0), (-1, 0), (0, 1), (0, -1)].map { (row + $0.0, column + $0.1) }.filter {
        0..<5 ~= $0.0 && 0..<5 ~= $0.1 && ($0.0 != last.row || $0.1 != last.column)
      }
      last = (row, column)
      (row, column) = steps[Int.random(in: 0..<steps.count, using: &random)]
      letters.append(letter(row, column))
    }
    return letters
  }

  private static func edges(_ walk: some StringProtocol) -> String {
    zip(walk, walk.dropFirst()).map { "\($0)\($1)" }.joined(separator: " ")
  }

  @Test(
    "a track on the network, without noise, gives exactly its edges, and reversed the same reversed"
  )
  func exact() throws {
    let map = try MatchedMap(Self.grid)
    for seed in 0..<30 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let walk = Self.walk(Int.random(in: 2...25, using: &random), &random)
      let points = try map.points(walk)
      #expect(map.letters(try map.match(points)) == Self.edges(walk), "seed \(seed)")
      let reversed = try map.match(points.reversed())
      #expect(map.letters(reversed) == Self.edges(String(walk.reversed())), "seed \(seed)")
    }
  }

  @Test("noise of 5 m changes no edge on the grid, and every fix lies on an edge of its own")
  func noise() throws {
    let map = try MatchedMap(Self.grid)
    for seed in 0..<10 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let walk = Self.walk(12, &random)
      // At a node, noise may lead into another edge.
      let points = try map.points(walk).dropFirst(5).dropLast(5).map {
        $0.moved(
          east: Double.random(in: -9...9, using: &random),
          north: Double.random(in: -9...9, using: &random))
      }
      let track = try map.match(points)
      #expect(map.letters(track) == Self.edges(walk), "seed \(seed)")
      #expect(track.matchedShareOfFixes == 1)
      #expect(track.fixes.allSatisfy { ($0?.distanceMetres ?? 99) < 30 }, "seed \(seed)")
    }
  }

  @Test("a track longer than the window of the model is matched as a whole")
  func longerThanWindow() throws {
    let map = try MatchedMap(Self.grid)
    let rounds = 90
    let walk = "A" + String(repeating: "BCDEJOTYXWVUPKFA", count: rounds)
    let track = try map.match(try map.points(walk, every: 20))
    #expect(track.stretches.count == 1)
    #expect(map.letters(track) == Self.edges(walk))
  }

  @Test("the parts, the line and its times are those of the track")
  func partsAndTimes() throws {
    let map = try MatchedMap("A---------B---------C", "AB", "BC")
    let points = MatchedMap.points(
      along: [
        try map.point("A", "B", 0.25), try map.map.coordinate("B"), try map.point("B", "C", 0.5),
      ])
    let track = try map.match(points)
    let edges = try #require(track.stretches.first).edges
    #expect(map.letters(track) == "AB BC")
    #expect(abs(edges[0].fromShare - 0.25) < 0.002 && edges[0].toShare == 1)
    #expect(edges[1].fromShare == 0 && abs(edges[1].toShare - 0.5) < 0.002)
    #expect(abs(track.matchedMetres - 1250) < 3, "\(track.matchedMetres)")
    #expect(edges.allSatisfy { $0.highwayType == "path" && !$0.isReversed })
    #expect(edges.map(\.osmWayID) == [100, 101])
    let times = track.stretches[0].line.compactMap { $0.time?.timeIntervalSince1970 }
    #expect(times.count == track.stretches[0].line.count)
    #expect(times == times.sorted())
    #expect(times.first == 1_750_000_000)
    #expect(abs((times.last ?? 0) - 1_750_000_000 - 1000) < 0.001)
    #expect(track.gaps.isEmpty && track.matchedShareOfLength == 1)
  }

  @Test("out to a dead end and back is the same way twice")
  func outAndBack() throws {
    let map = try MatchedMap(
      """
      A---B---D
          |
          |
          C
      """, "ABD", "BC")
    #expect(map.letters(try map.match(map.points("ABCBD"))) == "AB BC CB BD")
  }

  @Test("turning round on the way is seen")
  func turning() throws {
    let map = try MatchedMap("A---------B", "AB")
    let points = MatchedMap.points(
      along: [
        try map.map.coordinate("A"), try map.point("A", "B", 0.6), try map.map.coordinate("A"),
      ])
    let track = try map.match(points)
    #expect(map.letters(track) == "AB BA")
    #expect(abs(track.matchedMetres - 1200) < 30, "\(track.matchedMetres)")
  }

  @Test("a way with bends back and forth is followed, although it comes near itself")
  func hairpins() throws {
    let map = try MatchedMap(
      """
      A---B

      D---C

      E---F
      """, cellMetres: 25, "ABCDEF")
    let track = try map.match(map.points("ABCDEF", every: 5))
    #expect(map.letters(track) == "AF")
    #expect(abs(track.matchedMetres - 400) < 5, "\(track.matchedMetres)")
  }

  @Test("a rest is one place, however the fixes wander")
  func rest() throws {
    let map = try MatchedMap("A---------B", "AB")
    var random = SeededGenerator(seed: 4)
    let middle = try map.point("A", "B", 0.5)
    let wandering = (0..<200).map { _ in
      middle.moved(
        east: Double.random(in: -12...12, using: &random),
        north: Double.random(in: -12...12, using: &random))
    }
    let points = try map.points("AB")
    let track = try map.match(Array(points[...50]) + wandering + Array(points[50...]))
    #expect(map.letters(track) == "AB")
    let times = track.stretches[0].line.compactMap { $0.time }
    #expect(times == times.sorted())
  }

  @Test("a way that the profile closes is followed all the same, against a one-way, too")
  func closedWays() throws {
    let map = try MatchedMap(
      AsciiMap(
        "A---B---C---D",
        ways: [
          .init("AB"), .init("BC", tags: ["highway": "cycleway", "foot": "no", "bicycle": "yes"]),
          .init("CD", tags: ["highway": "residential", "oneway": "yes"]),
        ]))
    #expect(map.letters(try map.match(map.points("DCBA"))) == "DC CB BA")
  }

  @Test("a stile on the way does not show")
  func barrier() throws {
    let map = try MatchedMap(
      AsciiMap(
        "A---B---C", ways: [.init("AB"), .init("BC")], nodeTags: ["B": ["barrier": "stile"]]))
    let track = try map.match(map.points("ABC"))
    #expect(track.stretches.count == 1)
    #expect(track.stretches[0].edges.count == 2)
    #expect(abs(track.matchedMetres - 800) < 2)
  }
}
