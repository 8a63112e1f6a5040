// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import TestSupport
import Testing

@Suite("Stretches of a route")
struct RouteStretchTests {
  private let routed: RoutedMap

  init() throws {
    routed = try RoutedMap(
      AsciiMap(
        "A-B-C--D-E-F",
        ways: [
          .init("AB", tags: ["highway": "path", "sac_scale": "T3"]),
          .init("BC", tags: ["highway": "steps"]),
          .init("CD", tags: ["highway": "path", "sac_scale": "demanding_mountain_hiking"]),
          .init("DE", tags: ["highway": "path", "surface": "asphalt"]), .init("EF"),
        ], nodeTags: ["C": ["barrier": "stile"]],
        elevations: ["A": 500, "B": 500, "C": 540, "D": 540]))
  }

  private func unmet(_ preferences: RoutingPreferences) throws -> [UnmetPreference] {
    try preferences.unmet(
      on: routed.route("A", "F", preferences: preferences), in: routed.store)
  }

  @Test("the hardest stretch is the longest one with the hardest grade")
  func hardest() throws {
    let stretch = try #require(try routed.route("A", "F").hardestStretch)
    #expect(stretch.grade == .t3)
    #expect(abs(stretch.startMetres - 400) < 1 && abs(stretch.lengthMetres - 300) < 1)
    #expect(try routed.route("D", "F").hardestStretch == nil)
  }

  @Test("each preference lists the stretches that go against it")
  func preferences() throws {
    var preferences = RoutingPreferences()
    #expect(try unmet(preferences).isEmpty)
    preferences.maximumSACGrade = .t2
    preferences.avoidsSteps = true
    preferences.maximumSlopePercent = 15
    let list = try unmet(preferences)
    #expect(
      list.map(\.preference) == [.avoidSteps, .maximumSACGrade, .maximumSACGrade, .maximumSlope])
    #expect(list.map { ($0.stretch.startMetres / 100).rounded() } == [2, 0, 4, 2])
    #expect(list.last?.stretch.slopePercent == 20)
    preferences = RoutingPreferences()
    preferences.prefersPaved = true
    #expect(try unmet(preferences).map { ($0.stretch.lengthMetres / 100).rounded() } == [7, 2])
  }

  @Test("a strict preference forbids what goes against it")
  func strict() throws {
    var preferences = RoutingPreferences()
    preferences.maximumSACGrade = .t2
    preferences.isStrict = true
    #expect(throws: RoutingError.self) { try routed.route("A", "F", preferences: preferences) }
    #expect(try routed.nodes("D", "F", preferences: preferences) == "DEF")
    preferences.maximumSACGrade = .t3
    #expect(try routed.nodes("A", "B", preferences: preferences) == "AB")
  }

  @Test("the climb of an edge without elevations is unknown")
  func unknownClimb() throws {
    let route = try routed.route("A", "F")
    #expect(route.isClimbKnown && route.isClimbKnown(ofEdge: 0))
    #expect(!route.isClimbKnown(ofEdge: route.edges.count - 1))
    #expect(abs(route.unknownClimbMetres - 400) < 1)
    let flat = try routed.route("E", "F")
    #expect(!flat.isClimbKnown)
  }
}
