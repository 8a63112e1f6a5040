// SPDX-License-Identifier: Apache-2.0
import CairnNavigation
import CairnRouting
import Foundation
import TestSupport
import Testing

@Suite("A position that is lost and found")
struct PositionLossTests {
  private let map: NavigatedMap
  private let engine: NavigationEngine

  init() throws {
    map = try NavigatedMap(
      AsciiMap(
        """
        A---B---C
            |
            D
        """, ways: [.init("ABC"), .init("BD")]))
    engine = NavigationEngine(planner: map.planner)
  }

  /// Follows a route for some seconds. Returns the last fix.
  private func underWay(_ seconds: Double = 40) throws -> LocationFix {
    try engine.startNavigation(route: map.route("A", "D"))
    let walk = try map.walk("AB").filter { $0.timestamp <= start + seconds }
    for fix in walk { engine.updateProgress(location: fix) }
    return try #require(walk.last)
  }

  @Test("where fixes end, that is said once, with its age, felt, and so is the next fix")
  func signal() throws {
    let last = try underWay()
    // At the time that the engine asks to be called at.
    let due = try #require(engine.nextCueTime)
    #expect(due == last.timestamp + 30)
    #expect(engine.checkPosition(at: due - 0.1).position == nil)
    #expect(engine.position(at: due - 0.1) == .current(last))
    let loss = engine.checkPosition(at: due)
    #expect(loss.position == PositionEvent(kind: .lost(.signalLost), time: due, last: last))
    #expect(loss.position?.ageSeconds == 30)
    #expect(loss.cues.entries.map(\.cue) == [.positionLost])
    #expect(loss.cues.entries.map(\.text) == ["Position lost 30 s ago: no signal"])
    #expect(loss.state == .navigating(mode: .visual))
    #expect(engine.nextCueTime == nil)
    #expect(engine.checkPosition(at: due + 500).position == nil)
    #expect(
      engine.position(at: last.timestamp + 95)
        == .lost(last: last, ageSeconds: 95, reason: .signalLost))

