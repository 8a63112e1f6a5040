// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnGuidance
import CairnLocationProviders
import CairnMapMatching
import CairnRouting
import CairnRoutingDatabase
import Foundation
import TestSupport
import Testing

@Suite(
  "cairn track match, and guidance, in Andorra",
  .enabled(if: Andorra.isThere, "needs ../shared/data"))
struct AndorraMatchTests {
  private let folder: TemporaryFolder
  private let database: String
  private let graph: ProfileGraph

  init() throws {
    folder = try TemporaryFolder()
    database = try Andorra.database()
    let store = RoutingStore(path: database)
    try store.open()
    defer { store.close() }
    graph = try ProfileGraph(RoadNetwork(reading: store), profile: "hiking", reading: store)
  }

  private func routes(_ count: Int) throws -> [WalkedPath] {
    let engine = RoutingEngine(graphs: [graph])
    let text = try String(
      contentsOfFile: try #require(sharedData("andorra-pairs.txt")), encoding: .utf8)
    return text.split(separator: "\n").lazy.compactMap { line in
      let degrees = line.split(separator: " ").compactMap { Double($0) }
      guard degrees.count == 4 else { return nil }
      let start = Coordinate(latitude: degrees[1], longitude: degrees[0])
      let end = Coordinate(latitude: degrees[3], longitude: degrees[2])
      return (try? engine.findRoute(from: start, to: end, profile: "hiking")).map { WalkedPath($0) }
    }.prefix(count).map { $0 }
  }

  private func scores(
    _ paths: [WalkedPath], deviation: Double = 10, interval: Double,
    bursts: ReceiverNoise.Bursts? = nil
  ) throws -> [MatchingScore] {
    let matcher = MapMatcher(graph)
    return try paths.enumerated().map { index, path in
      let walk = SimulatedWalk(
        path, deviation: deviation, interval: interval, bursts: bursts, seed: UInt64(index))
      return MatchingScore(walk, try matcher.match(walk.fixes))
    }
  }

  @Test(
    "with noise of 10 m, 98 % of the length of routes are right",
    arguments: [(1.0, 12), (10.0, 40)])
  func routes(interval: Double, count: Int) throws {
    let scores = try scores(try routes(count), interval: interval)
    let median = scores.map(\.rightShare).sorted()[scores.count / 2]
    #expect(median >= 0.98, "\(median)")
    let total = scores.reduce(0) { $0 + $1.trueMetres }
    let right = scores.reduce(0) { $0 + $1.rightMetres } / total
    #expect(right >= 0.98, "\(right)")
    let lost = scores.reduce(0) { $0 + $1.falseGapMetres } / total
    #expect(lost <= 0.005, "\(lost)")
  }

  // Without the search for bursts it is 94.5 %, and 91.9.
  @Test(
    "in bursts of multipath, 98 % of the length of routes are right, and next to nothing is in gaps",
    arguments: [(1.0, 12), (10.0, 40)])
  func bursts(interval: Double, count: Int) throws {
    let scores = try scores(
      try routes(count), deviation: 5, interval: interval, bursts: ReceiverNoise.Bursts())
    let total = scores.reduce(0) { $0 + $1.trueMetres }
    #expect(scores.reduce(0) { $0 + $1.rightMetres } / total >= 0.98)
    #expect(scores.reduce(0) { $0 + $1.falseGapMetres } / total <= 0.015)
  }

  @Test(
    "wrong turns along other ways are noticed, half of them within 60 s and nine in ten within 90 s",
    arguments: [nil, ReceiverNoise.Bursts()])
  func wrongTurns(_ bursts: ReceiverNoise.Bursts?) throws {
    let store = RoutingStore(path: database)
    try store.open()
    let engine = RoutingEngine(graphs: [graph])
    var delays: [Double] = []
    for (index, path) in try routes(200).filter({ $0.length < 8000 }).prefix(12).enumerated() {
      guard let from = path.line.first, let to = path.line.last else { continue }
      let route = try engine.findRoute(from: from, to: to, profile: "hiking")
      let planned = PlannedRoute.from(computedRoute: route, name: "Walk", mode: .hiking)
      var walk = try #require(WalkSimulator(planned))
      walk.noise.bursts = bursts
      walk.interval = 2
      walk.wrongTurns = try walk.wrongTurns(
        count: 5, alongWaysOf: store, profile: "hiking", seed: UInt64(index))
      let evaluation = EvaluatedWalk(walk.walk(seed: UInt64(index)), along: planned).evaluation
      delays += evaluation.wrongTurns.map { $0.delaySeconds ?? .infinity }
    }
    delays.sort()
    try #require(delays.count >= 30)
    #expect(delays[delays.count / 2] <= 60, "\(delays)")
    #expect(delays[delays.count * 9 / 10] <= 90)
    // A few stay nearer to the route than reflections put a receiver aside.
    #expect(delays.count { $0 == .infinity } * 40 <= delays.count)
  }

  @Test(
    "with noise of 10 m, 90 % of cuts across country are found", arguments: [(1.0, 12), (10.0, 40)])
  func cuts(interval: Double, count: Int) throws {
    let cuts = CountryCuts(graph)
    let paths = try routes(count).enumerated().compactMap { cuts.cut($1, seed: UInt64($0)) }
    #expect(paths.count > count / 2)
    let scores = try scores(paths, interval: interval)
    let length = scores.reduce(0) { $0 + $1.cutMetres }
    let found = scores.reduce(0) { $0 + $1.foundMetres } / length
    #expect(found >= 0.9, "\(found)")
    #expect(scores.count { $0.foundShare >= 0.5 } * 10 >= scores.count * 9)
  }

  @Test("a recorded track follows the main road and then the road to Sorteny, in every format")
  func recorded() throws {
    let track = try #require(sharedData("gpx/andorra-map-matching.gpx"))
    func run(_ words: String...) throws -> String {
      try Executables.succeed("cairn", ["track", "match", database, track] + words).stdout
    }
    let text = try run()
    #expect(text.contains("0.67 km on the network, no gaps"), "\(text)")
    let first = try #require(text.range(of: "Carretera General 3"))
    let second = try #require(text.range(of: "Carretera de Sorteny"))
    #expect(first.lowerBound < second.lowerBound)
    let record = try jsonObject(try run("--format", "json"))
    let tracks = try #require(record["tracks"] as? [[String: Any]])
    #expect((tracks.first?["points"] as? [Any])?.count == 21)
    let features = try jsonObject(try run("--format", "geojson"))
    #expect((features["features"] as? [Any])?.count == 2)
    let gpx = folder.file("matched.gpx")
    for _ in 0..<2 { _ = try run("--format", "gpx", "--output", gpx) }
    let again = try Executables.succeed("cairn", ["track", "match", database, gpx]).stdout
    #expect(again.contains("0.67 km on the network, no gaps"), "\(again)")
  }

  @Test("a track elsewhere, and a file that is no track, are errors with a reason")
  func errors() throws {
    let elsewhere = try #require(sharedData("gpx/Mojstrovka.gpx"))
    let outside = try Executables.run("cairn", ["track", "match", database, elsewhere])
    #expect(outside.status == 1)
    #expect(outside.stderr.contains("which lies outside the database"), "\(outside.stderr)")
    let empty = try folder.write("<gpx><trk><trkseg/></trk></gpx>", to: "empty.gpx")
    let other = try folder.write("important", to: "other.txt")
    for (words, status, reason) in [
      ([database, empty], 65, "has neither tracks nor routes with points"),
      ([database, "missing.gpx"], 66, "missing.gpx"),
      ([elsewhere, elsewhere], 65, "not a routing database"),
      ([database, elsewhere, "--accuracy", "0"], 64, "--accuracy"),
      ([database, elsewhere, "--profile", "hikin"], 1, "did you mean hiking?"),
      (
        [
          database, try #require(sharedData("gpx/andorra-map-matching.gpx")), "--format", "gpx",
          "--output", other,
        ], 73, "other.txt"
      ),
    ] as [([String], Int32, String)] {
      let result = try Executables.run("cairn", ["track", "match"] + words)
      #expect(result.status == status, "\(words): \(result.stderr)")
      #expect(result.stderr.contains(reason), "\(words): \(result.stderr)")
    }
    #expect(try folder.read("other.txt").elementsEqual("important".utf8))
  }
}
