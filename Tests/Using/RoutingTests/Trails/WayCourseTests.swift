// SPDX-License-Identifier: Apache-2.0
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@Suite("Routes along given ways")
struct WayCourseTests {
  private static let map = """
    A----B----C----D----E----F
              |    |
              G----H
    """

  /// A map whose ways are AB, BC, CD, DE, EF, CG, GH, HD with the ids 100, 101 …
  private func routed() throws -> RoutedMap {
    try RoutedMap(Self.map, "AB", "BC", "CD", "DE", "EF", "CG", "GH", "HD")
  }

  private func course(
    _ routed: RoutedMap, _ ways: Int64..., closesGaps: Bool = true
  ) throws -> WayCourse {
    let ways = ways.map { CourseWay(id: $0) }
    let paged = try RoutingEngine(store: routed.store)
      .course(along: ways, in: routed.store, closesGaps: closesGaps)
    let memory = try RoutingEngine.inMemory(routed.store)
      .course(along: ways, in: routed.store, closesGaps: closesGaps)
    for (one, other) in zip(paged.pieces.map(\.route), memory.pieces.map(\.route)) {
      #expect(one.nodes == other.nodes && one.coordinates == other.coordinates)
      #expect(one.edges.map(\.id) == other.edges.map(\.id))
      #expect(one.estimatedDuration == other.estimatedDuration && one.warnings == other.warnings)
    }
    #expect(paged.pieces.count == memory.pieces.count)
    return paged
  }

  @Test("a course has the totals, times and line of the route along its ways")
  func totals() throws {
    let routed = try routed()
    let found = try course(routed, 100, 101, 102, 103)
    #expect(found.pieces.map(\.route.letters) == ["ABCDE"])
    var route = try routed.route("A", "E")
    route.viaPoints = []
    #expect(found.pieces[0].route == route)
    #expect(abs(found.lengthMetres - route.totalDistance) < 1e-9)
    #expect(found.missing.isEmpty && found.gaps.isEmpty && found.branches.isEmpty)
  }

  @Test("a short way closes a gap, and what it adds is known")
  func bridges() throws {
    let map = try RoutedMap("A--B-C--D", "AB", "BC", "CD")
    let found = try course(map, 100, 102)
    #expect(found.pieces.map(\.route.letters) == ["ABCD"])
    let bridge = try #require(found.pieces[0].bridges.first)
    #expect(abs(bridge.lengthMetres - bridge.gapMetres) < 0.1 && bridge.gapMetres > 50)
    #expect(abs(bridge.fromMetres - found.wayMetres[0]) < 0.1)
    #expect(abs(found.lengthMetres - found.wayMetres.reduce(0, +)) < 0.1)
    let open = try course(map, 100, 102, closesGaps: false)
    #expect(open.pieces.map(\.route.letters) == ["AB", "CD"])
    #expect(abs((open.gaps.first?.metres ?? 0) - bridge.gapMetres) < 0.1)
  }

  @Test("a wide gap stays, with the ways that are missing there; branches have their length")
  func gaps() throws {
    let map = try RoutedMap(
      """
      A--B                    C--D--E
                                 |
                                 F
      """, "AB", "CD", "DE", "DF")
    let found = try course(map, 100, 999, 998, 101, 102, 103, 997)
    #expect(found.pieces.map(\.route.letters) == ["AB", "CDE"])
    #expect(found.gaps.map(\.missingWays) == [2])
    #expect(found.missing == [999, 998, 997])
    #expect(found.branches.map(\.ways) == [[103]])
    #expect(found.gaps[0].from == found.pieces[0].route.coordinates.last)
    #expect(found.gaps[0].to == found.pieces[1].route.coordinates.first)
    let none = try course(map, 999)
    #expect(none.pieces.isEmpty && none.missing == [999] && none.lengthMetres == 0)
  }

  @Test("a barrier that cuts a way does not part the course")
  func barriers() throws {
    let map = AsciiMap(
      "A--B--C", ways: [.init("AB"), .init("BC")], nodeTags: ["B": ["barrier": "kissing_gate"]])
    let found = try course(try RoutedMap(map), 100, 101)
    #expect(found.pieces.count == 1 && found.gaps.isEmpty)
    #expect(found.pieces[0].route.edges.count { $0.isBarrier } == 1)
  }

  @Test("parts of a route add up to it, cut anywhere")
  func parts() throws {
    let routed = try routed()
    let engine = RoutingEngine(store: routed.store)
    let route = try routed.route("A", "F")
    let length = route.totalDistance
    for cut in [0, 0.5, 137, length / 3, length / 2, length - 0.4, length, length + 50] {
      let first = try engine.part(of: route, from: 0, to: cut)
      let second = try engine.part(of: route, from: cut, to: length)
      #expect(abs(first.totalDistance + second.totalDistance - length) < 1.1, "\(cut)")
      #expect(
        abs(first.estimatedDuration + second.estimatedDuration - route.estimatedDuration) < 2)
      if cut > 1, cut < length - 1 {
        #expect(first.nodes.last?.coordinate == second.nodes.first?.coordinate)
        #expect(abs(first.totalDistance - cut) < 0.01)
      }
    }
    let middle = try engine.part(of: route, from: 100, to: 150)
    #expect(abs(middle.totalDistance - 50) < 0.01 && middle.edges.count == 1)
  }
}
