// SPDX-License-Identifier: Apache-2.0
import CairnGuidance
import CairnRouting
import CairnRoutingDatabase
import TestSupport

/// A drawn map as an open database, to be led through.
struct GuidedMap {
  let map: AsciiMap
  let store: RoutingStore
  private let folder: TemporaryFolder
  private let profile: String

  /// - Parameters:
  ///   - climbs: Whether the profile goes up ladders and via ferratas.
  ///   - date: The day that the database is built for.
  init(
    _ drawing: String, _ ways: [AsciiMap.Way], nodeTags: [Character: [String: String]] = [:],
    elevations: [Character: Float] = [:], climbs: Bool = false, cellMetres: Double = 100,
    date: String? = nil
  ) throws {
    map = AsciiMap(
      drawing, cellMetres: cellMetres, ways: ways, nodeTags: nodeTags, elevations: elevations)
    folder = try TemporaryFolder()
    let climber = try folder.write(
      """
      cairn-profile: 1
      name: climber
      based-on: hiking
      highways: { ladder: 1, via_ferrata: 1, assisted_trail: 1 }
      """, to: "climber.yaml")
    profile = climbs ? "climber" : "hiking"
    store = RoutingStore(
      path: try map.routingDatabase(in: folder, profiles: [climbs ? climber : profile], date: date))
    try store.open()
  }

  func route(_ from: Character, _ to: Character, via: String = "") throws -> ComputedRoute {
    try RoutingEngine(store: store).findRoute(
      from: map.coordinate(from), to: map.coordinate(to),
      via: via.map { try map.coordinate($0) })
  }

  /// What is said between start and end on a day.
  func texts(_ from: Character, _ to: Character, on day: String?) throws -> [String] {
    let route = try RoutingEngine(store: store).findRoute(
      from: map.coordinate(from), to: map.coordinate(to), on: day.flatMap { TravelDay($0) })
    return try TurnInstructionGenerator.generate(from: route, in: store, profile: profile)
      .dropFirst().dropLast().map(\.description)
  }

  /// The instructions from one letter to another.
  func instructions(_ from: Character, _ to: Character, via: String = "") throws
    -> [TurnInstruction]
  {
    try TurnInstructionGenerator.generate(
      from: route(from, to, via: via), in: store, profile: profile)
  }

  /// The instructions by other rules.
  func instructions(_ from: Character, _ to: Character, _ config: TurnInstructionConfig) throws
    -> [TurnInstruction]
  {
    try TurnInstructionGenerator.generate(
      from: route(from, to), in: store, profile: profile, config: config)
  }

  /// What is to be done between start and end by other rules, also as a part of an instruction, and
  /// where, in metres along the route.
  func actions(_ from: Character, _ to: Character, _ config: TurnInstructionConfig) throws
    -> [(direction: TurnDirection, metres: Double)]
  {
    try instructions(from, to, config).flatMap { instruction in
      [(instruction.direction, instruction.cumulativeDistance)]
        + instruction.then.map { ($0.direction, $0.cumulativeDistance) }
    }.filter { $0.0 != .start && $0.0 != .arrive }
  }

  /// What is said between start and end.
  func texts(_ from: Character, _ to: Character, via: String = "") throws -> [String] {
    try instructions(from, to, via: via).dropFirst().dropLast().map(\.description)
  }

  /// What is said between start and end, or the error, so that a failing test shows it.
  func said(_ from: Character, _ to: Character) -> [String] {
    do { return try texts(from, to) } catch { return ["\(error)"] }
  }

  /// What is said between start and end by other rules.
  func texts(_ from: Character, _ to: Character, _ config: TurnInstructionConfig) throws -> [String]
  {
    try instructions(from, to, config).dropFirst().dropLast().map(\.description)
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
