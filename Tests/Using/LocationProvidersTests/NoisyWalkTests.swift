// SPDX-License-Identifier: Apache-2.0
import CairnGPX
import CairnLocationProviders
import CairnTracks
import Foundation
import TestSupport
import Testing

@Suite("Figures of noisy walks")
struct NoisyWalkTests {
  private let routes: [PlannedRoute]

  init() throws { routes = try andorraWalks() }

  private func simulator(_ route: Int, every seconds: Double, deviation: Double) throws
    -> WalkSimulator
  {
    var simulator = try #require(WalkSimulator(routes[route]))
    simulator.interval = seconds
    simulator.noise = ReceiverNoise(deviationMetres: deviation)
    simulator.noise.correlatedShare = 0
    return simulator
  }

  private func report(_ fixes: [SimulatedFix]) -> TrackReport {
    TrackReport(RecordedRoute(segments: [fixes.map(\.fix)]))
  }

  private func expectAgreement(_ report: TrackReport) throws {
    let total = report.total
    let (average, moving, top) = (
      try #require(total.averageSpeed), try #require(total.movingSpeed),
      try #require(total.maximumSpeed)
    )
    #expect(average <= moving && moving <= top && top < 2 * moving)
    let splits = report.splits.reduce(0) { $0 + $1.distanceMetres }
    #expect(abs(splits - total.distanceMetres) < 0.1)
    for split in report.splits { #expect(split.movingSpeed.map { $0 <= top } ?? false) }
  }

  @Test(
    "the length is right within 3 % under white noise of 1 to 8 m",
    arguments: [(0, 1.0), (0, 5), (1, 1), (1, 5), (2, 1), (2, 5)])
  func white(_ route: Int, _ seconds: Double) throws {
    for deviation in [1.0, 3, 5, 8] {
      let simulator = try simulator(route, every: seconds, deviation: deviation)
      let report = report(simulator.walk(seed: 1))
      let share = report.total.distanceMetres / simulator.length
      #expect(abs(share - 1) < 0.03, "\(share) of the length at \(deviation) m")
      try expectAgreement(report)
      if deviation > 4 { #expect(report.total.plainMetres > 1.5 * simulator.length) }
    }
  }

  @Test(
    "and within 8 % if the noise lasts for 10, 30 or 60 s",
    arguments: [(0, 1.0), (0, 5), (1, 1), (2, 5)])
  func correlated(_ route: Int, _ seconds: Double) throws {
    for correlation in [10.0, 30, 60] {
      var simulator = try simulator(route, every: seconds, deviation: 5)
      simulator.noise.correlatedShare = 1
      simulator.noise.correlationSeconds = correlation
      let report = report(simulator.walk(seed: 2))
      let share = report.total.distanceMetres / simulator.length
      #expect(abs(share - 1) < 0.08, "\(share) of the length at \(correlation) s")
      try expectAgreement(report)
    }
  }

  @Test(
    "with pauses and another pace for the second half, times and speeds are right, too",
    arguments: [(1.0, 3.0), (5, 8)])
  func pauses(_ seconds: Double, _ deviation: Double) throws {
    var first = try simulator(1, every: seconds, deviation: deviation)
    let (length, middle) = (first.length, first.length / 2)
    first.pauses = [.init(distance: middle / 2, seconds: 600)]
    first.range = 0...middle
    first.pace = .even(0.9)
    first.rest = 0
    var second = try simulator(1, every: seconds, deviation: deviation)
    second.pauses = [.init(distance: middle * 1.5, seconds: 300)]
    second.range = middle...length
    second.pace = .even(1.5)
    second.rest = 0
    let before = first.walk(seed: 3)
    second.start = try #require(before.last).fix.timestamp.addingTimeInterval(seconds)
    let report = report(before + second.walk(seed: 4))
    #expect(abs(report.total.distanceMetres / length - 1) < 0.03)
    #expect(abs(try #require(report.total.restingSeconds) - 900) < 90)
    let moving = length / (middle / 0.9 + middle / 1.5)
    #expect(abs(try #require(report.total.movingSpeed) / moving - 1) < 0.06)
    try expectAgreement(report)
  }

  @Test(
    "exact walks and planned lines are as long as the sum of their steps", arguments: [1.0, 5, 20])
  func exact(_ seconds: Double) throws {
    for route in 0...2 {
      let fixes = try simulator(route, every: seconds, deviation: 0).walk(seed: 1)
      let total = report(fixes).total
      #expect(total.distanceMetres == total.plainMetres)
      let line = fixes.map { GPXFile.Point(coordinate: $0.fix.coordinate) }
      let untimed = TrackReport(segments: [line]).total
      #expect(untimed.distanceMetres == total.plainMetres)
    }
  }

  @Test("a track is divided by the distance that was walked, not by its noise")
  func division() throws {
    let simulator = try simulator(1, every: 1, deviation: 5)
    let points = simulator.walk(seed: 1).map { GPXFile.Point($0.fix) }
    #expect(simulator.length > 4000 && simulator.length < 5000)
    #expect(TrackDivision.distance(metres: 1000).parts(of: [points]).count == 5)
  }
}
