// SPDX-License-Identifier: Apache-2.0
import CairnNavigation
import CairnRouting
import CairnRoutingDatabase
import CairnTagRules
import TestSupport
import Testing

@testable import CairnSearch

@Suite("Stages and supplies of a long route")
struct RouteStagesTests {
  private func place(
    _ need: RouteSupplies.Need, _ id: String, at position: Double
  ) -> RouteSupplies.Place {
    RouteSupplies.Place(
      need: need,
      place: SearchResult(
        id: id, kind: need.kind, title: id, subtitle: "",
        coordinate: Coordinate(latitude: 47, longitude: 10), importance: 0, match: .kind),
      position: position)
  }

  /// A path of some 9 km, and its time.
  private func route(_ folder: TemporaryFolder) throws -> ComputedRoute {
    let dashes = String(repeating: "-", count: 89)
    let map = AsciiMap("A\(dashes)B", ways: [.init("AB")])
    let store = RoutingStore(path: try map.routingDatabase(in: folder))
    try store.open()
    return try RoutingEngine(store: store)
      .findRoute(from: map.coordinate("A"), to: map.coordinate("B"))
  }

  @Test("stages end at huts and lodging, as few as the longest day allows, and as even")
  func stages() throws {
    let folder = try TemporaryFolder()
    let route = try route(folder)
    let length = route.totalDistance
    let nights = [0.2, 0.34, 0.5, 0.66, 0.8].enumerated().map { index, share in
      place(index % 2 == 0 ? .hut : .lodging, "n\(index)", at: share * length)
    }
    let supplies = RouteSupplies(
      lengthMetres: length, places: nights + [place(.water, "w", at: 0.45 * length)])
    func stages(_ share: Double) -> [RouteStage] {
      RouteStage.stages(of: route, supplies, longest: share * route.estimatedDuration)
    }
    #expect(stages(1.01).map { $0.night?.place.id } == [nil])
    #expect(stages(0.6).map { $0.night?.place.id } == ["n2", nil])
    #expect(stages(0.35).map { $0.night?.place.id } == ["n1", "n3", nil])
    for share in [1.01, 0.6, 0.35, 0.05] {
      let all = stages(share)
      #expect(all.first?.fromMetres == 0 && all.last?.toMetres == length)
      for (one, next) in zip(all, all.dropFirst()) { #expect(one.toMetres == next.fromMetres) }
      let sum = all.reduce(0) { $0 + $1.seconds }
      #expect(abs(sum - route.estimatedDuration) < 1)
    }
  }

  @Test("without a place for the night there is one stage, however long")
  func noNight() throws {
    let folder = try TemporaryFolder()
    let route = try route(folder)
    let supplies = RouteSupplies(lengthMetres: route.totalDistance, places: [])
    #expect(RouteStage.stages(of: route, supplies, longest: 1800).count == 1)
  }

  @Test("the longest stretch without something begins or ends at the ends, too")
  func gaps() {
    let supplies = RouteSupplies(
      lengthMetres: 10_000,
      places: [
        place(.water, "b", at: 7000), place(.water, "a", at: 4000), place(.food, "c", at: 500),
      ])
    #expect(supplies.places.map(\.place.id) == ["c", "a", "b"])
    #expect(supplies.longestGap(.water) == .init(fromMetres: 0, toMetres: 4000))
    #expect(supplies.longestGap(.food) == .init(fromMetres: 500, toMetres: 10_000))
    #expect(supplies.longestGap(.hut) == .init(fromMetres: 0, toMetres: 10_000))
  }
}
