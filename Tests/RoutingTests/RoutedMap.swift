// SPDX-License-Identifier: Apache-2.0
import Geodesy
import Routing
import RoutingDatabase
import TestSupport

/// A map with an engine that routes on it; routes are written as the letters of their nodes.
struct RoutedMap {
  let map: AsciiMap
  let engine: RoutingEngine
  private let folder: TemporaryFolder

  init(_ map: AsciiMap, profiles: [String] = ["hiking", "cycling"]) throws {
    self.map = map
    folder = try TemporaryFolder()
    let store = RoutingStore(path: try map.routingDatabase(in: folder, profiles: profiles))
    try store.open()
    engine = RoutingEngine(store: store)
  }

  init(_ drawing: String, _ ways: String...) throws {
    try self.init(AsciiMap(drawing, ways: ways.map { .init($0) }))
  }

  /// The route between two letters.
  func route(
    _ from: Character, _ to: Character, via: String = "", mode: RoutingMode = .hiking
  ) throws -> ComputedRoute {
    try engine.findRoute(
      from: map.coordinate(from), to: map.coordinate(to),
      via: via.map { try map.coordinate($0) }, mode: mode)
  }

  /// The nodes of the route between two letters, such as `ABC`.
  func nodes(
    _ from: Character, _ to: Character, via: String = "", mode: RoutingMode = .hiking
  ) throws -> String {
    try route(from, to, via: via, mode: mode).letters
  }
}

extension ComputedRoute {
  /// The nodes as the letters of a map.
  var letters: String { String(nodes.map { AsciiMap.letter($0.id) ?? "?" }) }
}
