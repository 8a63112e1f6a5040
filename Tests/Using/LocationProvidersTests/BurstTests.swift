// SPDX-License-Identifier: Apache-2.0
import CairnLocationProviders
import CairnTracks
import Foundation
import Testing

@Suite("Guidance in bursts of multipath")
struct BurstTests {
  private let routes: [PlannedRoute]

  init() throws { routes = try andorraWalks() }

  /// All routes, walked with bursts.
  private func walks(
    _ seeds: ClosedRange<UInt64>, every seconds: Double, wrongTurns: Int = 0,
    change: (inout ReceiverNoise) -> Void = { $0.bursts = .init() }
  ) throws -> GuidanceEvaluation {
    var total = GuidanceEvaluation()
    for route in routes {
      for seed in seeds {
        var simulator = try #require(WalkSimulator(route))
        simulator.interval = seconds
        change(&simulator.noise)
        simulator.wrongTurns = simulator.wrongTurns(count: wrongTurns, seed: seed)
        total.add(EvaluatedWalk(simulator.walk(seed: seed), along: route).evaluation)
      }
    }
    return total
  }

  @Test("a simulated burst puts fixes aside by 25 to 60 m for 15 to 40 seconds, and states nothing")
  func simulated() throws {
    var simulator = try #require(WalkSimulator(routes[0]))
    simulator.noise = ReceiverNoise(deviationMetres: 0)
    simulator.noise.statedAccuracy = 8
    simulator.noise.bursts = .init()
    simulator.noise.bursts?.everySeconds = 120
    simulator.noise.bursts?.longestOnset = 0
    let fixes = simulator.walk(seed: 3)
    let bursts = fixes.split { !$0.isJump }
    #expect(bursts.count > 10)
    for burst in bursts {
      #expect((15...41).contains(burst.count))
      let errors = burst.map { haversineDistance($0.coordinate, $0.fix.coordinate) }
      #expect(errors.allSatisfy { (24.9...60.1).contains($0) })
    }
    #expect(fixes.allSatisfy { $0.fix.horizontalAccuracy == 8 })
    #expect(fixes.filter { !$0.isJump }.allSatisfy { $0.coordinate == $0.fix.coordinate })
  }

  // Without the filter there are 4.7 an hour, and 2.3 with a fix in five seconds.
  @Test("hardly any of them is taken for leaving the route", arguments: [(1.0, 0.3), (5, 0.45)])
  func falseAlarms(_ seconds: Double, _ most: Double) throws {
    let total = try walks(1...4, every: seconds)
    #expect(total.seconds > 8 * 3600)
    #expect(
      try #require(total.falseAlarmsPerHour) <= most,
      "\(total.falseAlarms) in \(total.seconds / 3600) h")
    #expect(total.missedTurns <= total.turns / 100)
    #expect(total.arrivals == total.ends)
  }

  @Test(
    "nor are reflections that last for minutes, in which wrong turns are noticed",
    arguments: [1.0, 5])
  func plateaus(_ seconds: Double) throws {
    let total = try walks(1...2, every: seconds, wrongTurns: 6) { $0.bursts = .plateaus }
    #expect(total.seconds > 4 * 3600)
    #expect(
      try #require(total.falseAlarmsPerHour) <= 1,
      "\(total.falseAlarms) in \(total.seconds / 3600) h")
    let delays = total.wrongTurns(beyond: 80).map { $0.delaySeconds ?? .infinity }.sorted()
    #expect(delays.count >= 20)
    #expect(delays[delays.count / 2] <= 60 && delays[delays.count * 9 / 10] <= 90, "\(delays)")
  }

  @Test("nor are errors that last, without a stated accuracy", arguments: [10.0, 30, 60])
  func correlated(_ seconds: Double) throws {
    let total = try walks(1...4, every: 1) {
      $0.deviationMetres = 8.8
      $0.correlatedShare = 1
      $0.correlationSeconds = seconds
      $0.statedAccuracy = nil
    }
    #expect(try #require(total.falseAlarmsPerHour) <= 0.1)
  }

  @Test("wrong turns are noticed as soon as without them")
  func wrongTurns() throws {
    let with = try walks(1...3, every: 1, wrongTurns: 4).wrongTurns(beyond: 80)
    let without = try walks(1...3, every: 1, wrongTurns: 4) { _ in }.wrongTurns(beyond: 80)
    #expect(with.count >= 20)
    func delays(_ turns: [GuidanceEvaluation.WrongTurn]) -> [Double] {
      turns.map { $0.delaySeconds ?? .infinity }.sorted()
    }
    let (late, usual) = (delays(with), delays(without))
    #expect(late[late.count / 2] <= min(usual[usual.count / 2] + 5, 60))
    #expect(late[late.count * 9 / 10] <= 90)
  }

  @Test("a walker who is really aside is believed within a minute and a half")
  func realStep() throws {
    // The receiver was wrong until now, or the walker was carried.
    let route = routes[0]
    var simulator = try #require(WalkSimulator(route))
    simulator.noise = ReceiverNoise(deviationMetres: 3)
    simulator.range = 0...1000
    simulator.jumps = [.init(distance: 300, seconds: 1e6, east: 90, north: -40)]
    let walk = EvaluatedWalk(simulator.walk(seed: 1), along: route)
    let jump = try #require(walk.fixes.firstIndex { $0.isJump })
    let alarm = try #require(walk.events.first { $0.event.kind == .offRoute })
    #expect(alarm.fix - jump <= 90)
    let stated = walk.fixes[alarm.fix].fix.coordinate
    #expect(alarm.event.coordinate == stated)
  }
}
