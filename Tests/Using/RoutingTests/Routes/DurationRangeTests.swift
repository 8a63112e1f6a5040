// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import Foundation
import TestSupport
import Testing

@testable import CairnRouting

@Suite("The range of a route's time")
struct DurationRangeTests {
  @Test("four of five people lie within 1.2816 spreads of the median, in logarithms")
  func formula() {
    let range = DurationRange(median: 12_000, spread: 0.2)
    #expect(range.p50 == 12_000)
    #expect(abs(range.p10 - 12_000 * 0.77390) < 0.5 && abs(range.p90 - 12_000 * 1.29216) < 0.5)
    #expect(abs(erfc(-DurationRange.deviations90 / 2.0.squareRoot()) / 2 - 0.9) < 1e-9)
    let none = DurationRange(median: 100, spread: 0)
    #expect(none.p10 == 100 && none.p90 == 100)
  }

  private func routed(_ profile: String = "", elevations: [Character: Float]) throws -> RoutedMap {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "cairn-profile: 1\nname: mine\nbased-on: trail-hiking\n\(profile)", to: "mine.yaml")
    let map = AsciiMap(
      "A--B--C--D", cellMetres: 500,
      ways: [
        .init("AB"), .init("BC", tags: ["route": "ferry", "duration": "00:30"]), .init("CD"),
      ], elevations: elevations)
    return try RoutedMap(map, profiles: [file])
  }

  private static let heights: [Character: Float] = ["A": 500, "B": 500, "C": 500, "D": 600]

  @Test("a route has the spread of its profile, and its middle time is the estimate")
  func ofRoute() throws {
    let routed = try routed("time-spread: 0.3\n", elevations: Self.heights)
    let route = try routed.route("A", "B")
    let range = try #require(route.durationRange)
    #expect(route.timeSpread == 0.3 && range.p50 == route.estimatedDuration)
    #expect(abs(log(range.p90 / range.p50) - 0.3 * DurationRange.deviations90) < 1e-9)
  }

  @Test("a profile that says nothing has the spread of its base")
  func usual() throws {
    #expect(try routed(elevations: Self.heights).route("A", "B").timeSpread == 0.25)
  }

  @Test("a ferry takes everybody equally long")
  func ferry() throws {
    let routed = try routed(elevations: Self.heights)
    let (whole, walk) = (try routed.route("A", "D"), try routed.route("C", "D"))
    let ferry = whole.edges.filter { $0.highwayType == "ferry" }.compactMap(\.duration)
    #expect(ferry.reduce(0, +) > 1000)
    let range = try #require(whole.durationRange)
    let width = range.p90 - range.p10
    let first = try #require(try routed.route("A", "B").durationRange)
    let last = try #require(walk.durationRange)
    #expect(abs(width - (first.p90 - first.p10) - (last.p90 - last.p10)) < 1)
  }

  @Test("where climb is unknown there is no range")
  func unknown() throws {
    let route = try routed(elevations: ["A": 500, "B": 500]).route("A", "D")
    #expect(route.unknownClimbMetres > 0 && route.durationRange == nil)
  }

  @Test("a spread out of range in a database leaves the range unknown")
  func hostile() {
    for value in ["-1", "1e9", "2"] {
      let definition = #"{"based-on":"none","time-spread":\#(value)}"#
      #expect(ProfileFormula(definition: definition).timeSpread == nil)
    }
    #expect(ProfileFormula(definition: #"{"based-on":"none"}"#).timeSpread == 0.2)
    #expect(ProfileFormula(definition: "nonsense").timeSpread == nil)
  }
}
