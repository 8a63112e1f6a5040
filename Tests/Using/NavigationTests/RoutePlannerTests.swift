// SPDX-License-Identifier: Apache-2.0
import CairnNavigation
import Foundation
import TestSupport
import Testing

@Suite("Regions of planned routes")
struct RoutePlannerTests {
  private let id = UUID()

  private func map() throws -> NavigatedMap {
    try NavigatedMap(AsciiMap("A---B---C", ways: [.init("ABC")]))
  }

  @Test("a route carries the region of its database, as it is given or as the database is called")
  func region() throws {
    let map = try map()
    #expect(map.planner.regionId == nil)
    #expect(try map.route("A", "C").regionId == nil)
    let given = RoutePlanner(store: map.store, regionId: id)
    #expect(try given.plan(map.request("A", "C")).regionId == id)
    let named = RoutingStore(path: "/regions/\(id.uuidString).routing.db")
    #expect(RoutePlanner(store: named).regionId == id)
    #expect(RoutePlanner(store: RoutingStore(path: "")).regionId == nil)
  }

  @Test("so does a route that an engine calculates")
  func engine() async throws {
    let map = try map()
    let engine = NavigationEngine(planner: RoutePlanner(store: map.store, regionId: id))
    let calculation = try await engine.calculate(
      to: NavigationDestination(try map.point("C")), from: try map.point("A"), at: start)
    #expect(calculation.route.regionId == id)
  }
}
