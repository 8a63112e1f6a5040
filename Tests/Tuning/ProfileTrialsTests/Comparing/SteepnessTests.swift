// SPDX-License-Identifier: Apache-2.0
import CostModel
import TestSupport
import Testing

@testable import ProfileTrials
@testable import TuningSuites

@Suite("The steepness of routes in comparisons, sweeps, expectations and thresholds")
struct SteepnessTests {
  private let folder: TemporaryFolder
  /// From A to B over T, up 35 % and down 5 %, or round by the valley, which is as high as A and B.
  private let map = AsciiMap(
    """
    A--T--B
    |     |
    C-----D
    """,
    ways: [.init("ATB"), .init("ACDB")],
    elevations: ["A": 1000, "T": 1105, "B": 1090, "C": 1000, "D": 1090])

  init() throws { folder = try TemporaryFolder() }

  private let shortest = TriedProfile(label: "shortest", .shortest)

  /// A profile that takes the valley.
  private func gentle() throws -> TriedProfile {
    let text = "cairn-profile: 1\nname: gentle\nbased-on: hiking\nmax-grade-percent: 12\n"
    return TriedProfile(
      label: "gentle", try CostProfile(file: try folder.write(text, to: "gentle.yaml")))
  }

  private func suite(_ rest: String, _ map: AsciiMap? = nil) throws -> TuningSuite {
    let map = map ?? self.map
    _ = try map.routingDatabase(in: folder)
    func point(_ letter: Character) throws -> String {
      let point = try map.coordinate(letter)
      return "[\(point.latitude), \(point.longitude)]"
    }
    let (there, back) = (
      "from: \(try point("A")), to: \(try point("B"))",
      "from: \(try point("B")), to: \(try point("A"))"
    )
    let text = """
      cairn-suite: 1
      name: test
      datasets: [ { database: map.routing.db } ]
      pairs: [ { \(there) }, { \(back) } ]

      """ + rest.replacing("THERE", with: there).replacing("BACK", with: back)
    return try TuningSuite(file: try folder.write(text, to: "suite.yaml"))
  }

  @Test("descent, gradients and the steepest 100 m are those of the direction of travel")
  func compared() throws {
    let comparison = try ProfileComparison(
      try suite(""), base: shortest, candidates: [try gentle()], threads: 1)
    let candidate = comparison.candidates[0]
    #expect(candidate.total.changed == 2)
    let (there, back) = (
      try #require(candidate.pairs[0].base), try #require(candidate.pairs[1].base)
    )
    #expect(abs((there.descentMetres ?? 0) - 15) < 1 && abs((back.descentMetres ?? 0) - 105) < 1)
    #expect(abs((there.steepness?.steepestAscentPercent ?? 0) - 35) < 1)
    #expect(abs((there.steepness?.steepestDescentPercent ?? 0) - 5) < 1)
    #expect(abs((back.steepness?.steepestDescentPercent ?? 0) - 35) < 1)
    #expect(there.steepness?.steepDescentMetres == 0)
    // Elevations are 15 m apart, so that the top is in a stretch of its own.
    #expect(abs((back.steepness?.steepDescentMetres ?? 0) - 300) < 15)
    let makeup = candidate.total.makeup
    let gradients = try #require(makeup.base.gradients)
    #expect(gradients.map(\.name) == Array(RouteMakeup.gradientNames[1...5]))
    #expect(gradients[0].metres == back.steepness?.steepDescentMetres)
    #expect(gradients[4].metres == gradients[0].metres)
    #expect(abs(gradients.reduce(0) { $0 + $1.metres } - makeup.base.metres) < 0.5)
    #expect(abs((makeup.base.steepDescentShare ?? 0) - 0.24) < 0.01)
    #expect(makeup.candidate.steepDescentShare == 0)
    let differences = try #require(candidate.total.differences)
    // 15 and 105 m become 0 and 90 m.
    #expect(abs((differences.descentMetres?.median ?? 0) + 15) < 1)
    #expect(abs((differences.steepDescentMetres?.median ?? 0) + 143) < 5)
    let version = candidate.changedRoutes.first { $0.pair == 2 }?.base
    #expect(version?.steepness == back.steepness)
    let text = ComparisonSheet(comparison).text
    #expect(text.contains("gradient") && text.contains("\u{2212}40 to \u{2212}25 %"))
    #expect(text.contains("steepest 100 m: ↑ 5 % ↓ 35 % → ↑ 0 % ↓ 15 %"), "\(text)")
  }

