// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnLocationProviders
import Foundation
import Testing

@Suite("Simulated walks")
struct WalkSimulatorTests {
  private func simulator() throws -> WalkSimulator {
    let route = try #require(randomRoute(seed: 1))
    return try #require(WalkSimulator(route))
  }

  @Test("the same seed gives the same walk, another one another")
  func seeds() throws {
    let simulator = try simulator()
    #expect(simulator.walk(seed: 1) == simulator.walk(seed: 1))
    #expect(simulator.walk(seed: 1) != simulator.walk(seed: 2))
  }

  @Test("without errors, fixes are on the route at the pace that was asked for")
  func plain() throws {
    var simulator = try simulator()
    simulator.noise = ReceiverNoise(deviationMetres: 0)
    simulator.interval = 2
    let walk = simulator.walk(seed: 1)
    for (index, fix) in walk.enumerated() {
      #expect(fix.distanceFromRoute < 0.01)
      #expect(haversineDistance(fix.coordinate, fix.fix.coordinate) < 0.01)
      #expect(fix.isOnRoute && !fix.isJump)
      #expect(abs(fix.distanceAlongRoute - min(Double(index) * 2.4, simulator.length)) < 0.01)
    }
    #expect(walk.last?.distanceAlongRoute == simulator.length)
  }

  @Test("errors have the deviation that was asked for, and last for about a minute")
  func noise() throws {
    var simulator = try simulator()
    simulator.noise = ReceiverNoise(deviationMetres: 10)
    simulator.pauses = [.init(distance: 0, seconds: 100_000)]
    let errors = simulator.walk(seed: 5).prefix(100_000).map {
      ($0.fix.latitude - $0.coordinate.latitude) * earthRadiusMetres * .pi / 180
    }
    func mean(_ lag: Int) -> Double {
      zip(errors, errors.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 } / Double(errors.count - lag)
    }
    #expect(abs(mean(0).squareRoot() - 10) < 0.5)
    // Three quarters are correlated, and e⁻¹ of these after a minute.
    #expect(abs(mean(1) / mean(0) - 0.74) < 0.05)
    #expect(abs(mean(60) / mean(0) - 0.276) < 0.08)
  }

  @Test("a wrong turn leads away and back, and the truth says so")
  func wrongTurn() throws {
    var simulator = try simulator()
    simulator.noise = ReceiverNoise(deviationMetres: 0)
    simulator.wrongTurns = simulator.wrongTurns(count: 2, seed: 3)
    try #require(simulator.wrongTurns.count == 2)
    let walk = simulator.walk(seed: 1)
    for (index, turn) in simulator.wrongTurns.enumerated() {
      let part = walk.filter { $0.wrongTurn == index }
      #expect(part.allSatisfy { abs($0.distanceAlongRoute - turn.distance) < 0.01 })
      #expect(part.map(\.distanceFromRoute).max() ?? 0 > 85)
    }
    #expect(walk.last?.distanceAlongRoute == simulator.length)
    var lost = simulator
    lost.wrongTurns[0].comesBack = false
    #expect(lost.walk(seed: 1).last?.wrongTurn == 0)
  }

  @Test("gaps have no fixes, jumps are far off, pauses stand still")
  func disturbances() throws {
    var simulator = try simulator()
    simulator.noise = ReceiverNoise(deviationMetres: 0)
    simulator.gaps = [.init(distance: 300, seconds: 120)]
    simulator.jumps = [.init(distance: 800, seconds: 5, east: 300, north: 0)]
    simulator.pauses = [.init(distance: 1000, seconds: 60)]
    let walk = simulator.walk(seed: 1)
    let steps = zip(walk, walk.dropFirst()).map {
      $1.fix.timestamp.timeIntervalSince($0.fix.timestamp)
    }
    #expect(steps.max() == 121)
    let jumps = walk.filter(\.isJump)
    #expect(jumps.count == 5)
    #expect(
      jumps.allSatisfy { abs(haversineDistance($0.coordinate, $0.fix.coordinate) - 300) < 1 })
    #expect(walk.count { abs($0.distanceAlongRoute - 1000) < 0.01 } >= 60)
  }

  @Test("at the planned pace, the walk takes as long as the route says")
  func planned() throws {
    let route = try #require(randomRoute(seed: 1))
    var simulator = try #require(WalkSimulator(route))
    simulator.pace = .planned
    simulator.rest = 0
    let seconds = try #require(simulator.walk(seed: 1).last?.secondsWalked)
    #expect(abs(seconds / route.estimatedDuration - 1) < 0.01)
  }

  @Test("numbers of nonsense end in a walk nevertheless")
  func nonsense() throws {
    for value in [Double.nan, -1, .infinity, 0] {
      var simulator = try simulator()
      simulator.pace = .even(value)
      simulator.interval = value == 0 ? 10 : value
      simulator.wrongTurns = [.init(distance: value, line: []), .init(distance: 5, line: [])]
      simulator.pauses = [.init(distance: value, seconds: 1)]
      simulator.rest = 1
      #expect(!simulator.walk(seed: 1).isEmpty)
    }
  }
}
