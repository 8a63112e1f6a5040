// SPDX-License-Identifier: Apache-2.0
import CairnLocationProviders
import Testing

@Suite("Guidance on simulated walks")
struct GuidancePropertyTests {
  private func evaluation(
    deviation: Double, seeds: Range<UInt64>,
    _ change: (inout WalkSimulator, UInt64) -> Void = { _, _ in }
  ) throws -> GuidanceEvaluation {
    var total = GuidanceEvaluation()
    for seed in seeds {
      let route = try #require(randomRoute(seed: seed))
      var simulator = try #require(WalkSimulator(route))
      simulator.noise = ReceiverNoise(deviationMetres: deviation)
      change(&simulator, seed)
      let walk = EvaluatedWalk(simulator.walk(seed: seed), along: route)
      let found = walk.evaluation
      if deviation <= 5 {
        #expect(found.missedTurns == 0, "seed \(seed)")
        #expect(found.repeatedTurns == 0, "seed \(seed)")
        #expect(found.falseAlarms == 0, "seed \(seed)")
        #expect(found.falseReversals == 0, "seed \(seed)")
        #expect(found.arrivals == found.ends, "seed \(seed)")
        for wrong in found.wrongTurns(beyond: 80) {
          #expect(wrong.delaySeconds ?? .infinity <= 60, "seed \(seed): \(wrong)")
        }
      }
      total.add(found)
    }
    return total
  }

  @Test(
    "at 5 m nothing is missed, said twice or false, and wrong turns are noticed within a minute")
  func good() throws {
    let total = try evaluation(deviation: 5, seeds: 0..<8) { simulator, seed in
      simulator.wrongTurns = simulator.wrongTurns(count: 3, seed: seed)
    }
    #expect(total.turns > 50)
    #expect(total.wrongTurns(beyond: 80).count > 15)
    #expect(total.announcedOffRoute == 0)
    #expect(total.meanWarningMetres ?? 0 > 80)
  }

  @Test("rests, gaps, jumps and fixes every five seconds change nothing")
  func disturbed() throws {
    let total = try evaluation(deviation: 5, seeds: 20..<25) { simulator, _ in
      simulator.interval = 5
      simulator.pauses = [.init(distance: 700, seconds: 900), .init(distance: 1500, seconds: 60)]
      simulator.jumps = [.init(distance: 1000, seconds: 10, east: 300, north: -200)]
      simulator.gaps = [.init(distance: 1800, seconds: 20)]
    }
    #expect(total.turns > 50)
  }

  @Test("at 10 and 25 m, few things are wrong", arguments: [10.0, 25])
  func poor(deviation: Double) throws {
    let total = try evaluation(deviation: deviation, seeds: 40..<45)
    #expect(total.falseAlarmsPerHour ?? 9 <= 0.2)
    #expect(Double(total.missedTurns) <= 0.05 * Double(total.turns))
    #expect(Double(total.repeatedTurns) <= 0.02 * Double(total.turns))
  }
}
