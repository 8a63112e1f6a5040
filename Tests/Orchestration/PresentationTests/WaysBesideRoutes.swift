// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CostModel
import TestSupport
import Testing

extension AsciiMap {
  /// The route of a profile through points of the map, and what is found beside it, on the database and
  /// in memory alike.
  func wayBesideRoute<Way: Equatable>(
    through points: [Coordinate], _ profile: CostProfile, in folder: TemporaryFolder,
    find: (ComputedRoute, RoutingEngine, RoutingStore) throws -> Way?
  ) throws -> (route: ComputedRoute, way: Way?) {
    let store = RoutingStore(path: try routingDatabase(in: folder, profiles: [profile.name]))
    try store.open()
    defer { store.close() }
    let graph = try ProfileGraph(
      try RoadNetwork(reading: store), profile: profile.name, reading: store)
    let found = try [RoutingEngine(store: store), RoutingEngine(graphs: [graph])].map { engine in
      let route = try engine.findRoute(
        from: points[0], to: points[points.count - 1], via: Array(points.dropFirst().dropLast()),
        profile: profile.name)
      return (route, try find(route, engine, store))
    }
    #expect(found[0].1 == found[1].1)
    return found[0]
  }
}