  @Test("expectations of slopes are kept and broken, in words")
  func expectations() throws {
    let suite = try suite(
      """
      expectations:
        - { BACK, steeper: { downhill-percent: 30, at-most-m: 200 } }
        - { THERE, steeper: { downhill-percent: 30, at-most-m: 200 } }
        - { THERE, steeper: [ { uphill-percent: 40, at-most-m: 0 }, { uphill-percent: 30, at-most-m: 1 } ] }
        - { BACK, steepest-100-m: { uphill-percent: 20, downhill-percent: 30 } }
        - { BACK, loss-m: [0, 50] }
      """)
    let broken = try ProfileComparison(
      suite, base: shortest, candidates: [try gentle()], threads: 1
    ).candidates[0].expectations.map(\.broken)
    #expect(
      broken.map(\.base) == [
        ["is steeper than 30 % downhill for 286 m, at most 200 m was expected"], [],
        ["is steeper than 30 % uphill for 286 m, at most 1 m was expected"],
        ["is 35 % steep downhill over 100 m, at most 30 % was expected"],
        ["descends 105 m, not 0 m to 50 m"],
      ])
    #expect(broken.dropLast().allSatisfy { $0.candidate.isEmpty })
  }

  @Test("what is unknown keeps no expectation, and is neither 0 nor steep")
  func unknown() throws {
    var map = map
    map.elevations["T"] = nil
    let suite = try suite(
      """
      expectations:
        - { BACK, steeper: { downhill-percent: 30, at-most-m: 200 } }
        - { BACK, steepest-100-m: { downhill-percent: 30 } }
        - { BACK, steeper: { downhill-percent: 30, at-most-m: 700 } }
      thresholds: { steep-descent-percent: 5 }
      """, map)
    let candidate = try ProfileComparison(
      suite, base: shortest, candidates: [shortest], threads: 1
    ).candidates[0]
    let words = ["has unknown slopes for 600 m"]
    #expect(candidate.expectations.map(\.broken.base) == [words, words, []])
    let pair = try #require(candidate.pairs[0].base)
    #expect(pair.steepness != nil && pair.steepness?.steepDescentMetres == nil)
    #expect(pair.steepness?.steepestDescentPercent == nil)
    #expect(candidate.total.makeup.base.gradients?.map(\.name) == ["unknown"])
    #expect(candidate.total.differences?.steepDescentMetres == nil)
    #expect(candidate.thresholds[0].value == nil && !candidate.thresholds[0].isKept)
  }

  @Test("thresholds and sweeps measure steep descents of the candidate")
  func measures() throws {
    let suite = try suite(
      "thresholds: { steep-descent-percent: 20, descent-median-percent: [-100, 1000] }\n")
    let candidate = try ProfileComparison(
      suite, base: try gentle(), candidates: [shortest], threads: 1
    ).candidates[0]
    #expect(candidate.thresholds.map(\.isKept) == [true, false])
    #expect(abs((candidate.thresholds[1].value ?? 0) - 24) < 1)
    #expect(candidate.thresholds[1].text.hasPrefix("descent steeper than 25 %: 2"))
    let axis = try SweepAxis("climb-factor=0,50", option: "--vary")
    let sweep = try ProfileSweep(
      suite, shortest, axes: [axis], measures: [.steepDescent, .descent], threads: 1)
    #expect(abs((sweep.cells[0].outcomes[0] ?? 0) - 24) < 1)
    #expect(sweep.cells[0].outcomes[1] == 0)
  }
}
