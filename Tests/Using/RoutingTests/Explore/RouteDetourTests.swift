// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@Suite("Routes without a stretch of another")
struct RouteDetourTests {
  private func edges(_ route: ComputedRoute, _ nodes: String) -> [Int64] {
    let letters = Array(route.letters)
    return zip(route.edges.indices, zip(letters, letters.dropFirst())).compactMap { index, ends in
      nodes.contains(ends.0) && nodes.contains(ends.1) ? route.edges[index].id : nil
    }
  }

  @Test("a detour leaves the route where it must, and says where and where it returns")
  func one() throws {
    let routed = try RoutedMap(
      """
      .  E--F  .
      A--B--C--D
      """, "AB", "BC", "CD", "BE", "EF", "FC")
    let route = try routed.route("A", "D")
    #expect(route.letters == "ABCD")
    let points = [try routed.map.coordinate("A"), try routed.map.coordinate("D")]
    let engine = routed.engine.paged
    let detours = try engine.detours(
      of: route, through: points, profile: "hiking",
      avoiding: [edges(route, "BC"), edges(route, "CD")])
    #expect(detours.map(\.avoided) == [[0], [1]])
    #expect(detours[0].route?.letters == "ABEFCD")
    #expect(abs(detours[0].leavesAtMetres - route.edges[0].distance) < 0.001)
    let back = route.edges[0].distance + route.edges[1].distance
    #expect(abs(detours[0].returnsAtMetres - back) < 0.001)
    // There is no other way to D.
    #expect(detours[1].route == nil)
    #expect(detours[1].leavesAtMetres == 0 && detours[1].returnsAtMetres == 0)
  }

  @Test("one route that avoids several stretches is one detour")
  func several() throws {
    let routed = try RoutedMap(
      """
      A--B--C
      |     |
      D-----E
      """, "AB", "BC", "AD", "DE", "EC")
    let route = try routed.route("A", "C")
    #expect(route.letters == "ABC")
    let points = [try routed.map.coordinate("A"), try routed.map.coordinate("C")]
    let detours = try routed.engine.paged.detours(
      of: route, through: points, profile: "hiking",
      avoiding: [edges(route, "BC"), edges(route, "AB")])
    #expect(detours.map(\.avoided) == [[0, 1]])
    #expect(detours[0].route?.letters == "ADEC")
    #expect(detours[0].leavesAtMetres == 0)
    #expect(abs(detours[0].returnsAtMetres - route.totalDistance) < 0.001)
  }
}
