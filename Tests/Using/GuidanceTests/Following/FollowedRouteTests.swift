// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnTracks
import Foundation
import Testing

@testable import CairnGuidance

@Suite("What is known of a followed route")
struct FollowedRouteTests {
  @Test("nothing is followed before the start and after the end")
  func idle() {
    var guidance = RouteGuidance()
    #expect(!guidance.isNavigating && guidance.activeRoute == nil && guidance.progress == 0)
    #expect(
      guidance.updateLocation(LocationFix(latitude: 47, longitude: 10, timestamp: .now)) == [])
    #expect(guidance.closestPointOnRoute(to: Drawing.origin) == nil)
    guidance.start(route: Drawing("E100").route())
    #expect(guidance.isNavigating && guidance.activeRoute != nil)
    #expect(guidance.currentInstructionIndex == 0)
    #expect(abs(guidance.remainingDistance - 100) < 0.1)
    guidance.stop()
    #expect(!guidance.isNavigating && guidance.remainingDistance == 0)
  }

  @Test("distance, climb and time shrink on the way")
  func remaining() throws {
    let line = Drawing("E1000").line().enumerated().map {
      // Up 100 m over the first half, then level.
      PlannedRoute.LinePoint(coordinate: $1, elevation: 500 + min(Double($0) * 2, 100))
    }
    let route = try #require(PlannedRoute(line: line, name: "Hill", mode: .hiking))
    var walk = GuidedWalk(route)
    #expect(walk.guidance.remainingAscent == route.elevationGain)
    #expect(walk.guidance.remainingTime == route.estimatedDuration)
    walk.walk("E250")
    let halfway = try #require(walk.guidance.remainingAscent)
    #expect(abs(halfway - route.elevationGain / 2) < 4)
    walk.walk("E250")
    #expect(abs((walk.guidance.remainingAscent ?? 99) - 0) < 3)
    // The second half is the easier one.
    let time = try #require(walk.guidance.remainingTime)
    #expect(time < route.estimatedDuration * 0.4)
    #expect(abs(time - RoutingMode.hiking.seconds(distance: 500, gain: 0)) < 20)
    #expect(abs(walk.guidance.remainingDistance - 500) < 5)
    #expect(abs(walk.guidance.progress - 0.5) < 0.01)
  }

  @Test("climb is unknown where the elevation profile does not reach")
  func unknownClimb() throws {
    var route = Drawing("E1000").route()
    var guidance = RouteGuidance()
    guidance.start(route: route)
    #expect(guidance.remainingAscent == nil)
    #expect(guidance.remainingTime == route.estimatedDuration)
    route.elevationProfile = [(0, 500), (400, 600), (800, 700), (1000, 700)].map {
      .init(distance: $0, elevation: $1)
    }
    guidance.start(route: route)
    #expect(guidance.remainingAscent == nil)
    route.elevationProfile = [(0, 500), (100, 600), (200, 700)].map {
      .init(distance: $0, elevation: $1)
    }
    guidance.start(route: route)
    #expect(guidance.remainingAscent == nil)
    #expect(guidance.remainingTime != nil)
  }

  @Test("the closest point is that of a search along the whole line")
  func closest() throws {
    var random = SplitMix64(seed: 3)
    let corners = (0..<300).map { _ in
      Drawing.coordinate((random.nextShare() * 4000, random.nextShare() * 4000))
    }
    let route = try #require(
      PlannedRoute(
        line: corners.map { .init(coordinate: $0) }, name: "Tangle", mode: .hiking))
    let line = try #require(RouteLine(route))
    var guidance = RouteGuidance()
    guidance.start(route: route)
    for _ in 0..<300 {
      let place = Drawing.coordinate(
        (random.nextShare() * 12_000 - 4000, random.nextShare() * 12_000 - 4000))
      let projection = LineProjection(place)
      let nearest = (0..<line.segmentCount).map { line.nearest($0, to: projection).distance }.min()
      let found = try #require(guidance.closestPointOnRoute(to: place))
      #expect(abs(found.distanceFromRoute - (nearest ?? 0)) < 1e-6)
    }
    #expect(guidance.closestPointOnRoute(to: Coordinate(latitude: .nan, longitude: 0)) == nil)
  }

  @Test("a fix is compared with as many segments on 50,000 points as on 500")
  func constantTime() {
    func most(_ rows: Int) -> Int {
      let moves = (0..<rows).map { $0 % 2 == 0 ? "E500 N100" : "W500 N100" }
      var route = Drawing("E10").route()
      route.coordinates = Drawing(moves.joined(separator: " ")).line(every: 5)
      #expect(route.coordinates.count > rows * 119)
      var walk = GuidedWalk(route)
      var most = 0
      walk.shake = 5
      for row in 0..<4 {
        for _ in 0..<5 {
          walk.walk(row % 2 == 0 ? "E100" : "W100")
          most = max(most, walk.guidance.examinedSegments)
        }
        walk.walk("N100")
      }
      return most
    }
    let few = most(4)
    let many = most(417)
    // The cells of the grid lie a little differently.
    #expect(abs(many - few) <= 5)
    #expect(many < 100)
  }

  @Test("routes of strangers are followed or refused, and never trap")
  func strangers() {
    let good = Drawing("E300 N300").route(turns: [300])
    let place = good.coordinates[0]
    let nowhere = Coordinate(latitude: .nan, longitude: 400)
    let changes: [(String, (inout PlannedRoute) -> Void)] = [
      ("one point", { $0.coordinates = [place] }),
      ("equal points", { $0.coordinates = Array(repeating: place, count: 50) }),
      (
        "two close points",
        {
          $0.coordinates = [
            place, Coordinate(latitude: place.latitude, longitude: place.longitude + 1e-9),
          ]
        }
      ),
      ("no valid point", { $0.coordinates = [nowhere, nowhere] }),
      ("no point", { $0.coordinates = [] }),
      ("some valid points", { $0.coordinates.insert(nowhere, at: 5) }),
      (
        "across the world",
        {
          $0.coordinates = [-90.0, 90, 0, -45, 90].map {
            Coordinate(latitude: $0, longitude: $0 * 2)
          }
        }
      ),
      (
        "infinite totals",
        {
          $0.totalDistance = .infinity
          $0.estimatedDuration = .infinity
          $0.elevationGain = .nan
        }
      ),
      (
        "negative totals",
        {
          $0.totalDistance = -1
          $0.estimatedDuration = -1
        }
      ),
      ("an empty profile", { $0.elevationProfile = [] }),
      (
        "a wild profile",
        {
          $0.elevationProfile = [
            .init(distance: .nan, elevation: 1), .init(distance: -5, elevation: .infinity),
            .init(distance: 1e300, elevation: -1e300), .init(distance: 5, elevation: 1e308),
          ]
        }
      ),
      (
        "instructions beyond the line",
        {
          for index in $0.turnInstructions.indices {
            $0.turnInstructions[index].cumulativeDistance = 1e12 * Double(index)
          }
        }
      ),
      ("instructions in another order", { $0.turnInstructions.reverse() }),
      (
        "instructions nowhere",
        {
          for index in $0.turnInstructions.indices {
            $0.turnInstructions[index].cumulativeDistance = index == 0 ? .nan : -.infinity
            $0.turnInstructions[index].coordinate = nowhere
          }
        }
      ),
      ("no instructions", { $0.turnInstructions = [] }),
    ]
    for (name, change) in changes {
      var route = good
      change(&route)
      var walk = GuidedWalk(route)
      walk.walk("E300 N300")
      let guidance = walk.guidance
      #expect(guidance.isNavigating == (name != "no valid point" && name != "no point"), "\(name)")
      #expect((0...1).contains(guidance.progress), "\(name)")
      #expect(guidance.remainingDistance >= 0, "\(name)")
      #expect(Set(walk.taps).count == walk.taps.count, "\(name)")
      #expect(guidance.remainingTime.map { $0 >= 0 && $0.isFinite } ?? true, "\(name)")
      #expect(guidance.remainingAscent.map { $0 >= 0 && $0.isFinite } ?? true, "\(name)")
    }
  }

  @Test("a configuration of nonsense does not trap")
  func nonsense() {
    for value in [Double.nan, -5, .infinity, 0, 1e300] {
      var config = RouteGuidanceConfig()
      config.offRouteThresholdMetres = value
      config.offRouteClearThresholdMetres = value
      config.approachingTurnDistanceMetres = value
      config.atTurnDistanceMetres = value
      config.arrivedDistanceMetres = value
      config.leavingDistanceMetres = value
      config.assumedAccuracyMetres = value
      config.worstAccuracyMetres = value
      var walk = GuidedWalk(Drawing("E300 N300").route(turns: [300]), config: config)
      walk.accuracy = nil
      walk.walk("E300 N300")
      #expect(walk.guidance.isNavigating)
    }
  }
}
