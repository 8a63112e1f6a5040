// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnTracks
import Foundation
import Testing

@testable import CairnGuidance

@Suite("Leaving a route")
struct OffRouteTests {
  @Test("a wrong turn is noticed, and what was passed meanwhile is not said")
  func wrongTurn() {
    // The walker misses the turn at 300, cuts across and comes to the route at 800.
    let route = Drawing("E300 N400 E300").route(turns: [300, 500, 700, 850])
    var walk = GuidedWalk(route)
    walk.walk("E400")
    #expect(walk.states == [.offRoute])
    #expect(walk.guidance.isOffRoute)
    #expect(abs((walk.guidance.distanceWhereLeft ?? 0) - 300) < 30)
    let before = walk.said.count
    walk.walk("N340")
    #expect(walk.said.count == before)
    walk.walk("N60 E200")
    #expect(walk.states == [.offRoute, .backOnRoute, .arrived])
    #expect(walk.taps == [1, 4])
    #expect(walk.guidance.distanceWhereLeft == nil)
  }

  @Test("after a wrong turn and back, the same turn is not said twice")
  func thereAndBack() {
    var walk = GuidedWalk(Drawing("E300 N600").route(turns: [300, 600]))
    walk.walk("E420 W120 N600")
    #expect(walk.states == [.offRoute, .backOnRoute, .arrived])
    #expect(walk.taps == [1, 2])
  }

  @Test("walking 200 m beside the route is off it, once")
  func parallel() {
    let route = Drawing("E2000").route(turns: [500, 1000, 1500])
    var walk = GuidedWalk(route, from: (0, 200))
    walk.shake = 5
    walk.walk("E1200")
    #expect(walk.said == [.offRoute])
    walk.walk("S200 E800")
    #expect(walk.states == [.offRoute, .backOnRoute, .arrived])
    #expect(walk.taps == [3])
  }

  @Test(
    "one who begins away from the route is told so first, and no turn", arguments: [80.0, 5516])
  func beganAway(metres: Double) throws {
    var walk = GuidedWalk(Drawing("E600").route(turns: [20, 300]), from: (0, -metres))
    walk.walk("E60")
    #expect(walk.said == [.offRoute])
    let event = try #require(walk.events.first)
    #expect(abs(event.distanceFromRoute - metres) < metres * 0.02)
    #expect(
      abs(try #require(event.bearingToRoute)) < 2 || event.bearingToRoute.map { $0 > 358 } == true)
    #expect(event.distanceAlongRoute == 0)
    #expect(walk.guidance.distanceWhereLeft == 0)
  }

  @Test("one who comes to the route from afar is guided from there")
  func cameToIt() {
    var walk = GuidedWalk(Drawing("E600").route(turns: [100, 300]), from: (200, -400))
    walk.walk("N400 E400")
    #expect(walk.states == [.offRoute, .backOnRoute, .arrived])
    #expect(walk.taps == [2])
  }

  @Test("after the arrival nothing is off the route")
  func afterArrival() {
    var walk = GuidedWalk(Drawing("E300").route())
    walk.walk("E300")
    #expect(walk.states == [.arrived])
    walk.walk("N500")
    #expect(walk.states == [.arrived])
    #expect(!walk.guidance.isOffRoute)
  }

  @Test("a few wrong positions are not a way", arguments: [1.0, 3, 5])
  func jump(seconds: Double) {
    var walk = GuidedWalk(Drawing("E600").route(turns: [400]))
    walk.walk("E200")
    walk.stay(seconds, jump: (0, 300))
    walk.walk("E100")
    walk.stay(seconds, jump: (100, -200))
    walk.walk("E300")
    #expect(walk.taps == [1])
    #expect(walk.states == [.arrived])
  }

  @Test("who really is elsewhere is off the route in the end")
  func ride() {
    var walk = GuidedWalk(Drawing("E600").route())
    walk.walk("E200")
    walk.stay(60, jump: (0, 3000))
    #expect(walk.states == [.offRoute])
  }

  @Test("standing still says nothing, however the receiver shakes", arguments: [5.0, 15])
  func standing(shake: Double) {
    var walk = GuidedWalk(Drawing("E600").route(turns: [200, 450]))
    walk.shake = shake
    walk.walk("E300")
    let before = walk.said
    walk.stay(3600)
    #expect(walk.said == before)
    #expect(abs((walk.guidance.position?.distanceAlongRoute ?? 0) - 300) < 20)
    walk.walk("E300")
    #expect(walk.taps == [1, 2])
  }

  @Test("inaccurate fixes raise no alarm for what they cannot know")
  func inaccurate() {
    let route = Drawing("E1000").route()
    var walk = GuidedWalk(route, from: (0, 70))
    walk.accuracy = 60
    walk.walk("E300")
    #expect(walk.states == [])
    walk.accuracy = 101
    let position = walk.guidance.position
    walk.walk("E100")
    #expect(walk.guidance.position == position)
  }

  @Test("ten minutes without a fix pass turns in silence")
  func silence() {
    var walk = GuidedWalk(Drawing("E1500").route(turns: [300, 600, 900, 1200]))
    walk.walk("E200")
    walk.walk("E720", isHeard: false)
    walk.walk("E580")
    #expect(walk.taps == [4])
    #expect(walk.states == [.arrived])
  }

  @Test("growing distance in another direction is enough before 50 m, unless it is switched off")
  func leaving() {
    let route = Drawing("E300 N600").route()
    var walk = GuidedWalk(route)
    walk.walk("E350")
    #expect(walk.states == [.offRoute])
    var config = RouteGuidanceConfig()
    config.leavingDistanceMetres = .infinity
    var patient = GuidedWalk(route, config: config)
    patient.walk("E350")
    #expect(patient.states == [])
    patient.walk("E40")
    #expect(patient.states == [.offRoute])
  }

  @Test("fixes that make no sense change nothing")
  func nonsense() {
    var walk = GuidedWalk(Drawing("E600").route(turns: [400]))
    walk.walk("E200")
    let position = walk.guidance.position
    let time = walk.time
    for (latitude, longitude, at) in [
      (Double.nan, 10.0, time), (91, 10, time), (47, 200, time), (47, .infinity, time),
      (47, 10, Date(timeIntervalSince1970: .nan)), (47, 10, Date(timeIntervalSince1970: .infinity)),
      (47, 10, time - 1), (47, 10, time - 600),
    ] {
      let events = walk.guidance.updateLocation(
        LocationFix(latitude: latitude, longitude: longitude, timestamp: at))
      #expect(events.isEmpty)
      #expect(walk.guidance.position == position)
    }
    walk.walk("E400")
    #expect(walk.taps == [1])
    #expect(walk.states == [.arrived])
  }

  @Test("a clock that was set back does not end the guidance")
  func clock() {
    var guidance = RouteGuidance()
    guidance.start(route: Drawing("E600").route())
    for (start, metres) in [(1_750_000_000.0, 0.0), (1_749_990_000.0, 120)] {
      for second in 0..<100 {
        let place = Drawing.coordinate((metres + Double(second) * 1.2, 0))
        guidance.updateLocation(
          LocationFix(
            latitude: place.latitude, longitude: place.longitude,
            timestamp: Date(timeIntervalSince1970: start + Double(second))))
      }
    }
    #expect(abs((guidance.position?.distanceAlongRoute ?? 0) - 239) < 10)
  }
}
