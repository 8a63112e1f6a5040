// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnGuidance
import CairnLocationProviders
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@Suite("Wrong turns along the ways of a database")
struct RealWrongTurnTests {
  /// A road with a side way of 250 m at C, one of 50 m at D, and one that goes on 50 m beside it at E.
  private static let drawing = AsciiMap(
    """
    A---B---C---D---E---F---G
            |   H   I---K
            |
            L
            |
            M
    """, cellMetres: 50,
    ways: [
      .init("ABCDEFG"), .init("CLM"), .init("DH"), .init("EIK"),
    ])

  private let store: RoutingStore
  private let folder: TemporaryFolder
  private let route: PlannedRoute
  private let simulator: WalkSimulator
  private var rules = WalkSimulator.StrayRules()

  init() throws {
    folder = try TemporaryFolder()
    store = RoutingStore(path: try Self.drawing.routingDatabase(in: folder, profiles: ["hiking"]))
    try store.open()
    let computed = try RoutingEngine(store: store).findRoute(
      from: Self.drawing.coordinate("A"), to: Self.drawing.coordinate("G"))
    route = PlannedRoute.from(
      computedRoute: computed, name: "Straight", mode: .hiking,
      instructions: try TurnInstructionGenerator.generate(from: computed, in: store))
    simulator = try #require(WalkSimulator(route))
    (rules.spacing, rules.leastDistance) = (100, 60)
  }

  private func turns(_ count: Int, _ rules: WalkSimulator.StrayRules, seed: UInt64 = 1) throws
    -> [WalkSimulator.WrongTurn]
  {
    try simulator.wrongTurns(
      count: count, alongWaysOf: store, profile: "hiking", rules: rules, seed: seed)
  }

  @Test("they follow another way for 150 m, and straight on where it ends in the next one")
  func along() throws {
    let turn = try #require(try turns(1, rules).first)
    let (junction, end) = (try Self.drawing.coordinate("C"), try Self.drawing.coordinate("M"))
    #expect(abs(turn.distance - 400) < 1)
    let walked = zip([junction] + turn.line, turn.line).reduce(0) {
      $0 + haversineDistance($1.0, $1.1)
    }
    #expect(abs(walked - 150) < 0.5)
    let last = try #require(turn.line.last)
    #expect(haversineDistance(last, interpolated(junction, end, 0.6)) < 1)
    #expect(turn.comesBack)
  }

  @Test("ways that are too short, or beside the route, are no wrong turns")
  func others() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      #expect(try turns(5, rules, seed: seed).allSatisfy { abs($0.distance - 400) < 1 })
    }
    var longer = rules
    longer.metres = 260
    #expect(try turns(5, longer).isEmpty)
    var nearer = rules
    (nearer.metres, nearer.leastDistance) = (40, 30)
    let distances = Set(try turns(5, nearer).map { Int($0.distance.rounded()) })
    #expect(distances.isSubset(of: [400, 600, 800]) && distances.count > 1)
  }

  @Test("a walk of settings with a database goes astray along its ways, and has bursts")
  func settings() throws {
    var settings = SimulationSettings()
    settings.wrongTurns = 1
    settings.burstSeconds = 120
    let walk = try #require(try settings.walk(along: route, waysOf: store))
    #expect(walk.contains { $0.isJump })
    settings.burstSeconds = nil
    let plain = try #require(try settings.walk(along: route, waysOf: store))
    #expect(!plain.contains { $0.isJump })
  }

  @Test("a closed database is an error, and nonsense finds nothing")
  func broken() throws {
    var nonsense = rules
    (nonsense.metres, nonsense.spacing) = (.nan, -.infinity)
    _ = try turns(3, nonsense)
    nonsense = rules
    nonsense.spacing = 1e9
    #expect(try turns(3, nonsense).isEmpty)
    #expect(try turns(-1, rules).isEmpty)
    store.close()
    #expect(throws: RoutingError.self) { try turns(1, rules) }
  }
}
