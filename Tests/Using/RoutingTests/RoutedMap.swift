// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import TestSupport

/// A map with engines that route on it, one from pages of the database and one from memory. Every
/// route is requested from both, and must be the same. Routes are written as the letters of their
/// nodes, with a dot for a point inside an edge.
struct RoutedMap {
  let map: AsciiMap
  let store: RoutingStore
  var engine: BothEngines
  private let folder: TemporaryFolder

  init(_ map: AsciiMap, profiles: [String] = ["hiking", "cycling"], date: String? = nil) throws {
    self.map = map
    folder = try TemporaryFolder()
    store = RoutingStore(
      path: try map.routingDatabase(in: folder, profiles: profiles, date: date))
    try store.open()
    engine = try BothEngines(store)
  }

  init(_ drawing: String, _ ways: String...) throws {
    try self.init(AsciiMap(drawing, ways: ways.map { .init($0) }))
  }

  /// The route between two letters.
  func route(
    _ from: Character, _ to: Character, via: String = "", mode: RoutingMode = .hiking,
    preferences: RoutingPreferences = RoutingPreferences(), on day: String? = nil
  ) throws -> ComputedRoute {
    try engine.findRoute(
      from: map.coordinate(from), to: map.coordinate(to),
      via: via.map { try map.coordinate($0) }, mode: mode, preferences: preferences,
      on: day.flatMap { TravelDay($0) })
  }

  /// The nodes of the route between two letters, such as `ABC`.
  func nodes(
    _ from: Character, _ to: Character, via: String = "", mode: RoutingMode = .hiking,
    preferences: RoutingPreferences = RoutingPreferences(), on day: String? = nil
  ) throws -> String {
    try route(from, to, via: via, mode: mode, preferences: preferences, on: day).letters
  }

  /// A point at a distance in metres east and north of a letter.
  func point(_ letter: Character, east: Double = 0, north: Double = 0) throws -> Coordinate {
    let start = try map.coordinate(letter)
    let metresPerDegree = earthRadiusMetres * .pi / 180
    return Coordinate(
      latitude: start.latitude + north / metresPerDegree,
      longitude: start.longitude
        + east / metresPerDegree / longitudeShrinking(atLatitude: start.latitude))
  }
}

/// The two engines of a database, which must agree.
struct BothEngines {
  private(set) var paged: RoutingEngine
  private(set) var memory: RoutingEngine

  init(_ store: RoutingStore) throws {
    paged = RoutingEngine(store: store)
    memory = try .inMemory(store)
  }

  var nearestNodeSearchRadiusMetres: Double {
    get { paged.nearestNodeSearchRadiusMetres }
    set {
      paged.nearestNodeSearchRadiusMetres = newValue
      memory.nearestNodeSearchRadiusMetres = newValue
    }
  }

  var fixes: Set<Int> {
    get { paged.fixes }
    set {
      paged.fixes = newValue
      memory.fixes = newValue
    }
  }

  /// The isochrone of a number of seconds.
  func isochrone(from start: Coordinate, seconds: Double) throws -> Isochrone {
    let found = try [paged, memory].map {
      try $0.isochrones(from: start, limitsSeconds: [seconds])[0]
    }
    guard found[0] == found[1] else {
      throw TestFailure("from pages: \(found[0])\nfrom memory: \(found[1])")
    }
    return found[0]
  }

  func findRoute(
    from start: Coordinate, to end: Coordinate, via: [Coordinate] = [],
    mode: RoutingMode = .hiking, preferences: RoutingPreferences = RoutingPreferences(),
    on day: TravelDay? = nil
  ) throws -> ComputedRoute {
    try both { engine throws(RoutingError) in
      try engine.findRoute(
        from: start, to: end, via: via, mode: mode, preferences: preferences, on: day)
    }
  }

  func findRoute(
    from start: Coordinate, to end: Coordinate, via: [Coordinate] = [], profile: String,
    avoidedEdges: Set<Int64> = [], preferences: RoutingPreferences = RoutingPreferences()
  ) throws -> ComputedRoute {
    try both { engine throws(RoutingError) in
      try engine.findRoute(
        from: start, to: end, via: via, profile: profile, avoidedEdges: avoidedEdges,
        preferences: preferences)
    }
  }

  private func both(_ find: (RoutingEngine) throws(RoutingError) -> ComputedRoute) throws
    -> ComputedRoute
  {
    let first = result(paged, find)
    let second = result(memory, find)
    // An error may carry NaN, which equals nothing.
    guard first == second || "\(first)" == "\(second)" else {
      throw TestFailure("from pages: \(first)\nfrom memory: \(second)")
    }
    return try first.get()
  }

  private func result(
    _ engine: RoutingEngine, _ find: (RoutingEngine) throws(RoutingError) -> ComputedRoute
  ) -> Result<ComputedRoute, RoutingError> {
    do throws(RoutingError) { return .success(try find(engine)) } catch { return .failure(error) }
  }
}

extension ComputedRoute {
  /// The nodes as the letters of a map, with a dot for a point inside an edge.
  var letters: String {
    String(
      nodes.map { $0.id == RoutingNode.insideEdge ? "." : AsciiMap.letter($0.id) ?? "?" })
  }
}
