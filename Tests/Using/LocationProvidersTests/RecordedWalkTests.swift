// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import Foundation
import Testing

@testable import CairnLocationProviders

@Suite("Recorded walks, judged")
struct RecordedWalkTests {
  private static let start = Date(timeIntervalSince1970: 1_750_000_000)
  private static let origin = Coordinate(latitude: 42.5, longitude: 1.5)

  private func point(_ east: Double, _ north: Double) -> Coordinate {
    let metresPerDegree = earthRadiusMetres * .pi / 180
    return Coordinate(
      latitude: Self.origin.latitude + north / metresPerDegree,
      longitude: Self.origin.longitude
        + east / metresPerDegree / longitudeShrinking(atLatitude: Self.origin.latitude))
  }

  /// 400 m to the east and 400 m to the north, with a turn between them.
  private func route(_ name: String = "Angle") throws -> PlannedRoute {
    let corners =
      stride(from: 0.0, through: 400, by: 20).map { point($0, 0) }
      + stride(from: 20.0, through: 400, by: 20).map { point(400, $0) }
    var route = try #require(
      PlannedRoute(line: corners.map { .init(coordinate: $0) }, name: name, mode: .hiking))
    route.turnInstructions = [(TurnDirection.start, 0.0, 0), (.left, 400, 20), (.arrive, 800, 40)]
      .map { direction, metres, index in
        TurnInstruction(
          coordinate: corners[index], direction: direction, bearing: 0, distanceFromPrevious: 0,
          cumulativeDistance: metres, trailName: nil, description: "\(direction)")
      }
    return route
  }

  /// Fixes along corners, a metre and a quarter each second.
  private func walk(
    _ corners: [(Double, Double)], accuracy: (Coordinate) -> Double = { _ in 5 }
  ) -> [LocationFix] {
    var places: [Coordinate] = []
    for (one, next) in zip(corners, corners.dropFirst()) {
      let steps = max(1, Int(hypot(next.0 - one.0, next.1 - one.1) / 1.25))
      for step in 0..<steps {
        let share = Double(step) / Double(steps)
        places.append(
          point(one.0 + share * (next.0 - one.0), one.1 + share * (next.1 - one.1)))
      }
    }
    return places.enumerated().map { index, place in
      LocationFix(
        latitude: place.latitude, longitude: place.longitude, horizontalAccuracy: accuracy(place),
        timestamp: Self.start + Double(index))
    }
  }

  private func judged(_ fixes: [LocationFix], _ config: RouteGuidanceConfig = .init()) throws
    -> RecordedWalk
  {
    RecordedWalk(fixes, along: try route(), config)
  }

  @Test("on an exact walk the turn is announced and told in time, and there is no alarm")
  func exact() throws {
    let walk = try judged(walk([(0, 0), (400, 0), (400, 400)]))
    #expect(walk.passed == 1 && walk.told == 1 && walk.missed == 0 && walk.late == 0)
    #expect(walk.alarms == 0 && walk.falseAlarms == 0)
    #expect(walk.hasArrived && walk.progress > 0.95)
    #expect(walk.seconds == 639)
  }

  @Test("a turn that is announced less than 60 m before it is late")
  func late() throws {
    let fixes = walk([(0, 0), (400, 0), (400, 400)])
    for (metres, late) in [(100.0, 0), (70, 0), (50, 1)] {
      var config = RouteGuidanceConfig()
      config.approachingTurnDistanceMetres = metres
      let walk = try judged(fixes, config)
      #expect(walk.told == 1 && walk.late == late, "\(metres) m")
    }
  }

  @Test("a turn that is passed without being told is missed")
  func missed() throws {
    let turn = point(400, 0)
    // The receiver knows so little there that guidance does not listen.
    let walk = try judged(
      walk([(0, 0), (400, 0), (400, 400)]) { haversineDistance($0, turn) < 150 ? 500 : 5 })
    #expect(walk.passed == 1 && walk.told == 0 && walk.missed == 1)
    #expect(walk.late == 0)
  }

  @Test("a turn behind the place where the walk ends is not passed")
  func unreached() throws {
    let walk = try judged(walk([(0, 0), (380, 0)]))
    #expect(walk.passed == 0 && walk.missed == 0)
    #expect(!walk.hasArrived)
  }

  @Test("an alarm is false if the track keeps to the route for a minute before and after it")
  func alarms() throws {
    var config = RouteGuidanceConfig()
    config.offRouteThresholdMetres = 10
    config.offRouteClearThresholdMetres = 30
    let beside = try judged(walk([(0, 22), (370, 22)]), config)
    #expect(beside.alarms == 1 && beside.falseAlarms == 1)
    let away = try judged(walk([(0, 0), (200, 0), (200, 300)]), config)
    #expect(away.alarms == 1 && away.falseAlarms == 0)
    // Within the minute after the alarm it leaves.
    let both = try judged(walk([(0, 22), (30, 22), (30, 200)]), config)
    #expect(both.alarms == 1 && both.falseAlarms == 0)
  }

  @Test("a track belongs to the route of its name, or to the one that it follows for half of it")
  func belonging() throws {
    let (one, other) = (
      try route("One"),
      try #require(
        PlannedRoute(
          line: [point(0, 0), point(0, 800)].map { .init(coordinate: $0) }, name: "Other",
          mode: .hiking))
    )
    let fixes = walk([(0, 0), (400, 0), (400, 400)])
    func name(_ file: String, _ fixes: [LocationFix]) -> String? {
      RecordedWalk.route(of: file, fixes, among: [other, one])?.name
    }
    #expect(name("Other.gpx", fixes) == "Other")
    #expect(name("\(other.id.uuidString.lowercased()).journal", fixes) == "Other")
    #expect(name("hike.gpx", fixes) == "One")
    #expect(name("hike.gpx", walk([(0, 0), (0, 200), (800, 200)])) == nil)
    #expect(name("hike.gpx", []) == nil)
  }

  @Test("simulated walks: each number goes astray elsewhere, and with any noise at the same places")
  func settings() throws {
    let route = try #require(randomRoute(seed: 1))
    var settings = SimulationSettings()
    settings.wrongTurns = 2
    settings.noiseMetres = 0
    func places(_ number: Int) throws -> [Double] {
      let walk = try #require(try settings.walk(along: route, number: number))
      return [0, 1].compactMap { turn in
        walk.first { $0.wrongTurn == turn }?.distanceAlongRoute
      }
    }
    let first = try places(0)
    #expect(first.count == 2)
    #expect(try places(1) != first)
    settings.noiseMetres = 20
    #expect(try places(0) == first)
    settings.gaps = 1
    let times = try #require(try settings.walk(along: route)).map(\.fix.timestamp)
    #expect(zip(times, times.dropFirst()).contains { $1.timeIntervalSince($0) > 180 })
  }

  @Test("wrong turns count beyond 80 m, and are noticed soon within a minute")
  func strayings() {
    var evaluation = GuidanceEvaluation()
    evaluation.wrongTurns = [(80.0, 10.0), (81, 60), (200, 61), (300, nil)].map {
      .init(index: 0, farthestMetres: $0.0, delaySeconds: $0.1)
    }
    #expect(evaluation.strayings == (all: 3, prompt: 1))
  }
}
