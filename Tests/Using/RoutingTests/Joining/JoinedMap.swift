// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CairnSQLiteKit
import TestSupport

/// A map as a whole and in regions: each has the ways that touch its letters, whole, as builds have them.
struct JoinedMap {
  let whole: RoutedMap
  let stores: [RoutingStore]
  let store: RoutingStore
  var engine: BothEngines
  private let folder: TemporaryFolder

  /// - Parameter regions: The letters of each region.
  init(_ map: AsciiMap, regions: [String], profiles: [String] = ["hiking", "cycling"]) throws {
    whole = try RoutedMap(map, profiles: profiles)
    folder = try TemporaryFolder()
    stores = try Self.stores(map, regions, in: folder, profiles)
    store = RoutingStore(joining: stores)
    try store.open()
    engine = try BothEngines(store)
  }

  /// The databases of regions, which are called `region0` and so on.
  static func stores(
    _ map: AsciiMap, _ regions: [String], in folder: TemporaryFolder,
    _ profiles: [String] = ["hiking", "cycling"]
  ) throws -> [RoutingStore] {
    // The ids of ways are those of the whole map.
    let ways = map.ways.enumerated().map { index, way in
      AsciiMap.Way(way.nodes, id: way.id ?? Int64(100 + index), tags: way.tags)
    }
    return try regions.enumerated().map { index, letters in
      var part = map
      part.ways = ways.filter { $0.nodes.contains(where: letters.contains) }
      let path = try part.routingDatabase(
        in: folder, name: "region\(index).routing.db", profiles: profiles)
      try set(RoutingMetadataKey.regionID, "region\(index)", in: path)
      return RoutingStore(path: path)
    }
  }

  /// Changes what a database says of itself.
  static func set(_ key: String, _ value: String, in path: String) throws {
    let connection = try SQLiteConnection(path, .shared(patienceMilliseconds: 0))
    try connection.execute(
      "INSERT OR REPLACE INTO routing_metadata VALUES ('\(key)', '\(value)')")
  }

  func route(_ from: Character, _ to: Character, mode: RoutingMode = .hiking) throws
    -> ComputedRoute
  {
    try engine.findRoute(
      from: whole.map.coordinate(from), to: whole.map.coordinate(to), mode: mode)
  }

  /// Whether a route is that of the whole map, at the same cost.
  func agrees(_ from: Coordinate, _ to: Coordinate, mode: RoutingMode = .hiking) throws -> Bool {
    func result(_ engine: BothEngines) throws -> ComputedRoute? {
      do { return try engine.findRoute(from: from, to: to, mode: mode) } catch is RoutingError {
        return nil
      }
    }
    let (one, other) = (try result(whole.engine), try result(engine))
    guard let one, let other else { return one == nil && other == nil }
    return abs(one.totalCost - other.totalCost) <= 1e-3 * one.totalCost + 0.01
      && abs(one.totalDistance - other.totalDistance) <= 1e-3 * one.totalDistance + 0.5
      && one.nodes.map(\.id) == other.nodes.map(\.id)
  }
}
