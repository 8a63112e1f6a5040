// SPDX-License-Identifier: Apache-2.0
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@Suite("The profile that serves a mode")
struct ModeProfileTests {
  /// From A to B straight along a footway, or around by D and E on a road.
  private static let map = AsciiMap(
    """
    A---B
    |   |
    D---E
    """,
    ways: [
      .init("AB", tags: ["highway": "footway"]),
      .init("ADEB", tags: ["highway": "residential"]),
    ])

  private func routed(_ profiles: String...) throws -> RoutedMap {
    try RoutedMap(Self.map, profiles: profiles)
  }

  private func cost(_ routed: RoutedMap, mode: RoutingMode) throws -> Double {
    try routed.route("A", "B", mode: mode).totalCost
  }

  private func cost(_ routed: RoutedMap, profile: String) throws -> Double {
    try routed.engine.findRoute(
      from: Self.map.coordinate("A"), to: Self.map.coordinate("B"), profile: profile
    ).totalCost
  }

  @Test("is the first one of its vehicle where none has its name")
  func byVehicle() throws {
    let routed = try routed("bike-touring", "mountain-biking", "trail-hiking", "family")
    #expect(try cost(routed, mode: .hiking) == cost(routed, profile: "trail-hiking"))
    #expect(try cost(routed, mode: .cycling) == cost(routed, profile: "bike-touring"))
    #expect(try routed.store.profileName(for: .hiking) == "trail-hiking")
    #expect(try routed.store.profileName(for: .cycling) == "bike-touring")
    #expect(try routed.store.mode(ofProfile: "mountain-biking") == .cycling)
    #expect(try routed.store.mode(ofProfile: "family") == .hiking)
    #expect(try routed.store.mode(ofProfile: "skiing") == nil)
    #expect(try routed.store.profiles().map(\.mode) == [.cycling, .cycling, .hiking, .hiking])
  }

  @Test("is the one of its name, wherever it stands")
  func byName() throws {
    let routed = try routed("trail-hiking", "bike-touring", "hiking", "cycling")
    #expect(try cost(routed, mode: .hiking) == cost(routed, profile: "hiking"))
    #expect(try cost(routed, mode: .cycling) == cost(routed, profile: "cycling"))
  }

  @Test("is none where no profile has its vehicle")
  func none() throws {
    let routed = try routed("trail-hiking")
    #expect(try routed.store.profileName(for: .cycling) == nil)
    #expect(throws: RoutingError.profileNotAvailable("cycling", available: ["trail-hiking"])) {
      try routed.route("A", "B", mode: .cycling)
    }
  }

  @Test("counts for isochrones and alternatives as for routes")
  func exploring() throws {
    let routed = try routed("trail-hiking", "bike-touring")
    let engine = RoutingEngine(store: routed.store)
    let start = try Self.map.coordinate("A")
    let reach = try engine.isochrones(from: start, limitsSeconds: [120], mode: .cycling)
    let same = try engine.isochrones(from: start, limitsSeconds: [120], profile: "bike-touring")
    #expect(reach == same && reach[0].totalDistance > 0)
    let routes = try engine.findAlternatives(
      from: start, to: Self.map.coordinate("B"), count: 1, mode: .cycling)
    #expect(try routes.first?.totalCost == cost(routed, mode: .cycling))
  }

  @Test("is known by its name where a definition is missing")
  func withoutDefinition() throws {
    let folder = try TemporaryFolder()
    let path = try Self.map.routingDatabase(in: folder, profiles: ["trail-hiking", "cycling"])
    try changeDatabase(path, ["UPDATE routing_profiles SET definition = ''"])
    let store = RoutingStore(path: path)
    try store.open()
    defer { store.close() }
    #expect(try store.profileName(for: .cycling) == "cycling")
    #expect(try store.profileName(for: .hiking) == "trail-hiking")
  }
}
