// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CairnSQLiteKit
import TestSupport
import Testing

/// A map as a whole and in regions.
struct JoinedMap {
  let whole: RoutedMap
  let stores: [RoutingStore]
  let store: RoutingStore
  var engine: BothEngines
  /// The same databases, each opened when it is reached.
  let reached: RoutingStore
  private let folder: TemporaryFolder

  /// - Parameter regions: The letters of each region.
  init(
    _ map: AsciiMap, regions: [String], profiles: [String] = ["hiking", "cycling"],
    date: String? = nil
  ) throws {
    whole = try RoutedMap(map, profiles: profiles, date: date)
    folder = try TemporaryFolder()
    stores = try map.routingDatabases(
      ofRegions: regions, in: folder, profiles: profiles, date: date
    ).map { RoutingStore(path: $0) }
    store = RoutingStore(joining: stores)
    try store.open()
    engine = try BothEngines(store)
    reached = RoutingStore(joiningWhenReached: stores.map(\.path))
    try reached.open()
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

  /// Expects the route of the whole map: the same nodes at the same cost.
  func expectSame(
    _ from: Coordinate, _ to: Coordinate, within share: Double = 5e-3,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    if let difference = try difference(from, to, within: share) {
      Issue.record("\(difference)", sourceLocation: location)
    }
  }

  /// How a route differs from that of the whole map; nil where it has the same nodes at the same cost.
  private func difference(_ from: Coordinate, _ to: Coordinate, within share: Double) throws
    -> String?
  {
    func result(_ engine: BothEngines) throws -> ComputedRoute? {
      do { return try engine.findRoute(from: from, to: to) } catch is RoutingError { return nil }
    }
    let (one, other) = (try result(whole.engine), try result(engine))
    guard let one, let other else {
      return (one == nil) == (other == nil) ? nil : "only one of them has a route"
    }
    guard abs(one.totalCost - other.totalCost) <= share * one.totalCost + 0.01 else {
      return "\(one.letters) costs \(one.totalCost), \(other.letters) \(other.totalCost)"
    }
    guard one.letters == other.letters else { return "\(one.letters) is \(other.letters)" }
    let again = try RoutingEngine(store: reached).findRoute(from: from, to: to)
    return again == other ? nil : "is another route where databases are opened when reached"
  }
}
