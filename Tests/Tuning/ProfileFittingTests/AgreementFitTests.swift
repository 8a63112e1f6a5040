// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CostModel
import Foundation
import TestSupport
import Testing

@testable import ProfileFitting
@testable import TuningSuites

@Suite("Profiles fitted to the routes of tracks")
struct AgreementFitTests {
  private let map: DetourMap

  init() throws { map = try DetourMap() }

  private func keys(_ names: String...) throws -> [ProfileNumber] {
    try names.map { try ProfileNumber($0, option: "--parameters") }
  }

  private func run(
    _ suite: TuningSuite, from start: Double, _ keys: [ProfileNumber], walks: TimedWalks = .init(),
    isForced: Bool = false, threads: Int = 1, seed: UInt64 = 1
  ) throws -> (profile: CostProfile, report: FitReport) {
    var fit = FitRun(walks, suite, DetourMap.profile(asphalt: start), keys, seed: seed)
    (fit.isForced, fit.threads) = (isForced, threads)
    return try fit.run()
  }

  @Test(
    "from either side the factor moves towards the one that the tracks were walked by",
    arguments: zip([1.0, 8], [3.2, 2.2]))
  func recovers(start: Double, truth: Double) throws {
    let suite = try map.suite { _ in truth }
    let (fitted, report) = try run(suite, from: start, try keys("surfaces.asphalt"))
    let routes = try #require(report.routes)
    let (seen, unseen) = (try #require(routes.seen), try #require(routes.unseen))
    #expect(routes.tracks == DetourMap.count && routes.folds.count == 5)
    #expect(unseen.candidate > unseen.base + 0.2, "\(unseen)")
    #expect(seen.candidate > 0.95 && seen.candidate > unseen.candidate - 1e-9)
    let factor = try #require(fitted.surfaces["asphalt"])
    #expect(abs(log(factor / truth)) < 0.3 * abs(log(start / truth)), "\(factor)")
    #expect(routes.verdict.isImprovement && report.isImprovement)
    #expect(report.keys.map(\.fittedTo) == [.routes] && report.keys[0].isKept)
    #expect(report.keys[0].after == factor && report.keys[0].before == start)
  }

  @Test("tracks along routes of random profiles are noise", arguments: UInt64(1)...12)
  func noise(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let suite = try map.suite { _ in 2.6 * exp(0.6 * SimulatedWalkers.normal(&generator)) }
    let (fitted, report) = try run(suite, from: 2.6, try keys("surfaces.asphalt"), seed: seed)
    let routes = try #require(report.routes)
    #expect(!routes.verdict.isImprovement && !report.isImprovement, "\(routes.verdict)")
    #expect(routes.verdict.references == DetourMap.count)
    // What is no improvement leaves no trace.
    #expect(fitted == DetourMap.profile(asphalt: 2.6) && !report.keys[0].isKept)
  }

  @Test("the result does not depend on the number of threads")
  func threads() throws {
    let suite = try map.suite { $0 % 2 == 0 ? 1.5 : 3 }
    let names = try keys("surfaces.asphalt", "unknown-surfaces.path")
    let one = try run(suite, from: 1, names)
    for threads in [2, 5] {
      let other = try run(suite, from: 1, names, threads: threads)
      #expect(other.profile == one.profile && other.report == one.report)
    }
  }

  @Test("each dataset is foretold by what the others gave")
  func datasets() throws {
    let suite = try map.suite(datasets: ["alps", "jura"]) { _ in 3.2 }
    let report = try run(suite, from: 1, try keys("surfaces.asphalt")).report
    #expect(report.routes?.folds.map(\.name) == ["alps", "jura"])
    #expect(report.routes?.folds.map(\.walks) == [8, 8])
    #expect(report.isImprovement)
  }

  @Test("too few tracks prove nothing, however well they agree")
  func tooFew() throws {
    var suite = try map.suite { _ in 3.2 }
    suite.referenceTracks = Array(suite.referenceTracks.prefix(7))
    let report = try run(suite, from: 1, try keys("surfaces.asphalt")).report
    #expect(
      report.routes?.verdict.reason
        == "too few to tell: there are 7 tracks, and 1 key needs 8")
    suite.referenceTracks = Array(suite.referenceTracks.prefix(1))
    let alone = try run(suite, from: 1, try keys("surfaces.asphalt")).report
    #expect(alone.routes?.unseen == nil && alone.routes?.folds.isEmpty == true)
  }