    let next = fix(try map.point("B"), at: last.timestamp.timeIntervalSince(start) + 600)
    let found = engine.updateProgress(location: next)
    #expect(found.position == PositionEvent(kind: .found, time: next.timestamp, last: last))
    #expect(found.position?.text == "Position found again after 10 min")
    #expect(engine.position(at: next.timestamp + 1) == .current(next))
    #expect(engine.updateProgress(location: fix(try map.point("B"), at: 650)).position == nil)
  }

  @Test(
    "whatever ends the fixes after the first one is said at once, with its reason, and calculates no route",
    arguments: [
      (PositionProblem.permissionDenied, "the app may not know it"),
      (.backgroundPermissionLost, "the app may not know it in the background"),
      (.unavailable, "the receiver is off or does not work"),
    ])
  func problem(_ problem: PositionProblem, _ words: String) async throws {
    let last = try underWay()
    let time = last.timestamp + 5
    let update = engine.reportPositionProblem(problem, at: time)
    #expect(update.position == PositionEvent(kind: .lost(problem), time: time, last: last))
    #expect(update.cues.entries.map(\.text) == ["Position lost 5 s ago: \(words)"])
    #expect(engine.reportPositionProblem(problem, at: time + 1).position == nil)
    #expect(
      engine.position(at: time + 1) == .lost(last: last, ageSeconds: 6, reason: problem))
    #expect(engine.navigationState.isNavigating && engine.currentRoute != nil)
    engine.stopNavigation()

    let end = NavigationDestination(try map.point("C"))
    let error = NavigationError.positionLost(problem, last: last, ageSeconds: 60)
    await #expect(throws: error) {
      try await engine.calculate(to: end, at: last.timestamp + 60)
    }
    #expect(engine.navigationState == .idle)
    #expect(error.errorDescription == "Your last known position is 60 s old.")
    #expect(error.recoverySuggestion?.hasSuffix(", or begin where you were last.") == true)
    // By hand the same place will do, and so will any other.
    let route = try await engine.calculate(to: end, from: last.coordinate, at: time).route
    #expect(route.endCoordinate == end.coordinate)

    // The next fix ends it.
    let next = fix(try map.point("B"), at: 100)
    #expect(engine.updateProgress(location: next).position?.kind == .found)
    #expect(try await engine.calculate(to: end, at: next.timestamp).route.coordinates.count >= 2)
  }

  @Test("a route is not calculated from an old fix, by the clock where no time is given")
  func oldFix() async throws {
    let last = fix(try map.point("A"), at: 0)
    engine.updateProgress(location: last)
    let end = NavigationDestination(try map.point("C"))
    #expect(try await engine.calculate(to: end, at: start + 20).route.createdAt == start + 20)
    await #expect(
      throws: NavigationError.positionLost(.signalLost, last: last, ageSeconds: 3600)
    ) {
      try await engine.calculate(to: end, at: start + 3600)
    }
    // All tests run later than that.
    var now = last
    now.timestamp = Date() - 7200
    let later = NavigationEngine(planner: map.planner)
    later.updateProgress(location: now)
    await #expect(throws: NavigationError.self) { try await later.calculateRoute(to: end) }
    now.timestamp = Date()
    later.updateProgress(location: now)
    #expect(try await later.calculateRoute(to: end).endCoordinate == end.coordinate)
  }

  @Test("a failure of the receiver is a reason, but for one after which it goes on trying")
  func receiverFailures() throws {
    let last = try underWay()
    func report(_ failure: LocationFailure, _ seconds: Double) -> PositionEvent.Kind? {
      engine.reportPositionProblem(PositionProblem(failure), at: last.timestamp + seconds)
        .position?.kind
    }
    #expect(report(.noFixYet, 1) == nil)
    #expect(report(.backgroundNotDeclared, 2) == nil)
    #expect(report(.unavailable("no antenna"), 3) == .lost(.unavailable))
    #expect(report(.permissionDenied, 4) == .lost(.permissionDenied))
  }

  @Test("a permission that changes is a reason, and given again is none")
  func authorization() throws {
    let last = try underWay()
    func report(_ authorization: LocationAuthorization, _ needsBackground: Bool, _ seconds: Double)
      -> PositionEvent.Kind?
    {
      engine.reportAuthorization(
        authorization, needsBackground: needsBackground, at: last.timestamp + seconds
      ).position?.kind
    }
    #expect(report(.authorizedWhenInUse, false, 1) == nil)
    #expect(report(.authorizedWhenInUse, true, 2) == .lost(.backgroundPermissionLost))
    #expect(report(.denied, false, 3) == .lost(.permissionDenied))
    #expect(report(.restricted, false, 4) == nil)
    #expect(report(.authorizedAlways, true, 5) == nil)
    #expect(engine.position(at: last.timestamp + 5) == .current(last))
    #expect(
      engine.position(at: last.timestamp + 60)
        == .lost(last: last, ageSeconds: 60, reason: .signalLost))
    // A receiver that is off stays off, whatever is allowed.
    engine.reportPositionProblem(.unavailable, at: last.timestamp + 6)
    #expect(report(.authorizedAlways, true, 7) == nil)
    #expect(
      engine.position(at: last.timestamp + 8)
        == .lost(last: last, ageSeconds: 8, reason: .unavailable))
    engine.reportPositionProblem(nil, at: last.timestamp + 9)
    #expect(engine.position(at: last.timestamp + 9) == .current(last))
  }

  @Test("before anybody was asked for permission, nothing is lost")
  func notDetermined() {
    #expect(engine.reportAuthorization(.notDetermined, at: start).position == nil)
    #expect(engine.position(at: start) == .unknown(.notYetKnown))
    let kind = engine.reportAuthorization(.denied, at: start).position?.kind
    #expect(kind == .lost(.permissionDenied))
    #expect(engine.position(at: start) == .unknown(.permissionDenied))
  }

  @Test("where fixes come each minute, half a minute without one is no loss, and two of them are")
  func rareFixes() throws {
    let home = try map.point("A")
    for minute in 0..<5 { engine.updateProgress(location: fix(home, at: Double(minute) * 60)) }
    #expect(engine.checkPosition(at: start + 240 + 119).position == nil)
    #expect(engine.checkPosition(at: start + 240 + 120).position?.kind == .lost(.signalLost))
    // One long gap does not make the next one normal.
    engine.updateProgress(location: fix(home, at: 1000))
    engine.updateProgress(location: fix(home, at: 1001))
    #expect(engine.checkPosition(at: start + 1031).position?.kind == .lost(.signalLost))
  }

  @Test("a fix after a gap that nobody asked about says so, and one that is late changes nothing")
  func gap() throws {
    let last = try underWay()
    let late = fix(try map.point("A"), at: -500)
    #expect(engine.updateProgress(location: late).position == nil)
    #expect(engine.position(at: last.timestamp).lastFix == last)
    let next = fix(try map.point("B"), at: 200)
    #expect(engine.updateProgress(location: next).position?.ageSeconds == 160)
    // A clock that was set back by an hour is believed after some fixes.
    var update = NavigationUpdate(state: .idle)
    for second in 0..<10 {
      update = engine.updateProgress(location: fix(try map.point("B"), at: -3600 + Double(second)))
    }
    #expect(update.position == nil)
    #expect(engine.position(at: start - 3590).lastFix?.timestamp == start - 3591)
  }

  @Test("whoever starts to navigate while the position is lost is told so")
  func lostAtStart() throws {
    engine.updateProgress(location: fix(try map.point("A"), at: 0))
    #expect(engine.checkPosition(at: start + 40).cues.entries.isEmpty)
    try engine.startNavigation(route: map.route("A", "D"))
    let entries = engine.checkPosition(at: start + 50).cues.entries
    #expect(entries.map(\.text) == ["Position lost 50 s ago: no signal"])
  }

  @Test("lost and found at once is not worth a word")
  func undone() throws {
    let last = try underWay()
    var timeline = HapticTimeline()
    timeline.add(.offRoute, text: "Off the route", at: last.timestamp)
    #expect(timeline.advance(to: last.timestamp).entries.map(\.cue) == [.offRoute])
    timeline.add(.positionLost, text: "Position lost", at: last.timestamp + 0.1)
    timeline.add(.positionFound, text: "Position found again", at: last.timestamp + 0.2)
    let outcome = timeline.advance(to: last.timestamp + 60)
    #expect(outcome.entries.isEmpty)
    #expect(outcome.drops.map(\.reason) == [.overtaken, .overtaken])
  }

  @Test("a walk with a gap has rows for the loss and the return, each with its cue")
  func run() throws {
    let walk = try map.walk("ABD").filter {
      !(60..<240).contains($0.timestamp.timeIntervalSince(start))
    }
    let run = try NavigationRun(
      try map.route("A", "D"), walk, NavigationConfig(), planner: nil)
    let events = run.rows.compactMap { row -> PositionEvent? in
      if case .position(let event) = row.content { event } else { nil }
    }
    #expect(events.map(\.kind) == [.lost(.signalLost), .found])
    #expect(events.map { $0.ageSeconds?.rounded() } == [30, 182])
    let cues = run.rows.compactMap { $0.cue?.cue }
    #expect(cues.contains(.positionLost) && cues.contains(.positionFound))
    #expect(run.state == .arrived)
  }
}
