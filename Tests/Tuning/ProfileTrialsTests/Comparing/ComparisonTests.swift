// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CostModel
import TestSupport
import Testing

@testable import ProfileTrials
@testable import TuningSuites

@Suite("Profiles compared on a map whose routes are known")
struct ComparisonTests {
  private let folder: TemporaryFolder
  /// From A to C over steps, or round by a track that is four times as long; F is beyond steps.
  private let map = AsciiMap(
    """
    A----B----C----F
    |         |
    |         |
    |         |
    D---------E
    """,
    ways: [
      .init("AB", tags: ["highway": "path", "sac_scale": "mountain_hiking"]),
      .init("BC", tags: ["highway": "steps"]),
      .init("CF", tags: ["highway": "steps"]),
      .init("ADEC", tags: ["highway": "track", "surface": "gravel"]),
    ],
    elevations: ["A": 500, "B": 500, "C": 500, "D": 500, "E": 500, "F": 500])

  init() throws { folder = try TemporaryFolder() }

  private func profile(_ name: String, _ rest: String) throws -> TriedProfile {
    let text = "cairn-profile: 1\nname: \(name)\nbased-on: hiking\n\(rest)\n"
    let path = try folder.write(text, to: "\(name).yaml")
    return TriedProfile(label: name, try CostProfile(file: path))
  }

  private func point(_ letter: Character) throws -> String {
    let point = try map.coordinate(letter)
    return "[\(point.latitude), \(point.longitude)]"
  }

  private func suite(_ rest: String) throws -> TuningSuite {
    _ = try map.routingDatabase(in: folder)
    let text = """
      cairn-suite: 1
      name: test
      datasets: [ { database: map.routing.db } ]
      pairs:
        - { name: over, from: \(try point("A")), to: \(try point("C")) }
        - { from: \(try point("D")), to: \(try point("E")) }
        - { name: beyond, from: \(try point("A")), to: \(try point("F")) }

      """
    return try TuningSuite(file: try folder.write(text + rest, to: "suite.yaml"))
  }

  private let hiking = TriedProfile(label: "hiking", .hiking)

