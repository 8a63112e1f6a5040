// SPDX-License-Identifier: Apache-2.0
import Guidance
import Routing
import RoutingDatabase
import TestSupport

/// A drawn map as an open database, to be led through.
struct GuidedMap {
  let map: AsciiMap
  let store: RoutingStore
  private let folder: TemporaryFolder

  init(_ drawing: String, _ ways: [AsciiMap.Way], nodeTags: [Character: [String: String]] = [:])
    throws
  {
    map = AsciiMap(drawing, ways: ways, nodeTags: nodeTags)
    folder = try TemporaryFolder()
    store = RoutingStore(path: try map.routingDatabase(in: folder, profiles: ["hiking"]))
    try store.open()
  }

  func route(_ from: Character, _ to: Character, via: String = "") throws -> ComputedRoute {
    try RoutingEngine(store: store).findRoute(
      from: map.coordinate(from), to: map.coordinate(to),
      via: via.map { try map.coordinate($0) })
  }

  /// The instructions from one letter to another.
  func instructions(_ from: Character, _ to: Character, via: String = "") throws
    -> [TurnInstruction]
  {
    try TurnInstructionGenerator.generate(
      from: route(from, to, via: via), in: store, profile: "hiking")
  }

  /// What is said between start and end.
  func texts(_ from: Character, _ to: Character, via: String = "") throws -> [String] {
    try instructions(from, to, via: via).dropFirst().dropLast().map(\.description)
  }
}

extension AsciiMap.Way {
  /// A way with a name.
  static func named(_ nodes: String, _ name: String, _ highway: String = "residential")
    -> AsciiMap.Way
  {
    .init(nodes, tags: ["highway": highway, "name": name])
  }
}