  @Test("a gain on few of many tracks may be chance, however large it is", arguments: [5, 6])
  func fewChanged(count: Int) throws {
    let gains = (0..<100).map { FitJudge.Gain(source: "\($0)", gain: $0 < count ? 0.5 : 0) }
    let verdict = FitJudge(gains: gains, keys: 1, references: 100, words: .routes).verdict
    #expect(verdict.isImprovement == (count == 6))
    #expect(
      verdict.reason
        == (count == 6
          ? "routes follow tracks that it was not fitted to more closely"
          : "only 5 tracks are followed more or less closely, and fewer than 6 may be chance"))
  }

  @Test("keys that no track depends on stay as they are and are named")
  func unused() throws {
    let suite = try map.suite { _ in 3.2 }
    let names = try keys("surfaces.mud", "surfaces.asphalt", "highways.steps")
    let (fitted, report) = try run(suite, from: 1, names)
    #expect(report.keys.map(\.matters) == [false, true, false])
    #expect(fitted.surfaces["mud"] == CostProfile.hiking.surfaces["mud"])
    let nothing = try run(suite, from: 1, try keys("surfaces.mud")).report
    #expect(nothing.routes?.verdict.reason == "no track depends on any of the keys")
    #expect(!nothing.isImprovement && !nothing.hasImprovement)
  }

  @Test("of times and routes, the group that is no improvement keeps its old values")
  func groups() throws {
    let suite = try map.suite { _ in 3.2 }
    let names = try keys("time-factor", "surfaces.asphalt")
    var walker = DetourMap.profile(asphalt: 1)
    // As slow as the profile says, but for noise.
    let usual = SimulatedWalkers(truth: walker, spread: 0.2).walks(20, seed: 3)
    let (fitted, report) = try run(suite, from: 1, names, walks: usual)
    #expect(report.keys.map(\.fittedTo) == [.times, .routes])
    #expect(report.keys.map(\.isKept) == [false, true])
    #expect(fitted.timeFactor == walker.timeFactor)
    #expect(report.keys[1].after == fitted.surfaces["asphalt"])
    #expect(report.hasImprovement && !report.isImprovement)
    let text = try FittedProfileFile(fitted, basedOn: "hiking", report, suite: "row").text()
    #expect(text.contains("20 walks and 16 tracks of row") && !text.contains("time-factor"))
    #expect(text.contains("surfaces:\n  asphalt: "))

    walker.timeFactor = 1.5
    let slow = SimulatedWalkers(truth: walker, spread: 0.1).walks(20, seed: 3)
    let both = try run(suite, from: 1, names, walks: slow)
    #expect(both.report.isImprovement && both.report.keys.map(\.isKept) == [true, true])
    #expect(abs(both.profile.timeFactor - 1.5) < 0.1)

    let forced = try run(suite, from: 1, names, walks: usual, isForced: true)
    #expect(forced.report.keys.map(\.isKept) == [true, true] && !forced.report.isImprovement)
    let file = try FittedProfileFile(forced.profile, basedOn: nil, forced.report, suite: nil).text()
    #expect(file.contains("# Its times are no proven improvement: "))
    #expect(!file.contains("# Its routes are"))
  }

  @Test("without timed walks and without tracks along ways there is nothing to fit to")
  func nothing() throws {
    var suite = try map.suite { _ in 3.2 }
    let names = try keys("surfaces.asphalt")
    suite.referenceTracks = [
      .init(
        name: "empty", dataset: 0,
        file: try map.folder.write("<gpx version=\"1.1\" creator=\"x\"/>", to: "empty.gpx"),
        legMetres: 3000, location: Location(file: "suite.yaml"))
    ]
    let error = expectError("no-walks", .dataError) { try run(suite, from: 1, names) }
    #expect(
      error?.message
        == "no timed walks or tracks along ways: empty cannot be compared: "
        + "the file has no track")
    suite.referenceTracks = []
    expectError("no-walks", .dataError) { try run(suite, from: 1, names) }
  }
}
