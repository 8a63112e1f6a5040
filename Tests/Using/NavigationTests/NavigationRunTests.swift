// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnNavigation
import CairnRouting
import Foundation
import TestSupport
import Testing

@Suite("A walk with all that was said on it")
struct NavigationRunTests {
  private let map: NavigatedMap

  init() throws {
    map = try NavigatedMap(
      AsciiMap(
        """
        A---B---C
            |
            D
        """,
        ways: [
          .init("ABC", tags: ["highway": "path", "name": "Talweg"]),
          .init("BD", tags: ["highway": "path", "name": "Höhenweg"]),
        ]))
  }

  private func run(_ walk: String, planner: (any RoutePlanning)? = nil) throws -> NavigationRun {
    try NavigationRun(
      try map.route("A", "D"), try map.walk(walk), NavigationConfig(), planner: planner)
  }

  @Test("each event has its cue, and the summary counts them")
  func wholeWalk() throws {
    let run = try run("ABD")
    #expect(run.rows.compactMap { $0.cue?.cue } == [.approaching, .right, .approaching, .arrived])
    #expect(run.rows.allSatisfy { $0.cue?.start != nil && $0.cue?.drop == nil })
    #expect(run.state == .arrived && run.progress > 0.9 && run.offRouteSpans.isEmpty)
    let summary = NavigationSummary(run)
    #expect(summary.hasArrived && summary.turns == 1 && summary.warnings == 2)
    #expect(summary.played == 4 && summary.dropped == 0 && summary.offRouteSeconds == 0)
    #expect(summary.seconds == run.fixes.last?.timestamp.timeIntervalSince(start))
    let ahead = try #require(summary.meanWarningMetres)
    #expect(ahead > 60 && ahead <= 101)
  }

  @Test("time off the route is a span, which a way back ends")
  func astray() throws {
    let back = try run("ABCBD")
    #expect(back.offRouteSpans.count == 1)
    let span = try #require(back.offRouteSpans.first)
    let end = try #require(span.end)
    #expect(span.farthestMetres > 50 && end > span.start)
    #expect(NavigationSummary(back).offRouteSeconds == end.timeIntervalSince(span.start))
    let lost = try run("ABC")
    #expect(lost.offRouteSpans.count == 1 && lost.offRouteSpans[0].end == nil)
    #expect(!NavigationSummary(lost).hasArrived)
    let last = try #require(lost.fixes.last?.timestamp)
    #expect(
      NavigationSummary(lost).offRouteSeconds
        == last.timeIntervalSince(lost.offRouteSpans[0].start))
  }

  @Test("with a planner, a new route is found, and ends the span")
  func rerouted() throws {
    let run = try run("ABC", planner: map.planner)
    let found = run.rows.filter {
      if case .reroute(let result) = $0.content { result.route != nil } else { false }
    }
    #expect(run.reroutes > 0 && run.reroutes == found.count)
    #expect(run.offRouteSpans.first?.end == found.first?.time)
    #expect(try self.run("ABC").reroutes == 0)
  }

  @Test("a route without a point on Earth cannot be followed")
  func unusable() throws {
    var route = try map.route("A", "D")
    route.coordinates = []
    #expect(throws: NavigationError.self) {
      try NavigationRun(route, try map.walk("AB"), NavigationConfig(), planner: nil)
    }
  }
}
