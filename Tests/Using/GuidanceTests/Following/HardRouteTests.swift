// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnTracks
import Foundation
import Testing

@testable import CairnGuidance

@Suite("Following routes where the nearest point is the wrong one")
struct HardRouteTests {
  @Test("a turn is announced at 100 m and tapped at 30 m, and the end is an arrival")
  func plain() {
    var walk = GuidedWalk(Drawing("E300 N300").route(turns: [300]))
    walk.walk("E300 N300")
    #expect(
      walk.said == [
        .approaching(instruction: 1), .atTurn(instruction: 1), .approaching(instruction: 2),
        .arrived,
      ])
    #expect(abs(walk.events[0].distanceAlongRoute - 200) < 5)
    #expect(abs(walk.events[1].distanceAlongRoute - 270) < 5)
    #expect(abs(walk.events[3].distanceAlongRoute - 570) < 5)
    #expect(walk.guidance.hasArrived)
    #expect(walk.guidance.progress == 1)
  }

  @Test("what follows a turn closely is announced with it and tapped after it")
  func followingTurn() {
    var route = Drawing("E300 N20 E300").route(turns: [300])
    let corner = Drawing.coordinate((300, 20))
    route.turnInstructions[1].then = [
      FollowingTurn(
        coordinate: corner, direction: .right, bearing: 90, cumulativeDistance: 320,
        description: "Turn right")
    ]
    var walk = GuidedWalk(route)
    walk.walk("E300 N20 E300")
    #expect(
      walk.said == [
        .approaching(instruction: 1), .atTurn(instruction: 1),
        .atFollowingTurn(instruction: 1, then: 0), .approaching(instruction: 2), .arrived,
      ])
    #expect(abs(walk.events[2].distanceAlongRoute - 290) < 5)
  }

  @Test("out and back on one way is forwards all the time", arguments: [0.0, 5, 10])
  func outAndBack(shake: Double) {
    var walk = GuidedWalk(Drawing("E600 W600").route(turns: [300, 600, 900]))
    walk.shake = shake
    walk.walk("E300")
    #expect(!walk.guidance.hasArrived)
    #expect(abs((walk.guidance.position?.distanceAlongRoute ?? 0) - 300) < 20)
    walk.walk("E300 W300")
    #expect(abs((walk.guidance.position?.distanceAlongRoute ?? 0) - 900) < 20)
    walk.walk("W300")
    #expect(walk.taps == [1, 2, 3])
    #expect(walk.states == [.arrived])
  }

  @Test("who turns round early on an out-and-back is on the way back")
  func turnedEarly() {
    var walk = GuidedWalk(Drawing("E600 W600").route(turns: [300, 600, 900]))
    walk.walk("E400 W200")
    #expect(abs((walk.guidance.position?.distanceAlongRoute ?? 0) - 1000) < 20)
    #expect(walk.guidance.currentInstructionIndex == 4)
    walk.walk("W200")
    // The turn at 600 was skipped with the tip.
    #expect(walk.taps == [1, 3])
    #expect(walk.states == [.arrived])
  }

  @Test("a figure eight is followed through its crossing", arguments: [0.0, 5, 10])
  func figureEight(shake: Double) {
    let eight = "E200 N200 W200 S200 W200 S200 E200 N200"
    let turns = stride(from: 200.0, to: 1600, by: 200).map { $0 }
    var walk = GuidedWalk(Drawing(eight).route(turns: turns))
    walk.shake = shake
    walk.walk("E200 N200 W200 S190")
    #expect(!walk.guidance.hasArrived)
    walk.walk("S10 W200 S200 E200 N200")
    #expect(walk.taps == Array(1...7))
    #expect(walk.states == [.arrived])
  }

  @Test("two rounds of one loop are two")
  func laps() {
    let lap = "E200 N200 W200 S200"
    let turns = stride(from: 200.0, to: 1600, by: 200).map { $0 }
    var walk = GuidedWalk(Drawing(lap + " " + lap).route(turns: turns))
    walk.shake = 5
    walk.walk(lap)
    #expect(!walk.guidance.hasArrived)
    #expect(abs(walk.guidance.progress - 0.5) < 0.02)
    walk.walk(lap)
    #expect(walk.taps == Array(1...7))
    #expect(walk.states == [.arrived])
  }

  @Test("switchbacks 15 m apart are walked one after the other", arguments: [0.0, 6, 12])
  func switchbacks(shake: Double) {
    let bends = "E200 N15 W200 N15 E200 N15 W200 N15 E200"
    let turns = [215.0, 430, 645, 860]
    var walk = GuidedWalk(Drawing(bends).route(turns: turns))
    walk.shake = shake
    walk.accuracy = max(5, shake)
    walk.walk("E200 N15 W100")
    #expect(abs((walk.guidance.position?.distanceAlongRoute ?? 0) - 315) < 25)
    walk.walk("W100 N15 E200 N15 W200 N15 E200")
    #expect(walk.taps == [1, 2, 3, 4])
    #expect(walk.states == [.arrived])
  }

  @Test("one may start in the middle")
  func middle() {
    let route = Drawing("E1000").route(turns: [300, 700])
    var walk = GuidedWalk(route, from: (500, 0))
    walk.walk("E500")
    #expect(walk.taps == [2])
    #expect(walk.states == [.arrived])
  }

  @Test("starting in the middle of an out-and-back, the direction tells which way it is")
  func middleOfWayBack() {
    let route = Drawing("E600 W600").route(turns: [450, 600, 700, 1000])
    var walk = GuidedWalk(route, from: (400, 0))
    walk.walk("W400")
    #expect(walk.taps == [4])
    #expect(walk.states == [.arrived])
  }

  @Test("a loop that is left out is skipped with its turns")
  func skippedLoop() {
    // North to a crossing, round a loop, and on to the north.
    let route = Drawing("N300 E200 N200 W400 S200 E200 N500")
      .route(turns: [300, 500, 700, 1100, 1300, 1500, 1750])
    var walk = GuidedWalk(route)
    walk.walk("N800")
    #expect(walk.taps.filter { (2...4).contains($0) } == [])
    #expect(walk.taps.contains(7))
    #expect(walk.taps == walk.taps.sorted())
    #expect(walk.states == [.arrived])
  }

  @Test("at the start of a round trip nobody has arrived, standing or setting out")
  func roundTrip() {
    var walk = GuidedWalk(Drawing("E300 N300 W300 S300").route(turns: [300, 600, 900]))
    walk.shake = 8
    walk.stay(600)
    #expect(walk.states == [])
    walk.walk("E300 N300 W300")
    #expect(walk.states == [])
    walk.walk("S300")
    #expect(walk.states == [.arrived])
    #expect(walk.taps == [1, 2, 3])
  }

  @Test("a route walked backwards is said to be so once, and has no turns")
  func backwards() {
    let route = Drawing("E500 N500").route(turns: [300, 500])
    var walk = GuidedWalk(route, from: (500, 400))
    walk.walk("S400 W300")
    #expect(walk.said == [.reversed])
    #expect(walk.guidance.isReversed)
    walk.walk("E300 N500")
    #expect(walk.states == [.reversed, .forward, .arrived])
    // Those that lay behind, and are ahead again.
    #expect(walk.taps == [1, 2] || walk.taps == [2])
    #expect(walk.taps.contains(2))
  }

  @Test("turns closer than 30 m are tapped once each, in order")
  func closeTurns() {
    var walk = GuidedWalk(Drawing("E200 N20 E15 N200").route(turns: [200, 220, 235]))
    walk.shake = 3
    walk.walk("E200 N20 E15 N200")
    #expect(walk.taps == [1, 2, 3])
    let places = walk.events.filter {
      if case .atTurn = $0.kind { true } else { false }
    }.map(\.distanceAlongRoute)
    #expect(places[1] >= 185 && places[2] >= 205)
  }

  @Test("across the antimeridian, a route goes on")
  func antimeridian() throws {
    let line = (0...100).map {
      let longitude = 179.99 + Double($0) * 0.0002
      return PlannedRoute.LinePoint(
        coordinate: Coordinate(
          latitude: -17, longitude: longitude > 180 ? longitude - 360 : longitude))
    }
    let route = try #require(PlannedRoute(line: line, name: "Fiji", mode: .hiking))
    var guidance = RouteGuidance()
    guidance.start(route: route)
    var events: [GuidanceEvent] = []
    for (index, point) in line.enumerated() {
      events += guidance.updateLocation(
        LocationFix(
          latitude: point.coordinate.latitude, longitude: point.coordinate.longitude,
          timestamp: Date(timeIntervalSince1970: Double(index) * 15)))
    }
    #expect(events.contains { $0.kind == .arrived })
    #expect(!events.contains { $0.kind == .offRoute })
  }
}