  @Test("routes, overlaps, differences and what routes are made of are those of the map")
  func known() throws {
    let dear = try profile("dear", "highways: { steps: 50 }")
    let comparison = try ProfileComparison(
      try suite(""), base: hiking, candidates: [dear], threads: 1)
    let candidate = comparison.candidates[0]
    let total = candidate.total
    #expect(total.pairs == 3 && total.routedByBoth == 3 && total.changed == 2)
    #expect(candidate.pairs.map(\.isChanged) == [true, false, true])
    // A–B–C is 1 000 m, of which the detour of 1 800 m has nothing; F is 500 m further.
    let over = try #require(candidate.pairs.first)
    #expect(over.overlap == 0)
    #expect(abs((over.base?.distanceMetres ?? 0) - 1000) < 5)
    #expect(abs((over.candidate?.distanceMetres ?? 0) - 1800) < 5)
    #expect(candidate.pairs[1].overlap == 1)
    let beyond = try #require(candidate.pairs[2].overlap)
    #expect(abs(beyond - 1.0 / 3) < 0.01)
    // Of 3 500 m the street from D to E and the steps to F stay.
    #expect(abs((total.overlap ?? 0) - 3.0 / 7) < 0.01)
    #expect(abs((total.differences?.distanceMetres.median ?? 0) - 800) < 5)
    let base = total.makeup.base
    #expect(abs(base.metres - 3500) < 10)
    #expect(base.roadClasses.map(\.name).sorted() == ["path", "steps", "track"])
    #expect(abs(base.roadClasses[0].metres - 1500) < 10)
    #expect(abs(base.roadClasses.reduce(0) { $0 + $1.metres } - base.metres) < 0.5)
    #expect(abs(base.surfaces.reduce(0) { $0 + $1.metres } - base.metres) < 0.5)
    #expect(base.grades.map(\.name) == ["T2", "none"])
    let route = try #require(candidate.changedRoutes.first)
    #expect(route.rank == 1 && route.rankInDataset == 1)
    #expect(abs(route.differingMetres - 2800) < 10)
    // What a walker would see of the detour, as the text says it.
    #expect(abs((route.ownMetres ?? 0) - 1800) < 10)
    #expect(ComparisonSheet(comparison).text.contains("differs on 1.80 km"))
    #expect(Set(route.base.ownWays.map(\.way)) == [100, 101])
    #expect(route.candidate.ownWays.map(\.way) == [103])
    #expect(route.base.elevationProfile.elevations.allSatisfy { $0 == 500 })
    #expect(
      route.base.elevationProfile.distances.count == route.base.elevationProfile.elevations.count)
  }

  @Test("equal profiles give exactly nothing changed")
  func equal() throws {
    let same = try profile("same", "climb-factor: \(CostProfile.hiking.climbFactor)")
    let comparison = try ProfileComparison(
      try suite(""), base: hiking, candidates: [same], threads: 2)
    let total = comparison.candidates[0].total
    #expect(total.changed == 0 && total.overlap == 1)
    let differences = try #require(total.differences)
    for spread in [
      differences.distanceMetres, differences.distancePercent, differences.timeSeconds,
      differences.timePercent,
    ] {
      #expect(spread.percentile5 == 0 && spread.median == 0 && spread.percentile95 == 0)
    }
    #expect(total.makeup.base == total.makeup.candidate)
    #expect(comparison.candidates[0].changedRoutes.isEmpty)
    #expect(comparison.candidates[0].isAccepted)
  }

  @Test("a threshold of datasets is measured in each of them, and its error names the dataset")
  func thresholdsOfDatasets() throws {
    let dear = try profile("dear", "highways: { steps: 50 }")
    _ = try suite("")
    let (a, c) = (try point("A"), try point("C"))
    let (d, e) = (try point("D"), try point("E"))
    let text = """
      cairn-suite: 1
      name: test
      datasets:
        - { id: north, database: map.routing.db }
        - { id: south, database: map.routing.db }
      pairs:
        - { dataset: north, from: \(a), to: \(c) }
        - { dataset: south, from: \(d), to: \(e) }
      thresholds:
        changed-percent: [ { limit: 50 }, { limit: 50, each-dataset: true } ]
      """
    let suite = try TuningSuite(file: try folder.write(text, to: "two.yaml"))
    let candidate = try ProfileComparison(suite, base: hiking, candidates: [dear], threads: 1)
      .candidates[0]
    #expect(candidate.thresholds.map(\.dataset) == [nil, "north", "south"])
    #expect(candidate.thresholds.map(\.value) == [50, 100, 0])
    #expect(candidate.thresholds.map(\.isKept) == [true, false, true] && !candidate.isAccepted)
    #expect(candidate.thresholds[1].text == "routes changed in north: 100 %, at most 50 %")
  }

  @Test("a pair that one profile has no route for is counted and named")
  func routeless() throws {
    let closed = try profile("closed", "highways: { steps: impassable }")
    let suite = try suite("thresholds: { lost-routes: 0 }\n")
    let one = try ProfileComparison(suite, base: hiking, candidates: [closed], threads: 1)
    let candidate = one.candidates[0]
    #expect(candidate.total.onlyBase == 1 && candidate.total.routedByBoth == 2)
    #expect(candidate.pairs[2].name == "beyond" && candidate.pairs[2].candidate == nil)
    #expect(candidate.pairs[2].candidateFailure?.isEmpty == false)
    #expect(candidate.pairs[2].points?.count == 2)
    #expect(!candidate.isAccepted && candidate.thresholds.map(\.value) == [1])
    let other = try ProfileComparison(suite, base: closed, candidates: [hiking], threads: 1)
    #expect(other.candidates[0].total.onlyCandidate == 1)
    #expect(other.candidates[0].isAccepted)
  }

  @Test("a route that ends elsewhere, since the candidate closes the way there, is counted")
  func movedEnds() throws {
    // From F, only steps lead to C, where the nearest other way begins 500 m away.
    let closed = try profile("closed", "highways: { steps: impassable }")
    let point = try map.coordinate("F")
    let near = "[\(point.latitude), \(point.longitude - 0.002)]"
    let suite = try suite("  - { from: \(try self.point("A")), to: \(near) }\n")
    let candidate = try ProfileComparison(suite, base: hiking, candidates: [closed], threads: 1)
      .candidates[0]
    #expect(candidate.total.movedEnds == 1)
    let pair = try #require(candidate.pairs.last)
    #expect((pair.base?.offNetworkMetres ?? 99) < 1)
    #expect((pair.candidate?.offNetworkMetres ?? 0) > 300)
  }

  @Test("expectations are kept and broken under each profile, in words")
  func expectations() throws {
    let dear = try profile("dear", "highways: { steps: 50 }")
    let suite = try suite(
      """
      expectations:
        - { name: short, from: \(try point("A")), to: \(try point("C")), distance-km: [0.9, 1.1] }
        - { name: by track, from: \(try point("A")), to: \(try point("C")), avoids: steps, uses-way: 103, at-least: { gravel: 90 % } }
        - { name: flat, from: \(try point("A")), to: \(try point("C")), gain-m: [0, 5], avoids: T3 }
        - { name: none, from: \(try point("A")), to: \(try point("C")), no-route: true }
      """)
    let candidate = try ProfileComparison(suite, base: hiking, candidates: [dear], threads: 1)
      .candidates[0]
    let broken = candidate.expectations.map(\.broken)
    #expect(
      broken[0].base.isEmpty && broken[0].candidate == ["is 1.80 km long, not 0.90 km to 1.10 km"])
    #expect(
      broken[1].base == [
        "does not use way 103", "leads over 500 m of steps",
        "is gravel for 0 %, at least 90 % was expected",
      ])
    #expect(broken[1].candidate.isEmpty)
    #expect(broken[2].base.isEmpty && broken[2].candidate.isEmpty)
    #expect(broken[3].base == ["has a route of 1.00 km"])
    #expect(candidate.total.expectations.base == .init(kept: 2, broken: 2))
    #expect(candidate.total.newlyBroken == 1)
    // Nothing in the suite says so, and yet no kept expectation may break.
    #expect(!candidate.isAccepted)
    #expect(candidate.thresholds.map(\.measure) == [.newlyBrokenExpectations])
    #expect(candidate.expectations[0].line == 9)
  }

  @Test("errors against reference times are bias, mean absolute and root mean square, by slope")
  func times() throws {
    let flat = "speed-kmh: 4\ntime-model: equivalent-distance\n"
    // At 4 km/h on the flat an hour for 4 km; twice the time with a time-factor of 2.
    let slow = try profile("slow", flat + "time-factor: 2")
    let plain = try profile("plain", flat + "time-factor: 1")
    let suite = try suite(
      """
      reference-times:
        - { distance-km: 4, ascent-m: 0, descent-m: 0, minutes: 50 }
        - { distance-km: 8, ascent-m: 0, descent-m: 0, minutes: 140 }
        - { distance-km: 0.4, ascent-m: 80, descent-m: 0, minutes: 500 }
      thresholds: { time-error-minutes: 500 }
      """)
    let total = try ProfileComparison(suite, base: plain, candidates: [slow], threads: 1)
      .candidates[0].total
    let errors = try #require(total.timeErrors)
    let first = try #require(errors.base.bySlope.first)
    #expect(errors.base.count == 3 && first.count == 2)
    // +10 and −20 minutes.
    #expect(abs(first.biasSeconds + 300) < 1e-6)
    #expect(abs(first.meanAbsoluteSeconds - 900) < 1e-6)
    #expect(abs(first.rootMeanSquareSeconds - (250.0 * 3600).squareRoot()) < 1e-6)
    #expect(errors.base.bySlope.map(\.fromPercent) == [0, 20])
    #expect(errors.candidate.bySlope.first?.biasSeconds == 5_100)
  }

  @Test("a track is followed by the profile that prefers its ways")
  func tracks() throws {
    var points = ""
    for letter in "ADEC" {
      let point = try map.coordinate(letter)
      points += "<trkpt lat=\"\(point.latitude)\" lon=\"\(point.longitude)\"/>"
    }
    let gpx = """
      <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">\
      <trk><trkseg>\(points)</trkseg></trk></gpx>
      """
    try folder.write(gpx, to: "walk.gpx")
    try folder.write(gpx.replacing("47.", with: "57.").replacing("46.", with: "57."), to: "far.gpx")
    let suite = try suite(
      """
      reference-tracks:
        - { file: walk.gpx, leg-km: 50 }
        - { file: far.gpx }
      """)
    let dear = try profile("dear", "highways: { steps: 50 }")
    let candidate = try ProfileComparison(suite, base: hiking, candidates: [dear], threads: 2)
      .candidates[0]
    let track = candidate.referenceTracks[0]
    #expect(abs(track.matchedMetres - 1800) < 10)
    #expect(track.followedMetres.base == 0)
    #expect(track.followedMetres.candidate == track.comparedMetres)
    #expect(candidate.total.trackAgreement == Sides(base: 0, candidate: 1))
    #expect(candidate.referenceTracks[1].failure?.isEmpty == false)
  }

  @Test("a point off every network is an error of the suite, with its line")
  func offNetwork() throws {
    let far = try suite("  - { from: [47.5, 10.0], to: \(try point("A")) }\n")
    let error = expectError("off-network", .configuration) {
      try ProfileComparison(far, base: hiking, candidates: [hiking], threads: 2)
    }
    #expect(error?.location?.position == .line(8, column: 5))
    #expect(error?.message == "47.5,10.0 lies outside of the data")
    let swapped = try suite("  - { from: [10.001, 46.999], to: \(try point("A")) }\n")
    let other = expectError("off-network", .configuration) {
      try ProfileComparison(swapped, base: hiking, candidates: [hiking], threads: 2)
    }
    #expect(other?.hint == "latitude comes first: did you mean 46.999,10.001?")
  }

  @Test("the result does not depend on the number of threads")
  func threads() throws {
    let dear = try profile("dear", "highways: { steps: 50 }\nclimb-factor: 3")
    var suite = try suite("")
    suite.pairs.append(
      .drawn(
        .init(
          dataset: 0, count: 200, seed: 3, distanceBoundsMetres: [100, 2000],
          location: Location(file: "suite.yaml"))))
    let one = try ProfileComparison(suite, base: hiking, candidates: [dear, hiking], threads: 1)
    #expect(one.datasets[0].pairsNotFound > 0)
    for threads in [2, 3, 8] {
      #expect(
        try ProfileComparison(suite, base: hiking, candidates: [dear, hiking], threads: threads)
          == one)
    }
  }

  @Test("a name that is neither built in nor in every dataset is refused")
  func names() throws {
    let suite = try suite("")
    #expect(try TriedProfile("hiking", of: suite).profile == .hiking)
    let changed = try TriedProfile(
      "hiking", changedBy: [try ProfileSetting("climb-factor=3")], of: suite)
    #expect(changed.profile.climbFactor == 3 && changed.label == "hiking climb-factor=3")
    let error = expectError(.unknownProfile, .configuration) {
      try TriedProfile("hikin", of: suite)
    }
    #expect(error?.hint == "did you mean hiking?")
  }
}
